// A page as a flat list of events in document order: what the tree construction
// of the HTML standard makes of it, as far as text, blocks, links and hidden
// elements go (docs/methods/html.md).
#ifndef TWINSET_SRC_STAGES_TEXT_HTML_HTML_TREE_H_
#define TWINSET_SRC_STAGES_TEXT_HTML_HTML_TREE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/html/html_tag.h"

namespace twinset {

// One event. Elements that neither separate text nor carry meaning of their own
// (span, b, font, ...) leave none, unless they stand in the wrong place of a
// table and must move: their text joins its surroundings.
//   kOpen, kClose   a block-like element; well nested
//   kVoid           br, hr, img, meta, link, input, ...: no kClose
//   kLinkOpen/Close a link with its text; never nested in another link; may
//                   cross element borders, as links on the web do
//   kText           a run of visible text
//   kRest           the last node of a page with more than kMaxHtmlNodes: its
//                   source from there on, not built into nodes
struct HtmlNode {
  enum Kind : uint8_t {
    kOpen,
    kClose,
    kVoid,
    kLinkOpen,
    kLinkClose,
    kText,
    kRest
  };
  static constexpr uint8_t kHidden = 1;   // inside what a reader does not see
  static constexpr uint8_t kRaw = 2;      // text: references do not count
  static constexpr uint8_t kDecode = 4;   // text: HtmlToken::needs_decoding
  static constexpr uint8_t kImplied = 8;  // no tag in the source stands for it
  static constexpr uint8_t kReopened = 16;  // link: the same one, continued

  uint32_t begin = 0, end = 0;  // in the source: the tag or the text
  HtmlTag tag = HtmlTag::kUnknown;
  Kind kind = kText;
  uint8_t flags = 0;
};

struct HtmlTree {
  std::vector<HtmlNode> nodes;
  uint32_t depth_limit_hits = 0;  // elements beyond kMaxHtmlDepth
  bool cut_short = false;         // ends with kRest, or left text in a table
                                  // that belongs before it, to save memory
};

// Elements open at once; deeper ones become siblings (browsers do the same at
// 512).
inline constexpr size_t kMaxHtmlDepth = 512;
inline constexpr size_t kMaxHtmlNodes = 2'500'000;  // 30 MB
// Above it misplaced text in tables stays in place: moving it takes 20 more
// bytes per node.
inline constexpr size_t kMaxReorderedNodes = 1'000'000;

// Builds the list. Linear time. Memory: 12 bytes a node, and as much again
// while the list grows. `tree` is cleared first (its capacity is kept). `utf8`:
// valid UTF-8 shorter than 4 GB.
void BuildHtmlTree(std::string_view utf8, HtmlTree* tree);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_HTML_HTML_TREE_H_
