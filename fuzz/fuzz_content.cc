// Any markup: blocks ascend and lie in the tree, kept nodes are visible text of
// kept blocks, reasons change nothing, and what the vectors compute is what the
// reference computes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "target.h"
#include "text/charset/charset.h"
#include "text/content/content.h"
#include "text/content/content_features.h"
#include "text/content/content_model.h"

namespace {

void CheckBlocks(const twinset::HtmlTree& tree,
                 const twinset::MainContent& main) {
  using twinset::HtmlNode;
  if (main.keep_node.size() != tree.nodes.size()) std::abort();
  uint32_t last = 0;
  bool any = main.blocks.empty();
  for (const twinset::ContentBlock& block : main.blocks) {
    if (block.first_node < last || block.end_node <= block.first_node ||
        block.end_node > tree.nodes.size()) {
      std::abort();
    }
    last = block.end_node;
    any |= block.kept;
    for (uint32_t i = block.first_node; i < block.end_node; ++i) {
      const HtmlNode& node = tree.nodes[i];
      const bool text =
          node.kind == HtmlNode::kText && (node.flags & HtmlNode::kHidden) == 0;
      if (main.keep_node[i] != (block.kept && text ? 1 : 0)) std::abort();
    }
  }
  if (!any) std::abort();
}

void CheckScores(std::string_view html, const twinset::HtmlTree& tree) {
  twinset::ContentPage page;
  twinset::ReadContentPage(html, tree, &page);
  if (page.too_large) return;
  twinset::ContentRows rows(page);
  twinset::ContentLanes lanes{};
  for (size_t i = 0; i < page.blocks.size(); ++i) {
    lanes[0] = rows.Next();
    int32_t score = 0;
    twinset::ContentScores(twinset::ContentForest::kManuals, lanes, 1, &score);
    if (score != twinset::ReferenceContentScore(
                     twinset::ContentForest::kManuals, lanes[0]))
      std::abort();
  }
}

}  // namespace

TWINSET_FUZZ_TARGET(content) {
  std::string html;
  twinset::AppendValidUtf8({reinterpret_cast<const char*>(data), size}, &html);
  twinset::HtmlTree tree;
  twinset::BuildHtmlTree(html, &tree);
  const twinset::MainContent main = twinset::FindMainContent(html, tree, false);
  const twinset::MainContent reasoned =
      twinset::FindMainContent(html, tree, true);
  if (main.keep_node != reasoned.keep_node) std::abort();
  CheckBlocks(tree, main);
  CheckScores(html, tree);
  return 0;
}
