#include "estimate/paired_tests.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/hash.h"
#include "base/math/pinned_math.h"
#include "estimate/bootstrap.h"
#include "estimate/special_functions.h"

namespace twinset {

namespace {

// The continued fraction of the incomplete beta function, by the modified
// method of Lentz; quick for x < (a + 1) / (a + b + 2).
double BetaFraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  constexpr int kMostSteps = 10000;
  const auto away = [](double value) {
    return std::fabs(value) < kTiny ? kTiny : value;
  };
  double c = 1, d = 1 / away(1 - (a + b) * x / (a + 1)), value = d;
  for (int m = 1; m < kMostSteps; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    value *= d * c;
    const double odd =
        -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    value *= d * c;
    if (std::fabs(d * c - 1) < 1e-16) break;
  }
  return value;
}

double RegularisedBeta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = PinnedExp(LogGamma(a + b) - LogGamma(a) - LogGamma(b) +
                                 a * PinnedLog(x) + b * PinnedLog(1 - x));
  if (x < (a + 1) / (a + b + 2)) return front * BetaFraction(a, b, x) / a;
  return 1 - front * BetaFraction(b, a, 1 - x) / b;
}

std::vector<double> Differences(std::span<const double> x,
                                std::span<const double> y) {
  std::vector<double> differences;
  for (size_t i = 0; i < x.size(); ++i) differences.push_back(x[i] - y[i]);
  return differences;
}

}  // namespace

double StudentTwoSided(double t, double freedom) {
  return RegularisedBeta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

PairedTest PairedT(std::span<const double> x, std::span<const double> y) {
  const std::vector<double> differences = Differences(x, y);
  const Moments moments = FindMoments(differences);
  PairedTest test;
  test.difference = moments.mean;
  if (differences.size() < 2) return test;
  if (std::all_of(differences.begin(), differences.end(),
                  [&](double d) { return d == differences.front(); })) {
    test.p = differences.front() == 0 ? 1 : 0;
    return test;
  }
  const auto n = static_cast<double>(differences.size());
  test.t = moments.mean / std::sqrt(moments.variance / n);
  test.p = StudentTwoSided(test.t, n - 1);
  return test;
}

double RandomisationTest(std::span<const double> x, std::span<const double> y,
                         uint64_t draws, uint64_t seed) {
  std::vector<double> differences = Differences(x, y);
  std::erase(differences, 0.0);
  if (differences.empty()) return 1;
  double observed = 0, size = 0;
  for (const double d : differences) {
    observed += d;
    size += std::fabs(d);
  }
  // What equals the observed sum but for rounding is as extreme.
  const double least = std::fabs(observed) - 1e-12 * size;
  const auto sum_of = [&](const auto& is_negative) {
    double sum = 0;
    for (size_t i = 0; i < differences.size(); ++i)
      sum += is_negative(i) ? -differences[i] : differences[i];
    return sum;
  };
  const size_t n = differences.size();
  uint64_t extreme = 0;
  if (n < 63 && (uint64_t{1} << n) <= draws) {
    const uint64_t patterns = uint64_t{1} << n;
    for (uint64_t signs = 0; signs < patterns; ++signs)
      extreme +=
          std::fabs(sum_of([&](size_t i) { return (signs >> i & 1) != 0; })) >=
          least;
    return static_cast<double>(extreme) / static_cast<double>(patterns);
  }
  SplitMix64 random(seed);
  uint64_t bits = 0;
  for (uint64_t draw = 0; draw < draws; ++draw)
    extreme += std::fabs(sum_of([&](size_t i) {
                 if (i % 64 == 0) bits = random.Next();
                 return (bits >> i % 64 & 1) != 0;
               })) >= least;
  return static_cast<double>(1 + extreme) / static_cast<double>(1 + draws);
}

}  // namespace twinset
