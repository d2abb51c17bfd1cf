// Intervals by drawing again (Efron 1979), and the values that estimators
// return. All draws are of SplitMix64 from a seed.
#ifndef TWINSET_SRC_GROUND_ESTIMATE_BOOTSTRAP_H_
#define TWINSET_SRC_GROUND_ESTIMATE_BOOTSTRAP_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/hash.h"
#include "estimate/intervals.h"

namespace twinset {

struct Estimated {
  double value = 0, standard_error = 0;
  Interval interval;  // 95 %
};

// value -+ z standard errors.
Estimated NormalEstimate(double value, double variance, double z = kZ95);
// For values above 0 whose logarithm has the given variance: value times and
// by e^(z sqrt(variance)).
Estimated LogEstimate(double value, double log_variance, double z = kZ95);

// Mean and variance (n - 1) of a sample; 0 variance for fewer than two.
struct Moments {
  double mean = 0, variance = 0;
};
Moments FindMoments(std::span<const double> values);

// The value below which a share of the values lies (interpolated, type 7 of
// Hyndman and Fan 1996). Not empty; sorted.
double SortedQuantile(std::span<const double> sorted, double share);
// The middle 95 % of replicas. {0, 0} when there are none.
Interval PercentileInterval(std::vector<double> replicas);

struct BootstrapOptions {
  uint64_t seed = 1;
  uint32_t replicas = 1000;
  // Rows that follow one another are drawn together: 1 for independent rows.
  uint64_t block = 1;
};
// A statistic of n rows drawn again with replacement, `replicas` times; it gets
// the rows' numbers and must be a function of them alone. Fewer replicas (at
// least 100) when n is so large that 10^8 draws do not suffice.
std::vector<double> BootstrapReplicas(
    size_t n, const BootstrapOptions& options,
    const std::function<double(std::span<const uint32_t>)>& statistic);
Interval BootstrapInterval(
    size_t n, const BootstrapOptions& options,
    const std::function<double(std::span<const uint32_t>)>& statistic);

// Draws of a binomial law by inversion, from the mode outwards: about sqrt(n p
// (1 - p)) steps each.
class BinomialDraw {
 public:
  BinomialDraw(uint64_t trials, double p);
  uint64_t operator()(SplitMix64* random) const;

 private:
  uint64_t trials_, mode_;
  double odds_, mass_;  // p / (1 - p); of the mode
};

// Uniform in [0, 1), 53 bits.
double UniformDraw(SplitMix64* random);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_BOOTSTRAP_H_
