// The aligned difference of two token sequences
// (docs/methods/kinds-of-difference.md).
#ifndef TWINSET_SRC_STAGES_VERIFY_DIFF_H_
#define TWINSET_SRC_STAGES_VERIFY_DIFF_H_

#include <cstdint>
#include <span>
#include <vector>

namespace twinset {

// A run of tokens [a_begin, a_end) of A and [b_begin, b_end) of B. kBoth: both
// ranges have the same length and the same tokens. kOnlyA: the B range is
// empty, and the other way round.
struct AlignedRun {
  enum Kind { kBoth, kOnlyA, kOnlyB } kind = kBoth;
  uint64_t a_begin = 0, a_end = 0, b_begin = 0, b_end = 0;
  friend bool operator==(const AlignedRun&, const AlignedRun&) = default;
};

// Runs that cover both sequences in order, maximal (no two neighbours of one
// kind); between two kBoth runs kOnlyA stands before kOnlyB. While two
// (sub)sequences differ by at most `max_cost` insertions and deletions the
// alignment is a shortest edit script (Myers 1986, linear space form). Beyond,
// they are cut at the tokens that are unique in each (patience diff), and what
// lies between is aligned the same way; a part without such tokens becomes one
// deletion and one insertion. Time O((n + m) * max_cost + (n + m) log (n + m)),
// space O(n + m). Pure.
std::vector<AlignedRun> AlignTokens(std::span<const uint64_t> a,
                                    std::span<const uint64_t> b,
                                    uint64_t max_cost);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_VERIFY_DIFF_H_
