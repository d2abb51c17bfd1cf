// CSV and TSV, compressed or not: reading ends, ordinals count up, the raw
// forms are the source.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "read/codec.h"
#include "read/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  twinset::ReadOptions options;
  options.format = twinset::Format::kCsv;
  options.keep_raw = true;
  options.max_document_bytes = 1 << 20;
  options.max_ratio = 50;
  options.fields = {"metadata.lang", "lang"};
  const auto reader = twinset::ReadRecordsFromMemory(bytes, "input", options);
  twinset::Record record;
  std::string raws;
  const bool plain =
      twinset::DetectCompression(bytes, "input") == twinset::Compression::kNone;
  bool failed = false;
  for (uint64_t ordinal = 0;; ++ordinal) {
    const auto more = reader->Next(&record);
    failed = !more;
    if (!more || !*more) break;
    if (record.document.provenance.ordinal != ordinal) std::abort();
    if (record.kind == twinset::RecordKind::kQuarantined &&
        record.reason.empty()) {
      std::abort();
    }
    raws += record.raw;
  }
  if (plain && !failed && !raws.empty() && raws != bytes) std::abort();
  return 0;
}
