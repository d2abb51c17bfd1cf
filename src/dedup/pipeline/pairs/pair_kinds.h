// Kinds of difference of sampled pairs (docs/methods/kinds-of-difference.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PAIR_KINDS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PAIR_KINDS_H_

#include <vector>

#include "pipeline/run/run.h"
#include "verify/difference_kind.h"

namespace twinset {

// The kind of each pair of documents of `base`, whose read stage is done. The
// inputs are read once more; the texts of the documents concerned pass through
// a file of the work folder. `pairs`: in any order.
Result<std::vector<DifferenceKind>> KindsOfPairs(
    Run* base, const std::vector<CandidatePair>& pairs);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PAIR_KINDS_H_
