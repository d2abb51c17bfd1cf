// Fingerprints by row, in memory or in a file, and the same in parts.
// See docs/methods/hamming-join.md, Beyond memory.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_VALUE_COLUMN_H_
#define TWINSET_SRC_STAGES_CANDIDATE_VALUE_COLUMN_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/memory_budget.h"
#include "store/lazy_buffer.h"
#include "twinset/error.h"

namespace twinset {

// Fingerprints of up to 64 bits are uint64_t, longer ones Wide.
using Wide = unsigned __int128;

// kMemory, with an amount of memory that is enough.
tl::unexpected<Error> DoNotFit(uint64_t fingerprints, uint64_t memory_bytes,
                               uint64_t enough_bytes);

// In memory of a budget until Spill. Appended by one thread.
template <typename V>
class ValueColumn {
 public:
  explicit ValueColumn(MemoryBudget* budget) : budget_(budget) {}

  // kMemory when the budget has no room; the value is not taken then.
  Status Append(V value) {
    if (left_ == 0) TWINSET_TRY(Grow());
    *next_++ = value;
    --left_;
    ++size_;
    return {};
  }
  // Moves all to a new file, and gives the memory back but for one chunk; what
  // is appended later goes there too.
  Status Spill(const std::string& path);
  // Once, after the last Append.
  Status Finish();

  bool on_disk() const { return file_.is_open(); }
  const std::string& path() const { return file_.path(); }
  uint64_t size() const { return size_; }
  size_t chunks() const {
    return on_disk() ? (size_ + disk_chunk_ - 1) / disk_chunk_ : chunks_.size();
  }
  // The most values that a chunk has.
  uint64_t most_in_chunk() const;
  uint64_t FirstRow(size_t chunk) const {
    return on_disk() ? chunk * disk_chunk_ : chunks_[chunk].first_row;
  }
  // Values of rows FirstRow(chunk)... of a column in memory.
  std::span<const V> Chunk(size_t chunk) const {
    const size_t count = chunks_[chunk].buffer.size() / sizeof(V) -
                         (chunk + 1 == chunks_.size() ? left_ : 0);
    return {reinterpret_cast<const V*>(chunks_[chunk].buffer.data()), count};
  }
  // The same of any column: valid until *room changes, which a column on the
  // disk reads into. Thread-safe.
  Result<std::span<const V>> Load(size_t chunk, std::vector<V>* room) const;

 private:
  struct Part {
    Reservation paid;
    LazyBuffer buffer;
    uint64_t first_row = 0;
  };
  Status Grow();
  Status MakeChunk(uint64_t bytes);
  Status Flush();

  MemoryBudget* budget_;
  std::vector<Part> chunks_;  // on the disk: the one that is being filled
  V* next_ = nullptr;
  uint64_t left_ = 0, size_ = 0;
  File file_;
  uint64_t disk_chunk_ = 0;  // values
};

// The values of a column on the disk by one of their bytes, in a file beside
// that of the column.
class PartedColumn {
 public:
  static constexpr size_t kParts = 256;

  // By the byte at bit `shift`; replaces what was there. Takes two chunks of
  // memory for each thread.
  Status Fill(const ValueColumn<uint64_t>& column, int shift, int threads);
  uint64_t count(size_t part) const { return counts_[part]; }
  // Reads all values of a part, in no order. Thread-safe.
  Status Read(size_t part, uint64_t* to) const;

 private:
  File file_;
  uint64_t chunk_ = 0;  // values
  // Where the parts of each chunk begin, and its end.
  std::vector<std::array<uint32_t, kParts + 1>> places_;
  std::array<uint64_t, kParts> counts_ = {};
};

extern template class ValueColumn<uint64_t>;
extern template class ValueColumn<Wide>;

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_VALUE_COLUMN_H_
