// The shards of a run made one: from their documents to the results.
#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <utility>

#include "base/stop.h"
#include "documents/deal.h"
#include "pipeline/results/summary.h"
#include "pipeline/run/run_key.h"
#include "pipeline/run_control.h"
#include "pipeline/saved/saved_options.h"
#include "pipeline/shards/part_folder.h"
#include "pipeline/shards/shard_folder.h"
#include "pipeline/shards/take_shards.h"
#include "twinset/plain_words.h"
#include "twinset/shards.h"

namespace twinset {

namespace {

constinit const Stage kTakeShardsStage = {
    .name = "read", .run = TakeShardsStage, .take_up = SpliceShards};

constinit const Stage kTakeCandidatesStage = {
    .name = "candidate",
    .run = TakeCandidatesStage,
    .growth = StageGrowth::kCandidates};
constinit const Stage kTakeVerifiedStage = {
    .name = "verify", .run = TakeVerifiedStage, .growth = StageGrowth::kPairs};

const Stage kStages[] = {kTakeShardsStage, kTemplateStage, kPruneStage,
                         kPrepareStage,    kOrderStage,    kCandidateStage,
                         kVerifyStage,     kClusterStage,  kListStage,
                         kResultStage};
const Stage kStagesOfParts[] = {
    kTakeShardsStage, kTemplateStage,       kPruneStage,        kPrepareStage,
    kOrderStage,      kTakeCandidatesStage, kTakeVerifiedStage, kClusterStage,
    kListStage,       kResultStage};
// As far as a part goes.
constexpr size_t kStagesOfPart = 7;

PlanOptions OptionsOf(PlanOptions run, const MergeOptions& options) {
  static_cast<JobOptions&>(run) = options;
  run.save = options.save;
  run.resume = options.resume;
  run.checkpoint_seconds = options.checkpoint_seconds;
  run.on_notice = options.on_notice;
  run.notice_seconds = options.notice_seconds;
  ForgetKey(&run.resources);
  return run;
}

// The folders of parts among those of a merge.
std::vector<std::string> TakeParts(std::vector<std::string>* folders) {
  const auto parts = std::stable_partition(
      folders->begin(), folders->end(), [](const std::string& folder) {
        return !SavedRun::IsOfKind(folder, kPartOfMerge);
      });
  std::vector<std::string> taken(parts, folders->end());
  folders->erase(parts, folders->end());
  return taken;
}

Status CheckOutsideAll(const SavedRuns& folders, const std::string& what,
                       const MergeOptions& options) {
  for (const auto& folder : folders) {
    TWINSET_TRY(
        CheckOutside(folder->folder(), what,
                     {options.out, options.resources.tmp, options.save}));
  }
  return {};
}

// `part`: of == 0 for the whole merge.
Result<Plan> PlanMerge(const MergeOptions& options, const Shard& part) {
  std::vector<std::string> folders = options.shards;
  std::vector<std::string> folders_of_parts;
  if (part.of == 0) folders_of_parts = TakeParts(&folders);
  if (folders.empty())
    return Fail(ErrorCode::kUsage, "no shard is given", "",
                "name the folders of dedup --shard");
  TWINSET_ASSIGN(auto shards, OpenShards(folders));
  TWINSET_ASSIGN(auto parts, OpenParts(folders_of_parts, shards));
  if (!parts.empty() && !options.save.empty()) {
    return Fail(ErrorCode::kUsage,
                "--save does not go with parts, which leave out pairs that a "
                "saved run has",
                parts[0]->folder(), "merge the shards alone");
  }
  const SavedRun& first = *shards[0];
  TWINSET_TRY(CheckOutsideAll(shards, "a shard", options));
  TWINSET_TRY(CheckOutsideAll(parts, "a part", options));
  TWINSET_ASSIGN(PlanOptions made, SavedOptions(first));
  InputOptions read = made.input;
  PlanOptions run = OptionsOf(std::move(made), options);
  run.input = std::move(read);
  run.part = part;
  if (part.of > 0) run.out = std::exchange(run.save, {});
  TWINSET_ASSIGN(InputList inputs, InputsOfShard(first));
  TWINSET_ASSIGN(Plan plan, MakePlan(run, nullptr, std::move(inputs)));
  TWINSET_TRY(MakeSketching(plan.options, &plan.features));
  TWINSET_TRY(CheckSameRun(first, plan));
  TWINSET_TRY(TakeKey(first.folder(), &plan));
  plan.inputs.shards = std::move(shards);
  plan.inputs.parts = std::move(parts);
  PlanHot(&plan);
  return plan;
}

Status CheckPartOptions(const MergeOptions& options, const Shard& part) {
  if (part.of == 0 || part.of > kMostParts || part.number >= part.of) {
    return Fail(ErrorCode::kUsage, "there is no part " + ShardText(part) +
                                       ": of M parts, at most " +
                                       NumberText(kMostParts) +
                                       ", the first is 0/M");
  }
  if (options.save.empty()) {
    return Fail(ErrorCode::kUsage, "no folder for the part is given", "",
                "add --save DIR");
  }
  const char* flag = !options.out.empty() ? "--out"
                     : options.report     ? "--report"
                                          : nullptr;
  if (flag == nullptr) return {};
  return Fail(
      ErrorCode::kUsage,
      std::string(flag) + " does not go with a part, which decides nothing", "",
      "give it to the merge of the shards and all parts");
}

PartSummary SummaryOf(const Shard& part, const RunCounts& counts,
                      double seconds) {
  PartSummary summary;
  summary.part = part;
  summary.compared = counts.verify.compared;
  summary.accepted = counts.verify.accepted;
  summary.seconds = seconds;
  summary.json["part"] = {{"number", part.number}, {"of", part.of}};
  summary.json["pairs"] = {{"compared", summary.compared},
                           {"accepted", summary.accepted}};
  summary.json["run"] = {{"seconds", seconds}};
  return summary;
}

// The part that stands in the folder, if it is the one that is asked for.
std::optional<PartSummary> FindFinished(const Plan& plan) {
  const std::string& folder = plan.options.out;
  if (plan.options.overwrite || !SavedRun::IsOfKind(folder, kPartOfMerge))
    return {};
  Shard number;
  const auto part = OpenPart(folder, &number);
  if (!part || number != plan.options.part) return {};
  const auto is_of_shards = IsOfShards(**part, plan.inputs.shards);
  const auto counts = CountsOfPart(**part);
  if (!is_of_shards || !*is_of_shards || !counts) return {};
  PartSummary summary = SummaryOf(number, *counts, 0);
  summary.was_there = true;
  return summary;
}

JobFiles FilesOfPart(const Plan& plan) {
  JobFiles job = {"merge", PartFiles(), kPartOfMerge.manifest};
  job.files.push_back(job.done);
  job.begins_on_resume = true;
  AddStoredFolders(plan, &job);
  return job;
}

}  // namespace

Result<DedupSummary> v1::Merge(const MergeOptions& options) try {
  const auto begin = std::chrono::steady_clock::now();
  TWINSET_ASSIGN(Plan plan, PlanMerge(options, {}));
  JobFiles job = FilesOfDocuments(plan, "merge");
  const std::span<const Stage> stages =
      plan.inputs.parts.empty() ? std::span<const Stage>(kStages)
                                : std::span<const Stage>(kStagesOfParts);
  return RunJob<DedupSummary>(std::move(plan), std::move(job), stages, begin,
                              Summarise);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<PartSummary> v1::MergePart(const MergeOptions& options,
                                  const Shard& part) try {
  const auto begin = std::chrono::steady_clock::now();
  TWINSET_TRY(CheckPartOptions(options, part));
  TWINSET_ASSIGN(Plan plan, PlanMerge(options, part));
  if (auto finished = FindFinished(plan)) return *std::move(finished);
  TWINSET_ASSIGN(RunFolders folders, RunFolders::Open(plan, FilesOfPart(plan)));
  TWINSET_ASSIGN(Journal journal, BeginJournal(plan, &folders));
  TWINSET_TRY(KeepKey(journal, &plan));
  // What was not begun does not go on.
  plan.options.resume &= journal.IsDone("read");
  Run run(std::move(plan), std::move(journal));
  const auto stages = std::span<const Stage>(kStages).first(kStagesOfPart);
  if (const Status done = RunStages(&run, stages); !done) {
    TWINSET_TRY(LeaveFailed(run, done.error(), &folders));
    return tl::unexpected(done.error());
  }
  TWINSET_TRY(KeepPart(&run));
  TWINSET_TRY(folders.RemoveWork());
  PartSummary summary = SummaryOf(part, run.counts, SecondsSince(begin));
  summary.warnings = run.warnings;
  return summary;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
