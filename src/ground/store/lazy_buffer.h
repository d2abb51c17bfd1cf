// A large zero-filled buffer that costs resident memory only where it has been
// touched and gives all of it back at once.
#ifndef TWINSET_SRC_GROUND_STORE_LAZY_BUFFER_H_
#define TWINSET_SRC_GROUND_STORE_LAZY_BUFFER_H_

#include <cstdint>
#include <utility>

#include "twinset/error.h"

namespace twinset {

// Anonymous pages straight from the kernel: a heap block of the same size may
// stay with the allocator after it is freed, and a growing vector holds its
// content twice. Page-aligned. Movable (pointers into it stay valid); not
// thread-safe itself. The caller pays the budget.
class LazyBuffer {
 public:
  LazyBuffer() = default;
  LazyBuffer(LazyBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  LazyBuffer& operator=(LazyBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~LazyBuffer() { Reset(); }

  // kMemory when the address space or the commit limit does not allow it.
  static Result<LazyBuffer> Map(uint64_t bytes);

  char* data() { return data_; }  // null when size() is 0
  const char* data() const { return data_; }
  uint64_t size() const { return size_; }
  void Reset();
  // Asks for huge pages: for buffers that are written all over. Advice only.
  void PreferHugePages();

 private:
  char* data_ = nullptr;
  uint64_t size_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_LAZY_BUFFER_H_
