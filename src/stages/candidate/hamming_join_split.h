// All near pairs of one group of values in memory, however they are
// distributed: compared at once when that is cheap, else divided by blocks of
// bits (pigeonhole) as often as it pays.
// See docs/methods/hamming-join.md, Skew.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_HAMMING_JOIN_SPLIT_H_
#define TWINSET_SRC_STAGES_CANDIDATE_HAMMING_JOIN_SPLIT_H_

#include <array>
#include <cstdint>
#include <vector>

#include "candidate/hamming_join_values.h"
#include "kernels/hamming.h"

namespace twinset {

// Values that are compared with each other, or with `y` when it is not null.
// They may be moved.
template <typename V>
struct ValueGroup {
  V* x = nullptr;
  size_t x_count = 0;
  V* y = nullptr;
  size_t y_count = 0;

  bool self() const { return y == nullptr; }
  bool empty() const {
    return self() ? x_count < 2 : x_count == 0 || y_count == 0;
  }
  double pairs() const {
    const double count = static_cast<double>(x_count);
    return self() ? count * (count - 1) / 2
                  : count * static_cast<double>(y_count);
  }
};

// Consecutive bits of a value.
struct BitBlock {
  int low = 0, width = 0;
  template <typename V>
  V Mask() const {
    return width == 0 ? V{0} : (~V{0} >> (sizeof(V) * 8 - width)) << low;
  }
};

// distance + 1 blocks over all bits, each about as hard to guess as the others
// in this group: two values that differ in at most `distance` bits agree in
// one.
template <typename V>
std::vector<BitBlock> BalancedBlocks(const ValueGroup<V>& group, int distance);

// Is comparing inside each value of each block much cheaper than comparing all?
template <typename V>
bool WorthSplitting(const ValueGroup<V>& group,
                    const std::vector<BitBlock>& blocks);

// Which pairs a step of a fast design emits: those that no earlier step finds.
// Slots are steps in their order; a pair belongs to the first that finds it.
struct SlotRange {
  int (*first_slot)(uint64_t differing) = nullptr;  // null: every pair
  int begin = 0, end = 0;
  bool Has(uint64_t differing) const {
    if (first_slot == nullptr) return true;
    const int slot = first_slot(differing);
    return begin <= slot && slot < end;
  }
};

// Emits near pairs of groups into a list. One thread.
template <typename V>
class GroupJoin {
 public:
  GroupJoin(bool self, int distance, MemoryBudget* budget)
      : self_(self), distance_(distance), found_(budget) {}

  // What is emitted from now on: pairs of these slots in which every one of
  // these masks has a difference.
  void Restrict(SlotRange slots, std::vector<V> masks) {
    slots_ = slots;
    masks_ = std::move(masks);
  }
  // All near pairs of a group, and what occurs more than once in it.
  void Join(ValueGroup<V> group) {
    Collapse(&group);
    Compare(group);
  }
  // The same for pairs that agree in `block`.
  void JoinInBlock(ValueGroup<V> group, BitBlock block) {
    Collapse(&group);
    if (!group.empty()) InBlock(group, block);
  }
  // Sorts the group and keeps one of equal values.
  void Collapse(ValueGroup<V>* group);
  // All near pairs of a collapsed group, at once.
  void CompareAll(const ValueGroup<V>& group);

  // For kernels: context is a GroupJoin<uint64_t>.
  static void Sink(void* context, const kernels::HammingHit* hits,
                   size_t count);
  NearList<V>* found() { return &found_; }

 private:
  size_t CollapseSide(V* values, size_t count);
  void Compare(const ValueGroup<V>& group);
  void InBlock(const ValueGroup<V>& group, BitBlock block);
  bool Mine(V differing) const;
  void Emit(V x, V y) {
    if (Mine(x ^ y)) found_.Append({x, y});
  }

  const bool self_;
  const int distance_;
  SlotRange slots_;
  std::vector<V> masks_;  // each must differ
  std::array<kernels::HammingHit, kernels::kHammingBatch> batch_;
  NearList<V> found_;
};

extern template class GroupJoin<uint64_t>;
extern template class GroupJoin<Wide>;

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_HAMMING_JOIN_SPLIT_H_
