// A page's tree to its visible text (docs/methods/clean-text.md).
#ifndef TWINSET_SRC_STAGES_TEXT_PAGE_HTML_TEXT_H_
#define TWINSET_SRC_STAGES_TEXT_PAGE_HTML_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/content/content.h"
#include "text/html/html_tree.h"
#include "text/page/clean_text.h"

namespace twinset {

// Fills out->text and, if asked, out->offsets (into `utf8`, which `tree` was
// built of). `keep`: one byte a node, 0 leaves out a text; empty keeps all.
// Linear time.
void RenderText(std::string_view utf8, const HtmlTree& tree,
                const std::vector<uint8_t>& keep, bool keep_offsets,
                CleanText* out);

// The same without offsets, and in out->parts and out->left_out where the text
// of each of `blocks` went, which ascend. A block's text is the same in either,
// but for white space.
void RenderParts(std::string_view utf8, const HtmlTree& tree,
                 const std::vector<uint8_t>& keep,
                 const std::vector<ContentBlock>& blocks, CleanText* out);

// `text` with runs of HTML white space collapsed and none at the ends: a view
// of *buffer, which grows as needed and holds no more than that view.
[[nodiscard]] std::string_view CollapseWhiteSpace(std::string_view text,
                                                  std::string* buffer);

// The visible text of nodes [begin, end) alone, white space collapsed.
void AppendNodeText(std::string_view utf8, const HtmlTree& tree, size_t begin,
                    size_t end, std::string* out);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_PAGE_HTML_TEXT_H_
