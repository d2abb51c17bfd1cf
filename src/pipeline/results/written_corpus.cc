#include "pipeline/results/written_corpus.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

#include "base/file.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "store/file_identity.h"

namespace twinset::inline v1 {

namespace {

constexpr std::chrono::seconds kCheckpointEvery{10};
constexpr size_t kPartsPerThread = 4;
constexpr size_t kMostWarnings = 1000;

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

Result<bool> DocumentsAgain::IsAt(const Record& record) const {
  const Provenance& place = record.document.provenance;
  if (record.kind != RecordKind::kDocument || !IsOf(place.source) ||
      document_->provenance.ordinal != place.ordinal)
    return false;
  TWINSET_TRY(CheckSame(*document_, record.document,
                        run_->plan.inputs[place.source].path));
  return true;
}

namespace {

// ---- how far the stage is ---------------------------------------------------

// Sources that one thread writes, one after the other, and how far it is.
struct WrittenPart {
  uint64_t source = 0, end = 0;  // the current one; behind the last one
  uint64_t files = 0;            // a hash of those that are done
  uint64_t records = 0;          // read of the current source
  uint64_t bytes = 0, hash = 0;  // of the beginning of its file
  uint64_t document = 0;         // number of the next one
  WriteCounts counts;
  std::vector<std::string> warnings;
  uint64_t begin = 0;

  static void Fields(auto& part, auto& field) {
    field("begin", part.begin);
    field("source", part.source);
    field("end", part.end);
    field("files", part.files);
    field("records", part.records);
    field("bytes", part.bytes);
    field("hash", part.hash);
    field("document", part.document);
    field("counts", part.counts);
    field("warnings", part.warnings);
  }
  void AddFile(uint64_t file_hash) { files = Mix64(files ^ file_hash) + 1; }
};

struct WrittenParts {
  std::vector<WrittenPart> parts;
  static void Fields(auto& all, auto& field) { field("parts", all.parts); }
};

// The parts of the stage. Thread-safe.
class WriteProgress {
 public:
  explicit WriteProgress(Run* run) : run_(run) {}

  // As a former run left them, or new ones.
  Status Open();
  size_t parts() const { return all_.parts.size(); }
  WrittenPart Get(size_t part) const { return all_.parts[part]; }
  // What it says survives a crash. `now`: so does this call.
  Status Set(size_t part, const WrittenPart& state, bool now);
  // For the progress of the run: a part stands before this document.
  void Tell(size_t part, uint64_t document);
  // Counts and warnings of all parts, into the run.
  void Finish();

 private:
  void Divide();
  // Whether the files of the part are there as they were written.
  bool Holds(const WrittenPart& part) const;
  Status Save();

  Run* run_;
  std::mutex mutex_;
  WrittenParts all_;
  std::vector<uint64_t> first_documents_;  // of the parts
  std::map<size_t, uint64_t> documents_;   // of the parts, done in this run
  std::chrono::steady_clock::time_point saved_ =
      std::chrono::steady_clock::now();
};

Status WriteProgress::Open() {
  const std::string progress = run_->journal.Progress("write");
  if (progress.empty()) {
    Divide();
    return {};
  }
  WrittenParts saved;
  if (!CountsFromJson(Json::Parse(progress), run_->plan.inputs.size(), &saved))
    return run_->WrongJournal();
  all_ = std::move(saved);
  const std::vector<uint64_t>& of_source = run_->counts.read.source_documents;
  uint64_t source = 0, document = 0;
  for (WrittenPart& part : all_.parts) {
    if (part.begin != source || part.source < part.begin ||
        part.source > part.end || part.end > run_->plan.inputs.size())
      return run_->WrongJournal();
    first_documents_.push_back(document);
    if (!Holds(part)) {
      WrittenPart anew;
      anew.begin = anew.source = part.begin;
      anew.end = part.end;
      anew.document = document;
      part = std::move(anew);
    }
    for (; source < part.end; ++source) document += of_source[source];
  }
  return {};
}

// As many parts as keep the threads busy, of about equal numbers of bytes.
void WriteProgress::Divide() {
  const Plan& plan = run_->plan;
  // Of a match only the first collection is written.
  const size_t sources =
      plan.first_side != 0 ? plan.first_side : plan.inputs.size();
  std::vector<uint64_t> ends;
  uint64_t bytes = 0;
  ends.reserve(sources);
  for (size_t source = 0; source < sources; ++source)
    ends.push_back(bytes += plan.inputs[source].state.size + 1);
  const size_t parts =
      std::min(sources, static_cast<size_t>(plan.threads) * kPartsPerThread);
  size_t source = 0;
  uint64_t document = 0;
  for (size_t part = 0; part < parts; ++part) {
    WrittenPart made;
    made.begin = made.source = source;
    made.document = document;
    const uint64_t until = bytes / parts * (part + 1);
    while (source < sources && (part + 1 == parts || ends[source] <= until ||
                                source == made.begin)) {
      document += run_->counts.read.source_documents[source];
      ++source;
    }
    made.end = source;
    if (made.end == made.begin) continue;
    first_documents_.push_back(made.document);
    all_.parts.push_back(made);
  }
}

bool WriteProgress::Holds(const WrittenPart& part) const {
  WrittenPart found;
  for (uint64_t source = part.begin; source < part.source; ++source) {
    auto file = File::OpenRead(
        WrittenPath(run_->plan.options, run_->plan.inputs[source]));
    if (!file) continue;  // left out, or missed by the sum
    Hasher64 hash;
    const auto size = file->Size();
    if (!size || !HashFile(&*file, *size, &hash)) return false;
    found.AddFile(hash.Digest());
  }
  if (found.files != part.files) return false;
  if (part.records == 0) return true;
  auto begun = File::OpenRead(
      WrittenPath(run_->plan.options, run_->plan.inputs[part.source]) +
      ".part");
  Hasher64 hash;
  return begun && HashFile(&*begun, part.bytes, &hash) &&
         hash.Digest() == part.hash;
}

Status WriteProgress::Set(size_t part, const WrittenPart& state, bool now) {
  const std::lock_guard lock(mutex_);
  all_.parts[part] = state;
  const auto time = std::chrono::steady_clock::now();
  if (!now && time - saved_ < kCheckpointEvery) return {};
  saved_ = time;
  return Save();
}

void WriteProgress::Tell(size_t part, uint64_t document) {
  const std::lock_guard lock(mutex_);
  documents_[part] = document - first_documents_[part];
  uint64_t documents = 0;
  for (const auto& [number, of_part] : documents_) documents += of_part;
  run_->Report("write", documents, 0);
}

Status WriteProgress::Save() {
  return run_->journal.SaveProgress("write", CountsToJson(all_).dump());
}

void WriteProgress::Finish() {
  WriteCounts& counts = run_->counts.write.emplace();
  for (const WrittenPart& part : all_.parts) {
    counts.Add(part.counts);
    run_->warnings.insert(run_->warnings.end(), part.warnings.begin(),
                          part.warnings.end());
  }
}

// ---- one part ---------------------------------------------------------------

// What stays of some records of a source, and how it stands behind them.
struct EditedRecords {
  std::vector<std::string> members;
  uint64_t records = 0, document = 0;
  WriteCounts counts;
  std::vector<std::string> warnings;
  std::optional<Error> failure;
};

class PartWriting {
 public:
  PartWriting(Run* run, SourceEditor* editor, WriteProgress* progress,
              size_t part, int threads)
      : run_(run),
        plan_(run->plan),
        editor_(editor),
        progress_(progress),
        part_(part),
        threads_(threads),
        state_(progress->Get(part)) {}

  Status Do() {
    editor_->counts = state_.counts;
    editor_->warnings = state_.warnings;
    TWINSET_TRY(editor_->Seek(state_.document));
    while (state_.source < state_.end) {
      TWINSET_TRY(run_->CheckStop());
      TWINSET_TRY(WriteSource());
    }
    return {};
  }

 private:
  Status WriteSource();
  Status OpenOutput(const InputFile& input);
  Status PassRecords();
  Status EditRecords();
  std::shared_ptr<EditedRecords> NextRecords();
  Status Fill(MemberCutter* members);
  Status Store(EditedRecords* edited);
  Status EndSource(bool has_file);

  Run* run_;
  const Plan& plan_;
  SourceEditor* editor_;
  WriteProgress* progress_;
  const size_t part_;
  const int threads_;
  WrittenPart state_;  // sink: what is written
  // Of the current source.
  std::unique_ptr<RecordReader> reader_;  // source
  uint64_t records_ = 0;                  // source: read
  bool at_end_ = false;                   // source
  Status read_;                           // source
  OutputCompression compression_ = OutputCompression::kNone;
  bool member_per_record_ = false;
  OutputFile file_;  // sink
  Status stored_;    // sink
  std::chrono::steady_clock::time_point safe_ =
      std::chrono::steady_clock::now();  // sink: of the last checkpoint
};

Status PartWriting::WriteSource() {
  const auto source = static_cast<uint32_t>(state_.source);
  const InputFile input = plan_.inputs[source];
  ReadOptions read = plan_.ReadOf(source);
  read.keep_raw = true;
  TWINSET_ASSIGN(reader_, OpenRecordReader(input, source, read));
  const InputFormat format = reader_->format();
  TWINSET_ASSIGN(const bool stays, editor_->Begin(source, format));
  if (!stays) {
    TWINSET_TRY(CheckUnchanged(input));
    return EndSource(/*has_file=*/false);
  }
  member_per_record_ =
      format == InputFormat::kWarc || format == InputFormat::kArc;
  TWINSET_TRY(OpenOutput(input));
  TWINSET_TRY(PassRecords());
  const Status edited = EditRecords();
  if (!edited) {
    // What is written is not written again, if this is the last that fails.
    if (stored_ && file_.Checkpoint()) {
      state_.bytes = file_.written_bytes();
      state_.hash = file_.hash();
      [[maybe_unused]] const Status kept =
          progress_->Set(part_, state_, /*now=*/true);
    }
    return edited;
  }
  TWINSET_TRY(CheckUnchanged(input));
  if (editor_->documents().IsOf(source))
    return tl::unexpected(Gone(editor_->documents().document(), input.path));
  TWINSET_TRY(file_.Commit());
  return EndSource(/*has_file=*/true);
}

// kIo if a folder has become a link that leads out of --write.
Status PartWriting::OpenOutput(const InputFile& input) {
  const std::string path = WrittenPath(plan_.options, input);
  const std::string parent = std::filesystem::path(path).parent_path().string();
  TWINSET_TRY(MakeDirectories(parent));
  const auto folder = FindIdentity(plan_.options.write);
  if (!folder || !IsBelow(parent, *folder)) {
    return Fail(ErrorCode::kIo, "a folder of --write was replaced meanwhile",
                parent, "run it again with another --write");
  }
  compression_ = CompressionOf(path);
  if (state_.records > 0) {
    auto begun = OutputFile::Resume(path, state_.bytes, state_.hash);
    if (begun) {
      file_ = *std::move(begun);
      return {};
    }
    return Fail(ErrorCode::kCorrupt,
                "the file that a former run began is not what it wrote", path,
                "start anew with --overwrite");
  }
  TWINSET_ASSIGN(file_, OutputFile::Create(path));
  return {};
}

Status PartWriting::PassRecords() {
  Record record;
  for (records_ = 0; records_ < state_.records; ++records_) {
    TWINSET_ASSIGN(const bool more, reader_->Next(&record));
    if (!more) {
      return Fail(ErrorCode::kIo,
                  "the input is shorter than when the run began",
                  plan_.inputs[state_.source].path);
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
        for (std::string& member : edited->members) {
          auto compressed = CompressMember(compression_, member);
          if (compressed) {
            member = *std::move(compressed);
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

// Null behind the last ones, and when reading failed.
std::shared_ptr<EditedRecords> PartWriting::NextRecords() {
  if (at_end_ || !read_) return nullptr;
  MemberCutter members(compression_, member_per_record_);
  read_ = Fill(&members);
  if (!read_) return nullptr;
  auto edited = std::make_shared<EditedRecords>();
  edited->members = members.Take();
  edited->records = records_;
  edited->document = editor_->documents().number();
  edited->counts = editor_->counts;
  edited->warnings = editor_->warnings;
  return edited;
}

Status PartWriting::Fill(MemberCutter* members) {
  Record record;
  while (!members->full()) {
    const Result<bool> more = reader_->Next(&record);
    if (!more) {
      if (more.error().code == ErrorCode::kInterrupted)
        return tl::unexpected(more.error());
      if (editor_->warnings.size() < kMostWarnings)
        editor_->warnings.push_back(more.error().ToString());
    }
    at_end_ = !more || !*more;
    if (at_end_) break;
    TWINSET_TRY(editor_->Edit(record, members));
    ++records_;
  }
  return {};
}

Status PartWriting::Store(EditedRecords* edited) {
  if (edited->failure) return tl::unexpected(*edited->failure);
  for (const std::string& member : edited->members)
    TWINSET_TRY(file_.Write(member));
  state_.records = edited->records;
  state_.document = edited->document;
  state_.counts = edited->counts;
  state_.warnings = std::move(edited->warnings);
  progress_->Tell(part_, state_.document);
  const auto now = std::chrono::steady_clock::now();
  if (now - safe_ < kCheckpointEvery) return {};
  safe_ = now;
  TWINSET_TRY(file_.Checkpoint());
  state_.bytes = file_.written_bytes();
  state_.hash = file_.hash();
  return progress_->Set(part_, state_, /*now=*/true);
}

Status PartWriting::EndSource(bool has_file) {
  if (has_file) state_.AddFile(file_.hash());
  reader_.reset();
  ++state_.source;
  state_.records = state_.bytes = state_.hash = 0;
  state_.document = editor_->documents().number();
  state_.counts = editor_->counts;
  state_.warnings = editor_->warnings;
  return progress_->Set(part_, state_, /*now=*/false);
}

}  // namespace

Status WriteSources(
    Run* run,
    const std::function<Result<std::unique_ptr<SourceEditor>>()>& open) {
  const Plan& plan = run->plan;
  WriteProgress progress(run);
  TWINSET_TRY(progress.Open());
  const size_t parts = progress.parts();
  // Threads hold a record and what stays of some; in little memory it is one
  // thread, as a record may take an eighth of it.
  const uint64_t cost =
      6 * std::max<uint64_t>(plan.read.max_document_bytes, 1 << 20);
  const int most = static_cast<int>(std::clamp<uint64_t>(
      plan.memory_bytes / cost, 1, static_cast<uint64_t>(plan.threads)));
  const int workers =
      static_cast<int>(std::clamp<size_t>(parts, 1, static_cast<size_t>(most)));
  std::vector<Status> ended(parts);
  std::atomic<size_t> first_failed = parts;
  ParallelFor(parts, 1, workers, [&](size_t begin, size_t end) {
    for (size_t part = begin; part < end; ++part) {
      // The error of the first part that fails is told, whatever the threads.
      if (part > first_failed) return;
      ended[part] = [&]() -> Status {
        TWINSET_ASSIGN(const auto editor, open());
        return PartWriting(run, editor.get(), &progress, part, most / workers)
            .Do();
      }();
      if (ended[part]) continue;
      size_t before = first_failed;
      while (part < before &&
             !first_failed.compare_exchange_weak(before, part)) {
      }
    }
  });
  for (const Status& status : ended) TWINSET_TRY(status);
  progress.Finish();
  return {};
}

}  // namespace twinset::inline v1
