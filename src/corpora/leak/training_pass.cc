#include "leak/training_pass.h"

#include <utility>

#include "documents/text_lines.h"
#include "documents/text_stage.h"
#include "read/table_helpers.h"

namespace twinset {
namespace {

// A row names all items of a document, of which it held more when it was made.
constexpr uint64_t kMostRowBytes = uint64_t{1} << 30;
constexpr uint64_t kToldEvery = 256;  // documents

}  // namespace

Status TrainingPass::Do(const TrainingVisitor& visitor) {
  run_->stage = stage_;
  run_->step.clear();
  const std::string name = stage_ + ".jsonl";
  if (run_->journal.IsDone(stage_)) {
    TWINSET_TRY(run_->journal.Verify(stage_));
    return TakeRows(PathOfRows());
  }
  TWINSET_TRY(Open());
  if (const Status read = Read(visitor); !read) {
    // What is found is not looked for again.
    if (is_whole_) (void)Keep(visitor);
    return read;
  }
  TWINSET_TRY(rows_.Commit());
  return run_->journal.FinishStage(stage_, {name}, "{}");
}

Status TrainingPass::Open() {
  const std::string path = PathOfRows();
  const std::string kept = run_->journal.Progress(stage_);
  if (kept.empty()) {
    Tell(/*resumed=*/false);
    TWINSET_ASSIGN(rows_, OutputFile::Create(path));
    return {};
  }
  if (!FieldsFromJson(Json::Parse(kept), 0, &place_))
    return run_->WrongJournal();
  Tell(/*resumed=*/true);
  // A run that was killed when it had renamed the file goes on with it, too.
  if (!FileExists(path + ".part") && FileExists(path))
    TWINSET_TRY(RenameFile(path, path + ".part"));
  TWINSET_ASSIGN(rows_, OutputFile::Resume(path, place_.bytes, place_.hash));
  return TakeRows(path + ".part");
}

Status TrainingPass::TakeRows(const std::string& path) {
  Status status;
  const Status read = ForEachTextLine(
      path,
      [&](const TextLine& line) {
        const Json row = Json::Parse(line.text);
        if (line.problem.empty() && row.is_object())
          status = take_(row);
        else
          status = Fail(ErrorCode::kCorrupt, "a work file is damaged", path,
                        "start anew with --overwrite");
        return status.has_value();
      },
      kMostRowBytes);
  TWINSET_TRY(status);
  return read;
}

Status TrainingPass::Add(const Json& row) {
  const std::string line = row.dump();
  is_whole_ = false;
  TWINSET_TRY(rows_.Write(line + "\n"));
  return take_(Json::Parse(line));
}

Status TrainingPass::Read(const TrainingVisitor& visitor) {
  if (place_.source >= run_->plan.inputs.files.size()) return {};
  Status read = ReadRecords(visitor);
  if (!read && read.error().code == ErrorCode::kUnavailable)
    return tl::unexpected(WithWayOn(std::move(read).error(), {}));
  TWINSET_TRY(read);
  return Settle(visitor);
}

Status TrainingPass::ReadRecords(const TrainingVisitor& visitor) {
  const Plan& plan = run_->plan;
  const InputOptions& input = plan.options.input;
  TWINSET_ASSIGN(const TextStage stage, TextStage::Make(input, features_, {}));
  PassOptions pass;
  if (place_.source + place_.records > 0) pass.passed = place_.records;
  bool is_begun = false;
  std::string source;
  pass.on_source = [&](const std::string& name, InputFormat) -> Status {
    source = name;
    if (!std::exchange(is_begun, true)) return {};
    TWINSET_TRY(Settle(visitor));
    ++place_.source;
    place_.records = 0;
    return {};
  };
  const auto reject = [&](const RejectedRecord& record) {
    return visitor.on_rejected ? visitor.on_rejected(record, place_.source)
                               : Status();
  };
  pass.on_other = [&](const Record& record) -> Status {
    is_whole_ = false;
    TWINSET_TRY(reject(RejectUnread(record, source)));
    return Passed(/*is_document=*/false, visitor);
  };
  return ForEachListedDocument(
      plan.inputs.files, place_.source, plan.inputs.files.size(), input, pass,
      [&](Record* record, const std::string& of) -> Result<bool> {
        is_whole_ = false;
        DocumentText text;
        RejectedRecord rejected;
        const bool is_document = stage.Show(*record, of, &text, &rejected);
        TWINSET_TRY(is_document ? visitor.on_document(text, place_.source)
                                : reject(rejected));
        TWINSET_TRY(Passed(is_document, visitor));
        return true;
      },
      {});
}

Status TrainingPass::Settle(const TrainingVisitor& visitor) {
  if (!visitor.settle) return {};
  is_whole_ = false;
  TWINSET_TRY(visitor.settle(place_.source));
  is_whole_ = true;
  return {};
}

Status TrainingPass::Passed(bool is_document, const TrainingVisitor& visitor) {
  is_whole_ = true;
  ++place_.records;
  place_.documents += is_document;
  if (is_document && place_.documents % kToldEvery == 0) Tell(false);
  const std::chrono::duration<double> since =
      std::chrono::steady_clock::now() - kept_;
  if (since.count() >= run_->plan.options.checkpoint_seconds)
    TWINSET_TRY(Keep(visitor));
  return run_->CheckStop();
}

Status TrainingPass::Keep(const TrainingVisitor& visitor) {
  TWINSET_TRY(Settle(visitor));
  is_whole_ = false;
  TWINSET_TRY(rows_.Checkpoint());
  place_.bytes = rows_.written_bytes();
  place_.hash = rows_.hash();
  TWINSET_TRY(run_->journal.SaveProgress(stage_, FieldsToJson(place_).dump()));
  is_whole_ = true;
  kept_ = std::chrono::steady_clock::now();
  return {};
}

void TrainingPass::Tell(bool resumed) const {
  Progress progress;
  progress.done = place_.documents;
  progress.total = run_->counts.read.documents;
  progress.resumed = resumed;
  progress.kept = true;
  run_->Report(std::move(progress));
}

}  // namespace twinset
