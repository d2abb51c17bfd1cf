#include "segments/memory_table.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/sort_records.h"

namespace twinset {

LazyBuffer MemoryTable::MakeSlots(size_t count) {
  auto slots = LazyBuffer::Map(count * sizeof(Slot));
  if (!slots) throw std::bad_alloc();
  slots->PreferHugePages();
  return std::move(*slots);
}

size_t MemoryTable::SlotOf(uint64_t key) const {
  size_t slot = Mix64(key) & (slot_count_ - 1);
  while (slots()[slot].first != kNone && slots()[slot].key != key)
    slot = (slot + 1) & (slot_count_ - 1);
  return slot;
}

void MemoryTable::Grow() {
  LazyBuffer before = MakeSlots(slot_count_ * 2);
  std::swap(before, slots_);
  slot_count_ *= 2;
  const auto* const slot = reinterpret_cast<const Slot*>(before.data());
  for (size_t i = 0; i < slot_count_ / 2; ++i)
    if (slot[i].first != kNone) slots()[SlotOf(slot[i].key)] = slot[i];
}

void MemoryTable::Clear() {
  std::fill_n(slots(), slot_count_, Slot());
  values_.clear();
  used_ = postings_ = 0;
}

void MemoryTable::Add(uint64_t key, uint64_t value) {
  if (3 * (used_ + 1) > 2 * slot_count_) Grow();
  Slot& slot = slots()[SlotOf(key)];
  if (slot.first != kNone && IndexKey::KeepsLast(key)) {
    values_[slot.last - 1].value = value;
    return;
  }
  values_.push_back({value, kNone});
  const auto number = static_cast<uint32_t>(values_.size());
  if (slot.first == kNone) {
    slot = {key, number, number};
    ++used_;
  } else {
    values_[slot.last - 1].next = number;
    slot.last = number;
  }
  ++postings_;
}

void MemoryTable::Find(uint64_t key, size_t most,
                       std::vector<uint64_t>* values) const {
  const Slot& slot = slots()[SlotOf(key)];
  for (uint32_t at = slot.first; at != kNone; at = values_[at - 1].next) {
    if (values->size() >= most) return;
    values->push_back(values_[at - 1].value);
  }
}

std::vector<IndexPosting> MemoryTable::Sorted() const {
  std::vector<IndexPosting> postings;
  postings.reserve(postings_);
  for (size_t i = 0; i < slot_count_; ++i) {
    const Slot& slot = slots()[i];
    for (uint32_t at = slot.first; at != kNone; at = values_[at - 1].next)
      postings.push_back({slot.key, values_[at - 1].value});
  }
  SortRecords(postings.data(), postings.size(), 1);
  return postings;
}

}  // namespace twinset
