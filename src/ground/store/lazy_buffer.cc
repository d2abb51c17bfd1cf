#include "store/lazy_buffer.h"

#include <sys/mman.h>

#include <string>

namespace twinset {

Result<LazyBuffer> LazyBuffer::Map(uint64_t bytes) {
  LazyBuffer buffer;
  if (bytes == 0) return buffer;
  void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) {
    return Fail(
        ErrorCode::kMemory,
        "the system refuses a buffer of " + std::to_string(bytes) + " bytes",
        {}, "use a smaller --memory");
  }
  buffer.data_ = static_cast<char*>(at);
  buffer.size_ = bytes;
  return buffer;
}

void LazyBuffer::PreferHugePages() {
  // A kernel without them refuses, and nothing is lost.
  if (data_ != nullptr) (void)::madvise(data_, size_, MADV_HUGEPAGE);
}

void LazyBuffer::Reset() {
  if (data_ != nullptr) ::munmap(data_, size_);
  data_ = nullptr;
  size_ = 0;
}

}  // namespace twinset
