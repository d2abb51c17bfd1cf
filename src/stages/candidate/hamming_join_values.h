// The Hamming join over values: all pairs of distinct fingerprints within a
// distance, and which values occur more than once. Rows are put back by
// hamming_join_rows.h.
// See docs/methods/hamming-join.md.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_HAMMING_JOIN_VALUES_H_
#define TWINSET_SRC_STAGES_CANDIDATE_HAMMING_JOIN_VALUES_H_

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/memory_budget.h"
#include "candidate/value_column.h"
#include "twinset/error.h"

namespace twinset {

inline int DifferingBits(uint64_t x, uint64_t y) {
  return std::popcount(x ^ y);
}
inline int DifferingBits(Wide x, Wide y) {
  const Wide z = x ^ y;
  return std::popcount(static_cast<uint64_t>(z)) +
         std::popcount(static_cast<uint64_t>(z >> 64));
}

// A list that takes its memory from a budget in chunks and, once there is none
// left, goes on counting. One thread at a time.
template <typename T>
class BudgetedList {
 public:
  static constexpr size_t kChunk = (size_t{64} << 10) / sizeof(T);

  explicit BudgetedList(MemoryBudget* budget) : budget_(budget) {}

  void Append(const T& value) {
    if (left_ == 0 && !Grow()) {
      ++dropped_;
      return;
    }
    chunks_.back().values[kChunk - left_--] = value;
    ++chunks_.back().count;
  }
  // Moves all of `other` behind what is here.
  void Take(BudgetedList* other) {
    for (Chunk& chunk : other->chunks_) chunks_.push_back(std::move(chunk));
    dropped_ += other->dropped_;
    if (!chunks_.empty()) left_ = kChunk - chunks_.back().count;
    other->Clear();
  }
  void Clear() {
    chunks_.clear();
    left_ = dropped_ = 0;
  }
  // The number of all values, kept or not.
  uint64_t count() const {
    uint64_t count = dropped_;
    for (const Chunk& chunk : chunks_) count += chunk.count;
    return count;
  }
  bool complete() const { return dropped_ == 0; }
  template <class Body>
  void ForEach(Body body) {
    for (Chunk& chunk : chunks_)
      for (size_t i = 0; i < chunk.count; ++i) body(chunk.values[i]);
  }
  // Stops at the first error.
  template <class Body>
  Status TryForEach(Body body) {
    for (Chunk& chunk : chunks_)
      for (size_t i = 0; i < chunk.count; ++i)
        TWINSET_TRY(body(chunk.values[i]));
    return {};
  }

 private:
  struct Chunk {
    Reservation paid;
    std::unique_ptr<T[]> values;
    size_t count = 0;
  };
  bool Grow() {
    if (dropped_ > 0) return false;
    Reservation paid = budget_->TryReserve(kChunk * sizeof(T));
    if (!paid.ok()) return false;
    chunks_.push_back({std::move(paid), std::make_unique<T[]>(kChunk), 0});
    left_ = kChunk;
    return true;
  }

  MemoryBudget* budget_;
  std::vector<Chunk> chunks_;
  size_t left_ = 0;  // room in the last chunk
  uint64_t dropped_ = 0;
};

// Two values of a pair; equal ones in a join of a set with itself: the value
// occurs more than once.
template <typename V>
struct NearValues {
  V x = 0, y = 0;
};
template <typename V>
using NearList = BudgetedList<NearValues<V>>;

// Most working memory beside columns and results, for that many rows in memory.
template <typename V>
uint64_t NearValuesBytes(uint64_t rows, int threads);

// Returns true iff columns on the disk can be joined: values of 64 bits at a
// distance of at most three.
template <typename V>
constexpr bool JoinsOnDisk(int distance) {
  return sizeof(V) == 8 && distance <= 3;
}

// How values are divided. The pairs are the same; only time is not.
enum class NearDesign {
  kAuto,
  kBlocks,     // 64 bits, distance <= 3: blocks of 16 bits
  kBytes,      // the same, and one byte more
  kAnyBlocks,  // any width and distance
};

// Every pair of different values of `x`, and every value that occurs in it more
// than once, exactly once, in no order; with `y`, every pair of one value of
// `x` and one of `y`. kMemory when there is no room to work; when only the list
// has none it is not complete(). Columns on the disk (both or none) are divided
// in files beside theirs; each part of them, a 256th of values that are spread
// evenly, must fit into memory. kInterrupted soon after `stop` is set.
template <typename V>
Status FindNearValues(const ValueColumn<V>& x, const ValueColumn<V>* y,
                      int distance, int threads, MemoryBudget* budget,
                      NearList<V>* found, NearDesign design = NearDesign::kAuto,
                      const std::atomic<bool>* stop = nullptr);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_HAMMING_JOIN_VALUES_H_
