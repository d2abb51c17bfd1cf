// Files of compress(1): the same bytes come whatever the reader peeks for.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "read/byte_stream.h"
#include "target.h"

namespace {

constexpr size_t kMost = 1 << 20;

std::string Drain(const std::string& bytes, size_t want) {
  const auto stream = twinset::ByteStreamFromMemory(bytes, {});
  std::string all;
  while (all.size() < kMost) {
    const auto view = stream->Peek(want);
    if (!view) std::abort();
    if (view->empty()) {
      if (!stream->AtGap()) break;
      stream->TakeFault();
    }
    all += *view;
    stream->Consume(view->size());
  }
  return all.substr(0, kMost);
}

}  // namespace

TWINSET_FUZZ_TARGET(lzw) {
  const std::string bytes =
      "\x1f\x9d" + std::string(reinterpret_cast<const char*>(data), size);
  if (Drain(bytes, 1) != Drain(bytes, 300'000)) std::abort();
  return 0;
}
