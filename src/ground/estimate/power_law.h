// Pages per server: a mean that few large ones make, and the law behind it
// (docs/methods/random-ip.md).
#ifndef TWINSET_SRC_GROUND_ESTIMATE_POWER_LAW_H_
#define TWINSET_SRC_GROUND_ESTIMATE_POWER_LAW_H_

#include <cstdint>
#include <span>
#include <vector>

#include "estimate/bootstrap.h"
#include "twinset/error.h"

namespace twinset {

// P(X = x) = x^-alpha / zeta(alpha, x_min) for x >= x_min. Alpha is the most
// likely one for a given x_min (Clauset, Shalizi and Newman 2009, 3.1), within
// [1.01, 20].
struct PowerLaw {
  double alpha = 0;
  uint64_t x_min = 1;
  double log_likelihood = 0;
  double distance = 0;  // Kolmogorov-Smirnov, of the values >= x_min
  uint64_t tail = 0;    // values >= x_min
};

// Fewer values from x_min on bear no interval of the exponent, and means of
// fewer values, or of a law with no more than this exponent, none at all: what
// makes them may not have been drawn (docs/studies/intervals.md).
inline constexpr uint64_t kLeastTailForInterval = 100;
inline constexpr uint64_t kLeastForSkewedMean = 1000;
inline constexpr double kLeastExponentForMean = 2.6;

struct PowerLawFit {
  PowerLaw law;
  Interval alpha;  // by bootstrap, x_min chosen again each time
  Interval x_min;
  uint64_t ignored = 0;  // values of 0
};

// x_min is the value for which the fitted law is nearest to what is above it
// (3.3), among at most 64 values that leave 10 values or more. kUsage for fewer
// than 10 values above 0, or all equal.
Result<PowerLawFit> FitPowerLaw(std::span<const uint64_t> values,
                                const BootstrapOptions& options = {
                                    .seed = 1, .replicas = 200, .block = 1});

struct SkewedMean {
  Estimated estimate;  // the mean with its normal interval
  Interval bootstrap;  // of the mean: longer to the right when skewed
  double median = 0;
  double variation = 0;  // standard deviation / mean
  uint64_t largest = 0;
  double largest_share = 0;  // of the sum that the largest value holds
  double top_share = 0;      // of the sum, the largest hundredth (at least one)
  uint64_t n = 0;
};
// kUsage for fewer than two values.
Result<SkewedMean> FindSkewedMean(std::span<const uint64_t> values,
                                  const BootstrapOptions& options = {});

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_POWER_LAW_H_
