// The attributes stage (--attributes): a row for each document, in input order.
// See docs/formats/results.md.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RESULTS_ATTRIBUTES_STAGE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RESULTS_ATTRIBUTES_STAGE_H_

#include "pipeline/run/run.h"
#include "twinset/error.h"

namespace twinset {

// Nothing without --attributes. Of a match, the first collection.
Status AttributesStage(Run* run);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RESULTS_ATTRIBUTES_STAGE_H_
