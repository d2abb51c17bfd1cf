// Keeps a finished run, so that it can be decided again, asked and extended
// without its inputs (docs/formats/saved-run.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_SAVED_SAVE_RUN_H_
#define TWINSET_SRC_DEDUP_PIPELINE_SAVED_SAVE_RUN_H_

#include "pipeline/run/run.h"
#include "pipeline/run/run_folders.h"
#include "store/saved_run.h"

namespace twinset {

// Puts the work files of `run`, whose stages are done, into the folder of
// --save, and the manifest last. Files are linked where the file system can,
// else copied. May be repeated.
Status SaveRun(Run* run, RunFolders* folders);

// The inputs of the saved run, in order. They need not be there any more.
Result<InputList> SavedInputs(const SavedRun& saved);
// The hashes of its stages, as its manifest has them.
Json HashesToJson(const StageHashes& hashes);
StageHashes SavedHashes(const SavedRun& saved);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_SAVED_SAVE_RUN_H_
