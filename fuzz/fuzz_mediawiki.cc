// MediaWiki exports; the first byte says which revisions are documents.
#include <cstdlib>
#include <string>

#include "read/reader.h"
#include "target.h"

TWINSET_FUZZ_TARGET(mediawiki) {
  if (size == 0) return 0;
  twinset::ReadOptions options;
  options.format = twinset::InputFormat::kMediaWiki;
  options.revisions = data[0] % 2 == 0 ? twinset::RevisionRule::kNewest
                                       : twinset::RevisionRule::kAll;
  options.keep_truncated = data[0] % 4 >= 2;
  options.max_document_bytes = 64 << 10;
  options.max_field_bytes = 1 << 10;
  options.fields = {"title", "model"};
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto reader = twinset::ReadRecordsFromMemory(bytes, "x", options);
  twinset::Record record;
  for (uint64_t ordinal = 0;; ++ordinal) {
    const auto more = reader->Next(&record);
    if (!more) std::abort();
    if (!*more) return 0;
    const twinset::Document& document = record.document;
    if (document.provenance.ordinal != ordinal ||
        document.payload.size() > options.max_document_bytes)
      std::abort();
    if (record.kind != twinset::RecordKind::kDocument &&
        (record.reason.empty() || !document.payload.empty()))
      std::abort();
  }
}
