// A set of 64-bit numbers within the memory of a run.
#ifndef TWINSET_SRC_GROUND_BASE_LISTS_NUMBER_SET_H_
#define TWINSET_SRC_GROUND_BASE_LISTS_NUMBER_SET_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "base/memory_budget.h"

namespace twinset {

// A set of numbers that is filled first and asked then. 16 bytes a number once
// it is full, twice that while it is filled; asking costs one look at a bit for
// most numbers that it does not have. Filled by one thread, asked by any.
class NumberSet {
 public:
  // Takes up to `most_bytes` of the budget.
  NumberSet(uint64_t most_bytes, MemoryBudget* budget)
      : memory_(budget->ReserveUpTo(most_bytes, 1 << 20)) {}

  // False when there is no room for it; the set is then of no use.
  bool Add(uint64_t number) {
    const uint64_t most = memory_.bytes() / kBytesEach;
    if (numbers_.size() == most) {
      Sort();
      // Else a full set would be sorted again at every repeat.
      if (numbers_.size() > most / 2) return false;
    }
    numbers_.push_back(number);
    return true;
  }

  // Before the first Has.
  void Finish() {
    Sort();
    const uint64_t bits = std::bit_ceil(numbers_.size() + 1) * kFilterBits;
    filter_.assign(std::max<uint64_t>(1, bits / 64), 0);
    for (const uint64_t number : numbers_) {
      const uint64_t bit = BitOf(number);
      filter_[bit / 64] |= uint64_t{1} << bit % 64;
    }
  }

  // After Finish: how many different numbers.
  uint64_t size() const { return numbers_.size(); }

  bool Has(uint64_t number) const {
    const uint64_t bit = BitOf(number);
    return (filter_[bit / 64] >> bit % 64 & 1) != 0 &&
           std::binary_search(numbers_.begin(), numbers_.end(), number);
  }

 private:
  static constexpr uint64_t kFilterBits = 32;  // for each number, at least
  // With the filter, and with room to grow.
  static constexpr uint64_t kBytesEach = 32;

  void Sort() {
    std::sort(numbers_.begin(), numbers_.end());
    numbers_.erase(std::unique(numbers_.begin(), numbers_.end()),
                   numbers_.end());
  }
  uint64_t BitOf(uint64_t number) const {
    return Mix64(number) & (filter_.size() * 64 - 1);
  }

  Reservation memory_;
  std::vector<uint64_t> numbers_, filter_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_LISTS_NUMBER_SET_H_
