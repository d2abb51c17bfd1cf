// What archives of files have in common under fuzzing.
#ifndef TWINSET_FUZZ_READ_BUNDLE_H_
#define TWINSET_FUZZ_READ_BUNDLE_H_

#include <cstdint>
#include <cstdlib>
#include <string>

#include "read/reader.h"

namespace twinset {

// Reads `bytes` as the file `name`; aborts on an error, an ordinal out of turn,
// a record that is quarantined without a reason, or a payload beyond the limit.
inline void ReadBundle(const std::string& bytes, const std::string& name) {
  ReadOptions options;
  options.max_document_bytes = 64 << 10;
  options.max_ratio = 50;
  const auto reader = ReadRecordsFromMemory(bytes, name, options);
  Record record;
  for (uint64_t ordinal = 0;; ++ordinal) {
    const auto more = reader->Next(&record);
    if (!more) std::abort();
    if (!*more) return;
    if (record.document.provenance.ordinal != ordinal ||
        record.document.payload.size() > options.max_document_bytes ||
        (record.kind == RecordKind::kQuarantined && record.reason.empty()))
      std::abort();
  }
}

}  // namespace twinset

#endif  // TWINSET_FUZZ_READ_BUNDLE_H_
