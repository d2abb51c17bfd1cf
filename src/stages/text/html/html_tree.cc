#include "text/html/html_tree.h"

#include <algorithm>

#include "text/html/html_tree_builder.h"

namespace twinset {

void BuildHtmlTree(std::string_view utf8, HtmlTree* tree) {
  tree->nodes.clear();
  tree->depth_limit_hits = 0;
  tree->cut_short = false;
  tree->nodes.reserve(std::min(utf8.size() / 16 + 16, kMaxHtmlNodes));
  HtmlTreeBuilder(utf8, tree).Run();
}

}  // namespace twinset
