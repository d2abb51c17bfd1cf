// Files as an engine reads them, each by itself (include/twinset/stages.h).
#include <utility>

#include "base/stop.h"
#include "documents/document_options.h"
#include "documents/document_pass.h"
#include "read/reader.h"
#include "twinset/stages.h"

namespace twinset {

Result<std::vector<StagedFile>> v1::ListStagedFiles(
    const InputOptions& input) try {
  for (const std::string& path : input.inputs) {
    if (!CanBeReadOnce(path)) continue;
    return Fail(ErrorCode::kUnsupported,
                "it gives its bytes only once, and other machines cannot read "
                "it",
                path, "name a file that all of them can open");
  }
  TWINSET_ASSIGN(const InputList files, ListInputs(input));
  std::vector<StagedFile> staged;
  for (const InputFile& file : files) {
    staged.push_back({file.path, file.source, file.relative, file.state.size,
                      file.state.mtime_ns});
  }
  return staged;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

struct StagedReader::Parts {
  InputFile file;
  std::unique_ptr<RecordReader> reader;
  Record record = {};
};

// Machines that share a file system number its devices each in its own way.
Result<StagedReader> v1::StagedReader::Open(const StagedFile& file,
                                            const InputOptions& input) try {
  TWINSET_ASSIGN(const ReadOptions read, MakeReadOptions(input));
  TWINSET_ASSIGN(const InputList here,
                 ListInputs({file.path}, {.networks = input.networks}));
  InputFile own = here.front();
  if (here.size() != 1 || own.state.size != file.bytes ||
      own.state.mtime_ns != file.mtime_ns) {
    return Fail(ErrorCode::kIo, "it is not the file that the driver has listed",
                file.path, "give all machines the same file, and run again");
  }
  own.source = file.source;
  own.relative = file.relative;
  TWINSET_ASSIGN(auto reader, OpenRecordReader(own, 0, read));
  return StagedReader(
      std::make_unique<Parts>(Parts{std::move(own), std::move(reader)}));
} catch (const std::bad_alloc&) {
  return NoMemory();
}
StagedReader::StagedReader(std::unique_ptr<Parts> parts)
    : parts_(std::move(parts)) {}
StagedReader::StagedReader(StagedReader&&) noexcept = default;
StagedReader::~StagedReader() = default;

Result<bool> v1::StagedReader::Next(StagedRecord* staged) try {
  Record& record = parts_->record;
  TWINSET_ASSIGN(const bool more, parts_->reader->Next(&record));
  if (!more) {
    TWINSET_TRY(CheckUnchanged(parts_->file));
    return false;
  }
  *staged = {};
  ReplaceId(parts_->file.source, &record);
  staged->read_id = record.document.id;
  staged->original_id = record.original_id;
  GiveId(parts_->file.source, &record.document);
  if (record.kind != RecordKind::kDocument) {
    RejectedRecord why = RejectUnread(record, parts_->file.source);
    staged->rejected = std::move(why.reason);
    staged->detail = std::move(why.detail);
    staged->is_skipped = !why.quarantined;
  }
  Document& document = record.document;
  staged->ordinal = document.provenance.ordinal;
  staged->offset = document.provenance.offset;
  staged->id = document.id;
  staged->url = document.provenance.url;
  staged->date = document.provenance.date;
  if (staged->rejected.empty()) staged->document = std::move(document);
  return true;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

std::string v1::QuarantineLine(const RejectedRecord& record,
                               std::string_view original_id, bool has_offset) {
  return QuarantineRow(record, original_id, has_offset) + "\n";
}

}  // namespace twinset
