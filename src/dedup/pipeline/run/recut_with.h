// Recut with a method that is not in the registry, as dedup_with.h.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_RECUT_WITH_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_RECUT_WITH_H_

#include "methods/registry.h"
#include "twinset/recut.h"

namespace twinset {

// As Recut; `method` null: the one that the saved run names.
Result<DedupSummary> RecutWith(const RecutOptions& options,
                               const Method* method);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_RECUT_WITH_H_
