#include "estimate/uniformity.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "base/math/pinned_math.h"
#include "estimate/special_functions.h"

namespace twinset::inline v1 {
namespace {

constexpr double kPi = 3.14159265358979323846;

// The share of Kolmogorov's law beyond lambda.
double KolmogorovTail(double lambda) {
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

Status CheckNumbers(const std::vector<double>& values) {
  if (values.empty()) return Fail(ErrorCode::kUsage, "the sample is empty");
  for (const double value : values) {
    if (value != value)
      return Fail(ErrorCode::kUsage,
                  "the sample has values that are no number");
  }
  return {};
}

double Sum(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

}  // namespace

Result<TestResult> ChiSquareTest(std::span<const uint64_t> counts,
                                 std::span<const double> shares) {
  if (counts.size() != shares.size())
    return Fail(ErrorCode::kUsage, "counts and shares are not equally many");
  double draws = 0;
  for (const uint64_t count : counts) draws += static_cast<double>(count);
  const double total = Sum(shares);
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

Result<TestResult> ChiSquareUniform(std::span<const uint64_t> counts) {
  const std::vector<double> shares(counts.size(), 1);
  return ChiSquareTest(counts, shares);
}

Cells JoinSmallCells(std::span<const uint64_t> counts,
                     std::span<const double> shares, double least) {
  double draws = 0;
  for (const uint64_t count : counts) draws += static_cast<double>(count);
  const double needed = draws > 0 ? least * Sum(shares) / draws : 0;
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

double KsPValue(double statistic, double n, double m) {
  const double size = m > 0 ? n * m / (n + m) : n;
  const double root = std::sqrt(size);
  return KolmogorovTail((root + 0.12 + 0.11 / root) * statistic);
}

Result<TestResult> KsUniform(std::vector<double> values) {
  TWINSET_TRY(CheckNumbers(values));
  std::sort(values.begin(), values.end());
  if (values.front() < 0 || values.back() > 1)
    return Fail(ErrorCode::kUsage, "a value is not within 0 and 1");
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

Result<TestResult> KsTwoSample(std::vector<double> a, std::vector<double> b) {
  TWINSET_TRY(CheckNumbers(a));
  TWINSET_TRY(CheckNumbers(b));
  const std::vector<double> weights(a.size(), 1);
  TestResult result;
  TWINSET_ASSIGN(result.statistic, KsWeighted(a, weights, b));
  result.p = KsPValue(result.statistic, static_cast<double>(a.size()),
                      static_cast<double>(b.size()));
  return result;
}

Result<double> KsWeighted(std::span<const double> values,
                          std::span<const double> weights,
                          std::span<const double> reference) {
  if (values.empty() || reference.empty())
    return Fail(ErrorCode::kUsage, "the sample is empty");
  if (values.size() != weights.size())
    return Fail(ErrorCode::kUsage, "values and weights are not equally many");
  std::vector<std::pair<double, double>> sample;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!(weights[i] > 0) || !std::isfinite(weights[i]))
      return Fail(ErrorCode::kUsage, "a weight is not above 0");
    sample.emplace_back(values[i], weights[i]);
  }
  std::vector<double> sorted(reference.begin(), reference.end());
  TWINSET_TRY(CheckNumbers({values.begin(), values.end()}));
  TWINSET_TRY(CheckNumbers(sorted));
  std::sort(sample.begin(), sample.end());
  std::sort(sorted.begin(), sorted.end());
  const double total = Sum(weights), count = static_cast<double>(sorted.size());
  double mass = 0, largest = 0;
  size_t i = 0, j = 0;
  // The distribution functions are compared after each distinct value.
  while (i < sample.size() || j < sorted.size()) {
    const double next =
        j == sorted.size() || (i < sample.size() && sample[i].first < sorted[j])
            ? sample[i].first
            : sorted[j];
    for (; i < sample.size() && sample[i].first == next; ++i)
      mass += sample[i].second;
    while (j < sorted.size() && sorted[j] == next) ++j;
    largest = std::max(
        largest, std::fabs(mass / total - static_cast<double>(j) / count));
  }
  return std::min(largest, 1.0);
}

Result<double> TotalVariation(std::span<const double> p,
                              std::span<const double> q) {
  if (p.size() != q.size())
    return Fail(ErrorCode::kUsage, "the distributions are not equally long");
  const double sum_p = Sum(p), sum_q = Sum(q);
  if (!(sum_p > 0) || !(sum_q > 0))
    return Fail(ErrorCode::kUsage, "a distribution has no mass");
  double sum = 0;
  for (size_t i = 0; i < p.size(); ++i)
    sum += std::fabs(p[i] / sum_p - q[i] / sum_q);
  return sum / 2;
}

Result<double> TotalVariationFromUniform(std::span<const uint64_t> counts) {
  std::vector<double> shares;
  for (const uint64_t count : counts)
    shares.push_back(static_cast<double>(count));
  const std::vector<double> equal(counts.size(), 1);
  return TotalVariation(shares, equal);
}

BinomialResult BinomialTest(uint64_t successes, uint64_t trials, double p) {
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

}  // namespace twinset::inline v1
