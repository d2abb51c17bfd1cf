// Relative sizes against published numbers, exact sets and what their intervals
// promise.
#include "estimate/relative_size.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "estimate/coverage_testing.h"

namespace twinset {
namespace {

// A sample of pages of A is found in B with 1/2, one of B in A with 1/6.
TEST(RelativeSizeOfTwo, KnownValue) {
  const Estimated ratio = *RelativeSizeOfTwo({30, 60}, {10, 60});
  EXPECT_NEAR(ratio.value, 1.0 / 3, 1e-15);
  const double error = std::sqrt(0.5 / 30 + (5.0 / 6) / 10);
  EXPECT_NEAR(ratio.standard_error, ratio.value * error, 1e-12);
  EXPECT_NEAR(ratio.interval.low, ratio.value * std::exp(-kZ95 * error), 1e-12);
  EXPECT_NEAR(ratio.interval.high, ratio.value * std::exp(kZ95 * error), 1e-12);
}

TEST(RelativeSizeOfTwo, ZeroOverlapIsRefused) {
  for (const auto& [a, b] :
       std::vector<std::pair<Found, Found>>{{{0, 10}, {0, 10}},
                                            {{0, 10}, {5, 10}},
                                            {{5, 10}, {0, 10}},
                                            {{0, 0}, {5, 10}},
                                            {{11, 10}, {5, 10}}}) {
    const auto refused = RelativeSizeOfTwo(a, b);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
    EXPECT_FALSE(refused.error().remedy.empty());
  }
  EXPECT_EQ(RelativeSizeOfTwo({10, 10}, {10, 10})->standard_error, 0);
}

TEST(RelativeSizeOfTwo, IntervalsCover) {
  SplitMix64 random(1);
  uint64_t covered = 0;
  const BinomialDraw a(400, 0.3), b(300, 0.45);
  for (uint64_t run = 0; run < kCoverageRuns; ++run) {
    covered += RelativeSizeOfTwo({a(&random), 400}, {b(&random), 300})
                   ->interval.Contains(1.5);
  }
  ExpectCovers(covered);
}

// AltaVista 0, HotBot 1, Excite 2, Infoseek 3.
std::vector<EngineOverlap> FourEngines(uint64_t looked) {
  return {{0, 1, .30, looked}, {1, 0, .39, looked}, {0, 3, .08, looked},
          {3, 0, .47, looked}, {0, 2, .14, looked}, {2, 0, .44, looked},
          {1, 3, .09, looked}, {3, 1, .41, looked}, {1, 2, .16, looked},
          {2, 1, .38, looked}, {2, 3, .13, looked}, {3, 2, .24, looked}};
}

TEST(RelativeSizesOfMany, KnownValues) {
  const RelativeSizes sizes = *RelativeSizesOfMany(4, FourEngines(0));
  EXPECT_EQ(sizes.sizes[0], 1);
  EXPECT_NEAR(sizes.sizes[1], .76823, 5e-6);
  EXPECT_NEAR(sizes.sizes[2], .32013, 5e-6);
  EXPECT_NEAR(sizes.sizes[3], .17003, 5e-6);
  EXPECT_NEAR(sizes.residual, 3.4831e-6, 5e-11);
  EXPECT_EQ(sizes.equations, 6u);
  EXPECT_TRUE(sizes.intervals.empty());
  const RelativeSizes counted = *RelativeSizesOfMany(4, FourEngines(1000));
  EXPECT_EQ(counted.sizes, sizes.sizes);
  EXPECT_EQ(counted.intervals[0], (Interval{1, 1}));
  for (int x = 1; x < 4; ++x) {
    EXPECT_TRUE(counted.intervals[x].Contains(sizes.sizes[x]));
    EXPECT_LT(counted.intervals[x].low, counted.intervals[x].high);
  }
}

// Fractions of real sets give the sets' sizes and nothing is left over; missing
// pairs do no harm while a chain ties all engines.
TEST(RelativeSizesOfMany, ExactFractionsGiveExactSizes) {
  SplitMix64 random(2);
  std::vector<uint64_t> pages(3000);  // the engines that have each, as bits
  std::vector<double> size(5);
  for (uint64_t& page : pages) {
    for (size_t x = 0; x < 5; ++x)
      if (random.Below(10) < 3 + x) page |= uint64_t{1} << x;
    for (size_t x = 0; x < 5; ++x) size[x] += (page >> x & 1) != 0;
  }
  std::vector<EngineOverlap> overlaps;
  for (size_t x = 0; x < 5; ++x) {
    for (size_t y = 0; y < 5; ++y) {
      if (x == y || (x + y == 5)) continue;
      const auto both =
          std::count_if(pages.begin(), pages.end(), [&](uint64_t page) {
            return (page >> x & 1) != 0 && (page >> y & 1) != 0;
          });
      overlaps.push_back({x, y, static_cast<double>(both) / size[x], 0});
    }
  }
  const RelativeSizes sizes = *RelativeSizesOfMany(5, overlaps);
  EXPECT_NEAR(sizes.residual, 0, 1e-25);
  EXPECT_EQ(sizes.equations, 8u);
  for (size_t x = 0; x < 5; ++x)
    EXPECT_NEAR(sizes.sizes[x], size[x] / size[0], 1e-12);
  // The bounds hold what all have together.
  const double all = static_cast<double>(std::count_if(
      pages.begin(), pages.end(), [](uint64_t page) { return page != 0; }));
  EXPECT_LE(sizes.all_bounds.low, all / size[0] + 1e-12);
  EXPECT_GE(sizes.all_bounds.high, all / size[0] - 1e-12);
  // These engines are independent, as `all` supposes.
  EXPECT_NEAR(sizes.all, all / size[0], 0.1);
}

// The solution against a search that knows nothing of normal equations.
TEST(RelativeSizesOfMany, NoOtherSizesLeaveLess) {
  const std::vector<EngineOverlap> overlaps = FourEngines(0);
  const RelativeSizes best = *RelativeSizesOfMany(4, overlaps);
  const auto residual = [&](const std::vector<double>& s) {
    double sum = 0;
    for (size_t i = 0; i < overlaps.size(); i += 2) {
      const EngineOverlap &p = overlaps[i], &q = overlaps[i + 1];
      const double off = p.fraction * s[p.x] - q.fraction * s[q.x];
      sum += off * off;
    }
    return sum;
  };
  EXPECT_NEAR(residual(best.sizes), best.residual, 1e-18);
  for (size_t x = 1; x < 4; ++x) {
    for (const double step : {-1e-4, 1e-4}) {
      std::vector<double> other = best.sizes;
      other[x] += step;
      EXPECT_GT(residual(other), best.residual);
    }
  }
}

TEST(RelativeSizesOfMany, Refusals) {
  const auto refused = [](size_t engines, std::vector<EngineOverlap> overlaps) {
    const auto result = RelativeSizesOfMany(engines, overlaps);
    return !result && result.error().code == ErrorCode::kUsage;
  };
  EXPECT_TRUE(refused(1, {}));
  EXPECT_TRUE(refused(2, {}));
  EXPECT_TRUE(refused(2, {{0, 1, .5, 0}}));                  // one side
  EXPECT_TRUE(refused(2, {{0, 1, 0, 0}, {1, 0, 0, 0}}));     // zero overlap
  EXPECT_TRUE(refused(2, {{0, 1, 1.5, 0}, {1, 0, .5, 0}}));  // no fraction
  EXPECT_TRUE(refused(2, {{0, 1, .5, 0}, {0, 1, .5, 0}}));   // twice
  EXPECT_TRUE(refused(2, {{0, 2, .5, 0}}));
  const auto untied = RelativeSizesOfMany(
      3,
      std::vector<EngineOverlap>{{0, 1, .5, 0}, {1, 0, .5, 0}, {1, 2, .5, 0}});
  ASSERT_FALSE(untied);
  EXPECT_NE(untied.error().message.find("engine 2"), std::string::npos);
}

TEST(RelativeSizesOfMany, IntervalsCover) {
  SplitMix64 random(3);
  // Sizes 1, 0.5, 0.25 with overlaps 0.2, 0.1, 0.05.
  const double both[3][3] = {{0, .2, .1}, {.2, 0, .05}, {.1, .05, 0}};
  const double size[3] = {1, .5, .25};
  uint64_t covered[3] = {};
  for (uint64_t run = 0; run < kCoverageRuns; ++run) {
    std::vector<EngineOverlap> overlaps;
    for (size_t x = 0; x < 3; ++x) {
      for (size_t y = 0; y < 3; ++y) {
        if (x == y) continue;
        const BinomialDraw draw(500, both[x][y] / size[x]);
        overlaps.push_back(
            {x, y, static_cast<double>(draw(&random)) / 500, 500});
      }
    }
    const RelativeSizes sizes =
        *RelativeSizesOfMany(3, overlaps, {.seed = run, .replicas = 200});
    for (size_t x = 1; x < 3; ++x)
      covered[x] += sizes.intervals[x].Contains(size[x]);
  }
  ExpectCovers(covered[1], 0.93);
  ExpectCovers(covered[2], 0.93);
}

// Three explicit sets, every page drawn once: the union comes out exactly.
TEST(JointCoverage, ExactOnExplicitSets) {
  const std::vector<uint64_t> pages = {1, 1, 3, 7, 2, 6, 4, 4, 4, 5};
  std::vector<std::vector<SharedPage>> samples(3);
  std::vector<double> size(3);
  for (const uint64_t page : pages) {
    for (size_t x = 0; x < 3; ++x) {
      if ((page >> x & 1) == 0) continue;
      samples[x].push_back({1, page});
      ++size[x];
    }
  }
  const JointCoverage joint =
      *FindJointCoverage(samples, {.seed = 1, .replicas = 50});
  EXPECT_NEAR(joint.all * size[0], 10, 1e-12);
  EXPECT_NEAR(joint.residual, 0, 1e-25);
  for (size_t x = 0; x < 3; ++x) {
    EXPECT_NEAR(joint.sizes[x], size[x] / size[0], 1e-12);
    EXPECT_NEAR(joint.shares[x], size[x] / 10, 1e-12);
  }
  EXPECT_NEAR(joint.alone[0], 2 / size[0], 1e-12);
  EXPECT_NEAR(joint.alone[2], 3 / size[2], 1e-12);
  const JointCoverage given = *FindJointCoverage(samples, size);
  EXPECT_NEAR(given.all, 10, 1e-12);
}

TEST(JointCoverage, IntervalsCoverAndSamplesAreUnbiased) {
  SplitMix64 random(4);
  std::vector<std::vector<uint64_t>> members(3);
  uint64_t all = 0;
  for (int page = 0; page < 4000; ++page) {
    uint64_t engines = 0;
    for (size_t x = 0; x < 3; ++x)
      if (random.Below(10) < 3 + 2 * x) engines |= uint64_t{1} << x;
    all += engines != 0;
    for (size_t x = 0; x < 3; ++x)
      if ((engines >> x & 1) != 0) members[x].push_back(engines);
  }
  const double truth =
      static_cast<double>(members[1].size()) / static_cast<double>(all);
  uint64_t covered = 0;
  double sum = 0;
  for (uint64_t run = 0; run < kCoverageRuns; ++run) {
    std::vector<std::vector<SharedPage>> samples(3);
    for (size_t x = 0; x < 3; ++x)
      for (int i = 0; i < 100; ++i)
        samples[x].push_back({1, members[x][random.Below(members[x].size())]});
    const JointCoverage joint =
        *FindJointCoverage(samples, {.seed = run, .replicas = 100});
    covered += joint.share_intervals[1].Contains(truth);
    sum += joint.shares[1];
  }
  ExpectCovers(covered, 0.93);
  EXPECT_NEAR(sum / static_cast<double>(kCoverageRuns), truth, 0.01);
}

TEST(JointCoverage, Refusals) {
  const std::vector<SharedPage> one = {{1, 3}};
  EXPECT_FALSE(FindJointCoverage(std::vector<std::vector<SharedPage>>{one}));
  EXPECT_FALSE(
      FindJointCoverage(std::vector<std::vector<SharedPage>>{one, {}}));
  EXPECT_FALSE(
      FindJointCoverage(std::vector<std::vector<SharedPage>>{one, {{0, 3}}}));
  EXPECT_FALSE(
      FindJointCoverage(std::vector<std::vector<SharedPage>>{one, {{1, 9}}}));
  // No page in both.
  EXPECT_FALSE(FindJointCoverage(
      std::vector<std::vector<SharedPage>>{{{1, 1}}, {{1, 2}}}));
}

TEST(SolveLinear, PivotsAndSingular) {
  const std::vector<double> x = SolveLinear({0, 2, 1, 1}, {4, 3});
  EXPECT_DOUBLE_EQ(x[0], 1);
  EXPECT_DOUBLE_EQ(x[1], 2);
  EXPECT_TRUE(SolveLinear({1, 2, 2, 4}, {1, 2}).empty());
}

TEST(BinomialDraw, HasItsLaw) {
  SplitMix64 random(5);
  for (const auto& [n, p] : std::vector<std::pair<uint64_t, double>>{
           {1, 0.3}, {10, 0.02}, {12, 0.5}, {12, 0.97}}) {
    const BinomialDraw draw(n, p);
    std::vector<uint64_t> counts(n + 1);
    std::vector<double> shares;
    for (int i = 0; i < 5000; ++i) ++counts[draw(&random)];
    for (uint64_t k = 0; k <= n; ++k) {
      const double choose = std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) -
                                     std::lgamma(n - k + 1));
      shares.push_back(choose * std::pow(p, k) * std::pow(1 - p, n - k));
    }
    const Cells cells = JoinSmallCells(counts, shares);
    EXPECT_GT(ChiSquareTest(cells.counts, cells.shares)->p, 0.001) << n;
  }
  EXPECT_EQ(BinomialDraw(7, 0)(&random), 0u);
  EXPECT_EQ(BinomialDraw(7, 1)(&random), 7u);
  EXPECT_EQ(BinomialDraw(0, 0.5)(&random), 0u);
}

}  // namespace
}  // namespace twinset
