// A file that somebody sends.
#include <optional>
#include <utility>

#include "base/stop.h"
#include "read/reader.h"
#include "twinset/index_files.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

// What a compressed file may grow to while it is looked through.
constexpr uint64_t kMostDocument = 64 << 20, kMostPassed = 256 << 20;

}  // namespace

Result<Document> v1::DocumentOfBytes(std::string bytes,
                                     const std::string& name) try {
  if (bytes.empty()) return Fail(ErrorCode::kUsage, "the file is empty");
  ReadOptions options;
  options.max_document_bytes = kMostDocument;
  options.max_skip_bytes = kMostPassed;
  const auto reader = ReadRecordsFromMemory(std::move(bytes), name, options);
  std::optional<Document> found;
  std::string reason;
  Record record;
  for (;;) {
    TWINSET_ASSIGN(const bool more, reader->Next(&record));
    if (!more) break;
    if (record.kind != RecordKind::kDocument) {
      if (reason.empty()) reason = WordsOf(record.reason);
      continue;
    }
    if (found) {
      return Fail(ErrorCode::kUsage, "the file holds several documents", {},
                  "ask of each of them alone");
    }
    found = std::move(record.document);
  }
  if (found) return std::move(*found);
  return Fail(ErrorCode::kUsage, "the file holds no document" +
                                     (reason.empty() ? "" : ": " + reason));
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
