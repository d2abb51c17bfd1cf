// MinHash as it is defined and taught: true permutations of small universes,
// and slot tables with any linear functions, with every intermediate row. The
// reference for the sketches that are used, and what `explain --steps` shows.
// See docs/methods/minhash.md.
#ifndef TWINSET_SRC_STAGES_SKETCH_PERMUTATIONS_H_
#define TWINSET_SRC_STAGES_SKETCH_PERMUTATIONS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twinset {

// A set of row labels, ascending.
using RowSet = std::vector<uint64_t>;

// No row, no value: above every other.
inline constexpr uint64_t kNoSlot = ~uint64_t{0};

// How many of two sets' members, or of two sketches' values, agree.
struct Agreement {
  uint64_t equal = 0, all = 0;
  double share() const {
    return all == 0 ? 0.0
                    : static_cast<double>(equal) / static_cast<double>(all);
  }
  friend bool operator==(const Agreement&, const Agreement&) = default;
};

// |A and B| and |A or B|.
Agreement ExactResemblance(const RowSet& a, const RowSet& b);
// Places at which both have the same value; kNoSlot equals nothing, so that two
// empty sets are not alike.
Agreement EqualSlots(std::span<const uint64_t> a, std::span<const uint64_t> b);

// ---- permutations -----------------------------------------------------------

// min over x in `set` of rank[x - 1], the image of label x: labels 1 to
// size(rank).
uint64_t LeastImage(std::span<const uint64_t> rank, const RowSet& set);
// The first label of `order` that is in `set`: the permutation is the order in
// which rows are visited, and the value a row label.
uint64_t FirstMet(std::span<const uint64_t> order, const RowSet& set);

struct PermutationStep {
  std::vector<uint64_t> order;  // the permutation
  std::vector<uint64_t> first;  // of each set
};
struct PermutationTable {
  std::vector<PermutationStep> steps;         // one a permutation
  std::vector<std::vector<uint64_t>> sketch;  // [set][permutation]
};
PermutationTable PermutationSketches(
    const std::vector<std::vector<uint64_t>>& orders,
    const std::vector<RowSet>& sets);

// ---- slots ------------------------------------------------------------------

// h(x) = (a x + b) mod m, m > 0; exact for all 64-bit values.
struct LinearFunction {
  uint64_t a = 1, b = 0, m = 1;
  uint64_t operator()(uint64_t x) const;
};

// A row of the table: what happened when `row` was read.
struct SlotStep {
  uint64_t row = 0;
  std::vector<uint64_t> hashes;              // of each function
  std::vector<bool> member;                  // is the row in set i?
  std::vector<std::vector<uint64_t>> slots;  // [set][function], afterwards
};
struct SlotTable {
  std::vector<SlotStep> steps;
  std::vector<std::vector<uint64_t>> sketch;  // [set][function]
};

// One pass over `rows`: all slots begin at kNoSlot, and where a row is in a set
// its slots fall to the hashes. The sketch does not depend on the order.
SlotTable OnePassSlots(std::span<const uint64_t> rows,
                       const std::vector<RowSet>& sets,
                       std::span<const LinearFunction> functions);
// The same over the union of the sets only, in ascending order: rows in no set
// change nothing.
SlotTable UnionSlots(const std::vector<RowSet>& sets,
                     std::span<const LinearFunction> functions);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_SKETCH_PERMUTATIONS_H_
