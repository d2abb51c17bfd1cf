// Which text of a page is its main content: what the page is there for, without
// the navigation, advertisements and links around it (docs/methods/content.md).
#ifndef TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_H_
#define TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/content/content_kind.h"
#include "text/html/html_tree.h"

namespace twinset {

// A maximal run of visible text without a border of a block in it.
struct ContentBlock {
  uint32_t first_node = 0, end_node = 0;  // its text nodes and what is between
  bool kept = false;
  bool framed = false;  // what its author names as frame (content_frame.h)
  bool linked = false;  // most of its words are in links
  // By the model alone, whatever the page as a whole made of it.
  bool likely = false;
  double score = 0;    // probability of being main content, in 1/1000 exactly
  std::string reason;  // when asked for: what decided, strongest first
};

struct MainContent {
  // For each node of the tree: 1 for text of a kept block, else 0. All ones,
  // and no blocks, if the page is beyond the bounds.
  std::vector<uint8_t> keep_node;
  std::vector<ContentBlock> blocks;  // in document order
  // No block looked like main content, or the page is beyond the bounds of the
  // method: all visible text that is not clearly frame is kept instead.
  bool fallback = false;
  PageKind kind = PageKind::kOther;
  // How well the choice agrees with the model: the F1 of the kept words that
  // its probabilities lead to expect, in 1/1000. Where that is little for the
  // kind, all that the page does not name as frame is kept instead, and
  // `unsure` is set.
  int confidence = 0;
  bool unsure = false;
  std::string reason;  // of the confidence, when asked for
};

// Pages with more blocks or elements are not judged: all their text is kept.
inline constexpr size_t kMaxContentBlocks = size_t{1} << 16;
inline constexpr size_t kMaxContentElements = size_t{1} << 18;

// `tree` is BuildHtmlTree's of `utf8`. A function of the bytes alone, the same
// on every platform (integers only). Time linear in the page; memory: 1 byte a
// node, about 250 per block, 60 per element. Thread-safe.
MainContent FindMainContent(std::string_view utf8, const HtmlTree& tree,
                            bool want_reasons);

// The kind alone, as FindMainContent says it. Linear.
PageKind KindOfPage(std::string_view utf8, const HtmlTree& tree);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_H_
