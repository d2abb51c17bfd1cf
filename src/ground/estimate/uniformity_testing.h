// Is a sample what it should be? Tests of distributions, for tests
// (docs/methods/chain-diagnostics.md). Results are the same doubles on every
// machine.
#ifndef TWINSET_SRC_GROUND_ESTIMATE_UNIFORMITY_TESTING_H_
#define TWINSET_SRC_GROUND_ESTIMATE_UNIFORMITY_TESTING_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/math/pinned_math.h"
#include "estimate/ks_distance.h"
#include "estimate/special_functions.h"
#include "twinset/error.h"

namespace twinset {

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
inline Result<TestResult> ChiSquareTest(std::span<const uint64_t> counts,
                                        std::span<const double> shares) {
  if (counts.size() != shares.size())
    return Fail(ErrorCode::kUsage, "counts and shares are not equally many");
  double draws = 0;
  for (const uint64_t count : counts) draws += static_cast<double>(count);
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (counts.size() < 2 || draws == 0 || !(total > 0) || !std::isfinite(total))
    return Fail(ErrorCode::kUsage,
                "a chi-square test needs two cells and a draw");
  TestResult result;
  result.least_expected = draws;
  uint64_t cells = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (!(shares[i] >= 0)) return Fail(ErrorCode::kUsage, "a share is below 0");
    if (shares[i] == 0) {
      if (counts[i] == 0) continue;
      return Fail(ErrorCode::kUsage, "a cell of share 0 has been drawn");
    }
    const double expected = draws * shares[i] / total;
    const double off = static_cast<double>(counts[i]) - expected;
    result.statistic += off * off / expected;
    result.least_expected = std::min(result.least_expected, expected);
    ++cells;
  }
  result.degrees = cells - 1;
  result.p = result.degrees == 0
                 ? 1
                 : UpperGamma(static_cast<double>(result.degrees) / 2,
                              result.statistic / 2);
  return result;
}

// Against equal shares.
inline Result<TestResult> ChiSquareUniform(std::span<const uint64_t> counts) {
  const std::vector<double> shares(counts.size(), 1);
  return ChiSquareTest(counts, shares);
}

// Neighbouring cells joined, in order, until each is expected to get at least
// `least` of the draws; the last one takes what is left over. With 5 the
// chi-square law holds well (Cochran 1954).
struct Cells {
  std::vector<uint64_t> counts;
  std::vector<double> shares;
};
inline Cells JoinSmallCells(std::span<const uint64_t> counts,
                            std::span<const double> shares, double least = 5) {
  double draws = 0;
  for (const uint64_t count : counts) draws += static_cast<double>(count);
  const double needed =
      draws > 0
          ? least * std::accumulate(shares.begin(), shares.end(), 0.0) / draws
          : 0;
  Cells cells;
  uint64_t count = 0;
  double share = 0;
  for (size_t i = 0; i < std::min(counts.size(), shares.size()); ++i) {
    count += counts[i];
    share += shares[i];
    if (share < needed) continue;
    cells.counts.push_back(std::exchange(count, 0));
    cells.shares.push_back(std::exchange(share, 0));
  }
  if (count == 0 && share == 0) return cells;
  if (cells.counts.empty()) return {{count}, {share}};
  cells.counts.back() += count;
  cells.shares.back() += share;
  return cells;
}

// The share of Kolmogorov's law beyond lambda.
inline double KolmogorovTail(double lambda) {
  constexpr double kPi = 3.14159265358979323846;
  if (lambda <= 0) return 1;
  double sum = 0;
  if (lambda < 1) {
    // The other form of the theta function converges fast here.
    const double base = kPi * kPi / (8 * lambda * lambda);
    for (int k = 1; k <= 20; k += 2) sum += PinnedExp(-k * k * base);
    return std::clamp(1 - std::sqrt(2 * kPi) / lambda * sum, 0.0, 1.0);
  }
  for (int k = 1; k <= 20; ++k) {
    const double term = PinnedExp(-2.0 * k * k * lambda * lambda);
    sum += k % 2 == 1 ? term : -term;
  }
  return std::clamp(2 * sum, 0.0, 1.0);
}

// The p of a KS statistic between samples of effective sizes n and m; m
// infinite (0) for a known law.
inline double KsPValue(double statistic, double n, double m = 0) {
  const double size = m > 0 ? n * m / (n + m) : n;
  const double root = std::sqrt(size);
  return KolmogorovTail((root + 0.12 + 0.11 / root) * statistic);
}

// Kolmogorov-Smirnov with asymptotic p (Stephens 1970), for n >= 8 or so;
// conservative when values repeat. Of `values` in [0, 1] against the uniform
// law: apply a continuous law's distribution function to a sample first. kUsage
// for empty input, NaN, or values outside [0, 1].
inline Result<TestResult> KsUniform(std::vector<double> values) {
  if (values.empty()) return Fail(ErrorCode::kUsage, "the sample is empty");
  if (!std::all_of(values.begin(), values.end(),
                   [](double value) { return value >= 0 && value <= 1; }))
    return Fail(ErrorCode::kUsage, "a value is not within 0 and 1");
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size());
  TestResult result;
  for (size_t i = 0; i < values.size(); ++i) {
    const double before = static_cast<double>(i) / n;
    const double after = static_cast<double>(i + 1) / n;
    result.statistic =
        std::max({result.statistic, values[i] - before, after - values[i]});
  }
  result.p = KsPValue(result.statistic, n);
  return result;
}

// Do two samples have one law?
inline Result<TestResult> KsTwoSample(std::vector<double> a,
                                      std::vector<double> b) {
  const std::vector<double> weights(a.size(), 1);
  TestResult result;
  TWINSET_ASSIGN(result.statistic, KsWeighted(a, weights, b));
  result.p = KsPValue(result.statistic, static_cast<double>(a.size()),
                      static_cast<double>(b.size()));
  return result;
}

// Exact binomial test: `successes` of `trials` against probability p in [0, 1].
// two_sided sums all outcomes that are not more likely; low and high are the
// tails up to and from `successes`. O(trials). successes <= trials.
struct BinomialResult {
  double two_sided = 1, low = 1, high = 1;
};
inline BinomialResult BinomialTest(uint64_t successes, uint64_t trials,
                                   double p) {
  if (p <= 0 || p >= 1) {
    const uint64_t sure = p <= 0 ? 0 : trials;
    BinomialResult result;
    result.two_sided = successes == sure ? 1 : 0;
    result.low = successes >= sure ? 1 : 0;
    result.high = successes <= sure ? 1 : 0;
    return result;
  }
  const double n = static_cast<double>(trials);
  const double log_p = PinnedLog(p), log_q = PinnedLog(1 - p);
  const double log_n = LogGamma(n + 1);
  const auto mass = [&](uint64_t k) {
    const double x = static_cast<double>(k);
    return PinnedExp(log_n - LogGamma(x + 1) - LogGamma(n - x + 1) + x * log_p +
                     (n - x) * log_q);
  };
  const double here = mass(successes);
  BinomialResult result{0, 0, 0};
  for (uint64_t k = 0; k <= trials; ++k) {
    const double one = mass(k);
    // Equal but for rounding counts as equal.
    if (one <= here * (1 + 1e-9)) result.two_sided += one;
    if (k <= successes) result.low += one;
    if (k >= successes) result.high += one;
  }
  result.two_sided = std::min(result.two_sided, 1.0);
  result.low = std::min(result.low, 1.0);
  result.high = std::min(result.high, 1.0);
  return result;
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_UNIFORMITY_TESTING_H_
