// Pairs of classes of equal documents as pairs of documents.
#ifndef TWINSET_SRC_DEDUP_EVALUATE_CLASS_EXPANSION_H_
#define TWINSET_SRC_DEDUP_EVALUATE_CLASS_EXPANSION_H_

#include <functional>

#include "pipeline/run/run.h"

namespace twinset {

// Gives `sink` the pairs of leaders that `next` gives (false: no more), and all
// pairs within classes at similarity 1, over all members: a < b, in any order.
// kUsage for more than kMaxEvaluatedPairs pairs; those within classes are
// counted before any is made. Holds the members of two classes.
Status ExpandClasses(Run* run,
                     const std::function<Result<bool>(VerifiedPair*)>& next,
                     const std::function<Status(const VerifiedPair&)>& sink);

// Most pairs over all documents that a method may name.
inline constexpr uint64_t kMaxEvaluatedPairs = 300'000'000;

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EVALUATE_CLASS_EXPANSION_H_
