// Dedup with a method that is not in the registry: how tests plug in parts of
// their own.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_DEDUP_WITH_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_DEDUP_WITH_H_

#include "methods/registry.h"
#include "twinset/dedup.h"

namespace twinset {

// As Dedup; `method` null: the one that options.method.name names.
Result<DedupSummary> DedupWith(const DedupOptions& options,
                               const Method* method);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_DEDUP_WITH_H_
