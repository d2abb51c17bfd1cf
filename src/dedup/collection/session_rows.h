// What calls of a session over batches share: buffers, and where rows go.
#ifndef TWINSET_SRC_DEDUP_COLLECTION_SESSION_ROWS_H_
#define TWINSET_SRC_DEDUP_COLLECTION_SESSION_ROWS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "explain/sketch_maker.h"
#include "twinset/batch.h"
#include "twinset/session.h"

namespace twinset {

// Texts that a thread takes at a time.
inline constexpr size_t kChunkTexts = 64;
// Buffers that a text made larger are not kept.
inline constexpr size_t kMostKeptBytes = 8 << 20;

// Buffers of calls that are over, for those to come.
class ScratchPool {
 public:
  using Scratch = SketchMaker::Scratch;

  std::unique_ptr<Scratch> Take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Scratch>();
    auto scratch = std::move(free_.back());
    free_.pop_back();
    return scratch;
  }
  void Give(std::unique_ptr<Scratch> scratch) {
    if (scratch->bytes() > kMostKeptBytes) return;
    const std::lock_guard lock(mutex_);
    if (free_.size() < kMostThreads) free_.push_back(std::move(scratch));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> free_;
};

// Rows of some texts of a batch.
template <typename Value>
struct Chunk {
  size_t begin = 0, end = 0;  // texts
  std::vector<Value> values;
  std::vector<size_t> ends;  // of the rows
};

// Rows into a matrix that grows.
template <typename Value>
class IntoMatrix {
 public:
  explicit IntoMatrix(size_t rows) { matrix.offsets.reserve(rows + 1); }
  void Take(const Chunk<Value>& chunk) {
    const uint64_t before = matrix.values.size();
    matrix.values.insert(matrix.values.end(), chunk.values.begin(),
                         chunk.values.end());
    for (const size_t end : chunk.ends) matrix.offsets.push_back(before + end);
  }
  RowMatrix<Value> matrix;
};

// Rows into memory of the caller, as far as it goes.
template <typename Value>
class IntoSpans {
 public:
  IntoSpans(std::span<Value> values, std::span<uint64_t> offsets)
      : values_(values), offsets_(offsets) {}
  Status Begin(const TextBatch& batch) {
    if (offsets_.size() == batch.size() + 1) {
      offsets_[row_++] = 0;
      return {};
    }
    return Fail(ErrorCode::kUsage, "there is room for " +
                                       std::to_string(offsets_.size()) +
                                       " offsets, and there are " +
                                       std::to_string(batch.size() + 1));
  }
  void Take(const Chunk<Value>& chunk) {
    for (const size_t end : chunk.ends) offsets_[row_++] = count_ + end;
    if (count_ + chunk.values.size() <= values_.size())
      std::ranges::copy(chunk.values,
                        values_.begin() + static_cast<ptrdiff_t>(count_));
    count_ += chunk.values.size();
  }
  Result<uint64_t> End() const {
    if (count_ <= values_.size()) return count_;
    return Fail(ErrorCode::kUsage,
                "there is room for " + std::to_string(values_.size()) +
                    " values, and there are " + std::to_string(count_));
  }

 private:
  const std::span<Value> values_;
  const std::span<uint64_t> offsets_;
  size_t row_ = 0;
  uint64_t count_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_COLLECTION_SESSION_ROWS_H_
