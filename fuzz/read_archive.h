// What the archive formats have in common under fuzzing.
#ifndef TWINSET_FUZZ_READ_ARCHIVE_H_
#define TWINSET_FUZZ_READ_ARCHIVE_H_

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "read/formats.h"

namespace twinset {

// Reads `data` with the reader that `make` returns; aborts on an error, a lost
// byte, a payload beyond the limit or an ordinal out of turn.
inline void ReadArchive(const uint8_t* data, size_t size,
                        ReaderPtr (*make)(StreamPtr, const InputFile&, uint32_t,
                                          const ReadOptions&)) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  ReadOptions options;
  options.statuses = {};
  options.mimes = {"*"};
  options.max_document_bytes = 64 << 10;
  options.keep_raw = true;
  auto stream = ByteStreamFromMemory(bytes, {});
  const bool plain = stream->compression() == Compression::kNone;
  const ReaderPtr reader = make(std::move(stream), {}, 0, options);
  Record record;
  std::string raws;
  uint64_t ordinal = 0;
  for (;;) {
    const auto more = reader->Next(&record);
    if (!more) std::abort();
    if (!*more) break;
    if (record.document.provenance.ordinal != ordinal++) std::abort();
    if (record.document.payload.size() > options.max_document_bytes) {
      std::abort();
    }
    raws += record.raw;
  }
  // Newlines without any record around them belong to none.
  if (plain && ordinal > 0 && raws.size() <= (1 << 20) && raws != bytes) {
    std::abort();
  }
}

}  // namespace twinset

#endif  // TWINSET_FUZZ_READ_ARCHIVE_H_
