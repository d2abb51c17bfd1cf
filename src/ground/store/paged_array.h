// A dense array with one element a document that stays within a stated amount
// of memory: in memory when it fits, else in a file with a page cache. The
// "external form" of every per-document table (rank, class, union-find parent,
// centre bit).
#ifndef TWINSET_SRC_GROUND_STORE_PAGED_ARRAY_H_
#define TWINSET_SRC_GROUND_STORE_PAGED_ARRAY_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/memory_budget.h"
#include "store/lazy_buffer.h"
#include "twinset/error.h"

namespace twinset {

// Untyped: elements of `element_bytes` in pages of 64 KB, clock replacement,
// dirty pages written back. Initial content is zero bytes and costs neither
// resident memory nor disk until it is touched. Not thread-safe. The file is
// scratch: no checksum, no meaning to another process.
class RawPagedArray {
 public:
  static constexpr uint64_t kPageBytes = 64 << 10;
  static constexpr uint64_t kMinimumFrames = 4;

  // Uses up to memory_bytes from `budget` (at least four pages and their
  // table). The file `path` is created only when the array does not fit, and
  // removed on destruction.
  static Result<RawPagedArray> Create(const std::string& path, uint64_t count,
                                      uint32_t element_bytes,
                                      uint64_t memory_bytes,
                                      MemoryBudget* budget);
  RawPagedArray(RawPagedArray&&) = default;
  RawPagedArray& operator=(RawPagedArray&& other) noexcept;
  ~RawPagedArray();

  uint64_t count() const { return count_; }
  bool in_memory() const { return !file_.is_open(); }
  // Pointer to element `index`, valid until the next call; `write` marks its
  // page dirty.
  Result<char*> At(uint64_t index, bool write) {
    if (index >= count_) return OutOfRange(index);
    if (in_memory()) return memory_.data() + index * element_bytes_;
    return AtPaged(index, write);
  }

 private:
  RawPagedArray() = default;
  struct Frame {
    uint64_t page = ~uint64_t{0};
    bool on_disk = false;  // some earlier state was written back
    bool dirty = false;
    bool used = false;  // since the hand last passed
  };
  // States of a page without a frame; else page_table_ holds its frame + 2.
  static constexpr uint32_t kNeverWritten = 0;
  static constexpr uint32_t kOnDisk = 1;

  tl::unexpected<Error> OutOfRange(uint64_t index) const;
  Result<char*> AtPaged(uint64_t index, bool write);
  Result<uint32_t> FreeFrame();
  Result<uint32_t> Load(uint64_t page);
  char* FrameData(uint32_t frame) {
    return memory_.data() + frame * kPageBytes;
  }

  uint64_t count_ = 0;
  uint32_t element_bytes_ = 0;
  uint64_t per_page_ = 1;
  Reservation reservation_;
  LazyBuffer memory_;  // all elements, or the frames of the cache
  std::vector<Frame> frames_;
  std::vector<uint32_t>
      page_table_;  // one entry per page: 4 bytes for 64 KB of array
  size_t hand_ = 0;
  std::string path_;
  File file_;
};

template <typename T>
class PagedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static Result<PagedArray> Create(const std::string& path, uint64_t count,
                                   uint64_t memory_bytes,
                                   MemoryBudget* budget) {
    TWINSET_ASSIGN(
        RawPagedArray raw,
        RawPagedArray::Create(path, count, sizeof(T), memory_bytes, budget));
    return PagedArray(std::move(raw));
  }
  Result<T> Get(uint64_t index) {
    TWINSET_ASSIGN(const char* at, raw_.At(index, false));
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
  }
  Status Set(uint64_t index, const T& value) {
    TWINSET_ASSIGN(char* at, raw_.At(index, true));
    std::memcpy(at, &value, sizeof(T));
    return {};
  }
  uint64_t count() const { return raw_.count(); }
  bool in_memory() const { return raw_.in_memory(); }

 private:
  explicit PagedArray(RawPagedArray raw) : raw_(std::move(raw)) {}
  RawPagedArray raw_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_PAGED_ARRAY_H_
