// A dense array with one element a document that stays within a stated amount of memory: in
// memory when it fits, else in a file with a page cache. The "external form" of every
// per-document table (rank, class, union-find parent, centre bit).
#ifndef TWINSET_SRC_STORE_PAGED_ARRAY_H_
#define TWINSET_SRC_STORE_PAGED_ARRAY_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "base/file.h"
#include "base/memory_budget.h"
#include "twinset/error.h"

namespace twinset {

// Untyped: elements of `element_bytes` in pages of 64 KB, clock replacement, dirty pages written
// back. Initial content is zero bytes. Not thread-safe.
class RawPagedArray {
 public:
  // Uses up to memory_bytes from `budget`. The file `path` is created only when the array does
  // not fit, and removed on destruction.
  static Result<RawPagedArray> Create(const std::string& path, uint64_t count,
                                      uint32_t element_bytes, uint64_t memory_bytes,
                                      MemoryBudget* budget);
  RawPagedArray(RawPagedArray&&) = default;
  RawPagedArray& operator=(RawPagedArray&&) = default;
  ~RawPagedArray();

  uint64_t count() const { return count_; }
  bool in_memory() const { return !file_.is_open(); }
  // Pointer to element `index`, valid until the next call; `write` marks its page dirty.
  Result<char*> At(uint64_t index, bool write);

 private:
  RawPagedArray() = default;
  struct Frame {
    uint64_t page = ~uint64_t{0};
    bool dirty = false;
    bool used = false;
  };
  Result<char*> Load(uint64_t page);
  uint64_t count_ = 0;
  uint32_t element_bytes_ = 0;
  uint64_t per_page_ = 0;
  Reservation reservation_;
  std::vector<char> memory_;          // all pages, or the frames of the cache
  std::vector<Frame> frames_;
  std::vector<uint32_t> frame_table_;  // open-addressing page -> frame + 1
  size_t hand_ = 0;
  std::string path_;
  File file_;
};

template <typename T>
class PagedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static Result<PagedArray> Create(const std::string& path, uint64_t count, uint64_t memory_bytes,
                                   MemoryBudget* budget) {
    TWINSET_ASSIGN(RawPagedArray raw,
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

#endif  // TWINSET_SRC_STORE_PAGED_ARRAY_H_
