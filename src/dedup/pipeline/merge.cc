// The shards of a run made one: from their documents to the results.
#include <chrono>

#include "base/stop.h"
#include "pipeline/results/summary.h"
#include "pipeline/run/run_key.h"
#include "pipeline/run_control.h"
#include "pipeline/saved/saved_options.h"
#include "pipeline/shards/shard_folder.h"
#include "pipeline/shards/take_shards.h"
#include "twinset/shards.h"

namespace twinset {

namespace {

constinit const Stage kTakeShardsStage = {
    .name = "read", .run = TakeShardsStage, .take_up = SpliceShards};

const Stage kStages[] = {kTakeShardsStage, kTemplateStage, kPruneStage,
                         kPrepareStage,    kOrderStage,    kCandidateStage,
                         kVerifyStage,     kClusterStage,  kListStage,
                         kResultStage};

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

Result<Plan> PlanMerge(const MergeOptions& options) {
  if (options.shards.empty())
    return Fail(ErrorCode::kUsage, "no shard is given", "",
                "name the folders of dedup --shard");
  TWINSET_ASSIGN(auto shards, OpenShards(options.shards));
  const SavedRun& first = *shards[0];
  for (const auto& shard : shards) {
    TWINSET_TRY(
        CheckOutside(shard->folder(), "a shard",
                     {options.out, options.resources.tmp, options.save}));
  }
  TWINSET_ASSIGN(PlanOptions made, SavedOptions(first));
  InputOptions read = made.input;
  PlanOptions run = OptionsOf(std::move(made), options);
  run.input = std::move(read);
  TWINSET_ASSIGN(InputList inputs, InputsOfShard(first));
  TWINSET_ASSIGN(Plan plan, MakePlan(run, nullptr, std::move(inputs)));
  TWINSET_TRY(MakeSketching(plan.options, &plan.features));
  TWINSET_TRY(CheckSameRun(first, plan));
  TWINSET_TRY(TakeKey(first.folder(), &plan));
  plan.inputs.shards = std::move(shards);
  PlanHot(&plan);
  return plan;
}

}  // namespace

Result<DedupSummary> v1::Merge(const MergeOptions& options) try {
  const auto begin = std::chrono::steady_clock::now();
  TWINSET_ASSIGN(Plan plan, PlanMerge(options));
  JobFiles job = FilesOfDocuments(plan, "merge");
  return RunJob<DedupSummary>(std::move(plan), std::move(job), kStages, begin,
                              Summarise);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
