// The appearance of a page as a set: tag-path shingles
// (docs/methods/layout.md).
#ifndef TWINSET_SRC_TEXT_PAGE_LAYOUT_H_
#define TWINSET_SRC_TEXT_PAGE_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "text/html/html_tree.h"

namespace twinset::inline v1 {

// Leaves in one shingle.
inline constexpr size_t kLayoutShingle = 2;

// Hashes of the runs of kLayoutShingle consecutive leaf paths of the visible
// page, ascending and distinct; equal leaves in a row count once, so that the
// number of rows, items and paragraphs does not matter. A page without any
// visible element has none. Depends on the tree alone, not on its text. Time
// O(n log n) in the nodes for the final sort, linear before it; memory 8 bytes
// per leaf and 16 per level. Pure.
std::vector<uint64_t> LayoutShingles(const HtmlTree& tree);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_TEXT_PAGE_LAYOUT_H_
