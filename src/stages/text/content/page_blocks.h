// The blocks of a page alone, where nobody asks what they are like
// (docs/methods/template.md).
#ifndef TWINSET_SRC_STAGES_TEXT_CONTENT_PAGE_BLOCKS_H_
#define TWINSET_SRC_STAGES_TEXT_CONTENT_PAGE_BLOCKS_H_

#include <string_view>
#include <vector>

#include "text/content/content.h"
#include "text/html/html_tags.h"
#include "text/html/html_tree.h"

namespace twinset {

// Returns true iff the tags of an element end a block of text.
inline bool EndsContentBlock(HtmlTag tag) {
  return (TagFlags(tag) & (kTagBlock | kTagCell)) != 0 ||
         tag == HtmlTag::kButton || tag == HtmlTag::kSelect ||
         tag == HtmlTag::kTextarea;
}

// Where ReadContentPage sees blocks, and in elements of visibility:hidden, at a
// fraction of its cost; `kept` of each is true. None of a page with more than
// kMaxContentBlocks, or cut short. Linear.
std::vector<ContentBlock> FindPageBlocks(std::string_view utf8,
                                         const HtmlTree& tree);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_CONTENT_PAGE_BLOCKS_H_
