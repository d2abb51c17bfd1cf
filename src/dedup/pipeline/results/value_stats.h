// What stays of each value of the fields of --stats-by: stats.jsonl, and the
// part of it that a summary shows (docs/formats/results.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RESULTS_VALUE_STATS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RESULTS_VALUE_STATS_H_

#include <vector>

#include "pipeline/run/run.h"

namespace twinset {

// Writes a row for each value of each field into stats.jsonl or stats.csv: by
// field as they were asked for, then most documents first, then in the order in
// which the values appear; of a match for its first collection. Fills *counts,
// one entry a field. Nothing is written where no field is asked for.
// Memory: shares of the budget, however many values there are. Cost: a pass
// over the documents, and sorts of the values that do not fit a small table.
Status WriteValueStats(Run* run, std::vector<FieldStats>* counts);

// "stats_by", a list with an object for each field; nothing without any.
void AddValueStats(const Run& run, const std::vector<FieldStats>& counts,
                   Json* summary);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RESULTS_VALUE_STATS_H_
