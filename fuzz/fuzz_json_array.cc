// An array of rows: whatever follows its bracket, every element that is
// delivered stands where its offset says.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "read/reader.h"
#include "target.h"

TWINSET_FUZZ_TARGET(json_array) {
  const std::string bytes =
      "[{\"id\":\"a\",\"text\":\"x\"},\n" +
      std::string(reinterpret_cast<const char*>(data), size);
  twinset::ReadOptions options;
  options.keep_raw = true;
  options.max_document_bytes = 1 << 20;
  const auto reader =
      twinset::ReadRecordsFromMemory(bytes, "input.json", options);
  twinset::Record record;
  uint64_t behind = 0;
  for (uint64_t ordinal = 0;; ++ordinal) {
    const auto more = reader->Next(&record);
    if (!more) std::abort();
    if (!*more) return ordinal > 0 ? 0 : (std::abort(), 0);
    const twinset::Provenance& place = record.document.provenance;
    if (place.ordinal != ordinal) std::abort();
    if (record.kind != twinset::RecordKind::kDocument) continue;
    if (place.offset < behind ||
        bytes.compare(place.offset, record.raw.size(), record.raw) != 0)
      std::abort();
    behind = place.offset + record.raw.size();
  }
}
