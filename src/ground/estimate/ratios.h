// Three estimators of a ratio from pairs (x, y), such as the results of two
// engines to one query each (docs/methods/relative-size.md).
#ifndef TWINSET_SRC_GROUND_ESTIMATE_RATIOS_H_
#define TWINSET_SRC_GROUND_ESTIMATE_RATIOS_H_

#include <cstdint>
#include <span>

#include "estimate/bootstrap.h"
#include "twinset/error.h"

namespace twinset {

struct RatioPair {
  double x = 0, y = 0;
};

// Fewer bear no interval.
inline constexpr uint64_t kLeastPairs = 30;

struct RatioEstimate {
  // Standard error by linearisation. The interval is normal on the logarithm,
  // with Student's quantile; each end as if the pair that pulls most towards it
  // had been drawn twice more. It holds where has_interval.
  Estimated estimate;
  bool has_interval = false;
  uint64_t used = 0;  // pairs that it could use
};

struct Ratios {
  RatioEstimate of_sums;   // sum x / sum y: of the totals
  RatioEstimate mean;      // mean of x / y over y > 0: of the average pair
  RatioEstimate harmonic;  // 1 / mean of y / x over x, y > 0
  uint64_t pairs = 0;
  uint64_t zero_x = 0;  // x = 0 < y: the harmonic mean cannot use them
  uint64_t zero_y = 0;  // y = 0 < x: only the ratio of sums uses them
  uint64_t zero_both = 0;
};

// sum x / sum y; sum y > 0, no number below 0.
RatioEstimate RatioOfSums(std::span<const RatioPair> pairs);

// kUsage when a number is below 0 or not finite, when there are fewer than two
// pairs, or all y are 0. An estimator without any pair it can use has used 0.
Result<Ratios> FindRatios(std::span<const RatioPair> pairs);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_RATIOS_H_
