// The main job: the stages in order, with journal, resume and summary.
#include "twinset/dedup.h"

#include <chrono>

#include "pipeline/results/summary.h"
#include "pipeline/run/dedup_with.h"
#include "pipeline/run/run.h"
#include "pipeline/run/run_key.h"
#include "pipeline/run_control.h"
#include "pipeline/saved/join_saved.h"
#include "pipeline/saved/save_run.h"
#include "pipeline/units/unit_stages.h"

namespace twinset {

namespace {

constexpr Stage kDocumentStages[] = {
    {"read", ReadStage},     {"template", TemplateStage},
    {"prune", PruneStage},   {"prepare", PrepareStage},
    {"order", OrderStage},   {"candidate", CandidateStage},
    {"verify", VerifyStage}, {"cluster", ClusterStage},
    {"result", ResultStage}, {"write", WriteStage}};
constexpr Stage kUnitStages[] = {
    {"read", ReadStage},         {"order", OrderStage},
    {"suspect", SuspectStage},   {"unit", UnitStage},
    {"result", UnitResultStage}, {"write", UnitWriteStage}};

Result<Plan> MakeDedupPlan(const DedupOptions& options, const Method* method) {
  TWINSET_ASSIGN(Plan plan, MakePlan(options, method));
  TWINSET_TRY(PlanSketching(&plan));
  if (!options.add.empty())
    TWINSET_TRY(JoinSaved(options.add, StoredPlace::kBefore, &plan));
  return plan;
}

JobFiles FilesOf(const Plan& plan) {
  if (plan.form != FeatureForm::kUnits) return FilesOfDocuments(plan, "dedup");
  const std::string format(ChoiceName(plan.options.output_format));
  JobFiles job = {"dedup",
                  {"units." + format, "cuts." + format, "empty.txt",
                   "revisits.jsonl", "quarantine.jsonl"}};
  if (plan.options.report) job.files.push_back("report.html");
  job.files.push_back(job.done);
  return job;
}

}  // namespace

Result<DedupSummary> DedupWith(const DedupOptions& options,
                               const Method* method) {
  const auto begin = std::chrono::steady_clock::now();
  TWINSET_ASSIGN(Plan plan, MakeDedupPlan(options, method));
  JobFiles job = FilesOf(plan);
  if (const SavedRun* saved = plan.stored.run.get())
    job.inputs = {saved->folder()};
  TWINSET_ASSIGN(RunFolders folders, RunFolders::Open(plan, std::move(job)));
  TWINSET_ASSIGN(Journal journal, BeginJournal(plan, &folders));
  TWINSET_TRY(KeepKey(journal, &plan));
  Run run(std::move(plan), std::move(journal));
  CountInputBytes(&run);
  const bool units = run.plan.form == FeatureForm::kUnits;
  TWINSET_TRY(units ? RunStages(&run, kUnitStages)
                    : RunStages(&run, kDocumentStages));
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  if (!run.plan.options.save.empty()) TWINSET_TRY(SaveRun(&run, &folders));
  DedupSummary summary =
      units ? SummariseUnits(&run, seconds) : Summarise(&run, seconds);
  TWINSET_TRY(FinishRun(run, summary.summary_json, &folders));
  return summary;
}

Result<DedupSummary> Dedup(const DedupOptions& options) {
  return DedupWith(options, nullptr);
}

}  // namespace twinset
