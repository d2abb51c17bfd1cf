// What the result folder says of records that are no documents.
#ifndef TWINSET_SRC_PIPELINE_RESULTS_REVISITS_H_
#define TWINSET_SRC_PIPELINE_RESULTS_REVISITS_H_

#include "pipeline/run/run.h"
#include "twinset/error.h"

namespace twinset {

// quarantine.jsonl: every record that could not be used.
Status WriteQuarantine(const Run& run);

// revisits.jsonl: every revisit record, whether what it refers to is among the
// documents, and if it was skipped, why. Fills run->counts["result"].
Status WriteRevisits(Run* run);

}  // namespace twinset

#endif  // TWINSET_SRC_PIPELINE_RESULTS_REVISITS_H_
