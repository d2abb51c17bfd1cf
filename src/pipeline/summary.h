// summary.json: what a run was and what came out (docs/formats/results.md).
#ifndef TWINSET_SRC_PIPELINE_SUMMARY_H_
#define TWINSET_SRC_PIPELINE_SUMMARY_H_

#include "pipeline/run.h"
#include "twinset/dedup.h"

namespace twinset {

// Everything but the `run` object is a function of input, parameters and seed.
DedupSummary Summarise(Run* run, double seconds);

// The parts that runs over units (unit_stages.h) share.
DedupSummary BeginSummary(const Run& run, double seconds);  // of the records
Json RecordCounts(const Json& counts);
// Documents without a key: too little for the method's sketch. Left out when 0.
void AddFlagged(const Json& counts, Json* json);
Json RunParameters(const Run& run);
Json ExpectedRecall(const Run& run);
Json RunObject(const Run& run, double seconds);

}  // namespace twinset

#endif  // TWINSET_SRC_PIPELINE_SUMMARY_H_
