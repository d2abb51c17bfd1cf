// Totals that few large terms make (docs/methods/relative-size.md). The same
// doubles on every machine.
#ifndef TWINSET_SRC_GROUND_ESTIMATE_SKEWED_TOTAL_H_
#define TWINSET_SRC_GROUND_ESTIMATE_SKEWED_TOTAL_H_

#include <cstdint>
#include <span>

#include "estimate/bootstrap.h"

namespace twinset {

// How many times more the largest term of a sample counts at the upper end of
// an interval, and in ratios what pulls most towards an end. What was drawn
// once may well be there three times as often, and samples without the few
// terms that make most of a total look harmless.
inline constexpr double kDrawnAgain = 2;

// A mean of draws, and its variance over its square.
struct MeanOfDraws {
  double value = 0, log_variance = 0;
};

// The mean of `draws` draws, of which all but `values` are 0, with the largest
// `again` times more. values.size() <= draws; 2 <= draws.
MeanOfDraws FindMeanOfDraws(std::span<const double> values, uint64_t draws,
                            double again);

// `scale` times the mean. The interval is normal on the logarithm with
// Student's quantile of the values above 0, and above as if the largest had
// been drawn kDrawnAgain times more; `other` is the variance of the logarithm
// that else belongs to it. [0, infinity] when all values are 0.
Estimated SkewedTotal(double scale, std::span<const double> values,
                      uint64_t draws, double other = 0);
// With another number of terms for Student's quantile.
Estimated SkewedTotalOfTerms(double scale, std::span<const double> values,
                             uint64_t draws, double other, uint64_t terms);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_SKEWED_TOTAL_H_
