// What decides a saved run again in place of the stages before cluster.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_SAVED_RECUT_STAGES_H_
#define TWINSET_SRC_DEDUP_PIPELINE_SAVED_RECUT_STAGES_H_

#include "pipeline/run/run.h"
#include "store/saved_run.h"

namespace twinset {

// What the stages of a saved run over so many sources counted; kCorrupt when
// the manifest does not say it.
Result<RunCounts> SavedCounts(const SavedRun& saved, size_t sources);

// Takes over the counts of the saved run, and its files as work files that are
// read where they stand (Run::PathToRead).
Status TakeSaved(const SavedRun& saved, Run* run);

// Leaves in the work folder what order, candidate and verify stage would leave:
// the saved files where nothing that decides them has changed; saved pairs with
// other leaders and without those below the threshold, where that is all that
// changes; else candidates made and verified again from saved sketches and
// features. True if they were made again.
Result<bool> DecideAgain(const SavedRun& saved, Run* run);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_SAVED_RECUT_STAGES_H_
