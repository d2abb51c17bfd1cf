// Two documents of a finished run beside each other.
#ifndef TWINSET_SRC_DEDUP_EXPLAIN_PAIR_OF_RUN_H_
#define TWINSET_SRC_DEDUP_EXPLAIN_PAIR_OF_RUN_H_

#include "pipeline/run/plan_options.h"
#include "twinset/error.h"
#include "twinset/explain.h"

namespace twinset {

// Compares their whole texts as `run` compares shingles. Nothing is said of its
// sketches: the keys of its method are no estimate of a resemblance.
Result<Explanation> ExplainPairOfRun(DocumentText x, DocumentText y,
                                     const PlanOptions& run);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EXPLAIN_PAIR_OF_RUN_H_
