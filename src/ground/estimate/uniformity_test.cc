// Tests of distributions against printed tables, naive sums and what they
// promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/hash.h"
#include "estimate/special_functions.h"
#include "estimate/uniformity_testing.h"

namespace twinset {
namespace {

double Uniform(SplitMix64* random) {
  return static_cast<double>(random->Next() >> 11) * 0x1p-53;
}

TEST(LogGamma, FactorialsHalvesAndTheLibrary) {
  double factorial = 0;
  for (int n = 1; n < 170; ++n) {
    EXPECT_NEAR(LogGamma(n), factorial, 1e-13 * std::max(1.0, factorial)) << n;
    factorial += std::log(n);
  }
  EXPECT_NEAR(LogGamma(0.5), 0.5723649429247001, 1e-14);
  for (const double x : {0.01, 0.3, 1.7, 14.9, 15.1, 1e3, 1e6})
    EXPECT_NEAR(LogGamma(x), std::lgamma(x), 1e-13 * (1 + std::lgamma(x)));
}

// Printed tables: the critical values of chi-square.
TEST(UpperGamma, ChiSquareTable) {
  const struct {
    double degrees, statistic, p;
  } rows[] = {
      {1, 3.841459, .05},     {1, 6.634897, .01},      {2, 5.991465, .05},
      {5, 11.070498, .05},    {10, 18.307038, .05},    {10, 23.209251, .01},
      {10, 3.940299, .95},    {30, 43.772972, .05},    {100, 124.342113, .05},
      {100, 135.806723, .01}, {1000, 1074.679449, .05}};
  for (const auto& row : rows)
    EXPECT_NEAR(UpperGamma(row.degrees / 2, row.statistic / 2), row.p, 1e-7)
        << row.degrees;
}

// Q(1/2, x) = erfc(sqrt(x)), Q(1, x) = e^-x, and Q(a + 1, x) = Q(a, x) + x^a
// e^-x / gamma(a + 1).
TEST(UpperGamma, KnownForms) {
  for (const double x : {1e-9, 0.01, 0.5, 1.0, 1.5, 3.0, 20.0, 300.0}) {
    EXPECT_NEAR(UpperGamma(0.5, x) / std::erfc(std::sqrt(x)), 1, 1e-12) << x;
    EXPECT_NEAR(UpperGamma(1, x) / std::exp(-x), 1, 1e-12) << x;
    for (const double a : {0.3, 2.0, 17.5}) {
      const double step = std::exp(a * std::log(x) - x - std::lgamma(a + 1));
      EXPECT_NEAR(UpperGamma(a + 1, x), UpperGamma(a, x) + step, 1e-12);
    }
  }
  EXPECT_EQ(UpperGamma(3, 0), 1);
  EXPECT_NEAR(NormalTwoSided(1.959963984540054), 0.05, 1e-13);
}

TEST(HurwitzZeta, KnownValues) {
  EXPECT_NEAR(HurwitzZeta(2, 1), 1.6449340668482264, 1e-12);
  EXPECT_NEAR(HurwitzZeta(1.5, 1), 2.612375348685488, 1e-11);
  EXPECT_NEAR(HurwitzZeta(4, 1), 1.0823232337111382, 1e-12);
  // The first k terms less.
  double sum = 0;
  for (int k = 1; k < 50; ++k) sum += std::pow(k, -2.5);
  EXPECT_NEAR(HurwitzZeta(2.5, 1), HurwitzZeta(2.5, 50) + sum, 1e-12);
}

TEST(ChiSquare, ByHandAndRefusals) {
  const std::vector<uint64_t> counts = {10, 20, 30};
  const TestResult result = *ChiSquareUniform(counts);
  EXPECT_DOUBLE_EQ(result.statistic, 10);
  EXPECT_EQ(result.degrees, 2u);
  EXPECT_EQ(result.least_expected, 20);
  EXPECT_NEAR(result.p, std::exp(-5), 1e-12);
  const std::vector<double> shares = {1, 2, 3};
  EXPECT_NEAR(ChiSquareTest(counts, shares)->p, 1, 1e-12);
  // A cell that cannot be drawn counts nothing, and refutes when drawn.
  EXPECT_EQ(ChiSquareTest(std::vector<uint64_t>{1, 1, 0},
                          std::vector<double>{1, 1, 0})
                ->degrees,
            1u);
  EXPECT_FALSE(ChiSquareTest(std::vector<uint64_t>{1, 1, 1},
                             std::vector<double>{1, 1, 0}));
  EXPECT_FALSE(ChiSquareTest(counts, std::vector<double>{1, 1}));
  EXPECT_FALSE(ChiSquareTest(counts, std::vector<double>{1, -1, 2}));
  EXPECT_FALSE(ChiSquareUniform(std::vector<uint64_t>{5}));
  EXPECT_FALSE(ChiSquareUniform(std::vector<uint64_t>{0, 0}));
}

TEST(JoinSmallCells, EachIsExpectedToGetEnough) {
  const std::vector<uint64_t> counts = {1, 2, 3, 4, 90};
  const std::vector<double> shares = {1, 1, 1, 1, 16};
  const Cells cells = JoinSmallCells(counts, shares, 10);
  EXPECT_EQ(cells.counts, (std::vector<uint64_t>{3, 7, 90}));
  EXPECT_EQ(cells.shares, (std::vector<double>{2, 2, 16}));
  EXPECT_EQ(JoinSmallCells(counts, shares, 1000).counts,
            (std::vector<uint64_t>{100}));
}

// p-values of true hypotheses are uniform; those of false ones are not.
TEST(ChiSquare, ItsPIsUniformWhenTheHypothesisHolds) {
  SplitMix64 random(3);
  constexpr int kRuns = TWINSET_SLOW_BUILD ? 200 : 1000;
  std::vector<double> ps;
  int found = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<uint64_t> fair(20), biased(20);
    for (int i = 0; i < 1000; ++i) {
      ++fair[random.Below(20)];
      ++biased[std::max(random.Below(20), random.Below(20))];
    }
    ps.push_back(ChiSquareUniform(fair)->p);
    found += ChiSquareUniform(biased)->p < 1e-6;
  }
  EXPECT_GT(KsUniform(ps)->p, 0.001);
  EXPECT_EQ(found, kRuns);
}

// Kolmogorov's law at its printed critical values, of very large samples.
TEST(Ks, Table) {
  const double n = 1e12, root = 1e6;
  EXPECT_NEAR(KsPValue(1.2238 / root, n), 0.10, 1e-4);
  EXPECT_NEAR(KsPValue(1.3581 / root, n), 0.05, 1e-4);
  EXPECT_NEAR(KsPValue(1.6276 / root, n), 0.01, 1e-4);
  EXPECT_NEAR(KsPValue(0.8276 / root, n), 0.5, 1e-4);
  // Both forms of the series meet at 1.
  EXPECT_NEAR(KsPValue((1 - 1e-9) / root, n), KsPValue((1 + 1e-9) / root, n),
              1e-6);
  EXPECT_EQ(KsPValue(0, 10), 1);
  // Exact critical value of n = 20 at 5 %: 0.29408.
  EXPECT_NEAR(KsPValue(0.29408, 20), 0.05, 0.002);
}

TEST(Ks, StatisticAgainstANaiveOne) {
  SplitMix64 random(4);
  for (int run = 0; run < 20; ++run) {
    std::vector<double> a, b;
    for (uint64_t i = 0; i < 5 + random.Below(30); ++i)
      a.push_back(static_cast<double>(random.Below(12)));
    for (uint64_t i = 0; i < 5 + random.Below(30); ++i)
      b.push_back(static_cast<double>(random.Below(12)));
    double largest = 0;
    for (int x = 0; x < 12; ++x) {
      const auto below = [x](const std::vector<double>& values) {
        return static_cast<double>(
                   std::count_if(values.begin(), values.end(),
                                 [x](double value) { return value <= x; })) /
               static_cast<double>(values.size());
      };
      largest = std::max(largest, std::fabs(below(a) - below(b)));
    }
    EXPECT_NEAR(KsTwoSample(a, b)->statistic, largest, 1e-12);
    // A weight is worth as many equal values.
    std::vector<double> weights, repeated;
    for (const double value : a) {
      weights.push_back(static_cast<double>(1 + random.Below(3)));
      repeated.insert(repeated.end(), static_cast<size_t>(weights.back()),
                      value);
    }
    EXPECT_NEAR(*KsWeighted(a, weights, b), KsTwoSample(repeated, b)->statistic,
                1e-12);
  }
  EXPECT_DOUBLE_EQ(KsUniform({0.5})->statistic, 0.5);
  EXPECT_DOUBLE_EQ(KsUniform({0.1, 0.2, 0.3, 0.4})->statistic, 0.6);
}

TEST(Ks, ItsPIsUniformWhenTheHypothesisHolds) {
  SplitMix64 random(5);
  constexpr int kRuns = TWINSET_SLOW_BUILD ? 100 : 500;
  std::vector<double> one, two;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> a, b;
    for (int i = 0; i < 200; ++i) {
      a.push_back(Uniform(&random));
      b.push_back(Uniform(&random));
    }
    one.push_back(KsUniform(a)->p);
    two.push_back(KsTwoSample(a, b)->p);
    for (double& value : a) value *= value;
    EXPECT_LT(KsUniform(a)->p, 0.01);
    EXPECT_LT(KsTwoSample(a, b)->p, 0.2);
  }
  EXPECT_GT(KsUniform(one)->p, 0.001);
  // The statistic of two samples has steps, so p is conservative by a little.
  EXPECT_LT(
      std::count_if(two.begin(), two.end(), [](double p) { return p < 0.05; }),
      kRuns * 0.09);
}

TEST(Ks, Refusals) {
  EXPECT_FALSE(KsUniform({}));
  EXPECT_FALSE(KsUniform({0.5, 1.5}));
  EXPECT_FALSE(KsUniform({0.5, std::nan("")}));
  EXPECT_FALSE(KsTwoSample({1}, {}));
  EXPECT_FALSE(KsTwoSample({1}, {std::nan("")}));
  const std::vector<double> one = {1}, two = {1, 2}, zero = {0};
  EXPECT_FALSE(KsWeighted(one, two, one));
  EXPECT_FALSE(KsWeighted(one, zero, one));
}

TEST(Binomial, ByHandAndAgainstTheNaiveSum) {
  EXPECT_NEAR(BinomialTest(0, 10, 0.5).two_sided, 2.0 / 1024, 1e-14);
  EXPECT_NEAR(BinomialTest(9, 10, 0.5).high, 11.0 / 1024, 1e-14);
  EXPECT_NEAR(BinomialTest(5, 10, 0.5).two_sided, 1, 1e-14);
  EXPECT_EQ(BinomialTest(3, 10, 0).two_sided, 0);
  EXPECT_EQ(BinomialTest(10, 10, 1).two_sided, 1);
  // R: binom.test(682, 925, p = 0.75) gives 0.3825.
  EXPECT_NEAR(BinomialTest(682, 925, 0.75).two_sided, 0.3825, 5e-5);
  for (const double p : {0.1, 0.3, 0.95}) {
    std::vector<double> mass = {1};  // by Pascal's rule
    for (int n = 0; n < 30; ++n) {
      std::vector<double> next(mass.size() + 1);
      for (size_t k = 0; k < mass.size(); ++k) {
        next[k] += mass[k] * (1 - p);
        next[k + 1] += mass[k] * p;
      }
      mass = next;
    }
    double low = 0;
    for (uint64_t k = 0; k <= 30; ++k) {
      low += mass[k];
      double two = 0;
      for (const double one : mass)
        two += one <= mass[k] * (1 + 1e-9) ? one : 0;
      const BinomialResult result = BinomialTest(k, 30, p);
      EXPECT_NEAR(result.low, low, 1e-12);
      EXPECT_NEAR(result.high, 1 - low + mass[k], 1e-12);
      EXPECT_NEAR(result.two_sided, two, 1e-12);
    }
  }
}

}  // namespace
}  // namespace twinset
