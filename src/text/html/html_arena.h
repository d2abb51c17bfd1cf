// Memory of one parse: everything is freed at once, and there is never more
// than the limit.
#ifndef TWINSET_SRC_TEXT_HTML_HTML_ARENA_H_
#define TWINSET_SRC_TEXT_HTML_HTML_ARENA_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace twinset {

// Blocks of 16-byte steps up to 512 bytes and of powers of two beyond; freed
// blocks wait in a list of their size. Not thread-safe. What is allocated
// depends on the calls alone.
class HtmlArena {
 public:
  explicit HtmlArena(uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}
  ~HtmlArena();
  HtmlArena(const HtmlArena&) = delete;
  HtmlArena& operator=(const HtmlArena&) = delete;

  // Null when the limit (or the machine's memory) is reached.
  void* Allocate(size_t bytes);
  void Free(void* block);
  uint64_t used_bytes() const { return used_bytes_; }

 private:
  struct Chunk {
    Chunk* next;
    size_t unused;  // keeps the payload aligned to 16
  };
  struct Header {
    union {
      Header* next_free;
      uint64_t unused;
    };
    size_t size_class;
  };
  static constexpr size_t kSmallClasses = 32;
  static constexpr size_t kChunkBytes = size_t{256} << 10;

  void* TakeFromChunk(size_t bytes);

  const uint64_t limit_bytes_;
  uint64_t used_bytes_ =
      0;  // handed out for the first time: chunks less their unused ends
  Chunk* chunks_ = nullptr;
  char* at_ = nullptr;  // free part of the current chunk
  size_t left_ = 0;
  std::array<Header*, kSmallClasses + 64> free_{};
};

}  // namespace twinset

#endif  // TWINSET_SRC_TEXT_HTML_HTML_ARENA_H_
