// Intervals and capture-recapture against published numbers and against what
// they promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "base/hash.h"
#include "base/math/round_to.h"
#include "estimate/capture_recapture.h"
#include "estimate/grouped_share.h"
#include "estimate/intervals.h"

namespace twinset {
namespace {

// The manual check of a thesis on near-duplicates of ClueWeb: 100 pairs a
// setting, of which 63, 84 and 95 were near-duplicates.
TEST(WilsonInterval, KnownValues) {
  const auto expect = [](uint64_t successes, double low, double high) {
    const Interval interval = WilsonInterval(successes, 100);
    EXPECT_NEAR(interval.low, low, 0.0005) << successes;
    EXPECT_NEAR(interval.high, high, 0.0005) << successes;
  };
  expect(63, 0.532, 0.718);
  expect(84, 0.756, 0.899);
  expect(95, 0.888, 0.978);
}

TEST(WilsonInterval, EndsAndEmpty) {
  EXPECT_EQ(WilsonInterval(0, 0), (Interval{0, 1}));
  const Interval none = WilsonInterval(0, 10), all = WilsonInterval(10, 10);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.2775, 0.0001);
  EXPECT_EQ(all.high, 1);
  EXPECT_NEAR(all.low, 1 - none.high, 1e-12);
}

// The ends solve (p - q)^2 = z^2 q (1 - q) / n for q.
TEST(WilsonInterval, EndsSolveTheScoreEquation) {
  for (const uint64_t trials : {1u, 7u, 100u, 100000u}) {
    for (uint64_t successes = 0; successes <= trials;
         successes += std::max<uint64_t>(1, trials / 9)) {
      const Interval interval = WilsonInterval(successes, trials);
      const double n = static_cast<double>(trials);
      const double p = static_cast<double>(successes) / n;
      EXPECT_TRUE(interval.Contains(p));
      for (const double q : {interval.low, interval.high}) {
        if (q == 0 || q == 1) continue;
        EXPECT_NEAR((p - q) * (p - q), kZ95 * kZ95 * q * (1 - q) / n, 1e-12);
      }
    }
  }
}

TEST(WilsonInterval, CoversInSimulation) {
  SplitMix64 random(1);
  for (const double p : {0.02, 0.3, 0.9}) {
    int covered = 0;
    constexpr int kRuns = 2000;
    for (int run = 0; run < kRuns; ++run) {
      uint64_t successes = 0;
      for (int i = 0; i < 200; ++i) {
        successes += static_cast<double>(random.Next() >> 11) * 0x1p-53 < p;
      }
      covered += WilsonInterval(successes, 200).Contains(p);
    }
    EXPECT_GE(covered, kRuns * 0.925) << p;
    EXPECT_LE(covered, kRuns * 0.99) << p;
  }
}

TEST(F1, IsTheHarmonicMean) {
  EXPECT_EQ(F1Score(0, 0, 0), 0);
  EXPECT_EQ(F1Score(5, 5, 5), 1);
  const double precision = 30.0 / 40, recall = 30.0 / 60;
  EXPECT_NEAR(F1Score(30, 40, 60),
              2 * precision * recall / (precision + recall), 1e-15);
  const Interval q = WilsonInterval(30, 70);
  const Interval interval = F1OfOverlap(q);
  EXPECT_TRUE(interval.Contains(0.6));
  EXPECT_DOUBLE_EQ(interval.low, 2 * q.low / (1 + q.low));
}

TEST(RoundTo, HalfAwayFromZero) {
  EXPECT_EQ(RoundTo(0.1234565, 6), 0.123457);
  EXPECT_EQ(RoundTo(-2.5, 0), -3);
  EXPECT_EQ(RoundTo(484.7619047, 3), 484.762);
  EXPECT_EQ(RoundTo(0, 4), 0);
}

TEST(Chapman, KnownValues) {
  EXPECT_DOUBLE_EQ(*LincolnPetersen({100, 100, 20}), 500);
  const SizeEstimate estimate = *Chapman({100, 100, 20});
  EXPECT_NEAR(estimate.size, 484.762, 0.0005);
  EXPECT_NEAR(estimate.variance, 6729.17, 0.005);
  EXPECT_NEAR(estimate.standard_error, 82.03, 0.005);
  EXPECT_EQ(estimate.interval, (Interval{360, 762}));
}

TEST(Chapman, BadAndExtreme) {
  EXPECT_FALSE(LincolnPetersen({10, 10, 0}));
  EXPECT_FALSE(LincolnPetersen({10, 5, 6}));
  const auto refused = Chapman({10, 5, 6});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_FALSE(refused.error().remedy.empty());
  EXPECT_DOUBLE_EQ(Chapman({10, 10, 0})->size, 120);
  // What both caught completely has no doubt left.
  EXPECT_DOUBLE_EQ(Chapman({7, 7, 7})->size, 7);
  EXPECT_EQ(Chapman({7, 7, 7})->variance, 0);
  EXPECT_EQ(Chapman({7, 7, 7})->interval.low, 7);
  EXPECT_EQ(Chapman({0, 0, 0})->size, 0);
  const SizeEstimate huge = *Chapman({1ull << 40, 1ull << 40, 1ull << 39});
  EXPECT_NEAR(huge.size / static_cast<double>(1ull << 41), 1, 1e-9);
}

double Uniform(SplitMix64* random) {
  return static_cast<double>(random->Next() >> 11) * 0x1p-53;
}

// The law by counting: of `size`, n1 marked, n2 drawn, how often m are marked.
double Hypergeometric(int size, int n1, int n2, int m) {
  const auto choose = [](int n, int k) {
    if (k < 0 || k > n) return 0.0;
    double product = 1;
    for (int i = 1; i <= k; ++i) product *= static_cast<double>(n - k + i) / i;
    return product;
  };
  return choose(n1, m) * choose(size - n1, n2 - m) / choose(size, n2);
}

TEST(Chapman, IntervalsHoldWhatFitsAndNothingBelowWhatWasSeen) {
  for (const auto& [a, b, m] :
       {std::tuple{12, 9, 3}, {12, 9, 9}, {5, 20, 1}, {8, 8, 7}, {6, 7, 0}}) {
    SCOPED_TRACE(std::to_string(a) + " " + std::to_string(b) + " " +
                 std::to_string(m));
    const SizeEstimate estimate =
        *Chapman({static_cast<uint64_t>(a), static_cast<uint64_t>(b),
                  static_cast<uint64_t>(m)});
    EXPECT_GE(estimate.interval.low, a + b - m);
    EXPECT_EQ(std::isinf(estimate.interval.high), m == 0);
    for (int size = a + b - m; size < 400; ++size) {
      double few = 0, many = 0;
      for (int k = 0; k <= std::min(a, b); ++k) {
        const double p = Hypergeometric(size, a, b, k);
        if (k <= m) few += p;
        if (k >= m) many += p;
      }
      EXPECT_EQ(estimate.interval.Contains(size), few > 0.025 && many > 0.025)
          << size;
    }
  }
}

TEST(Chapman, IntervalsOfFewMeetingsCover) {
  SplitMix64 random(17);
  for (const auto& [size, p, q] :
       {std::tuple{50, .1, .1}, {200, .05, .1}, {50, .95, .9}}) {
    uint64_t covered = 0;
    for (int run = 0; run < 400; ++run) {
      Captures captures;
      for (int i = 0; i < size; ++i) {
        const bool one = Uniform(&random) < p, two = Uniform(&random) < q;
        captures.n1 += one;
        captures.n2 += two;
        captures.m += one && two;
      }
      covered += Chapman(captures)->interval.Contains(size);
    }
    EXPECT_GE(covered, 372u) << size << " " << p;
  }
}

TEST(Chapman, CoversInSimulation) {
  SplitMix64 random(7);
  constexpr int kRuns = 2000, kSize = 1000;
  int covered = 0;
  double sum = 0;
  for (int run = 0; run < kRuns; ++run) {
    Captures captures;
    for (int i = 0; i < kSize; ++i) {
      const bool one = Uniform(&random) < 0.4, two = Uniform(&random) < 0.5;
      captures.n1 += one;
      captures.n2 += two;
      captures.m += one && two;
    }
    const SizeEstimate estimate = *Chapman(captures);
    covered += estimate.interval.Contains(kSize);
    sum += estimate.size;
  }
  EXPECT_GE(covered, kRuns * 0.93);
  // Standard error of the mean: about 40 / sqrt(2000) = 0.9.
  EXPECT_NEAR(sum / kRuns, kSize, 4);
}

// Half of the population is easy for both captures and half is hard for both:
// the plain estimate is too small, the stratified one is not.
TEST(StratifiedChapman, UndoesTheDependenceOfTheStrata) {
  SplitMix64 random(11);
  constexpr int kRuns = 400, kSize = 2000;
  int plain_covered = 0, covered = 0;
  double plain_sum = 0, sum = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<Captures> strata(2);
    for (int i = 0; i < kSize; ++i) {
      const size_t stratum = static_cast<size_t>(i % 2);
      const double p = stratum == 0 ? 0.9 : 0.3;
      const bool one = Uniform(&random) < p, two = Uniform(&random) < p;
      strata[stratum].n1 += one;
      strata[stratum].n2 += two;
      strata[stratum].m += one && two;
    }
    const SizeEstimate plain =
        *Chapman({strata[0].n1 + strata[1].n1, strata[0].n2 + strata[1].n2,
                  strata[0].m + strata[1].m});
    const SizeEstimate stratified = *StratifiedChapman(strata);
    plain_covered += plain.interval.Contains(kSize);
    covered += stratified.interval.Contains(kSize);
    plain_sum += plain.size;
    sum += stratified.size;
  }
  EXPECT_LT(plain_sum / kRuns, 0.9 * kSize);
  EXPECT_LT(plain_covered, kRuns / 100);
  EXPECT_NEAR(sum / kRuns, kSize, 0.01 * kSize);
  EXPECT_GE(covered, kRuns * 0.92);
}

TEST(JoinSmallStrata, EachHasEnough) {
  const std::vector<Captures> strata = {{1, 2, 0},   {9, 9, 3}, {5, 6, 4},
                                        {20, 20, 8}, {3, 3, 0}, {8, 9, 7}};
  const auto joined = JoinSmallStrata(strata, 7);
  ASSERT_EQ(joined.size(), 3u);
  EXPECT_EQ(joined[0].m, 7u);
  EXPECT_EQ(joined[1].n1, 23u);
  EXPECT_EQ(joined[2].n2, 17u);
  EXPECT_EQ(joined[2].m, 7u);
  ASSERT_EQ(JoinSmallStrata(strata, 100).size(), 1u);
  EXPECT_EQ(JoinSmallStrata(strata, 100)[0].m, 22u);
  EXPECT_EQ(JoinSmallStrata({}).size(), 1u);
}

// Many strata with few individuals each: joined, the estimate holds.
TEST(JoinSmallStrata, SavesTheEstimateOfSmallStrata) {
  SplitMix64 random(13);
  constexpr int kRuns = 300, kSize = 600, kStrata = 60;
  double apart_sum = 0, sum = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<Captures> strata(kStrata);
    for (int i = 0; i < kSize; ++i) {
      Captures& stratum = strata[static_cast<size_t>(i % kStrata)];
      const bool one = Uniform(&random) < 0.28, two = Uniform(&random) < 0.28;
      stratum.n1 += one;
      stratum.n2 += two;
      stratum.m += one && two;
    }
    apart_sum += StratifiedChapman(strata)->size;
    sum += StratifiedChapman(JoinSmallStrata(strata))->size;
  }
  EXPECT_LT(apart_sum / kRuns, 0.85 * kSize);
  EXPECT_NEAR(sum / kRuns, kSize, 0.05 * kSize);
}

}  // namespace
TEST(GroupedTrials, CountAsManyAsTheirGroups) {
  GroupedTrials alone, equal, two;
  for (int i = 0; i < 40; ++i) alone.Add(1, i % 4 != 0);
  for (int i = 0; i < 40; ++i) equal.Add(10, i % 4 != 0 ? 10 : 0);
  EXPECT_EQ(*alone.Share95(), WilsonInterval(30, 40));
  // Whole groups are one trial each.
  EXPECT_EQ(equal.worth(), 40);
  EXPECT_NEAR(equal.EffectiveTrials(), 39, 1);
  // Those that agree no more than by chance count in full.
  GroupedTrials mixed;
  for (int i = 0; i < 400; ++i) mixed.Add(4, static_cast<uint64_t>(i) % 5);
  EXPECT_GT(mixed.EffectiveTrials(), 4 * 400 * 0.3);
  EXPECT_LT(mixed.EffectiveTrials(), 4 * 400);
  // One group of most trials, and none.
  two.Add(100, 90);
  for (int i = 0; i < 20; ++i) two.Add(1, 1);
  EXPECT_FALSE(two.Share95());
  EXPECT_EQ(*GroupedTrials().Share95(), (Interval{0, 1}));
  // All or nothing says nothing of how groups vary: each counts once.
  GroupedTrials all;
  for (int i = 0; i < 20; ++i) all.Add(10, 10);
  EXPECT_EQ(all.EffectiveTrials(), 20);
}

}  // namespace twinset
