// Is a sample what it should be? Tests and distances of distributions
// (docs/methods/uniformity-tests.md). Results are the same doubles on every
// machine.
#ifndef TWINSET_SRC_ESTIMATE_UNIFORMITY_H_
#define TWINSET_SRC_ESTIMATE_UNIFORMITY_H_

#include <cstdint>
#include <span>
#include <vector>

#include "twinset/error.h"

namespace twinset::inline v1 {

// p is the probability of a statistic at least as far off when the hypothesis
// holds: p > 0.01 passes, a tiny p refutes.
struct TestResult {
  double statistic = 0;
  double p = 1;
  uint64_t degrees = 0;       // of freedom (chi-square), else 0
  double least_expected = 0;  // of a cell (chi-square); p is rough below 5
};

// Pearson's chi-square of counts against expected shares (any positive scale;
// of equal length). Cells of share 0 must be empty. kUsage for fewer than two
// cells, no draw, or a negative share.
Result<TestResult> ChiSquareTest(std::span<const uint64_t> counts,
                                 std::span<const double> shares);
// Against equal shares.
Result<TestResult> ChiSquareUniform(std::span<const uint64_t> counts);

// Neighbouring cells joined, in order, until each is expected to get at least
// `least` of the draws; the last one takes what is left over. With 5 the
// chi-square law holds well (Cochran 1954).
struct Cells {
  std::vector<uint64_t> counts;
  std::vector<double> shares;
};
Cells JoinSmallCells(std::span<const uint64_t> counts,
                     std::span<const double> shares, double least = 5);

// Kolmogorov-Smirnov with asymptotic p (Stephens 1970), for n >= 8 or so;
// conservative when values repeat. Of `values` in [0, 1] against the uniform
// law: apply a continuous law's distribution function to a sample first. kUsage
// for empty input, NaN, or values outside [0, 1].
Result<TestResult> KsUniform(std::vector<double> values);
// Do two samples have one law?
Result<TestResult> KsTwoSample(std::vector<double> a, std::vector<double> b);

// The largest difference between the distribution function of weighted values
// and that of a reference (all of equal weight): a distance without p. weights
// above 0, one per value. kUsage for empty input or lengths that differ.
Result<double> KsWeighted(std::span<const double> values,
                          std::span<const double> weights,
                          std::span<const double> reference);
// The p of a KS statistic between samples of effective sizes n and m; m
// infinite (0) for a known law.
double KsPValue(double statistic, double n, double m = 0);

// Half the sum of |p - q| of two distributions given up to scale. kUsage when
// lengths differ or one has no mass.
Result<double> TotalVariation(std::span<const double> p,
                              std::span<const double> q);
// The total variation of counts from the uniform distribution. A sample of n
// draws from c cells is off by about sqrt(c / (2 pi n)) even when it is
// uniform.
Result<double> TotalVariationFromUniform(std::span<const uint64_t> counts);

// Exact binomial test: `successes` of `trials` against probability p in [0, 1].
// two_sided sums all outcomes that are not more likely; low and high are the
// tails up to and from `successes`. O(trials). successes <= trials.
struct BinomialResult {
  double two_sided = 1, low = 1, high = 1;
};
BinomialResult BinomialTest(uint64_t successes, uint64_t trials, double p);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_ESTIMATE_UNIFORMITY_H_
