// What the trainer of main content sees of pages: content_features < PATHS
//
// For each path on a line of its own one line of JSON: {"page": [features...],
// "blocks": [[text, [features...]], ...], "forest": number, "scores": [0..1000,
// ...], "kept": [bool, ...]}; text with character references as they stand,
// white space collapsed by the reader; forest, scores and choice are those of
// the models that are compiled in. With --names: the names of
// the features instead. With --time: the processor time it takes to make main
// content of all the pages, from their bytes to the text, the best of three
// rounds.
#include "text/content/content_features.h"

#include <cmath>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/document.h"
#include "text/charset/charset.h"
#include "text/content/content.h"
#include "text/content/content_model.h"
#include "text/content/content_page.h"
#include "text/html/html_tree.h"
#include "text/page/clean_text.h"

namespace twinset {
namespace {

std::string BlockText(const std::string& utf8, const HtmlTree& tree,
                      const PageBlock& block) {
  std::string text;
  for (uint32_t i = block.first_node; i < block.end_node; ++i) {
    const HtmlNode& node = tree.nodes[i];
    if (node.kind == HtmlNode::kVoid && node.tag == HtmlTag::kBr) text += '\n';
    if (node.kind != HtmlNode::kText || (node.flags & HtmlNode::kHidden)) {
      continue;
    }
    text.append(utf8, node.begin, node.end - node.begin);
  }
  return text;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int Time() {
  std::vector<Document> pages;
  for (std::string path; std::getline(std::cin, path);) {
    pages.emplace_back();
    pages.back().kind = ContentKind::kHtml;
    pages.back().payload = ReadFile(path);
  }
  TextOptions options;
  options.content = ContentMode::kMain;
  double best = 0;
  size_t bytes = 0;
  for (int round = 0; round < 3; ++round) {
    bytes = 0;
    const std::clock_t start = std::clock();
    for (const Document& page : pages) {
      const Result<CleanText> text = ExtractText(page, options);
      if (text) bytes += text->text.size();
    }
    const double seconds =
        static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (round == 0 || seconds < best) best = seconds;
  }
  std::cout << nlohmann::json{{"seconds", best}, {"text_bytes", bytes}} << "\n";
  return 0;
}

int Main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--time") == 0) return Time();
  if (argc > 1 && std::strcmp(argv[1], "--names") == 0) {
    nlohmann::json names = {{"blocks", nlohmann::json::array()},
                            {"page", nlohmann::json::array()}};
    for (size_t i = 0; i < kContentFeatures; ++i)
      names["blocks"].push_back(ContentFeatureName(i));
    for (size_t i = 0; i < kKindFeatures; ++i)
      names["page"].push_back(KindFeatureName(i));
    std::cout << names << "\n";
    return 0;
  }
  for (std::string path; std::getline(std::cin, path);) {
    const std::string bytes = ReadFile(path);
    const Result<DecodedText> decoded =
        DecodeFrom(ChooseCharset(bytes, "", true), bytes);
    if (!decoded) return 1;
    HtmlTree tree;
    BuildHtmlTree(decoded->text, &tree);
    ContentPage page;
    ReadContentPage(decoded->text, tree, &page);
    ContentRows rows(page);
    nlohmann::json blocks = nlohmann::json::array();
    for (const PageBlock& block : page.blocks) {
      blocks.push_back({BlockText(decoded->text, tree, block), rows.Next()});
    }
    const MainContent main = FindMainContent(decoded->text, tree, false);
    nlohmann::json scores = nlohmann::json::array(), kept = scores;
    for (const ContentBlock& block : main.blocks) {
      scores.push_back(std::lround(block.score * 1000));
      kept.push_back(block.kept);
    }
    std::cout << nlohmann::json{{"page", MeasurePage(page)},
                                {"blocks", blocks},
                                {"forest", ForestOf(main.kind)},
                                {"scores", scores},
                                {"kept", kept}}
              << "\n";
  }
  return 0;
}

}  // namespace
}  // namespace twinset

int main(int argc, char** argv) { return twinset::Main(argc, argv); }
