// How many listed pairs are of each kind (--kinds).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_JUDGED_COUNTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_JUDGED_COUNTS_H_

#include "twinset/json.h"
#include "twinset/judgements.h"

namespace twinset {

struct JudgedCounts : JudgementCounts {
  static void Fields(auto& counts, auto& field) {
    field("pairs", counts.pairs);
    field("kinds", counts.kinds);
    field("differences", counts.differences);
    field("grades", counts.grades);
  }
};

// For summary.json: every kind by its name, also those of no pair.
Json JudgementsJson(const JudgementCounts& counts);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_JUDGED_COUNTS_H_
