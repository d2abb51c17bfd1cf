// Diagnostics of chains whose answers are known by algebra.
#include "estimate/chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/hash.h"
#include "estimate/uniformity_testing.h"

namespace twinset {
namespace {

// About normal: the sum of twelve uniform values.
double Normal(SplitMix64* random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i)
    sum += static_cast<double>(random->Next() >> 11) * 0x1p-53;
  return sum;
}

// x' = phi x + noise: autocorrelation time (1 + phi) / (1 - phi).
std::vector<double> Autoregressive(double phi, size_t n, double start,
                                   SplitMix64* random) {
  std::vector<double> values;
  double x = start;
  for (size_t i = 0; i < n; ++i) {
    x = phi * x + Normal(random);
    values.push_back(x);
  }
  return values;
}

TEST(EffectiveSize, OfAnAutoregressiveChain) {
  SplitMix64 random(1);
  for (const double phi : {0.0, 0.5, 0.9}) {
    double sum = 0;
    constexpr int kRuns = TWINSET_SLOW_BUILD ? 5 : 20;
    for (int run = 0; run < kRuns; ++run)
      sum += FindEffectiveSize(Autoregressive(phi, 8000, 0, &random)).time;
    const double time = (1 + phi) / (1 - phi);
    EXPECT_NEAR(sum / kRuns / time, 1, 0.12) << phi;
  }
  // Antithetic chains are worth no more than independent draws here.
  const auto alternating = Autoregressive(-0.8, 4000, 0, &random);
  EXPECT_EQ(FindEffectiveSize(alternating).time, 1);
}

TEST(EffectiveSize, BatchesOfLongChainsAgree) {
  SplitMix64 random(2);
  const auto chain = Autoregressive(0.99, 400000, 0, &random);
  EXPECT_NEAR(FindEffectiveSize(chain).time, 199, 40);
}

TEST(EffectiveSize, IntervalsCover) {
  SplitMix64 random(3);
  constexpr int kRuns = TWINSET_SLOW_BUILD ? 100 : 400;
  uint64_t covered = 0, naive = 0;
  for (int run = 0; run < kRuns; ++run) {
    const auto chain = Autoregressive(0.8, 3000, 0, &random);
    const EffectiveSize size = FindEffectiveSize(chain);
    covered += std::fabs(size.mean) < 1.96 * size.standard_error;
    naive += std::fabs(size.mean) < 1.96 * std::sqrt(size.variance / 3000);
  }
  EXPECT_GT(BinomialTest(covered, kRuns, 0.94).two_sided, 0.001) << covered;
  EXPECT_LT(BinomialTest(naive, kRuns, 0.9).low, 0.001) << naive;
}

TEST(EffectiveSize, Ends) {
  EXPECT_EQ(FindEffectiveSize({}).size, 0);
  const EffectiveSize constant =
      FindEffectiveSize(std::vector<double>{2, 2, 2});
  EXPECT_TRUE(constant.constant);
  EXPECT_EQ(constant.mean, 2);
  EXPECT_EQ(constant.standard_error, 0);
  const EffectiveSize one = FindEffectiveSize(std::vector<double>{7});
  EXPECT_TRUE(one.constant);
  EXPECT_EQ(one.size, 1);
}

TEST(Geweke, FindsTheStartAndNothingElse) {
  SplitMix64 random(4);
  constexpr int kRuns = TWINSET_SLOW_BUILD ? 60 : 300;
  uint64_t alarms = 0, found = 0;
  for (int run = 0; run < kRuns; ++run) {
    const auto good = Autoregressive(0.5, 2000, 0, &random);
    alarms += GewekeTest(good)->p < 0.05;
    found += GewekeTest(Autoregressive(0.99, 2000, 200, &random))->p < 0.05;
  }
  EXPECT_GT(BinomialTest(alarms, kRuns, 0.07).high, 0.001) << alarms;
  EXPECT_GT(found, kRuns * 0.9);
  EXPECT_FALSE(GewekeTest(std::vector<double>(19, 1.0)));
  EXPECT_EQ(GewekeTest(std::vector<double>(20, 1.0))->p, 1);
}

TEST(SplitRHat, ByHandAndInSimulation) {
  // Halves {1, 3} and {2, 6}: within (2 + 8) / 2 = 5, between 2 (1 + 1) = 4.
  EXPECT_DOUBLE_EQ(*SplitRHat(std::vector<std::vector<double>>{{1, 3, 2, 6}}),
                   std::sqrt((0.5 * 5 + 0.5 * 4) / 5));
  SplitMix64 random(5);
  std::vector<std::vector<double>> good, apart;
  for (int i = 0; i < 4; ++i) {
    good.push_back(Autoregressive(0.3, 2000, 0, &random));
    apart.push_back(good.back());
    for (double& value : apart.back()) value += i;
  }
  EXPECT_NEAR(*SplitRHat(good), 1, 0.01);
  EXPECT_GT(*SplitRHat(apart), 1.2);
  EXPECT_FALSE(SplitRHat({}));
  EXPECT_FALSE(SplitRHat(std::vector<std::vector<double>>{{1, 2, 3}}));
  EXPECT_FALSE(
      SplitRHat(std::vector<std::vector<double>>{{1, 2, 3, 4}, {1, 2, 3}}));
  EXPECT_FALSE(SplitRHat(std::vector<std::vector<double>>{{1, 1, 2, 2}}));
  EXPECT_EQ(*SplitRHat(std::vector<std::vector<double>>{{1, 1, 1, 1}}), 1);
}

TransitionMatrix Cycle(uint32_t n, double stay) {
  TransitionMatrix matrix;
  for (uint32_t i = 0; i < n; ++i) {
    matrix.rows.push_back({{(i + 1) % n, (1 - stay) / 2},
                           {(i + n - 1) % n, (1 - stay) / 2},
                           {i, stay}});
  }
  return matrix;
}

// The walk on a cycle has the eigenvalues stay + (1 - stay) cos(2 pi k / n).
TEST(SpectralGap, OfCyclesAndTheCompleteGraph) {
  for (const uint32_t n : {5u, 12u, 40u}) {
    const SpectralGap gap = *FindSpectralGap(Cycle(n, 0.5));
    EXPECT_TRUE(gap.converged);
    const double expected = 0.5 * (1 - std::cos(2 * M_PI / n));
    EXPECT_NEAR(gap.gap / expected, 1, 0.002) << n;
    for (const double share : gap.stationary) EXPECT_NEAR(share, 1.0 / n, 1e-9);
  }
  // An even cycle without loops is periodic.
  EXPECT_NEAR(FindSpectralGap(Cycle(6, 0))->gap, 0, 1e-9);
  TransitionMatrix complete;
  for (uint32_t i = 0; i < 5; ++i) {
    complete.rows.emplace_back();
    for (uint32_t j = 0; j < 5; ++j)
      if (i != j) complete.rows.back().emplace_back(j, 0.25);
  }
  EXPECT_NEAR(FindSpectralGap(complete)->second, 0.25, 1e-6);
  // Loops in 90 % of the steps leave a tenth of the gap of the lazy cycle.
  EXPECT_NEAR(FindSpectralGap(Cycle(12, 0.95))->gap /
                  FindSpectralGap(Cycle(12, 0.5))->gap,
              0.1, 0.001);
}

TEST(SpectralGap, TwoStatesTwoPartsAndRefusals) {
  // Eigenvalues 1 and 1 - a - b; stationary b / (a + b), a / (a + b).
  const SpectralGap two =
      *FindSpectralGap({{{{0, 0.9}, {1, 0.1}}, {{0, 0.3}, {1, 0.7}}}});
  EXPECT_NEAR(two.second, 0.6, 1e-6);
  EXPECT_NEAR(two.stationary[0], 0.75, 1e-8);
  // Two chains side by side never meet.
  EXPECT_NEAR(FindSpectralGap({{{{0, 1.0}}, {{1, 1.0}}}})->gap, 0, 1e-9);
  EXPECT_EQ(FindSpectralGap({{{{0, 1.0}}}})->gap, 1);
  // A rotation: complex eigenvalues of modulus 1.
  EXPECT_NEAR(FindSpectralGap({{{{1, 1.0}}, {{2, 1.0}}, {{0, 1.0}}}})->gap, 0,
              1e-9);
  EXPECT_FALSE(FindSpectralGap({}));
  EXPECT_FALSE(FindSpectralGap({{{{0, 0.5}}}}));
  EXPECT_FALSE(FindSpectralGap({{{{1, 1.0}}}}));
}

}  // namespace
}  // namespace twinset
