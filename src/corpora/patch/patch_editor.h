// The write stage of a patch: a copy without what the patch takes away.
#ifndef TWINSET_SRC_CORPORA_PATCH_PATCH_EDITOR_H_
#define TWINSET_SRC_CORPORA_PATCH_PATCH_EDITOR_H_

#include "pipeline/run/run.h"
#include "twinset/error.h"

namespace twinset {

// Writes the inputs of `run` into --write, as the run of the patch would have
// written them, by the work files of MatchPatch. kIo when an input has changed
// since these were made.
Status WritePatched(Run* run);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_PATCH_PATCH_EDITOR_H_
