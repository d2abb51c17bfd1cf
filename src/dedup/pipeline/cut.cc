// Runs over units of text: the stages in order, with journal, resume and
// summary.
#include <chrono>

#include "base/stop.h"
#include "pipeline/forecast_run.h"
#include "pipeline/near_stage.h"
#include "pipeline/results/renamed_ids.h"
#include "pipeline/run/run.h"
#include "pipeline/run_control.h"
#include "pipeline/units/unit_stages.h"
#include "twinset/dedup.h"

namespace twinset {

namespace {

Status FindUnits(Run* run) {
  return run->plan.options.near_units ? NearStage(run) : UnitStage(run);
}

const Stage kUnitStages[] = {
    kReadStage,
    kOrderStage,
    {.name = "suspect",
     .run = SuspectStage,
     .growth = StageGrowth::kSortedDocuments},
    {.name = "unit", .run = FindUnits, .growth = StageGrowth::kPairs},
    {.name = "result",
     .run = UnitResultStage,
     .growth = StageGrowth::kPairs,
     .repeats = true},
    {.name = "attributes",
     .run = UnitAttributesStage,
     .repeats = true,
     .writes_beside = true,
     .is_wanted = WritesAttributes},
    {.name = "write",
     .run = UnitWriteStage,
     .repeats = true,
     .writes_beside = true,
     .is_wanted = WritesCorpora}};

JobFiles UnitFilesOf(const Plan& plan) {
  const std::string format(ChoiceName(plan.options.output_format));
  JobFiles job = {
      "dedup",
      {"units." + format, "cuts." + format, "empty.txt", "revisits.jsonl",
       "quarantine.jsonl", "sources.jsonl", kRenamedIds}};
  if (plan.options.report) job.files.push_back("report.html");
  job.files.push_back(job.done);
  return job;
}

}  // namespace

Result<CutSummary> v1::Cut(const CutOptions& options) try {
  const auto begin = std::chrono::steady_clock::now();
  TWINSET_ASSIGN(Plan plan, MakePlan(PlanOptions(options)));
  JobFiles job = UnitFilesOf(plan);
  return RunJob<CutSummary>(std::move(plan), std::move(job), kUnitStages, begin,
                            SummariseUnits);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<RunForecast> v1::ForecastCut(const CutOptions& options) try {
  ForecastJob job;
  job.command = "dedup";
  job.out = options.out;
  job.plan = [options = WithAnyOut(options)] {
    return MakePlan(PlanOptions(options));
  };
  job.plan_of_sample = [options](const std::string& out) {
    return MakePlan(PlanOptions(ForSample(options, out)));
  };
  job.files = UnitFilesOf;
  job.stages = kUnitStages;
  job.sample_stages = BeforeWriting(job.stages);
  job.arguments = options.input.inputs;
  return ForecastRun(job);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
