// Postings of the entries behind the last run, in memory.
#ifndef TWINSET_SRC_INDEX_SEGMENTS_MEMORY_TABLE_H_
#define TWINSET_SRC_INDEX_SEGMENTS_MEMORY_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "segments/index_key.h"
#include "store/lazy_buffer.h"

namespace twinset {

// A hash table that grows; at most 80 bytes for each posting while it does. One
// thread writes, or any number read.
class MemoryTable {
 public:
  static constexpr uint64_t kBytesAPosting = 80;

  // Values of a key come in ascending order.
  void Add(uint64_t key, uint64_t value);
  // Appends values of the key, ascending, until *values has `most`.
  void Find(uint64_t key, size_t most, std::vector<uint64_t>* values) const;
  // Brings near where a key stands.
  void Prefetch(uint64_t key) const {
    __builtin_prefetch(slots() + (Mix64(key) & (slot_count_ - 1)));
  }
  // Empties it; it keeps its memory.
  void Clear();
  size_t count() const { return postings_; }
  // All postings in ascending order.
  std::vector<IndexPosting> Sorted() const;

 private:
  static constexpr uint32_t kNone = 0;  // a slot without a value

  struct Slot {
    uint64_t key = 0;
    uint32_t first = kNone, last = kNone;  // numbers of values, from 1
  };
  struct Value {
    uint64_t value = 0;
    uint32_t next = kNone;
  };
  // Zeros, which are empty slots, on huge pages: any key may ask for any slot.
  static LazyBuffer MakeSlots(size_t count);
  Slot* slots() { return reinterpret_cast<Slot*>(slots_.data()); }
  const Slot* slots() const {
    return reinterpret_cast<const Slot*>(slots_.data());
  }
  size_t SlotOf(uint64_t key) const;
  void Grow();

  size_t slot_count_ = 256;  // a power of two
  LazyBuffer slots_ = MakeSlots(slot_count_);
  std::vector<Value> values_;
  size_t used_ = 0;      // slots
  size_t postings_ = 0;  // values that count
};

}  // namespace twinset

#endif  // TWINSET_SRC_INDEX_SEGMENTS_MEMORY_TABLE_H_
