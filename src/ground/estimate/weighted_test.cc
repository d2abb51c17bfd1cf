// Weighted samples: the planted truth comes back where raw samples are wrong.
#include "estimate/weighted.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "estimate/coverage_testing.h"
#include "estimate/power_law.h"
#include "estimate/power_law_testing.h"

namespace twinset {
namespace {

constexpr BootstrapOptions kNoBootstrap = {
    .seed = 1, .replicas = 0, .block = 1};
constexpr WeightedOptions kPlain = {.chain = false, .bootstrap = kNoBootstrap};

TEST(Hajek, ByHand) {
  const std::vector<WeightedValue> draws = {{1, 2}, {0, 1}, {1, 1}};
  EXPECT_DOUBLE_EQ(KishSize(draws), 16.0 / 6);
  const WeightedEstimate mean = *HajekMean(draws);
  EXPECT_DOUBLE_EQ(mean.estimate.value, 0.75);
  // Influences 2 (1/4), 1 (-3/4), 1 (1/4): squares .25 + .5625 + .0625.
  EXPECT_DOUBLE_EQ(mean.estimate.standard_error, std::sqrt(0.875 / 16 * 3 / 2));
  EXPECT_EQ(mean.effective_size, mean.weight_size);
  EXPECT_DOUBLE_EQ(HajekShare(draws)->estimate.value, 0.75);
  // Weights count up to a factor only.
  std::vector<WeightedValue> scaled = draws;
  for (WeightedValue& draw : scaled) draw.weight *= 8;
  EXPECT_DOUBLE_EQ(HajekMean(scaled)->estimate.standard_error,
                   mean.estimate.standard_error);
  EXPECT_DOUBLE_EQ(HajekQuantile(draws, 0.25)->estimate.value, 0);
  EXPECT_DOUBLE_EQ(HajekQuantile(draws, 0.26)->estimate.value, 1);
}

TEST(Hajek, EndsAndRefusals) {
  const std::vector<WeightedValue> none(50, {0, 1});
  const WeightedEstimate share = *HajekShare(none);
  EXPECT_EQ(share.estimate.value, 0);
  EXPECT_EQ(share.estimate.interval.low, 0);
  EXPECT_NEAR(share.estimate.interval.high, WilsonInterval(0, 50).high, 1e-12);
  EXPECT_FALSE(HajekMean({}));
  EXPECT_FALSE(HajekMean(std::vector<WeightedValue>{{1, 0}}));
  EXPECT_FALSE(HajekMean(std::vector<WeightedValue>{{std::nan(""), 1}}));
  EXPECT_FALSE(HajekShare(std::vector<WeightedValue>{{0.5, 1}}));
  EXPECT_FALSE(HajekQuantile(none, 0));
  EXPECT_FALSE(HajekQuantile(none, 1));
  EXPECT_FALSE(HorvitzThompsonTotal(std::vector<WeightedValue>{{1, 0.5}},
                                    std::vector<uint64_t>{0}));
  EXPECT_FALSE(HorvitzThompsonTotal(none, std::vector<uint64_t>{0}));
}

// Equal weights: the classical interval of a share.
TEST(Hajek, EqualWeightsAreWilsons) {
  std::vector<WeightedValue> draws(200, {0, 3});
  for (int i = 0; i < 30; ++i) draws[static_cast<size_t>(i) * 5].value = 1;
  const Interval wilson = WilsonInterval(30, 200);
  const WeightedEstimate share = *HajekShare(draws);
  EXPECT_NEAR(share.estimate.interval.low, wilson.low, 1e-12);
  EXPECT_NEAR(share.estimate.interval.high, wilson.high, 1e-12);
  EXPECT_DOUBLE_EQ(share.weight_size, 200);
}

// Pages whose length the sampler prefers; spam pages are long.
struct Web {
  Web(double spam_share, uint64_t seed) {
    SplitMix64 random(seed);
    for (int i = 0; i < 4000; ++i) {
      const bool is_spam = i < spam_share * 4000;
      const double words = is_spam ? 1500 + 1000 * UniformDraw(&random)
                                   : 100 + 900 * UniformDraw(&random);
      spam.push_back(is_spam);
      length.push_back(words);
      total += words;
      sums.push_back(total);
    }
  }
  // In proportion to length.
  size_t Draw(SplitMix64* random) const {
    const double at = UniformDraw(random) * total;
    return static_cast<size_t>(
        std::upper_bound(sums.begin(), sums.end() - 1, at) - sums.begin());
  }
  std::vector<double> spam, length, sums;
  double total = 0;
};

TEST(Weighted, PlantedSharesComeBackWhereRawOnesAreWrong) {
  for (const double planted : {0.01, 0.05, 0.2}) {
    SCOPED_TRACE(planted);
    const Web web(planted, 20);
    SplitMix64 random(21);
    uint64_t raw = 0, hajek = 0, hurwitz = 0;
    double raw_sum = 0, sum = 0, hurwitz_sum = 0, thompson_sum = 0;
    for (uint64_t run = 0; run < kCoverageRuns; ++run) {
      std::vector<WeightedValue> draws, plain;
      std::vector<uint64_t> pages;
      for (int i = 0; i < 1000; ++i) {
        const size_t page = web.Draw(&random);
        pages.push_back(page);
        draws.push_back({web.spam[page], web.total / web.length[page]});
        plain.push_back({web.spam[page], 1});
      }
      const WeightedEstimate unweighted = *HajekShare(plain, kPlain);
      const WeightedEstimate weighted = *HajekShare(draws, kPlain);
      const WeightedEstimate total = *HansenHurwitzTotal(draws, kPlain);
      raw += unweighted.estimate.interval.Contains(planted);
      hajek += weighted.estimate.interval.Contains(planted);
      hurwitz += total.estimate.interval.Contains(planted * 4000);
      raw_sum += unweighted.estimate.value;
      sum += weighted.estimate.value;
      hurwitz_sum += total.estimate.value / 4000;
      thompson_sum +=
          HorvitzThompsonTotal(draws, pages, kPlain)->estimate.value / 4000;
    }
    const double runs = static_cast<double>(kCoverageRuns);
    EXPECT_GT(raw_sum / runs, 2 * planted);
    EXPECT_LT(raw, kCoverageRuns / 20);
    EXPECT_NEAR(sum / runs / planted, 1, 0.05);
    EXPECT_NEAR(hurwitz_sum / runs / planted, 1, 0.05);
    EXPECT_NEAR(thompson_sum / runs / planted, 1, 0.05);
    ExpectCovers(hajek, 0.94);
    ExpectCovers(hurwitz, 0.93);
  }
}

TEST(Weighted, MeansAndQuantilesCover) {
  const Web web(0.2, 22);
  std::vector<double> sorted = web.length;
  std::sort(sorted.begin(), sorted.end());
  const double mean = web.total / 4000, median = sorted[1999],
               high = sorted[3599];
  SplitMix64 random(23);
  uint64_t means = 0, medians = 0, highs = 0, boots = 0, raw = 0;
  for (uint64_t run = 0; run < kCoverageRuns; ++run) {
    std::vector<WeightedValue> draws, plain;
    for (int i = 0; i < 300; ++i) {
      const double length = web.length[web.Draw(&random)];
      draws.push_back({length, 1 / length});
      plain.push_back({length, 1});
    }
    const WeightedOptions booted = {.chain = false, .bootstrap = {run, 100, 1}};
    const WeightedEstimate estimate = *HajekMean(draws, booted);
    means += estimate.estimate.interval.Contains(mean);
    boots += estimate.bootstrap.Contains(mean);
    medians +=
        HajekQuantile(draws, 0.5, kPlain)->estimate.interval.Contains(median);
    highs +=
        HajekQuantile(draws, 0.9, kPlain)->estimate.interval.Contains(high);
    raw += HajekMean(plain, kPlain)->estimate.interval.Contains(mean);
  }
  ExpectCovers(means, 0.94);
  ExpectCovers(boots, 0.92);
  ExpectCovers(medians, 0.93);
  ExpectCovers(highs, 0.93);
  EXPECT_EQ(raw, 0u);
}

// Each page is held for a while: the same pages, fewer independent draws.
TEST(Weighted, ChainsNeedTheirEffectiveSize) {
  const Web web(0.2, 24);
  SplitMix64 random(25);
  uint64_t covered = 0, blocks = 0, naive = 0;
  double size = 0;
  for (uint64_t run = 0; run < kCoverageRuns; ++run) {
    std::vector<WeightedValue> draws;
    size_t page = web.Draw(&random);
    for (int i = 0; i < 2000; ++i) {
      if (random.Below(8) == 0) page = web.Draw(&random);
      draws.push_back({web.spam[page], 1 / web.length[page]});
    }
    const WeightedOptions chain = {.chain = true, .bootstrap = {run, 100, 1}};
    const WeightedEstimate estimate = *HajekShare(draws, chain);
    covered += estimate.estimate.interval.Contains(0.2);
    blocks += estimate.bootstrap.Contains(0.2);
    size += estimate.time / static_cast<double>(kCoverageRuns);
    naive += HajekShare(draws, kPlain)->estimate.interval.Contains(0.2);
  }
  ExpectCovers(covered, 0.93);
  ExpectCovers(blocks, 0.9);
  ExpectDoesNotCover(naive, 0.7);
  // A page is held 8 steps in the mean: time (2 - 1/8) / (1/8) = 15.
  EXPECT_NEAR(size, 15, 2);
}

// Pages drawn again count once for Horvitz and Thompson.
TEST(HorvitzThompson, ByHand) {
  const std::vector<WeightedValue> draws = {{5, 2}, {5, 2}, {3, 4}};
  const std::vector<uint64_t> pages = {7, 7, 9};
  const double expected = 5 / (1 - 0.125) + 3 / (1 - 0.421875);
  EXPECT_NEAR(HorvitzThompsonTotal(draws, pages, kPlain)->estimate.value,
              expected, 1e-12);
  EXPECT_NEAR(HansenHurwitzTotal(draws, kPlain)->estimate.value, 32.0 / 3,
              1e-12);
  // A page that is drawn for sure counts what it is.
  EXPECT_NEAR(HorvitzThompsonTotal(std::vector<WeightedValue>{{5, 1}, {5, 1}},
                                   std::vector<uint64_t>{1, 1}, kPlain)
                  ->estimate.value,
              5, 1e-12);
}

TEST(PowerLaw, TheExponentOfDrawsComesBack) {
  SplitMix64 random(26);
  for (const auto& [alpha, x_min] :
       std::vector<std::pair<double, uint64_t>>{{1.8, 1}, {2.5, 1}, {2.2, 4}}) {
    std::vector<uint64_t> values;
    for (int i = 0; i < 3000; ++i)
      values.push_back(DrawPowerLaw(alpha, x_min, &random));
    const PowerLaw law = FitPowerLaw(values, kNoBootstrap)->law;
    EXPECT_GE(law.x_min, x_min);
    // Standard error about (alpha - 1) / sqrt(n), more for discrete ones.
    const double error = alpha / std::sqrt(static_cast<double>(law.tail));
    EXPECT_NEAR(law.alpha, alpha, 3 * error);
    EXPECT_LT(law.distance, 0.03);
  }
}

// -alpha times the logarithms, less n ln zeta(alpha, x_min), by a table of the
// zeta function.
double LogLikelihood(const std::vector<uint64_t>& values, uint64_t x_min,
                     double alpha) {
  const auto first = static_cast<double>(x_min);
  double zeta = 0;
  for (int k = 0; k < 3000; ++k) zeta += std::pow(first + k, -alpha);
  zeta += std::pow(first + 2999.5, 1 - alpha) / (alpha - 1);
  double sum = 0;
  for (const uint64_t value : values)
    if (value >= x_min)
      sum -= alpha * std::log(static_cast<double>(value)) + std::log(zeta);
  return sum;
}

// A fit counts all values from x_min on, and no other exponent is more likely
// for these.
TEST(PowerLaw, FitIsTheMostLikely) {
  SplitMix64 random(28);
  int compared = 0;
  for (int round = 0; round < 40; ++round) {
    std::vector<uint64_t> values(10 + random.Below(40));
    for (uint64_t& value : values)
      value = random.Below(3) == 0 ? random.Below(60) : 1 + random.Below(4);
    const auto fit = FitPowerLaw(values, kNoBootstrap);
    if (!fit) continue;
    const PowerLaw& law = fit->law;
    const auto count = [&](const auto& is_counted) {
      return static_cast<uint64_t>(
          std::count_if(values.begin(), values.end(), is_counted));
    };
    EXPECT_EQ(fit->ignored, count([](uint64_t x) { return x == 0; }));
    EXPECT_EQ(law.tail, count([&](uint64_t x) { return x >= law.x_min; }));
    EXPECT_GE(law.tail, 10u);
    if (law.alpha < 1.1 || law.alpha > 10) continue;  // the ends of its range
    ++compared;
    const double best = LogLikelihood(values, law.x_min, law.alpha);
    EXPECT_NEAR(best, law.log_likelihood, 1e-4 * std::fabs(best));
    for (const double other : {law.alpha + 0.05, law.alpha - 0.05})
      EXPECT_GT(best, LogLikelihood(values, law.x_min, other)) << law.alpha;
  }
  EXPECT_GT(compared, 20);
}

// Uniform noise below 20, a power law from there on.
TEST(PowerLaw, FindsWhereTheLawStarts) {
  SplitMix64 random(27);
  std::vector<uint64_t> values(40, 0);
  for (int i = 0; i < 1500; ++i) values.push_back(1 + random.Below(20));
  for (int i = 0; i < 1500; ++i)
    values.push_back(
        static_cast<uint64_t>(20 / (1 - UniformDraw(&random))));  // alpha 2
  const PowerLawFit fit = *FitPowerLaw(values, {.seed = 1, .replicas = 40});
  EXPECT_EQ(fit.ignored, 40u);
  EXPECT_GE(fit.law.x_min, 15u);
  EXPECT_LE(fit.law.x_min, 60u);
  EXPECT_NEAR(fit.law.alpha, 2, 0.15);
  EXPECT_TRUE(fit.alpha.Contains(fit.law.alpha));
  EXPECT_FALSE(FitPowerLaw(std::vector<uint64_t>(9, 1)));
  EXPECT_FALSE(FitPowerLaw(std::vector<uint64_t>(50, 4)));
}

TEST(SkewedMean, SaysHowSkewed) {
  std::vector<uint64_t> values(99, 1);
  values.push_back(901);
  const SkewedMean mean = *FindSkewedMean(values);
  EXPECT_DOUBLE_EQ(mean.estimate.value, 10);
  EXPECT_EQ(mean.median, 1);
  EXPECT_EQ(mean.largest, 901u);
  EXPECT_DOUBLE_EQ(mean.largest_share, 0.901);
  EXPECT_DOUBLE_EQ(mean.top_share, 0.901);
  // The bootstrap knows that less than 1 cannot be; the normal law does not.
  EXPECT_LT(mean.estimate.interval.low, 0);
  EXPECT_GE(mean.bootstrap.low, 1);
  EXPECT_FALSE(FindSkewedMean(std::vector<uint64_t>{1}));
  EXPECT_EQ(FindSkewedMean(std::vector<uint64_t>{0, 0})->largest_share, 0);
}

}  // namespace
}  // namespace twinset
