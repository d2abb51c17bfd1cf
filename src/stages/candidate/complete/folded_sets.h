// Elements of documents in a complete join, and as 32-bit numbers in memory
// (docs/methods/complete.md, containment-search.md).
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_FOLDED_SETS_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_FOLDED_SETS_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "candidate/complete/overlap_bounds.h"
#include "core/one_plus_idf.h"
#include "store/lazy_buffer.h"
#include "twinset/error.h"

namespace twinset {

// Stored features, 8-byte aligned, as such.
inline std::span<const uint64_t> AsValues(std::string_view features) {
  return {reinterpret_cast<const uint64_t*>(features.data()),
          features.size() / sizeof(uint64_t)};
}

// The elements of stored features, 64 bits each, ascending and distinct: of
// sets the shingles, of bags the distinct shingles, of sequences the tokens,
// numbered by occurrence. `counts`: of bags how often each occurs; else left
// alone.
void JoinElements(JoinMeasure measure, std::string_view features,
                  std::vector<uint64_t>* elements,
                  std::vector<uint32_t>* counts);

// What `count` occurrences of a feature of a bag weigh; without `idf` 1 each.
// Exact, also in the sum of a document: weights are below 2^23, counts 2^32.
using Square = unsigned __int128;
inline Square SquaredWeight(const FeatureIdf& idf, uint64_t feature,
                            uint64_t count) {
  const uint64_t weight = count * (idf == nullptr ? 1 : (*idf)(feature));
  return Square{weight} * weight;
}

// A document of the join. Elements are kept as the high halves of their hashes;
// equal ones become one.
struct FoldedSet {
  uint64_t document = 0;
  uint64_t begin = 0;   // of its folds
  uint32_t folds = 0;   // distinct folds
  uint32_t size = 0;    // elements; size - folds were lost by folding
  uint32_t prefix = 0;  // folds of the prefix
  uint64_t prefix_begin = 0;
  bool stored = false;
};

// `elements` (ascending) folded to the end of `folds`.
void FoldElements(std::span<const uint64_t> elements, FoldedSet* set,
                  std::vector<uint32_t>* folds);

// A growing array in memory that the system hands out as it fills. The caller
// pays the budget.
template <typename T>
class Arena {
 public:
  Status Map(uint64_t capacity) {
    TWINSET_ASSIGN(buffer_, LazyBuffer::Map(capacity * sizeof(T)));
    capacity_ = capacity;
    buffer_.PreferHugePages();
    return {};
  }
  T* data() { return reinterpret_cast<T*>(buffer_.data()); }
  const T* data() const { return reinterpret_cast<const T*>(buffer_.data()); }
  uint64_t size() const { return size_; }
  uint64_t capacity() const { return capacity_; }
  // The caller has seen to it that it fits.
  void Append(std::span<const T> values) {
    std::copy(values.begin(), values.end(), data() + size_);
    size_ += values.size();
  }
  void Reset() { *this = Arena(); }

 private:
  LazyBuffer buffer_;
  uint64_t size_ = 0, capacity_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_FOLDED_SETS_H_
