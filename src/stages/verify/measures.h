// The measures (docs/methods/measures.md). Those of sets are
// functions of two sizes and the size of the intersection.
#ifndef TWINSET_SRC_STAGES_VERIFY_MEASURES_H_
#define TWINSET_SRC_STAGES_VERIFY_MEASURES_H_

#include <cstdint>

#include "core/values.h"
#include "twinset/method_choices.h"

namespace twinset {

// Is it a function of Overlap?
inline bool IsSetMeasure(Measure measure) { return measure <= Measure::kS3; }

// Sizes of two sets and of their intersection: what every set measure is
// computed from. Invariant: common <= min(a, b).
struct Overlap {
  uint64_t a = 0, b = 0, common = 0;
  friend bool operator==(const Overlap&, const Overlap&) = default;
};

// The same of sets as stages hand it on.
inline SharedFeatures SharedOf(const Overlap& sets) {
  return {static_cast<uint32_t>(sets.a), static_cast<uint32_t>(sets.b),
          sets.common};
}

// Every measure is in [0, 1] and 0 when either set is empty: an empty document
// is in no pair. Each is one correctly rounded division of integers below 2^53
// (cosine: after one square root), so it is the same number on every machine.
double Jaccard(const Overlap& overlap);        // |A & B| / |A | B|
double ContainmentAB(const Overlap& overlap);  // |A & B| / |A| (Broder 1997)
double ContainmentBA(const Overlap& overlap);  // |A & B| / |B|
double Dice(const Overlap& overlap);           // 2 |A & B| / (|A| + |B|)
double Cosine(const Overlap& overlap);         // |A & B| / sqrt(|A| |B|)
double S3(const Overlap& overlap);             // |A & B| / mean(|A|, |B|)

// The value `threshold` is compared with, of a set measure. Containment: the
// larger of the two directions.
double Score(Measure measure, const Overlap& overlap);

// Size filter: false only if no two documents of these sizes (shingles of the
// set, shingles with repeats, tokens) are a pair at `threshold`. Never true
// when one is empty. Computes the score of the best case, so it can never
// disagree with a score by a rounding.
bool CanReach(Measure measure, uint64_t size_a, uint64_t size_b,
              double threshold);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_VERIFY_MEASURES_H_
