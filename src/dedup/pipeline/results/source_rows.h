// What stays of each source: sources.jsonl, and the part of it that a summary
// shows (docs/formats/results.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RESULTS_SOURCE_ROWS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RESULTS_SOURCE_ROWS_H_

#include <cstddef>

#include "pipeline/run/run.h"

namespace twinset {

// Names of sources, inputs or places in one summary: however many there are, it
// stays a file to look at.
inline constexpr size_t kMostNamedSources = 100;

// "sources", rows of the sources that lose most, in input order, and of more
// than kMostNamedSources the sums of the others in "other_sources". Of a run
// that pairs or cuts within one corpus.
void AddSourceRows(const Run& run, Json* summary);

// A row for each source, in input order, into sources.jsonl. Memory: a row.
Status WriteSourceRows(const Run& run);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RESULTS_SOURCE_ROWS_H_
