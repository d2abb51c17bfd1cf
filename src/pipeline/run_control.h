// How every job goes through its stages: the result folder and its journal,
// then one stage after the other, skipping what a resumed run has done.
#ifndef TWINSET_SRC_PIPELINE_RUN_CONTROL_H_
#define TWINSET_SRC_PIPELINE_RUN_CONTROL_H_

#include <span>

#include "pipeline/run.h"

namespace twinset {

struct Stage {
  const char* name;
  Status (*run)(Run*);
};

// Makes the result and work folders of `plan`, or with --resume opens those of
// the run that was begun. kUsage when a folder is in the way or there is
// nothing to resume.
Result<Journal> BeginJournal(const Plan& plan);

// A stage that is done is skipped; its counts come from the journal.
Status RunStages(Run* run, std::span<const Stage> stages);

// Sums the sizes of the inputs into run->input_bytes.
void CountInputBytes(Run* run);

// Writes summary.json, which says that the run is done, and removes the work
// folder.
Status FinishRun(const Run& run, const std::string& summary_json);

}  // namespace twinset

#endif  // TWINSET_SRC_PIPELINE_RUN_CONTROL_H_
