#include "transfer/extrapolation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "base/hash.h"
#include "estimate/bootstrap.h"

namespace twinset {
namespace {

TEST(Extrapolation, TheLineIsExactOnLinearCounts) {
  const std::vector<double> counts = {105, 110, 115, 120, 125};
  const auto line = ExtrapolateLine(counts, 20);
  ASSERT_TRUE(line);
  EXPECT_NEAR(line->value, 200, 1e-9);
  EXPECT_NEAR(line->interval.low, 200, 1e-6);
  EXPECT_NEAR(line->interval.high, 200, 1e-6);
}

TEST(Extrapolation, TheSaturatingCurveIsExactOnItsOwnCounts) {
  for (const double half : {0.05, 0.7, 3.0, 40.0, 9000.0}) {
    std::vector<double> counts;
    for (int s = 1; s <= 6; ++s) counts.push_back(1000 * s / (half + s));
    const auto fit = ExtrapolateSaturating(counts, 20);
    ASSERT_TRUE(fit);
    const double truth = 1000 * 20 / (half + 20);
    EXPECT_NEAR(fit->value, truth, 1e-4 * truth) << half;
  }
}

TEST(Extrapolation, TwoCountsSayNothing) {
  EXPECT_FALSE(ExtrapolateLine(std::vector<double>{1, 2}, 20));
  EXPECT_FALSE(ExtrapolateSaturating(std::vector<double>{1, 2}, 20));
}

// The residual variance, the prediction and its interval by hand: counts 1, 2,
// 4; slope 1.5, intercept -2/3; squares 1/6; at 4 the spread is 1 + 1/3 + 2.
TEST(Extrapolation, IntervalOfTheLineByHand) {
  const auto line = ExtrapolateLine(std::vector<double>{1, 2, 4}, 4);
  ASSERT_TRUE(line);
  EXPECT_NEAR(line->value, 16.0 / 3, 1e-12);
  const double half = 12.7062 * std::sqrt(1.0 / 6 * (1 + 1.0 / 3 + 2));
  EXPECT_NEAR(line->interval.high - line->value, half, 2e-3);
}

// Any concave curve: the line that is fitted to its beginning lies above it
// later on. Falling steps make one.
TEST(Extrapolation, TheLineOverestimatesEveryConcaveCurve) {
  SplitMix64 random(11);
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> curve = {1000 * UniformDraw(&random)};
    double step = 1 + 100 * UniformDraw(&random);
    while (curve.size() < 20) {
      step *= .5 + .499 * UniformDraw(&random);
      curve.push_back(curve.back() + step);
    }
    const size_t fit = 3 + random.Below(8);
    const auto line = ExtrapolateLine(
        std::vector<double>(curve.begin(),
                            curve.begin() + static_cast<std::ptrdiff_t>(fit)),
        20);
    ASSERT_TRUE(line);
    ASSERT_GT(line->value, curve.back()) << round;
  }
}

TEST(Extrapolation, AccumulatesAsASetWould) {
  const std::vector<uint64_t> masks = {0b001, 0b110, 0, 0b100, 0b011};
  EXPECT_EQ(Accumulate(masks, std::vector<uint32_t>{0, 1, 2}),
            (std::vector<double>{2, 3, 4}));
  EXPECT_EQ(Accumulate(masks, std::vector<uint32_t>{2, 0}),
            (std::vector<double>{2, 4}));
}

// Documents in one random segment each: the curve is a line, which both fits
// know. The intervals are wide enough for most draws.
TEST(Extrapolation, FitsOfEvenSegmentsAreUnbiased) {
  SplitMix64 random(5);
  std::vector<uint64_t> masks(4000);
  for (uint64_t& mask : masks) mask = uint64_t{1} << random.Below(20);
  const JudgedFits fits = JudgeFits(masks, 20, 5, 200, 1);
  EXPECT_EQ(fits.truth, 4000u);
  EXPECT_EQ(fits.random_line.draws, 200u);
  EXPECT_NEAR(fits.random_line.mean_error, 0, .03);
  EXPECT_NEAR(fits.random_saturating.mean_error, 0, .05);
  EXPECT_GT(fits.random_line.covered, 120u);
}

TEST(Extrapolation, TooFewSegmentsAreNotJudged) {
  const JudgedFits fits =
      JudgeFits(std::vector<uint64_t>{1, 2, 3}, 2, 5, 30, 1);
  EXPECT_EQ(fits.truth, 3u);
  EXPECT_FALSE(fits.line);
  EXPECT_EQ(fits.random_line.draws, 0u);
}

// What Grassegger 2014 prints of its five segments of twenty: documents found,
// read at twenty, near-duplicates (Tables 5.x; near-duplicates of 2-, 3- and
// 5-grams are stated).
TEST(Extrapolation, FiguresOfTheThesisDivideAgain) {
  constexpr double kJudged = 155419;
  struct Row {
    double found, percent, predicted, predicted_percent;
  };
  for (const Row& row : {Row{7316, 4.71, 15175, 9.76},
                         {5598, 3.60, 12172, 7.83},
                         {4216, 2.71, 9117, 5.87},
                         {3664, 2.36, 7884, 5.07},
                         {3274, 2.11, 6876, 4.42}}) {
    EXPECT_NEAR(100 * row.found / kJudged, row.percent, .006);
    EXPECT_NEAR(100 * row.predicted / kJudged, row.predicted_percent, .006);
    EXPECT_GE(row.predicted / row.found, 2.07);
    EXPECT_LE(row.predicted / row.found, 2.175);
  }
  EXPECT_NEAR(2828.0 / 7316, .387, .0005);
  EXPECT_NEAR(2443.0 / 4216, .579, .0005);  // the text says .61
  EXPECT_NEAR(2194.0 / 3274, .670, .0005);  // the text says .71
  EXPECT_EQ(21855 + 24470 + 19220 + 16028 + 24287 + 18509 + 15080, 139449);
  EXPECT_NEAR(34319 / kJudged, .2208, .00005);
  EXPECT_NEAR(1 - 5598.0 / 7316, .235, .0005);
  EXPECT_NEAR(1 - 3664.0 / 4216, .131, .0005);
}

}  // namespace
}  // namespace twinset
