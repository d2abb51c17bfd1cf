#include "estimate/survival.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

// Remission under 6-MP (Freireich et al. 1963), the textbook example: weeks,
// ends and censored. Survival .857 .807 .753 .690 .627 .538 .448, median 23.
TEST(Survival, TextbookExample) {
  Lifetimes lifetimes;
  for (const int64_t week : {6, 6, 6, 7, 10, 13, 16, 22, 23})
    lifetimes.AddEnd(week);
  for (const int64_t week : {6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35})
    lifetimes.AddCensored(week);
  const std::vector<SurvivalStep> curve = SurvivalCurve(lifetimes);
  const std::vector<double> expected = {.857, .807, .753, .690,
                                        .627, .538, .448};
  ASSERT_EQ(curve.size(), expected.size());
  for (size_t i = 0; i < curve.size(); ++i)
    EXPECT_NEAR(curve[i].survival, expected[i], .0005);
  EXPECT_EQ(curve[1].at_risk, 17u);
  EXPECT_EQ(HalfLifeOf(curve).median, 23);
  EXPECT_EQ(HalfLifeOf(curve).low, 13);
  EXPECT_FALSE(HalfLifeOf(curve).high);
}

TEST(Survival, NothingCensoredIsTheShareThatIsLeft) {
  Lifetimes lifetimes;
  for (int64_t i = 1; i <= 10; ++i) lifetimes.AddEnd(i);
  const auto curve = SurvivalCurve(lifetimes);
  ASSERT_EQ(curve.size(), 10u);
  for (size_t i = 0; i < 10; ++i) {
    EXPECT_NEAR(curve[i].survival, 1 - static_cast<double>(i + 1) / 10, 1e-12);
    EXPECT_LE(curve[i].low, curve[i].survival);
    EXPECT_GE(curve[i].high, curve[i].survival);
  }
  EXPECT_EQ(curve.back().low, 0);
  EXPECT_EQ(curve.back().high, curve[8].high);
  EXPECT_TRUE(SurvivalCurve(Lifetimes()).empty());
}

// Geometric lifetimes, half of them censored by a clock of their own: the band
// of 95 % at length 5 holds the truth in 95 % of 400 draws, within four
// standard errors.
TEST(Survival, BandsCover) {
  SplitMix64 random(5);
  int covered = 0;
  for (int draw = 0; draw < 400; ++draw) {
    Lifetimes lifetimes;
    for (int i = 0; i < 150; ++i) {
      int64_t life = 1;
      while (random.Below(10) != 0) ++life;
      const auto clock = static_cast<int64_t>(1 + random.Below(14));
      if (life <= clock)
        lifetimes.AddEnd(life);
      else
        lifetimes.AddCensored(clock);
    }
    const double truth = std::pow(.9, 5);
    for (const SurvivalStep& step : SurvivalCurve(lifetimes))
      if (step.length == 5) covered += step.low <= truth && truth <= step.high;
  }
  EXPECT_GE(covered, 363);
  EXPECT_LE(covered, 397);
}

}  // namespace
}  // namespace twinset
