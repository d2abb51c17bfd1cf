// A run that asks a saved run in place of reading its inputs
// (docs/formats/saved-run.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_SAVED_JOIN_SAVED_H_
#define TWINSET_SRC_DEDUP_PIPELINE_SAVED_JOIN_SAVED_H_

#include "pipeline/run/plan.h"
#include "twinset/error.h"

namespace twinset {

// Where the inputs of the saved run stand among those of the plan.
enum class StoredPlace { kBefore, kSecondSide };

// Makes the inputs of the saved runs in plan->options.add inputs of `plan`,
// which is complete but for them and then for SetHashes. They come before its
// own, or they are the second side of a match. The plan takes the saved runs'
// secret. kUsage when a saved run was made with other settings than the plan's,
// when it has lost its secret or has another than those before it, and when the
// plan would write into it; else the errors of SavedRun::Open. Unless the plan
// reconsiders, runs that come before keep what they decided: kUsage for what
// they cannot keep.
Status JoinSaved(StoredPlace place, Plan* plan);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_SAVED_JOIN_SAVED_H_
