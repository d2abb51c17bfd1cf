// The pairs of a run as its results list them: of documents, where the stages
// before know classes of equal ones by their first document.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RESULTS_CLASS_PAIRS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RESULTS_CLASS_PAIRS_H_

#include <cstdint>
#include <functional>

#include "core/values.h"
#include "pipeline/run/run.h"
#include "twinset/error.h"

namespace twinset {

// Calls `body` with every pair that --pairs asks for, sorted. Returns how many
// more there are that --pairs auto leaves out, as they follow from those
// listed: of classes with very many documents only the pairs with the first of
// each are listed.
Result<uint64_t> ForEachResultPair(
    Run* run, const std::function<Status(const VerifiedPair&)>& body);

// What a pair of the results has reached: 1 for methods that compare bytes.
double PairThreshold(const Plan& plan);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RESULTS_CLASS_PAIRS_H_
