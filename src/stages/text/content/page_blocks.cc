#include "text/content/page_blocks.h"

#include <algorithm>

namespace twinset {
namespace {

bool HasInk(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return c != ' ' && (c < '\t' || c > '\r'); });
}

}  // namespace

std::vector<ContentBlock> FindPageBlocks(std::string_view utf8,
                                         const HtmlTree& tree) {
  std::vector<ContentBlock> blocks;
  uint32_t first_node = 0, end_node = 0;
  bool in_block = false;
  uint32_t breaks = 0, skipped = 0;
  const auto end_block = [&] {
    breaks = 0;
    if (!in_block) return;
    in_block = false;
    ContentBlock& block = blocks.emplace_back();
    block.first_node = first_node;
    block.end_node = end_node;
    block.kept = true;
  };
  for (uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const HtmlNode& node = tree.nodes[i];
    const bool hidden = (node.flags & HtmlNode::kHidden) != 0;
    switch (node.kind) {
      case HtmlNode::kRest:
        return {};
      case HtmlNode::kOpen:
        if (skipped == 0 && EndsContentBlock(node.tag)) end_block();
        if (skipped > 0 || hidden) ++skipped;
        break;
      case HtmlNode::kClose:
        if (skipped > 0) {
          --skipped;
        } else if (EndsContentBlock(node.tag)) {
          end_block();
        }
        break;
      case HtmlNode::kVoid:
        if (skipped > 0) break;
        // One line break is a line of the same block.
        if (node.tag == HtmlTag::kHr ||
            (node.tag == HtmlTag::kBr && ++breaks > 1))
          end_block();
        break;
      case HtmlNode::kText:
        if (skipped > 0 || hidden ||
            !HasInk(utf8.substr(node.begin, node.end - node.begin)))
          break;
        if (!in_block) first_node = i;
        in_block = true;
        breaks = 0;
        end_node = i + 1;
        break;
      default:
        break;
    }
    if (blocks.size() >= kMaxContentBlocks) return {};
  }
  end_block();
  return blocks.size() < kMaxContentBlocks ? std::move(blocks)
                                           : std::vector<ContentBlock>();
}

}  // namespace twinset
