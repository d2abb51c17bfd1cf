// What the result folder says of records that are no documents.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RESULTS_REVISITS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RESULTS_REVISITS_H_

#include "pipeline/run/run.h"
#include "twinset/error.h"

namespace twinset {

// quarantine.jsonl: every record that could not be used.
Status WriteQuarantine(const Run& run);

// revisits.jsonl: every revisit record, whether what it refers to is among the
// documents, and if it was skipped, why. Counted in `counts`.
Status WriteRevisits(Run* run, RevisitCounts* counts);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RESULTS_REVISITS_H_
