// Order-sensitive and frequency-sensitive distances of two documents
// (docs/methods/measures.md).
#ifndef TWINSET_SRC_STAGES_VERIFY_EDIT_H_
#define TWINSET_SRC_STAGES_VERIFY_EDIT_H_

#include <cstdint>
#include <span>

#include "twinset/error.h"

namespace twinset {

struct EditResult {
  uint64_t distance = 0;
  bool exact = true;  // false: `distance` is a lower bound, the search gave up
};

// Levenshtein distance (insert, delete, substitute cost 1 each) of two
// sequences of hashes. Equal ends are free; the rest is searched in diagonal
// bands of doubling width (Ukkonen 1985): O(n d) time for distance d, O(min(n,
// m)) space. Before a band would bring the cells computed beyond `max_cells`,
// it stops and returns the best lower bound known: the last refuted band, the
// difference of the lengths, or what the multisets leave unmatched.
EditResult EditDistance(std::span<const uint64_t> a,
                        std::span<const uint64_t> b, uint64_t max_cells);

// The distance if it is at most `max_distance`, else max_distance + 1. Equal
// ends are free; a pair whose lengths or multisets of tokens lie too far apart
// is refused in O(n log n); else the furthest reaching points of each diagonal
// are followed for 0, 1, 2, ... edits, within the band that can still end in
// time (Ukkonen 1985; Landau and Vishkin 1989). O(n + max_distance^2) time
// where matches are short, O(n max_distance) at worst; O(max_distance) space.
uint64_t BoundedEditDistance(std::span<const uint64_t> a,
                             std::span<const uint64_t> b,
                             uint64_t max_distance);

// Cosine of the term-frequency vectors of two token sequences (hashes, any
// order). Integers are summed, then one square root and one division. A zero
// vector has no direction: 0. O(n log n) time, O(n) space.
double CosineOfCounts(std::span<const uint64_t> a, std::span<const uint64_t> b);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_VERIFY_EDIT_H_
