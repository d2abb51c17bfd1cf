// Shares of strata and agreement of judges: goldens, references, coverage.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/math/round_to.h"
#include "estimate/agreement.h"
#include "estimate/stratified_share.h"

namespace twinset {
namespace {

// 100 pairs of each of three settings judged by hand.
TEST(StratifiedShare, OneStratumIsWilsons) {
  struct Golden {
    uint64_t yes;
    double low, high;
  };
  for (const auto& [yes, low, high] :
       {Golden{63, .532, .718}, Golden{84, .756, .899},
        Golden{95, .888, .978}}) {
    const std::array<Stratum, 1> strata = {Stratum{5000, yes, 100}};
    const StratifiedShare found = StratifiedWilson(strata);
    EXPECT_EQ(found.share, static_cast<double>(yes) / 100);
    EXPECT_EQ(RoundTo(found.interval.low, 3), low);
    EXPECT_EQ(RoundTo(found.interval.high, 3), high);
    EXPECT_EQ(found.interval, WilsonInterval(yes, 100));
  }
}

TEST(StratifiedShare, WeighsBySize) {
  const std::array<Stratum, 2> strata = {Stratum{900, 5, 10},
                                         Stratum{100, 10, 10}};
  const StratifiedShare found = StratifiedWilson(strata);
  EXPECT_DOUBLE_EQ(found.share, .55);
  EXPECT_EQ(found.covered, 1);
  EXPECT_TRUE(found.interval.Contains(.55));
}

TEST(StratifiedShare, StrataNobodyLookedAtMayHaveAnyShare) {
  const std::array<Stratum, 2> strata = {Stratum{60, 9, 10}, Stratum{40, 0, 0}};
  const StratifiedShare found = StratifiedWilson(strata);
  const Interval own = WilsonInterval(9, 10);
  EXPECT_DOUBLE_EQ(found.share, .9);
  EXPECT_DOUBLE_EQ(found.covered, .6);
  EXPECT_DOUBLE_EQ(found.interval.low, .6 * own.low);
  EXPECT_DOUBLE_EQ(found.interval.high, .6 * own.high + .4);
  EXPECT_EQ(StratifiedWilson({}).interval, (Interval{0, 1}));
}

// Chances of 0 to n successes.
std::vector<double> BinomialChances(uint64_t n, double share) {
  std::vector<double> chances = {1};
  for (uint64_t i = 0; i < n; ++i) {
    std::vector<double> next(chances.size() + 1);
    for (size_t k = 0; k < chances.size(); ++k) {
      next[k] += chances[k] * (1 - share);
      next[k + 1] += chances[k] * share;
    }
    chances = std::move(next);
  }
  return chances;
}

// The chance that the interval holds the truth, over all outcomes.
double CoverageOf(const std::array<double, 3>& weights,
                  const std::array<double, 3>& truths, uint64_t n) {
  double truth = 0;
  std::array<std::vector<double>, 3> chances;
  for (size_t h = 0; h < 3; ++h) {
    truth += weights[h] * truths[h];
    chances[h] = BinomialChances(n, truths[h]);
  }
  double covered = 0;
  std::array<Stratum, 3> strata;
  for (size_t h = 0; h < 3; ++h) strata[h] = {weights[h], 0, n};
  for (uint64_t i = 0; i <= n; ++i)
    for (uint64_t j = 0; j <= n; ++j)
      for (uint64_t k = 0; k <= n; ++k) {
        strata[0].successes = i;
        strata[1].successes = j;
        strata[2].successes = k;
        const Interval interval = StratifiedWilson(strata).interval;
        if (interval.low <= truth && truth <= interval.high)
          covered += chances[0][i] * chances[1][j] * chances[2][k];
      }
  return covered;
}

TEST(StratifiedShare, CoversWhatItSays) {
  double sum = 0;
  const std::pair<std::array<double, 3>, std::array<double, 3>> designs[] = {
      {{.7, .2, .1}, {.6, .9, .99}},    {{.3, .3, .4}, {.6, .9, .99}},
      {{.1, .2, .7}, {.3, .9, .98}},    {{.34, .33, .33}, {.5, .8, .95}},
      {{.5, .3, .2}, {.9, .95, .99}},   {{.2, .3, .5}, {.1, .5, .9}},
      {{.25, .5, .25}, {.02, .98, .5}},
  };
  for (const auto& [weights, truths] : designs) {
    const double coverage = CoverageOf(weights, truths, 20);
    EXPECT_GT(coverage, .93) << weights[0];
    EXPECT_LT(coverage, .99) << weights[0];
    sum += coverage / static_cast<double>(std::size(designs));
  }
  EXPECT_GT(sum, .945);
  EXPECT_LT(sum, .965);
}

TEST(Agreement, KnownTable) {
  const std::array<uint64_t, 4> table = {20, 5, 10, 15};
  const JudgeAgreement found = AgreementOf(table, 2);
  EXPECT_EQ(found.items, 50u);
  EXPECT_DOUBLE_EQ(found.observed, .7);
  EXPECT_DOUBLE_EQ(found.expected, .5);
  ASSERT_TRUE(found.kappa);
  EXPECT_NEAR(found.kappa->value, .4, 1e-12);
  EXPECT_NEAR(found.kappa->standard_error, .126996, 1e-6);
}

double KappaOf(std::span<const double> cells, size_t categories) {
  double all = 0, same = 0, chance = 0;
  for (const double cell : cells) all += cell;
  for (size_t i = 0; i < categories; ++i) {
    double row = 0, column = 0;
    for (size_t j = 0; j < categories; ++j) {
      row += cells[i * categories + j] / all;
      column += cells[j * categories + i] / all;
    }
    same += cells[i * categories + i] / all;
    chance += row * column;
  }
  return (same - chance) / (1 - chance);
}

// The standard error by the delta method, with derivatives from differences.
TEST(Agreement, StandardErrorIsThatOfTheDeltaMethod) {
  SplitMix64 random(3);
  for (int round = 0; round < 50; ++round) {
    std::array<uint64_t, 9> table;
    double n = 0;
    for (uint64_t& cell : table)
      n += static_cast<double>(cell = 1 + random.Below(20));
    std::array<double, 9> shares;
    for (size_t i = 0; i < 9; ++i)
      shares[i] = static_cast<double>(table[i]) / n;
    const double kappa = KappaOf(shares, 3);
    double mean = 0, square = 0;
    for (size_t i = 0; i < 9; ++i) {
      auto moved = shares;
      moved[i] += 1e-6;
      const double slope = (KappaOf(moved, 3) - kappa) / 1e-6;
      mean += shares[i] * slope;
      square += shares[i] * slope * slope;
    }
    const JudgeAgreement found = AgreementOf(table, 3);
    ASSERT_TRUE(found.kappa);
    EXPECT_NEAR(found.kappa->value, kappa, 1e-9);
    EXPECT_NEAR(found.kappa->standard_error,
                std::sqrt((square - mean * mean) / n), 1e-4);
  }
}

TEST(Agreement, ChanceAloneGivesNoKappa) {
  EXPECT_FALSE(AgreementOf(std::array<uint64_t, 4>{}, 2).kappa);
  EXPECT_FALSE(AgreementOf(std::array<uint64_t, 4>{9, 0, 0, 0}, 2).kappa);
  EXPECT_EQ(AgreementOf(std::array<uint64_t, 4>{5, 0, 0, 5}, 2).kappa->value,
            1);
}

}  // namespace
}  // namespace twinset
