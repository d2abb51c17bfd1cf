// The main job: the stages in order, with journal, resume and summary.
#include "twinset/dedup.h"

#include <chrono>

#include "base/stop.h"
#include "pipeline/forecast_run.h"
#include "pipeline/results/summary.h"
#include "pipeline/run/dedup_with.h"
#include "pipeline/run/output_names.h"
#include "pipeline/run/run.h"
#include "pipeline/run_control.h"
#include "pipeline/saved/join_saved.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

const Stage kStages[] = {kReadStage,    kTemplateStage,   kPruneStage,
                         kPrepareStage, kOrderStage,      kCandidateStage,
                         kVerifyStage,  kClusterStage,    kListStage,
                         kResultStage,  kAttributesStage, kWriteStage};

Result<Plan> MakeDedupPlan(const DedupOptions& options, const Method* method) {
  if (options.add.empty() && options.reconsider) {
    return Fail(ErrorCode::kUsage,
                "--reconsider says what becomes of a saved run, and none is "
                "added to",
                "", "add --add DIR, or leave it out");
  }
  TWINSET_ASSIGN(Plan plan, MakePlan(PlanOptions(options), method));
  TWINSET_TRY(CheckAskedSide(plan));
  TWINSET_TRY(MakeSketching(plan.options, &plan.features));
  if (!options.add.empty()) {
    TWINSET_TRY(JoinSaved(StoredPlace::kBefore, &plan));
    TWINSET_TRY(CheckOutputNames(plan));
  }
  PlanHot(&plan);
  const std::string why_not = PlanLate(&plan);
  if (!why_not.empty() && options.on_notice)
    options.on_notice("--late-features changes nothing: " + why_not);
  return plan;
}

}  // namespace

Result<DedupSummary> DedupWith(const DedupOptions& options,
                               const Method* method) {
  const auto begin = std::chrono::steady_clock::now();
  TWINSET_ASSIGN(Plan plan, MakeDedupPlan(options, method));
  JobFiles job = FilesOfDocuments(plan, "dedup");
  return RunJob<DedupSummary>(std::move(plan), std::move(job), kStages, begin,
                              Summarise);
}

Result<DedupSummary> v1::Dedup(const DedupOptions& options) try {
  return DedupWith(options, nullptr);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

ForecastJob DedupForecastJob(const DedupOptions& options) {
  ForecastJob job;
  job.command = "dedup";
  job.out = options.out;
  job.plan = [options = WithAnyOut(options)] {
    return MakeDedupPlan(options, nullptr);
  };
  job.plan_of_sample = [options](const std::string& out) {
    return MakeDedupPlan(ForSample(options, out), nullptr);
  };
  job.files = [](const Plan& plan) { return FilesOfDocuments(plan, "dedup"); };
  job.stages = kStages;
  job.sample_stages = BeforeWriting(job.stages);
  job.arguments = options.input.inputs;
  return job;
}

Result<RunForecast> v1::ForecastDedup(const DedupOptions& options,
                                      const ForecastSize& corpus) try {
  ForecastJob job = DedupForecastJob(options);
  job.corpus = corpus;
  return ForecastRun(job);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
