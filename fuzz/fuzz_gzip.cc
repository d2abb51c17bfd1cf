// Byte streams of any compression: the delivered pieces are contiguous, gaps
// end, and the same bytes come whatever the reader peeks for, and by zlib
// alone.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "read/byte_stream.h"
#include "read/codec.h"
#include "target.h"

namespace {

// Everything delivered, with a mark at each gap.
std::string Drain(const std::string& bytes, size_t want, bool quick) {
  twinset::ByteStreamOptions options;
  options.max_ratio = 50;
  options.quick = quick;
  const auto stream = twinset::ByteStreamFromMemory(bytes, options);
  std::string all;
  uint64_t offset = 0;
  for (;;) {
    const auto view = stream->Peek(want);
    if (!view || stream->offset() != offset) std::abort();
    if (view->empty()) {
      if (!stream->AtGap()) return all;
      stream->TakeFault();
      all += "\ngap\n";
      continue;
    }
    const size_t take = (view->size() + 1) / 2;
    all += view->substr(0, take);
    stream->Consume(take);
    offset += take;
    if (all.size() > (16u << 20)) return all;
  }
}

}  // namespace

TWINSET_FUZZ_TARGET(gzip) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::string one = Drain(bytes, 1, false);
  const std::string many = Drain(bytes, 300'000, false);
  if (one.size() < (16u << 20) && one != many) std::abort();
  // The quick decoder gives the same, where nothing unsure is shown.
  for (const size_t want : {size_t{1}, size_t{300'000}}) {
    const std::string quick = Drain(bytes, want, true);
    if (std::max(quick.size(), many.size()) < twinset::kMostUnsureBytes &&
        quick != many)
      std::abort();
  }
  return 0;
}
