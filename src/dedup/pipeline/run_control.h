// How every job goes through its stages: the result folder and its journal,
// then one stage after the other, skipping what a resumed run has done.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_CONTROL_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_CONTROL_H_

#include <chrono>
#include <span>
#include <utility>

#include "pipeline/run/run.h"
#include "pipeline/run/run_folders.h"
#include "pipeline/run/run_key.h"
#include "pipeline/saved/save_run.h"
#include "pipeline/stage_rows.h"

namespace twinset {

// What a run over documents leaves in --out.
JobFiles FilesOfDocuments(const Plan& plan, const std::string& command);

// Adds the file of --stats-by, where it is given.
void AddStatsFile(const Plan& plan, JobFiles* job);

// Adds the folders of its saved runs, shards and parts, which are not written
// either.
void AddStoredFolders(const Plan& plan, JobFiles* job);

// Begins the folders of `plan` and their journal, or with --resume goes on with
// those of the run that was begun. kUsage when there is nothing to resume; a
// finished run's work files are then removed.
Result<Journal> BeginJournal(const Plan& plan, RunFolders* folders);

// A stage that is done is skipped; its counts come from the journal.
Status RunStages(Run* run, std::span<const Stage> stages);

// When a stage has failed. What the same command would only find again leaves
// nothing that blocks the corrected one: misuse that shows while inputs are
// read leaves no folder, a side of a match without documents no work files.
Status LeaveFailed(const Run& run, const Error& error, RunFolders* folders);

// Sums the sizes of the inputs that are read into run->input_bytes.
void CountInputBytes(Run* run);

// A job from its plan to its summary: opens the folders, begins the journal or
// goes on with it, keeps the secret, goes through the stages, saves the run
// where the options say so, and writes `summarise(run, seconds)` last, of the
// seconds that its stages took. Time counts from `begin` on.
template <typename Summary>
Result<Summary> RunJob(Plan plan, JobFiles job, std::span<const Stage> stages,
                       std::chrono::steady_clock::time_point begin,
                       Summary (*summarise)(Run*, double seconds));

// Writes the report, where it is asked for, and then summary.json, which says
// that the run is done; removes the work folder. `summary` gets the time that
// all took from `begin` on, and the passes over the inputs. Returns what was
// found.
Result<ResultPage> FinishRun(Run* run,
                             std::chrono::steady_clock::time_point begin,
                             RunFolders* folders, Json* summary);

template <typename Summary>
Result<Summary> RunJob(Plan plan, JobFiles job, std::span<const Stage> stages,
                       std::chrono::steady_clock::time_point begin,
                       Summary (*summarise)(Run*, double seconds)) {
  AddStoredFolders(plan, &job);
  TWINSET_ASSIGN(RunFolders folders, RunFolders::Open(plan, std::move(job)));
  TWINSET_ASSIGN(Journal journal, BeginJournal(plan, &folders));
  TWINSET_TRY(KeepKey(journal, &plan));
  Run run(std::move(plan), std::move(journal));
  CountInputBytes(&run);
  if (const Status done = RunStages(&run, stages); !done) {
    TWINSET_TRY(LeaveFailed(run, done.error(), &folders));
    return tl::unexpected(done.error());
  }
  const auto done = std::chrono::steady_clock::now();
  if (!run.plan.options.save.empty()) {
    TWINSET_TRY(SaveRun(&run, &folders));
    run.stage_seconds["save"] = SecondsSince(done);
  }
  Summary summary =
      summarise(&run, std::chrono::duration<double>(done - begin).count());
  TWINSET_ASSIGN(summary.page, FinishRun(&run, begin, &folders, &summary.json));
  summary.seconds = summary.json["run"]["seconds"].template get<double>();
  return summary;
}

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_CONTROL_H_
