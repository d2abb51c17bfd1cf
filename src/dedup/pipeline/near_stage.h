// The stage that finds units that are similar (--threshold), in place of
// UnitStage. See docs/methods/units.md.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_NEAR_STAGE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_NEAR_STAGE_H_

#include "pipeline/run/run.h"
#include "twinset/error.h"

namespace twinset {

// cuts.run repeated.run, as UnitStage. SuspectStage has nothing to suspect
// then.
Status NearStage(Run* run);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_NEAR_STAGE_H_
