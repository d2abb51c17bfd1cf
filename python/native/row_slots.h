// A hash table of row numbers.
#ifndef TWINSET_PYTHON_NATIVE_ROW_SLOTS_H_
#define TWINSET_PYTHON_NATIVE_ROW_SLOTS_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace twinset::python {

// Open addressing with linear probing, at most 4/5 full. Rows have a hash of 32
// bits; who asks says which rows are equal. Slots stay where they are until the
// next Insert or Erase.
class RowSlots {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};
  static constexpr size_t kNowhere = ~size_t{0};

  size_t size() const { return size_; }
  size_t slots() const { return slots_.size(); }
  // kNone: the slot is free.
  uint32_t row(size_t slot) const { return slots_[slot].row; }
  void Replace(size_t slot, uint32_t row) { slots_[slot].row = row; }

  // The first row of this hash that `is_it`; kNowhere if none is.
  template <typename IsIt>
  size_t Find(uint32_t hash, const IsIt& is_it) const {
    if (slots_.empty()) return kNowhere;
    for (size_t i = Home(hash); slots_[i].row != kNone; i = Next(i))
      if (slots_[i].hash == hash && is_it(slots_[i].row)) return i;
    return kNowhere;
  }
  // Brings the slots near the processor that Find begins with.
  void Prefetch(uint32_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[Home(hash)]);
  }
  void Insert(uint32_t hash, uint32_t row) {
    if (5 * (size_ + 1) > 4 * slots_.size()) Grow();
    Place({hash, row});
    ++size_;
  }
  void Erase(size_t slot) {
    slots_[slot].row = kNone;
    --size_;
    // What stands behind moves up, unless that would be before its home.
    for (size_t i = Next(slot); slots_[i].row != kNone; i = Next(i)) {
      const size_t home = Home(slots_[i].hash);
      const bool is_between =
          slot < i ? slot < home && home <= i : slot < home || home <= i;
      if (is_between) continue;
      slots_[slot] = slots_[i];
      slots_[i].row = kNone;
      slot = i;
    }
  }

 private:
  struct Slot {
    uint32_t hash = 0, row = kNone;
  };
  size_t Home(uint32_t hash) const {
    return static_cast<size_t>(uint64_t{hash} * slots_.size() >> 32);
  }
  size_t Next(size_t i) const { return i + 1 == slots_.size() ? 0 : i + 1; }
  void Place(Slot slot) {
    size_t i = Home(slot.hash);
    while (slots_[i].row != kNone) i = Next(i);
    slots_[i] = slot;
  }
  void Grow() {
    std::vector<Slot> old(slots_.size() + slots_.size() / 2 + 8);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.row != kNone) Place(slot);
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

}  // namespace twinset::python

#endif  // TWINSET_PYTHON_NATIVE_ROW_SLOTS_H_
