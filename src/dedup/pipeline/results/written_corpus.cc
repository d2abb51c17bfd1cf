#include "pipeline/results/written_corpus.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <utility>

#include "base/file.h"
#include "base/parallel.h"
#include "pipeline/results/write_progress.h"
#include "pipeline/run/output_names.h"
#include "pipeline/run/run_inputs.h"
#include "read/container.h"
#include "read/look.h"
#include "read/table_helpers.h"

namespace twinset {

namespace {

constexpr size_t kMostWarnings = 100;

// As CompressionName says it.
std::string_view NameOf(OutputCompression compression) {
  switch (compression) {
    case OutputCompression::kNone:
      return {};
    case OutputCompression::kGzip:
      return "gzip";
    case OutputCompression::kZstd:
      return "zstd";
    case OutputCompression::kBzip2:
      return "bzip2";
    case OutputCompression::kXz:
      return "xz";
    case OutputCompression::kLz4:
      return "lz4";
  }
  return {};
}

}  // namespace

Result<DocumentsAgain> DocumentsAgain::Open(Run* run) {
  TWINSET_ASSIGN(auto documents, OpenBlob(*run, run->documents_file));
  return DocumentsAgain(run, std::move(documents));
}

Result<bool> DocumentsAgain::Next() {
  std::string_view bytes;
  number_ += document_.has_value();
  document_.reset();
  TWINSET_ASSIGN(const bool more, documents_.Next(&bytes));
  if (!more) return false;
  TWINSET_ASSIGN(document_, DecodeDocumentInfo(bytes));
  return true;
}

Status DocumentsAgain::Seek(uint64_t number) {
  document_.reset();
  number_ = number;
  TWINSET_TRY(documents_.Seek(number));
  return Next().map([](bool) {});
}

Status DocumentsAgain::CheckPassed(uint32_t source,
                                   const std::string& path) const {
  if (!IsOf(source)) return {};
  return tl::unexpected(Gone(*document_, path));
}

Result<bool> DocumentsAgain::IsAt(const Record& record) const {
  const Provenance& place = record.document.provenance;
  if (record.kind != RecordKind::kDocument || !IsOf(place.source) ||
      document_->provenance.ordinal != place.ordinal)
    return false;
  if (PayloadHash(record.document) == document_->payload_hash) return true;
  return tl::unexpected(
      Gone(*document_, run_->plan.inputs.files[place.source].path));
}

namespace {

// What stays of some records of a source, and the place behind them (the file
// is not told of them yet).
struct EditedRecords {
  std::vector<WrittenMember> members;
  WritePlace place;
  std::optional<Error> failure;
};

class PartWriting {
 public:
  PartWriting(Run* run, SourceEditor* editor, WriteProgress* progress,
              std::atomic<uint64_t>* read_bytes, size_t part, int threads,
              AheadThreads* ahead)
      : run_(run),
        plan_(run->plan),
        editor_(editor),
        progress_(progress),
        read_bytes_(*read_bytes),
        part_(part),
        threads_(threads),
        ahead_(ahead),
        state_(progress->Get(part)) {}

  Status Do() {
    editor_->counts.Add(state_.now.counts);
    editor_->warnings = state_.now.warnings;
    TWINSET_TRY(editor_->Seek(state_.now.document));
    while (state_.source < state_.end) {
      if (const Status go_on = run_->CheckStop(); !go_on) {
        // What is written is not written again, also that of other parts.
        (void)progress_->Set(part_, state_, WriteProgress::kNow);
        return go_on;
      }
      Status written = WriteSource();
      // A lost helper or store is no end of the input.
      if (!written && written.error().code == ErrorCode::kUnavailable)
        return tl::unexpected(
            WithWayOn(std::move(written).error(),
                      plan_.inputs.files[state_.source].path));
      TWINSET_TRY(written);
    }
    return {};
  }

 private:
  Status WriteSource();
  Status OpenOutput(const InputFile& input);
  Status CommitTable(const InputFile& input);
  Status PassRecords();
  Status EditRecords();
  std::shared_ptr<EditedRecords> NextRecords();
  Result<std::string> Compressed(const WrittenMember& member) const;
  Status Fill(MemberCutter* members);
  Status Store(EditedRecords* edited);
  Status Checkpoint();
  Status EndSource();

  Run* run_;
  const Plan& plan_;
  SourceEditor* editor_;
  WriteProgress* progress_;
  std::atomic<uint64_t>& read_bytes_;  // of the inputs, by all parts
  const size_t part_;
  const int threads_;
  AheadThreads* const ahead_;  // null: other parts are written meanwhile
  WritePart state_;            // sink: what is written
  // State of the current source.
  std::unique_ptr<RecordReader> reader_;  // source
  uint64_t records_ = 0;                  // source: read
  bool at_end_ = false;                   // source
  bool is_table_ = false;                 // source
  bool is_array_ = false;                 // its records are elements of one
  bool array_begun_ = false;              // source: one is written
  bool array_closed_ = false;             // source
  Status read_;                           // source
  OutputCompression compression_ = OutputCompression::kNone;
  bool member_per_record_ = false;
  bool copies_ = false;  // members of the source may be copied from `packed_`
  File packed_;
  OutputFile file_;        // sink
  Status stored_;          // sink
  bool is_begun_ = false;  // sink: the journal knows of the file
  std::chrono::steady_clock::time_point safe_ =
      std::chrono::steady_clock::now();  // sink: of the last checkpoint
};

Status PartWriting::WriteSource() {
  const auto source = static_cast<uint32_t>(state_.source);
  const InputFile input = plan_.inputs.files[source];
  ReadOptions read = plan_.inputs.ReadOf(source);
  read.keep_raw = true;
  TWINSET_ASSIGN(
      reader_,
      OpenRecordReader(input, source,
                       ahead_ != nullptr ? ahead_->Of(input, read) : read));
  const InputFormat format = reader_->format();
  TWINSET_ASSIGN(const bool stays, editor_->Begin(source, format));
  if (!stays) {
    TWINSET_TRY(CheckUnchanged(input));
    return EndSource();
  }
  member_per_record_ =
      format == InputFormat::kWarc || format == InputFormat::kArc;
  TWINSET_ASSIGN(const InputLook look, LookAt(input, read));
  is_array_ = look.container == Container::kArray;
  array_begun_ = state_.now.bytes > 0;
  array_closed_ = state_.now.closed.has_value();
  is_table_ = format == InputFormat::kTable;
  TWINSET_TRY(OpenOutput(input));
  copies_ = CompressionName(look.compression) == NameOf(compression_) &&
            !is_table_ && !IsRemote(input.path);
  if (copies_) {
    TWINSET_ASSIGN(packed_, File::OpenRead(input.path));
  }
  TWINSET_TRY(PassRecords());
  const Status edited = EditRecords();
  if (!edited) {
    // What is written is not written again, if this is the last that fails.
    if (stored_) (void)Checkpoint();
    return edited;
  }
  TWINSET_TRY(CheckUnchanged(input));
  TWINSET_TRY(editor_->End(source, input.path));
  // So that a kill behind the new name does not cost a large file.
  if (is_begun_) TWINSET_TRY(Checkpoint());
  TWINSET_TRY(is_table_ ? CommitTable(input) : file_.Commit());
  if (!is_table_) state_.AddFile(file_.hash());
  return EndSource();
}

// What was written so far names the rows that stay; a helper writes the table
// of them.
Status PartWriting::CommitTable(const InputFile& input) {
  const std::string path = WrittenPath(plan_.options, input);
  const std::string part = path + ".part";
  TWINSET_TRY(file_.Checkpoint());
  const std::string rows = file_.path() + ".part";
  auto written = WriteTable(input, rows, editor_->annotation(), part,
                            run_->plan.options.stop);
  // Nothing of it could be read, as its row in quarantine.jsonl says.
  const bool is_damaged =
      !written && written.error().code == ErrorCode::kCorrupt;
  if (is_damaged && file_.written_bytes() == 0)
    return RemoveFile(rows).map([](bool) {});
  if (!written) return tl::unexpected(std::move(written).error());
  editor_->counts.records -=
      std::min(written->left_out, editor_->counts.records);
  editor_->counts.left_out += written->left_out;
  for (std::string& warning : written->warnings)
    if (editor_->warnings.size() < kMostWarnings)
      editor_->warnings.push_back(std::move(warning));
  TWINSET_ASSIGN(File table, File::OpenRead(part));
  TWINSET_TRY(table.Sync());
  Hasher64 hash;
  TWINSET_ASSIGN(const uint64_t bytes, FileSize(part));
  TWINSET_TRY(HashFile(&table, bytes, &hash));
  TWINSET_TRY(RenameFile(part, path));
  TWINSET_TRY(
      SyncDirectory(std::filesystem::path(path).parent_path().string()));
  state_.AddFile(hash.Digest());
  return RemoveFile(rows).map([](bool) {});
}

Status PartWriting::OpenOutput(const InputFile& input) {
  const std::string path =
      WrittenPath(plan_.options, input) + (is_table_ ? ".rows" : "");
  TWINSET_TRY(MakeFolderOf(path, plan_.options.write, "--write"));
  compression_ = CompressionOf(path);
  is_begun_ = state_.now.records > 0;
  if (is_begun_) {
    TWINSET_ASSIGN(file_,
                   OutputFile::Resume(path, state_.now.bytes, state_.now.hash));
  } else {
    TWINSET_ASSIGN(file_, OutputFile::Create(path, ModeOfWritten(input.path)));
  }
  return {};
}

Status PartWriting::PassRecords() {
  Record record;
  reader_->PassOver(state_.now.records);
  for (records_ = 0; records_ < state_.now.records; ++records_) {
    TWINSET_ASSIGN(const bool more, reader_->Next(&record));
    if (!more) {
      return Fail(ErrorCode::kIo,
                  "the input is shorter than when the run began",
                  plan_.inputs.files[state_.source].path);
    }
    editor_->Pass(record);
  }
  return {};
}

Status PartWriting::EditRecords() {
  at_end_ = false;
  read_ = stored_ = {};
  OrderedPipeline(
      threads_, static_cast<size_t>(threads_) + 1,
      [this]() -> PipelineItem { return NextRecords(); },
      [this](void* item) {
        auto* edited = static_cast<EditedRecords*>(item);
        if (compression_ == OutputCompression::kNone) return;
        for (WrittenMember& member : edited->members) {
          auto compressed = Compressed(member);
          if (compressed) {
            member.bytes = *std::move(compressed);
          } else {
            edited->failure = compressed.error();
          }
        }
      },
      [this](void* item) {
        stored_ = Store(static_cast<EditedRecords*>(item));
        return stored_.has_value();
      });
  TWINSET_TRY(stored_);
  return read_;
}

Result<std::string> PartWriting::Compressed(const WrittenMember& member) const {
  if (!member.is_copy())
    return CompressMember(compression_, member.bytes,
                          plan_.options.compression_level);
  std::string bytes(member.packed_end - member.packed_begin, '\0');
  TWINSET_TRY(packed_.ReadAt(member.packed_begin, bytes.data(), bytes.size()));
  return bytes;
}

// Null behind the last ones, and when reading failed.
std::shared_ptr<EditedRecords> PartWriting::NextRecords() {
  if (at_end_ || !read_) return nullptr;
  read_ = run_->CheckStop();
  if (!read_) return nullptr;
  MemberCutter members(compression_, member_per_record_, copies_);
  if (is_array_) members.MakeArray(&array_begun_);
  read_ = Fill(&members);
  if (!read_) return nullptr;
  auto edited = std::make_shared<EditedRecords>();
  edited->members = members.Take();
  edited->place.records = records_;
  edited->place.document = editor_->number();
  edited->place.counts = editor_->counts;
  edited->place.warnings = editor_->warnings;
  if (array_closed_) edited->place.closed = 1;
  return edited;
}

Status PartWriting::Fill(MemberCutter* members) {
  Record record;
  while (!members->full()) {
    const Result<bool> more = reader_->Next(&record);
    if (!more) {
      if (EndsReading(more.error())) return tl::unexpected(more.error());
      if (editor_->warnings.size() < kMostWarnings)
        editor_->warnings.push_back(more.error().ToString());
    }
    at_end_ = !more || !*more;
    if (at_end_) break;
    TWINSET_TRY(editor_->Edit(record, members));
    ++records_;
  }
  if (at_end_ && is_array_ && !std::exchange(array_closed_, true))
    members->CloseArray();
  return {};
}

Status PartWriting::Store(EditedRecords* edited) {
  if (edited->failure) return tl::unexpected(*edited->failure);
  for (const WrittenMember& member : edited->members)
    TWINSET_TRY(file_.Write(member.bytes));
  state_.now = std::move(edited->place);
  progress_->Tell(part_, state_.now.document);
  const std::chrono::duration<double> since =
      std::chrono::steady_clock::now() - safe_;
  return since.count() >= plan_.options.checkpoint_seconds ? Checkpoint()
                                                           : Status();
}

Status PartWriting::Checkpoint() {
  TWINSET_TRY(file_.Checkpoint());
  is_begun_ = true;
  safe_ = std::chrono::steady_clock::now();
  state_.now.bytes = file_.written_bytes();
  state_.now.hash = file_.hash();
  return progress_->Set(part_, state_, WriteProgress::kNow);
}

Status PartWriting::EndSource() {
  const bool is_urgent = std::exchange(is_begun_, false);
  read_bytes_ += reader_->consumed_bytes();
  reader_.reset();
  state_.now.document = editor_->number();
  state_.now.counts = editor_->counts;
  state_.now.warnings = editor_->warnings;
  state_.NextSource();
  progress_->Tell(part_, state_.now.document);
  return progress_->Set(part_, state_,
                        is_urgent ? WriteProgress::kNow : WriteProgress::kSoon);
}

}  // namespace

Status WriteSources(
    Run* run,
    const std::function<Result<std::unique_ptr<SourceEditor>>()>& open) {
  const Plan& plan = run->plan;
  WriteProgress progress(run);
  TWINSET_TRY(progress.Open());
  const size_t parts = progress.parts();
  // A thread holds what a record is read from, the record, and what stays of
  // it, also compressed, and what it follows of a compressed member.
  const uint64_t cost = 6 * plan.inputs.read.max_document_bytes + (9 << 20) +
                        plan.machine.window_bytes;
  const int most = static_cast<int>(
      std::clamp<uint64_t>(plan.machine.memory_bytes / cost, 1,
                           static_cast<uint64_t>(plan.machine.threads)));
  const Reservation memory =
      run->budget.ReserveUpTo(static_cast<uint64_t>(most) * cost, 0);
  std::vector<Status> ended(parts);
  std::atomic<uint64_t> read_bytes = 0;
  std::atomic<size_t> first_failed = parts;
  AheadThreads ahead(plan, &run->budget);
  const auto write = [&](size_t part, int threads, bool is_alone) {
    // The error of the first part that fails is told, whatever the threads.
    if (part > first_failed) return;
    ended[part] = [&]() -> Status {
      TWINSET_ASSIGN(const auto editor, open());
      return PartWriting(run, editor.get(), &progress, &read_bytes, part,
                         threads, is_alone ? &ahead : nullptr)
          .Do();
    }();
    size_t before = first_failed;
    while (!ended[part] && part < before &&
           !first_failed.compare_exchange_weak(before, part)) {
    }
  };
  // Large sources have all threads, each in turn; then each of the others has
  // its own.
  std::vector<size_t> others;
  for (size_t part = 0; part < parts; ++part) {
    if (progress.IsLarge(part)) {
      write(part, most, true);
    } else {
      others.push_back(part);
    }
  }
  const int workers = static_cast<int>(
      std::clamp<size_t>(others.size(), 1, static_cast<size_t>(most)));
  ParallelFor(others.size(), 1, workers, [&](size_t begin, size_t end) {
    for (; begin < end; ++begin)
      write(others[begin], most / workers, workers == 1);
  });
  for (const Status& status : ended) TWINSET_TRY(status);
  run->passes.Add(run->stage, read_bytes);
  return progress.Finish();
}

}  // namespace twinset
