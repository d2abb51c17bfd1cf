// Corpus sizes, ratios and repeated captures: known numbers, biases and
// intervals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/hash.h"
#include "estimate/capture_recapture.h"
#include "estimate/corpus_size.h"
#include "estimate/coverage_testing.h"
#include "estimate/ratios.h"
#include "estimate/skewed_total.h"
#include "estimate/special_functions.h"

namespace twinset {
namespace {

constexpr BootstrapOptions kNoBootstrap = {
    .seed = 1, .replicas = 0, .block = 1};

std::vector<PoolQuery> Queries(
    const std::vector<std::vector<uint64_t>>& degrees) {
  std::vector<PoolQuery> queries;
  for (const auto& one : degrees) queries.push_back(*SumDegrees(one, {}));
  return queries;
}

// Results {1, 2}, {2, 3}, {3}, {}: sums 1.5, 1, .5, 0; times 4 the mean is 3.
TEST(PoolCoveredSize, KnownValue) {
  const auto queries = Queries({{1, 2}, {2, 2}, {2}, {}});
  EXPECT_EQ(queries[0].sum, 1.5);
  EXPECT_EQ(queries[1].sum, 1);
  EXPECT_EQ(queries[2].sum, .5);
  EXPECT_EQ(queries[3].sum, 0);
  const CorpusSize size = *PoolCoveredSize(queries, 4);
  EXPECT_EQ(size.estimate.value, 3);
  EXPECT_EQ(size.queries, 4u);
  EXPECT_TRUE(size.estimate.interval.Contains(3));
  EXPECT_TRUE(size.bootstrap.Contains(3));
}

TEST(PoolCoveredSize, Refusals) {
  EXPECT_FALSE(SumDegrees(std::vector<uint64_t>{1, 0}, {}));
  EXPECT_FALSE(SumDegrees(std::vector<uint64_t>{1, 2}, {true}));
  EXPECT_FALSE(PoolCoveredSize(Queries({{1}}), 4));
  EXPECT_FALSE(PoolCoveredSize(std::vector<PoolQuery>{{-1}, {1}}, 4));
  EXPECT_FALSE(SizeByUniformSample(Queries({{1}, {1}}), 4, {0, 10}));
  EXPECT_FALSE(SizeByUniformSample(Queries({{}, {}}), 4, {5, 10}));
  // Queries of A that do not say what is in B; no document in both.
  EXPECT_FALSE(SizeByTwoPools(Queries({{1}, {1}}), 4, Queries({{1}, {1}}), 4));
  EXPECT_FALSE(SizeByTwoPools(std::vector<PoolQuery>{{1, 0}, {1, 0}}, 4,
                              Queries({{1}, {1}}), 4));
}

// A corpus in which query q of a pool matches documents by chance.
struct Corpus {
  Corpus(int documents, int pool, double match_a, double match_b, double bond,
         uint64_t seed)
      : a(pool), b(pool) {
    SplitMix64 random(seed);
    const double p = 1.0 / pool;
    for (int d = 0; d < documents; ++d) {
      const bool in_a = UniformDraw(&random) < match_a;
      const double chance = in_a ? std::min(1.0, match_b * bond) : match_b;
      const bool in_b = UniformDraw(&random) < chance;
      covered += in_a;
      Add(in_a, in_b, p, &a, &random);
      Add(in_b, in_a, p, &b, &random);
    }
  }
  // The document matches a query for sure, and others by chance.
  static void Add(bool in, bool in_other, double p,
                  std::vector<PoolQuery>* pool, SplitMix64* random) {
    if (!in) return;
    std::vector<uint64_t> matched = {random->Below(pool->size())};
    for (uint64_t q = 0; q < pool->size(); ++q)
      if (q != matched[0] && UniformDraw(random) < p) matched.push_back(q);
    for (const uint64_t q : matched) {
      PoolQuery& query = (*pool)[q];
      if (query.both < 0) query.both = 0;
      query.sum += 1 / static_cast<double>(matched.size());
      if (in_other) query.both += 1 / static_cast<double>(matched.size());
    }
  }
  std::vector<PoolQuery> Draw(const std::vector<PoolQuery>& pool, int count,
                              SplitMix64* random) const {
    std::vector<PoolQuery> drawn;
    for (int i = 0; i < count; ++i) {
      drawn.push_back(pool[random->Below(pool.size())]);
      drawn.back().both = std::max(drawn.back().both, 0.0);
    }
    return drawn;
  }
  std::vector<PoolQuery> a, b;
  double covered = 0;
};

TEST(CorpusSize, IntervalsOfAllFormsCover) {
  constexpr int kDocuments = 2000, kPool = 200;
  const Corpus corpus(kDocuments, kPool, 0.6, 0.5, 1, 7);
  SplitMix64 random(8);
  const BinomialDraw matched(300, corpus.covered / kDocuments);
  uint64_t basic = 0, uniform = 0, two = 0;
  double sum = 0;
  for (uint64_t run = 0; run < kCoverageRuns; ++run) {
    const auto a = corpus.Draw(corpus.a, 100, &random);
    const auto b = corpus.Draw(corpus.b, 100, &random);
    const CorpusSize size = *PoolCoveredSize(a, kPool, kNoBootstrap);
    basic += size.estimate.interval.Contains(corpus.covered);
    sum += size.estimate.value;
    uniform += SizeByUniformSample(a, kPool, {matched(&random), 300})
                   ->estimate.interval.Contains(kDocuments);
    // It is that of this one corpus, whose overlap is not exactly that of
    // independence.
    const double expected = [&] {
      double in_a = 0, in_b = 0, both = 0;
      for (const PoolQuery& q : corpus.a)
        in_a += q.sum, both += std::max(q.both, 0.0);
      for (const PoolQuery& q : corpus.b) in_b += q.sum;
      return in_a * in_b / both;
    }();
    EXPECT_NEAR(expected / kDocuments, 1, 0.05);
    two += SizeByTwoPools(a, kPool, b, kPool, kNoBootstrap)
               ->all.estimate.interval.Contains(expected);
  }
  ExpectCovers(basic, 0.94);
  ExpectCovers(uniform, 0.94);
  ExpectCovers(two, 0.94);
  EXPECT_NEAR(sum / static_cast<double>(kCoverageRuns) / corpus.covered, 1,
              0.01);
}

// What matches one pool matches the other one and a half times as often.
TEST(CorpusSize, DependentPoolsUnderestimate) {
  const Corpus corpus(2000, 200, 0.5, 0.5, 1.5, 9);
  const TwoPools pools =
      *SizeByTwoPools(corpus.a, 200, corpus.b, 200, kNoBootstrap);
  EXPECT_LT(pools.all.estimate.value, 0.9 * 2000);
  EXPECT_LT(pools.all.estimate.interval.high, 2000);
}

TEST(Schnabel, ByHand) {
  // M before: 0, 10, 19; C M: 0, 120, 171; R 0, 3, 4.
  const std::vector<Occasion> occasions = {{10, 0}, {12, 3}, {9, 4}};
  const SchnabelEstimate estimate = *Schnabel(occasions);
  EXPECT_NEAR(estimate.size, 291.0 / 7, 1e-12);
  EXPECT_NEAR(estimate.chapman, 291.0 / 8, 1e-12);
  EXPECT_EQ(estimate.marked, 24u);
  EXPECT_EQ(estimate.recaptured, 7u);
  // Garwood's limits of a count of 7: 2.814 and 14.423.
  EXPECT_NEAR(PoissonInterval(7).low, 2.814, 0.001);
  EXPECT_NEAR(PoissonInterval(7).high, 14.423, 0.001);
  EXPECT_EQ(PoissonInterval(0).low, 0);
  EXPECT_NEAR(PoissonInterval(0).high, 3.689, 0.001);
  EXPECT_EQ(estimate.interval.low, 24);  // seen; the limit alone is 20.2
  EXPECT_NEAR(estimate.interval.high, 291 / 2.814, 0.05);
  // Two captures are Lincoln and Petersen's.
  EXPECT_DOUBLE_EQ(Schnabel(std::vector<Occasion>{{100, 0}, {100, 20}})->size,
                   *LincolnPetersen({100, 100, 20}));
}

TEST(Schnabel, Refusals) {
  EXPECT_FALSE(Schnabel(std::vector<Occasion>{{10, 0}}));
  EXPECT_FALSE(Schnabel(std::vector<Occasion>{{10, 1}, {10, 1}}));
  EXPECT_FALSE(Schnabel(std::vector<Occasion>{{10, 0}, {5, 6}}));
  EXPECT_FALSE(Schnabel(std::vector<Occasion>{{10, 0}, {20, 11}}));
  EXPECT_FALSE(Schnabel(std::vector<Occasion>{{10, 0}, {20, 0}}));
}

TEST(Schnabel, IntervalsCover) {
  SplitMix64 random(10);
  uint64_t covered = 0;
  for (uint64_t run = 0; run < kCoverageRuns; ++run) {
    std::vector<bool> seen(1000);
    std::vector<Occasion> occasions;
    for (int t = 0; t < 5; ++t) {
      Occasion occasion;
      for (size_t i = 0; i < seen.size(); ++i) {
        if (UniformDraw(&random) >= 0.08) continue;
        ++occasion.caught;
        occasion.recaptured += seen[i];
        seen[i] = true;
      }
      occasions.push_back(occasion);
    }
    covered += Schnabel(occasions)->interval.Contains(1000);
  }
  ExpectCovers(covered);
}

TEST(Ratios, ByHandWithZerosCounted) {
  const std::vector<RatioPair> pairs = {{1, 2}, {0, 3}, {5, 0}, {4, 4}, {0, 0}};
  const Ratios ratios = *FindRatios(pairs);
  EXPECT_DOUBLE_EQ(ratios.of_sums.estimate.value, 10.0 / 9);
  EXPECT_DOUBLE_EQ(ratios.mean.estimate.value, 0.5);
  EXPECT_DOUBLE_EQ(ratios.harmonic.estimate.value, 1 / 1.5);
  EXPECT_EQ(ratios.mean.used, 3u);
  EXPECT_EQ(ratios.harmonic.used, 2u);
  EXPECT_EQ(ratios.zero_x, 1u);
  EXPECT_EQ(ratios.zero_y, 1u);
  EXPECT_EQ(ratios.zero_both, 1u);
  EXPECT_FALSE(FindRatios(std::vector<RatioPair>{{1, 2}}));
  EXPECT_FALSE(FindRatios(std::vector<RatioPair>{{1, 0}, {2, 0}}));
  EXPECT_FALSE(FindRatios(std::vector<RatioPair>{{1, -1}, {2, 1}}));
}

// Engine X has twice the pages of Y on rare subjects and as many on common
// ones, which have most of the pages: only the ratio of sums is that of all
// pages.
TEST(Ratios, OnlyTheRatioOfSumsIsThatOfTheTotals) {
  SplitMix64 random(11);
  // Pages that match: a power law from 2 on; from 20 on the subject is common.
  const auto matching = [&] {
    const double u = 1 - UniformDraw(&random);
    return static_cast<uint64_t>(std::min(2 / u, 600.0));
  };
  double all_x = 0, all_y = 0;
  for (int q = 0; q < 200000; ++q) {
    const uint64_t pages = matching();
    all_x += 0.6 * static_cast<double>(pages);
    all_y += (pages < 20 ? 0.3 : 0.6) * static_cast<double>(pages);
  }
  const double truth = all_x / all_y;
  EXPECT_NEAR(truth, 1.2, 0.05);
  uint64_t sums = 0, means = 0, harmonics = 0, dropped = 0;
  for (uint64_t run = 0; run < kCoverageRuns; ++run) {
    std::vector<RatioPair> pairs;
    for (int q = 0; q < 500; ++q) {
      const uint64_t pages = matching();
      const BinomialDraw x(pages, 0.6), y(pages, pages < 20 ? 0.3 : 0.6);
      pairs.push_back(
          {static_cast<double>(x(&random)), static_cast<double>(y(&random))});
    }
    const Ratios ratios = *FindRatios(pairs);
    dropped += ratios.zero_x + ratios.zero_y;
    sums += ratios.of_sums.estimate.interval.Contains(truth);
    means += ratios.mean.estimate.interval.Contains(truth);
    harmonics += ratios.harmonic.estimate.interval.Contains(truth);
  }
  EXPECT_GT(dropped, 100 * kCoverageRuns);
  ExpectCovers(sums, 0.94);
  EXPECT_LT(means, kCoverageRuns / 20);
  ExpectDoesNotCover(harmonics);
}

std::vector<double> RandomValues(SplitMix64* random, size_t count) {
  std::vector<double> values(count);
  for (double& value : values)
    value = static_cast<double>(random->Below(4) == 0 ? random->Below(5000)
                                                      : random->Below(3));
  return values;
}

// The draws themselves, zeros and repeats written out.
std::vector<double> Drawn(std::vector<double> values, uint64_t draws,
                          int again) {
  const double largest =
      values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  values.resize(draws);
  for (int i = 0; i < again; ++i) values.push_back(largest);
  return values;
}

TEST(SkewedTotal, IsTheMeanOfAllDraws) {
  SplitMix64 random(1);
  for (int round = 0; round < 500; ++round) {
    const auto values = RandomValues(&random, random.Below(30));
    const uint64_t draws =
        std::max<uint64_t>(2, values.size() + random.Below(30));
    for (const int again : {0, 2}) {
      // The largest counts more often; there are no more draws for it.
      double sum = 0, squares = 0;
      const auto all = Drawn(values, draws, again);
      for (const double value : all) sum += value;
      const auto n = static_cast<double>(draws);
      const double mean = sum / n;
      for (const double value : all) squares += (value - mean) * (value - mean);
      const MeanOfDraws found = FindMeanOfDraws(values, draws, again);
      EXPECT_NEAR(found.value, mean, 1e-9 * mean);
      if (sum > 0) {
        EXPECT_NEAR(found.log_variance, squares / (n - 1) / n / (mean * mean),
                    1e-9 * found.log_variance);
      } else {
        EXPECT_EQ(found.log_variance, 0);
      }
    }
  }
}

TEST(SkewedTotal, TheIntervalIsThatOfTheLogarithm) {
  SplitMix64 random(2);
  for (int round = 0; round < 200; ++round) {
    auto values = RandomValues(&random, 1 + random.Below(20));
    values[0] = 7;
    const uint64_t draws = 20 + random.Below(20);
    const double other = 0.01 * static_cast<double>(random.Below(3));
    const Estimated total = SkewedTotal(100, values, draws, other);
    const MeanOfDraws mean = FindMeanOfDraws(values, draws, 0);
    EXPECT_NEAR(total.value, 100 * mean.value, 1e-9 * total.value);
    EXPECT_LE(total.interval.low, total.value);
    EXPECT_GE(total.interval.high, total.value);
    const auto positive = static_cast<uint64_t>(std::count_if(
        values.begin(), values.end(), [](double v) { return v > 0; }));
    const double t = StudentQuantile95(std::max<uint64_t>(2, positive) - 1);
    EXPECT_NEAR(std::log(total.value / total.interval.low),
                t * std::sqrt(mean.log_variance + other), 1e-9);
    const MeanOfDraws more = FindMeanOfDraws(values, draws, kDrawnAgain);
    EXPECT_NEAR(std::log(total.interval.high / (100 * more.value)),
                t * std::sqrt(more.log_variance + other), 1e-9);
    // More doubt from elsewhere, or fewer terms: never a shorter interval.
    const Estimated wider = SkewedTotal(100, values, draws, other + 0.5);
    EXPECT_LT(wider.interval.low, total.interval.low);
    EXPECT_GT(wider.interval.high, total.interval.high);
    const Estimated fewer = SkewedTotalOfTerms(100, values, draws, other, 2);
    EXPECT_LE(fewer.interval.low, total.interval.low);
    EXPECT_GE(fewer.interval.high, total.interval.high);
  }
}

TEST(SkewedTotal, OfNothingAnythingMayBe) {
  for (const std::vector<double>& values :
       {std::vector<double>{}, std::vector<double>{0, 0, 0}}) {
    const Estimated total = SkewedTotal(10, values, 50);
    EXPECT_EQ(total.value, 0);
    EXPECT_EQ(total.interval.low, 0);
    EXPECT_EQ(total.interval.high, std::numeric_limits<double>::infinity());
  }
}

}  // namespace
}  // namespace twinset
