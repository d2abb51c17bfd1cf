// What the row formats have in common under fuzzing.
#ifndef TWINSET_FUZZ_READ_ROWS_H_
#define TWINSET_FUZZ_READ_ROWS_H_

#include <cstdint>
#include <cstdlib>
#include <string>

#include "read/codec.h"
#include "read/detect.h"
#include "read/formats.h"
#include "read/reader.h"

namespace twinset {

// Reads `data` as `format`, compressed or not; aborts unless reading ends,
// ordinals count up, the raw forms are the source, and rows that are parsed
// later are the same.
inline void ReadRows(const uint8_t* data, size_t size, InputFormat format) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  ReadOptions options;
  options.format = format;
  options.keep_raw = true;
  options.max_document_bytes = 1 << 20;
  options.max_ratio = 50;
  options.fields = {"metadata.lang", "lang"};
  const auto reader = ReadRecordsFromMemory(bytes, "input", options);
  options.defers_rows = true;
  options.keep_raw = false;
  const auto deferring = ReadRecordsFromMemory(bytes, "input", options);
  RowParser parser(options);
  // The rows of an archive are those of its members.
  const bool plain = DetectCompression(bytes, "input") == Compression::kNone &&
                     BundleOf(bytes, "input") == BundleKind::kNone;
  Record record;
  std::string raws;
  bool failed = false;
  for (uint64_t ordinal = 0;; ++ordinal) {
    const auto more = reader->Next(&record);
    failed = !more;
    if (!more || !*more) break;
    if (record.document.provenance.ordinal != ordinal) std::abort();
    if (record.kind == RecordKind::kQuarantined && record.reason.empty()) {
      std::abort();
    }
    raws += record.raw;
    Record later;
    const auto as_many = deferring->Next(&later);
    if (!as_many || !*as_many) std::abort();
    if (later.kind == RecordKind::kRow)
      parser.Parse(std::string(later.row), &later);
    if (later.kind != record.kind || later.reason != record.reason ||
        later.detail != record.detail ||
        later.document.id != record.document.id ||
        later.document.payload != record.document.payload ||
        later.document.fields != record.document.fields)
      std::abort();
  }
  // What stands between the elements of an array is of none of them.
  if (plain && !failed && !raws.empty() && raws != bytes && !IsJsonArray(bytes))
    std::abort();
}

}  // namespace twinset

#endif  // TWINSET_FUZZ_READ_ROWS_H_
