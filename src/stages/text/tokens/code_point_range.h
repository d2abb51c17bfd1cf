// Sets of code points as ranges.
#ifndef TWINSET_SRC_STAGES_TEXT_TOKENS_CODE_POINT_RANGE_H_
#define TWINSET_SRC_STAGES_TEXT_TOKENS_CODE_POINT_RANGE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace twinset {

// First and last of several code points.
struct CodePointRange {
  uint32_t first, last;
};

// Returns true iff `c` is in one of `ranges`, which are ascending.
template <size_t kRanges>
constexpr bool IsIn(const CodePointRange (&ranges)[kRanges], uint32_t c) {
  const auto at = std::lower_bound(
      std::begin(ranges), std::end(ranges), c,
      [](const CodePointRange& range, uint32_t x) { return range.last < x; });
  return at != std::end(ranges) && at->first <= c;
}

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_TOKENS_CODE_POINT_RANGE_H_
