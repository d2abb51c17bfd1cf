// What the trainer of main content sees of pages: content_features < PATHS
//
// For each path on a line of its own one line of JSON: {"blocks": [[text,
// [features...]], ...]}; text with character references as they stand, white
// space collapsed. With --names: the names of the features instead.
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "text/charset.h"
#include "text/content_features.h"
#include "text/content_page.h"
#include "text/html_tree.h"

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

int Main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--names") == 0) {
    nlohmann::json names = nlohmann::json::array();
    for (size_t i = 0; i < kContentFeatures; ++i) {
      names.push_back(ContentFeatureName(i));
    }
    std::cout << names << "\n";
    return 0;
  }
  for (std::string path; std::getline(std::cin, path);) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
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
    std::cout << nlohmann::json{{"blocks", blocks}} << "\n";
  }
  return 0;
}

}  // namespace
}  // namespace twinset

int main(int argc, char** argv) { return twinset::Main(argc, argv); }
