// Runs over units of text: the stages in order, with journal, resume and
// summary.
#include "twinset/cut.h"

#include <chrono>

#include "pipeline/run/run.h"
#include "pipeline/run/run_key.h"
#include "pipeline/run_control.h"
#include "pipeline/units/unit_stages.h"

namespace twinset::inline v1 {

namespace {

constexpr Stage kUnitStages[] = {
    {"read", ReadStage},         {"order", OrderStage},
    {"suspect", SuspectStage},   {"unit", UnitStage},
    {"result", UnitResultStage}, {"write", UnitWriteStage}};

JobFiles UnitFilesOf(const Plan& plan) {
  const std::string format(ChoiceName(plan.options.output_format));
  JobFiles job = {"dedup",
                  {"units." + format, "cuts." + format, "empty.txt",
                   "revisits.jsonl", "quarantine.jsonl"}};
  if (plan.options.report) job.files.push_back("report.html");
  job.files.push_back(job.done);
  return job;
}

}  // namespace

Result<CutSummary> Cut(const CutOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  TWINSET_ASSIGN(Plan plan, MakePlan(PlanOptions(options)));
  TWINSET_ASSIGN(RunFolders folders, RunFolders::Open(plan, UnitFilesOf(plan)));
  TWINSET_ASSIGN(Journal journal, BeginJournal(plan, &folders));
  TWINSET_TRY(KeepKey(journal, &plan));
  Run run(std::move(plan), std::move(journal));
  CountInputBytes(&run);
  TWINSET_TRY(RunStages(&run, kUnitStages));
  CutSummary summary = SummariseUnits(
      &run,
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count());
  TWINSET_TRY(FinishRun(run, summary.summary_json, &folders));
  return summary;
}

}  // namespace twinset::inline v1
