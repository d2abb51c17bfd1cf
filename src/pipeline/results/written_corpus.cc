#include "pipeline/results/written_corpus.h"

#include <filesystem>

#include "base/file.h"
#include "store/file_identity.h"

namespace twinset::inline v1 {

Result<CorpusWriter> CreateWritten(const Plan& plan, const InputFile& input,
                                   bool member_per_record) {
  const std::string path = WrittenPath(plan.options, input);
  const std::string parent = std::filesystem::path(path).parent_path().string();
  TWINSET_TRY(MakeDirectories(parent));
  const auto folder = FindIdentity(plan.options.write);
  if (!folder || !IsBelow(parent, *folder)) {
    return Fail(ErrorCode::kIo, "a folder of --write was replaced meanwhile",
                parent, "run it again with another --write");
  }
  return CorpusWriter::Create(path, member_per_record);
}

Result<DocumentsAgain> DocumentsAgain::Open(Run* run) {
  TWINSET_ASSIGN(auto documents, OpenBlob(*run, run->documents_file));
  return DocumentsAgain(run, std::move(documents));
}

Result<bool> DocumentsAgain::Next() {
  std::string_view bytes;
  document_.reset();
  TWINSET_ASSIGN(const bool more, documents_.Next(&bytes));
  if (!more) return false;
  TWINSET_ASSIGN(document_, DecodeDocumentInfo(bytes));
  return true;
}

Result<bool> DocumentsAgain::IsAt(const Record& record) const {
  const Provenance& place = record.document.provenance;
  if (record.kind != RecordKind::kDocument || !IsOf(place.source) ||
      document_->provenance.ordinal != place.ordinal)
    return false;
  TWINSET_TRY(CheckSame(*document_, record.document,
                        run_->plan.inputs[place.source].path));
  return true;
}

Result<std::unique_ptr<RecordReader>> DocumentsAgain::OpenSource(
    uint32_t source) const {
  ReadOptions read = run_->plan.ReadOf(source);
  read.keep_raw = true;
  return OpenRecordReader(run_->plan.inputs[source], source, read);
}

Status DocumentsAgain::ForEachRecord(
    uint32_t source, RecordReader* reader,
    const std::function<Status(const Record&)>& body) {
  const InputFile& input = run_->plan.inputs[source];
  Record record;
  for (;;) {
    const Result<bool> more = reader->Next(&record);
    if (!more) {
      if (more.error().code == ErrorCode::kInterrupted)
        return tl::unexpected(more.error());
      run_->warnings.push_back(more.error().ToString());
    }
    if (!more || !*more) break;
    TWINSET_TRY(body(record));
  }
  TWINSET_TRY(CheckUnchanged(input));
  return IsOf(source) ? tl::unexpected(Gone(*document_, input.path)) : Status();
}

}  // namespace twinset::inline v1
