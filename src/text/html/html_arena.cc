#include "text/html/html_arena.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>

namespace twinset {

HtmlArena::~HtmlArena() {
  while (chunks_ != nullptr) {
    Chunk* const next = chunks_->next;
    std::free(chunks_);
    chunks_ = next;
  }
}

void* HtmlArena::Allocate(size_t bytes) {
  if (bytes > limit_bytes_) return nullptr;
  size_t size_class, size;
  if (bytes <= kSmallClasses * 16) {
    size_class = bytes == 0 ? 0 : (bytes - 1) / 16;
    size = (size_class + 1) * 16;
  } else {
    size = std::bit_ceil(bytes);
    size_class = kSmallClasses + static_cast<size_t>(std::countr_zero(size));
  }
  Header* header = free_[size_class];
  if (header != nullptr) {
    free_[size_class] = header->next_free;
    return header + 1;
  }
  void* const memory = TakeFromChunk(size + sizeof(Header));
  if (memory == nullptr) return nullptr;
  header = new (memory) Header;
  header->next_free = nullptr;
  header->size_class = size_class;
  return header + 1;
}

void HtmlArena::Free(void* block) {
  if (block == nullptr) return;
  Header* const header = static_cast<Header*>(block) - 1;
  header->next_free = free_[header->size_class];
  free_[header->size_class] = header;
}

void* HtmlArena::TakeFromChunk(size_t bytes) {
  if (used_bytes_ + bytes > limit_bytes_) return nullptr;
  if (bytes > left_) {
    const size_t wanted = std::max(bytes, kChunkBytes);
    void* const memory = std::malloc(sizeof(Chunk) + wanted);
    if (memory == nullptr) return nullptr;
    Chunk* const chunk = new (memory) Chunk{chunks_, 0};
    chunks_ = chunk;
    char* const payload = reinterpret_cast<char*>(chunk + 1);
    if (bytes >= kChunkBytes) {  // a chunk of its own; the current one goes on
      used_bytes_ += bytes;
      return payload;
    }
    used_bytes_ += left_;  // the end of the old chunk is lost
    at_ = payload;
    left_ = wanted;
  }
  void* const result = at_;
  at_ += bytes;
  left_ -= bytes;
  used_bytes_ += bytes;
  return result;
}

}  // namespace twinset
