#include "segments/memory_table.h"

#include <algorithm>
#include <utility>

#include "base/sort_records.h"

namespace twinset {

size_t MemoryTable::SlotOf(uint64_t key) const {
  size_t slot = Mix64(key) & (slots_.size() - 1);
  while (slots_[slot].first != kNone && slots_[slot].key != key)
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void MemoryTable::Grow() {
  std::vector<Slot> before(slots_.size() * 2);
  std::swap(before, slots_);
  for (const Slot& slot : before)
    if (slot.first != kNone) slots_[SlotOf(slot.key)] = slot;
}

void MemoryTable::Clear() {
  std::fill(slots_.begin(), slots_.end(), Slot());
  values_.clear();
  used_ = postings_ = 0;
}

void MemoryTable::Add(uint64_t key, uint64_t value) {
  if (3 * (used_ + 1) > 2 * slots_.size()) Grow();
  Slot& slot = slots_[SlotOf(key)];
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
  const Slot& slot = slots_[SlotOf(key)];
  for (uint32_t at = slot.first; at != kNone; at = values_[at - 1].next) {
    if (values->size() >= most) return;
    values->push_back(values_[at - 1].value);
  }
}

std::vector<IndexPosting> MemoryTable::Sorted() const {
  std::vector<IndexPosting> postings;
  postings.reserve(postings_);
  for (const Slot& slot : slots_)
    for (uint32_t at = slot.first; at != kNone; at = values_[at - 1].next)
      postings.push_back({slot.key, values_[at - 1].value});
  SortRecords(postings.data(), postings.size(), 1);
  return postings;
}

}  // namespace twinset
