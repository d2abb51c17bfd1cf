// How often elements occur in a collection that is larger than memory: what
// orders the prefixes of the complete join (docs/methods/complete.md).
#ifndef TWINSET_SRC_CANDIDATE_COMPLETE_RARITY_H_
#define TWINSET_SRC_CANDIDATE_COMPLETE_RARITY_H_

#include <atomic>
#include <cstdint>

#include "store/lazy_buffer.h"
#include "twinset/error.h"

namespace twinset::inline v1 {

// Counters that elements (uniform 64-bit hashes) share by their high bits, in
// bounded memory. They are an upper bound: an element may seem more frequent
// than it is, never rarer. Three of them follow each other: two bits say
// whether an element can be in two documents at all; bytes count what goes
// beyond; 32-bit words what goes beyond these. Where memory does not hold two
// bits an element, a sample of the documents is counted and every element
// counts as one that others may have.
//
// Cost: a random access an element, two more for frequent ones.
class Rarity {
 public:
  // For about `elements` of them within `memory_bytes`, at least 2 MB.
  // `two_collections`: an element is shared when both collections have it.
  // `threads`: that Count is called from.
  Status Map(uint64_t elements, uint64_t memory_bytes, bool two_collections,
             int threads);
  // What Map takes at most.
  static uint64_t BytesFor(uint64_t elements);

  // Counts the element once for a document. Thread-safe; an element that was
  // counted by anyone is seen by all once the threads are joined.
  void Count(uint64_t document, uint64_t element, bool stored);

  // 0: no two documents (of the two collections) have it. Else the larger the
  // more frequent. Equal for equal elements.
  uint32_t operator[](uint64_t element) const {
    uint32_t seen = 2;
    if (cells_.data() != nullptr) {
      const uint64_t cell = element >> cell_shift_;
      const auto byte = static_cast<uint8_t>(cells_.data()[cell >> 2]);
      seen = byte >> (cell & 3) * 2 & 3;
      if (two_collections_ ? seen != 3 : seen < 2) return 0;
      if (!two_collections_ && seen == 2) return 2;
    }
    const auto few = static_cast<uint8_t>(few_.data()[element >> few_shift_]);
    if (few < UINT8_MAX) return seen + few;
    return seen + UINT8_MAX +
           reinterpret_cast<const uint32_t*>(
               many_.data())[element >> kManyShift];
  }
  // Asks for what Count and operator[] read first.
  void Prefetch(uint64_t element) const {
    __builtin_prefetch(first_ + (element >> first_shift_));
  }

 private:
  static constexpr int kManyBits = 18, kManyShift = 64 - kManyBits;
  static constexpr uint64_t kManyBytes = sizeof(uint32_t) << kManyBits;

  // Writes `next` if the cell still has *seen; else takes what it has.
  template <typename T>
  bool Replace(std::atomic_ref<T> cell, T* seen, T next) const;
  void CountFrequent(uint64_t element);

  LazyBuffer cells_, few_, many_;
  const char* first_ = nullptr;  // the table that is read first
  int first_shift_ = 0;          // of elements to bytes of it
  int cell_shift_ = 0, few_shift_ = 0;
  bool two_collections_ = false, alone_ = true;
  uint64_t sampled_ = UINT64_MAX;  // documents whose hash is not above it
};

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_CANDIDATE_COMPLETE_RARITY_H_
