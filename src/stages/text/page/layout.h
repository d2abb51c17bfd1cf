// The appearance of a page as a set: tag-path shingles
// (docs/methods/kinds.md).
#ifndef TWINSET_SRC_STAGES_TEXT_PAGE_LAYOUT_H_
#define TWINSET_SRC_STAGES_TEXT_PAGE_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "text/html/html_tree.h"

namespace twinset {

// Leaves in one shingle.
inline constexpr size_t kLayoutShingle = 2;

// Tells the hashes of cells from those of leaves, and is larger than these.
inline constexpr uint64_t kCellShingle = uint64_t{1} << 63;
// Columns and cells of a page beyond these are not told apart, or not seen.
inline constexpr uint32_t kMostColumns = 64;
inline constexpr size_t kMostCells = 4096;

// Hashes of the runs of kLayoutShingle consecutive leaf paths of the visible
// page, then with kCellShingle those of the cells of its tables, each by its
// path and column: ascending and distinct. Equal ones in a row count once, so
// that the number of rows, items and paragraphs does not matter. A page without
// any visible element has none. Depends on the tree alone, not on its text.
// Time O(n log n) in the nodes for the final sort, linear before it; memory 8
// bytes per leaf and 24 per level. Pure.
std::vector<uint64_t> LayoutShingles(const HtmlTree& tree);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_PAGE_LAYOUT_H_
