// How every job goes through its stages: the result folder and its journal,
// then one stage after the other, skipping what a resumed run has done.
#ifndef TWINSET_SRC_PIPELINE_RUN_CONTROL_H_
#define TWINSET_SRC_PIPELINE_RUN_CONTROL_H_

#include <span>

#include "pipeline/run/run.h"
#include "pipeline/run/run_folders.h"

namespace twinset::inline v1 {

struct Stage {
  const char* name;
  Status (*run)(Run*);
};

// What a run over documents leaves in --out.
JobFiles FilesOfDocuments(const Plan& plan, const std::string& command);

// Begins the folders of `plan` and their journal, or with --resume goes on with
// those of the run that was begun. kUsage when there is nothing to resume; a
// finished run's work files are then removed.
Result<Journal> BeginJournal(const Plan& plan, RunFolders* folders);

// A stage that is done is skipped; its counts come from the journal.
Status RunStages(Run* run, std::span<const Stage> stages);

// Sums the sizes of the inputs that are read into run->input_bytes.
void CountInputBytes(Run* run);

// Writes summary.json, which says that the run is done, and removes the work
// folder.
Status FinishRun(const Run& run, const std::string& summary_json,
                 RunFolders* folders);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_PIPELINE_RUN_CONTROL_H_
