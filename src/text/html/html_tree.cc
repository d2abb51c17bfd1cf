#include "text/html/html_tree.h"

#include <algorithm>

#include "text/html/html_tree_builder.h"

namespace twinset::inline v1 {

void BuildHtmlTree(std::string_view utf8, HtmlTree* tree) {
  tree->nodes.clear();
  tree->depth_limit_hits = 0;
  tree->cut_short = false;
  tree->nodes.reserve(std::min(utf8.size() / 16 + 16, kMaxHtmlNodes));
  HtmlTreeBuilder(utf8, tree).Run();
}

std::vector<uint32_t> ClosingNodes(const HtmlTree& tree) {
  std::vector<uint32_t> closing(tree.nodes.size());
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < tree.nodes.size(); ++i) {
    closing[i] = i;
    if (tree.nodes[i].kind == HtmlNode::kOpen) {
      open.push_back(i);
    } else if (tree.nodes[i].kind == HtmlNode::kClose) {
      closing[open.back()] = i;
      open.pop_back();
    }
  }
  return closing;
}

}  // namespace twinset::inline v1
