#include "leak/leak_write.h"

#include <memory>
#include <span>
#include <utility>

#include "pipeline/results/record_editor.h"
#include "pipeline/run/run.h"
#include "pipeline/run_control.h"

namespace twinset {
namespace {

// Documents of the run are here those that go.
class LeakEditor : public RecordEditor {
 public:
  LeakEditor(const Plan& plan, std::span<const LeakPlace> gone,
             std::span<const uint64_t> kept)
      : RecordEditor(plan), gone_(gone), kept_(kept) {}

  uint64_t number() const override { return at_; }
  Status Seek(uint64_t number) override {
    at_ = number;
    return {};
  }

  Result<bool> Begin(uint32_t source, InputFormat format) override {
    BeginSource(format);
    if (!IsFile() || kept_[source] > 0) return true;
    LeaveOut();
    if (IsOf(source)) ++at_;
    return false;
  }

  Status End(uint32_t source, const std::string& path) const override {
    if (!IsOf(source)) return {};
    return Fail(ErrorCode::kIo, "the input has changed since it was looked at",
                path, "run the command again");
  }

 private:
  bool IsOf(uint32_t source) const {
    return at_ < gone_.size() && gone_[at_].source == source;
  }
  bool Goes(const Record& record) {
    const Provenance& place = record.document.provenance;
    const bool goes = IsOf(place.source) && gone_[at_].ordinal == place.ordinal;
    at_ += goes;
    return goes;
  }

  Status SkipDocument(const Record& record) override {
    (void)Goes(record);
    return {};
  }
  Status EditDocument(const Record& record, MemberCutter* members) override {
    if (Goes(record)) {
      LeaveOut();
    } else {
      Keep(record, members);
    }
    return {};
  }

  const std::span<const LeakPlace> gone_;
  const std::span<const uint64_t> kept_;
  uint64_t at_ = 0;  // the next one of gone_
};

}  // namespace

LeakWriting::LeakWriting(Plan plan, RunFolders folders)
    : plan_(std::move(plan)), folders_(std::move(folders)) {
  for (uint32_t i = 0; i < plan_.inputs.files.size(); ++i)
    numbers_.emplace(plan_.inputs.files[i].source, i);
  kept_.resize(plan_.inputs.files.size());
}

Result<LeakWriting> LeakWriting::Open(const LeakOptions& options,
                                      const std::string& work,
                                      const ResultFolder* out) {
  if (out != nullptr) TWINSET_TRY(CheckBeside(options.write, "--write", *out));
  PlanOptions run;
  CopyParts<JobOptions>(options, &run);
  run.resources.tmp.clear();
  run.out = work;
  run.report = false;
  run.features = options.features;
  run.write = options.write;
  run.compression_level = options.compression_level;
  TWINSET_ASSIGN(Plan plan, MakePlan(run));
  // The items have the other half.
  plan.machine.memory_bytes /= 2;
  JobFiles job;
  job.command = "leak";
  job.inputs = options.test;
  job.resumable = false;
  TWINSET_ASSIGN(RunFolders folders, RunFolders::Open(plan, std::move(job)));
  return LeakWriting(std::move(plan), std::move(folders));
}

const uint32_t* LeakWriting::Find(const std::string& source) {
  const auto at = numbers_.find(source);
  if (at != numbers_.end()) return &at->second;
  unknown_ = source;
  return nullptr;
}

void LeakWriting::Keep(const std::string& source) {
  if (const uint32_t* number = Find(source)) ++kept_[*number];
}

void LeakWriting::LeaveOut(const std::string& source, uint64_t ordinal) {
  if (const uint32_t* number = Find(source))
    gone_.push_back({*number, ordinal});
}

Status LeakWriting::WriteDocuments(LeakResult* result) {
  TWINSET_ASSIGN(Journal journal, BeginJournal(plan_, &folders_));
  Run run(std::move(plan_), std::move(journal));
  CountInputBytes(&run);
  run.stage = "write";
  run.counts.read.source_documents.assign(run.plan.inputs.files.size(), 0);
  for (const LeakPlace& place : gone_)
    ++run.counts.read.source_documents[place.source];
  TWINSET_TRY(
      WriteSources(&run, [&]() -> Result<std::unique_ptr<SourceEditor>> {
        return std::make_unique<LeakEditor>(run.plan, gone_, kept_);
      }));
  result->written.emplace(
      LeakWritten{run.counts.write->records, run.counts.write->left_out});
  result->warnings.insert(result->warnings.end(), run.warnings.begin(),
                          run.warnings.end());
  return {};
}

Status LeakWriting::Write(LeakResult* result) {
  if (!unknown_.empty())
    return Fail(ErrorCode::kIo, "the input came while others were read",
                unknown_, "run the command again");
  has_begun_ = true;
  const Status done = WriteDocuments(result);
  // Its remedy is --resume, which runs have.
  if (!done && done.error().code == ErrorCode::kInterrupted)
    return Fail(ErrorCode::kInterrupted, "stopped; nothing was written");
  return done;
}

Status LeakWriting::Remove() {
  if (!has_begun_) return {};
  return folders_.Remove();
}

}  // namespace twinset
