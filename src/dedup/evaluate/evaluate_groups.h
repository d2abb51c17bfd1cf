// Which pairs of an evaluation stand or fall together: those of one group of
// documents (docs/methods/intervals.md).
#ifndef TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_GROUPS_H_
#define TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_GROUPS_H_

#include <string>
#include <vector>

#include "estimate/grouped_share.h"
#include "evaluate/evaluate_count.h"
#include "pipeline/run/run.h"

namespace twinset {

// The true pairs by the groups that they connect; none is found.
Result<GroupedTrials> GroupTruth(Run* base, const TruthSource& truth,
                                 double threshold);

// The pairs of a method, counted by group. For recall the true pairs connect
// documents to groups; otherwise the true and the found pairs do.
struct GroupedCounts {
  // Correct among found, true, and those that are either.
  GroupedTrials precision, recall, overlap;
};
struct MethodGroups {
  GroupedCounts all, same, other;
  std::vector<uint64_t> of_sample;  // the group of each of the truth's sample
};
Result<MethodGroups> GroupMethod(Run* base, const TruthSource& truth,
                                 const std::vector<SampledPair>& sample,
                                 const std::string& file, double threshold,
                                 PagedArray<uint64_t>* hosts);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_GROUPS_H_
