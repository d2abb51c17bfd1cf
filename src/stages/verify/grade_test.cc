#include "verify/grade.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/hash.h"

namespace twinset {
namespace {

#include "verify/grade_model.inc"

// Texts of `a` and `b` words of which `common` 5-shingles are the same.
PairFacts Facts(uint64_t a, uint64_t b, uint64_t common) {
  PairFacts facts;
  facts.tokens_a = a + 4;
  facts.tokens_b = b + 4;
  facts.content = {a, b, common};
  return facts;
}

PairFacts Turned(PairFacts facts) {
  std::swap(facts.tokens_a, facts.tokens_b);
  std::swap(facts.content.a, facts.content.b);
  std::swap(facts.layout.a, facts.layout.b);
  return facts;
}

TEST(Grade, ReasonNamesTheFacts) {
  EXPECT_EQ(GradePair(Facts(1000, 960, 874)).reason,
            "91 % of the shorter text stands in the longer one; lengths differ "
            "by 4 %");
  EXPECT_EQ(GradePair(Facts(600, 100, 95)).reason,
            "95 % of the shorter text stands in the longer one, but only 16 % "
            "of the longer one in the shorter; lengths differ by 83 %");
  EXPECT_EQ(GradePair(Facts(500, 500, 0)).reason,
            "no run of five words in common; lengths are equal");
  PairFacts facts = Facts(500, 500, 400);
  facts.layout = {50, 50, 50};
  EXPECT_EQ(GradePair(facts).reason,
            "80 % of the shorter text stands in the longer one; lengths are "
            "equal; the same layout");
  facts.layout = {50, 50, 25};
  EXPECT_EQ(GradePair(facts).reason,
            "80 % of the shorter text stands in the longer one; lengths are "
            "equal; layouts are 33 % alike");
  facts.layout = {50, 0, 0};
  EXPECT_EQ(GradePair(facts).reason,
            "80 % of the shorter text stands in the longer one; lengths are "
            "equal; layouts have nothing in common");
  EXPECT_EQ(GradePair(Facts(20, 25, 12)).reason,
            "60 % of the shorter text stands in the longer one, but only 48 % "
            "of the longer one in the shorter; lengths differ by 17 %; the "
            "shorter text has only 24 words");
  facts = Facts(10, 10, 10);
  facts.same_tokens = true;
  EXPECT_EQ(GradePair(facts).reason,
            "the same words in the same order; the shorter text has only 14 "
            "words");
  EXPECT_EQ(GradePair({}).reason, "neither text has words");
  facts = {};
  facts.tokens_b = 100;
  EXPECT_EQ(GradePair(facts).reason, "one text has no words");
}

TEST(Grade, PerCentIsWholeOnlyWhenItIs) {
  EXPECT_EQ(GradePair(Facts(100000, 100000, 99999)).reason,
            "99 % of the shorter text stands in the longer one; lengths are "
            "equal");
  EXPECT_EQ(GradePair(Facts(100000, 100000, 1)).reason,
            "1 % of the shorter text stands in the longer one; lengths are "
            "equal");
}

TEST(Grade, EndsOfTheScale) {
  PairFacts same = Facts(500, 500, 500);
  same.same_tokens = true;
  EXPECT_EQ(GradePair(same).per_mille, 999u);
  EXPECT_EQ(GradePair({}).per_mille, 0u);
  PairFacts empty;
  empty.tokens_a = 1000;
  EXPECT_EQ(GradePair(empty).per_mille, 0u);
  EXPECT_GT(GradePair(Facts(500, 500, 490)).per_mille, 900u);
  EXPECT_LT(GradePair(Facts(500, 500, 5)).per_mille, 100u);
  EXPECT_LT(GradePair(Facts(3000, 500, 480)).per_mille, 300u);
}

TEST(Grade, LargestSizesDoNotOverflow) {
  const uint64_t most = uint64_t{1} << 32;
  EXPECT_EQ(GradePair(Facts(most, most, most)).jaccard, 65536);
  EXPECT_EQ(GradePair(Facts(most, most, most)).per_mille, 999u);
  EXPECT_EQ(GradePair(Facts(most, most, 0)).per_mille, 0u);
}

// The page promises an order that is Jaccard's: neither the layout nor the
// lengths move the probability.
TEST(Grade, DependsOnJaccardAlone) {
  PairFacts facts = Facts(500, 500, 300);
  const PairGrade grade = GradePair(facts);
  facts.layout = {50, 50, 50};
  EXPECT_EQ(GradePair(facts).per_mille, grade.per_mille);
  EXPECT_EQ(GradePair(Facts(400, 600, 300)).per_mille, grade.per_mille);
  EXPECT_EQ(GradePair(Facts(4, 5, 3)).per_mille,
            GradePair(Facts(4000, 5000, 3000)).per_mille);
}

TEST(Grade, CurveRisesFromNothingToCertainty) {
  EXPECT_EQ(kGradeCurve.front(), 0);
  EXPECT_EQ(kGradeCurve.back(), 65536);
  EXPECT_TRUE(std::is_sorted(kGradeCurve.begin(), kGradeCurve.end()));
}

// Jaccard and the lines between the values of the curve once more with doubles.
TEST(Grade, ProbabilityIsThatOfTheCurve) {
  SplitMix64 random(8);
  for (int round = 0; round < 20000; ++round) {
    const uint64_t a = 4 + random.Below(5000), b = 4 + random.Below(5000);
    PairFacts facts = Facts(a, b, random.Below(std::min(a, b) + 1));
    facts.layout = {30, 30, random.Below(31)};
    const double jaccard = Jaccard(facts.content);
    const PairGrade grade = GradePair(facts);
    ASSERT_NEAR(static_cast<double>(grade.jaccard) / 65536, jaccard,
                1.0 / 65536);
    const double place = jaccard * (kGradeCurve.size() - 1);
    const auto left = static_cast<size_t>(place);
    const auto right = std::min(left + 1, kGradeCurve.size() - 1);
    const double value = std::lerp(static_cast<double>(kGradeCurve[left]),
                                   static_cast<double>(kGradeCurve[right]),
                                   place - static_cast<double>(left)) /
                         65536;
    ASSERT_NEAR(grade.per_mille, std::min(999.0, 1000 * value), 0.6);
    ASSERT_EQ(GradePair(Turned(facts)).per_mille, grade.per_mille);
    ASSERT_EQ(GradePair(Turned(facts)).reason, grade.reason);
  }
}

TEST(Grade, RisesWithWhatIsInCommon) {
  for (const auto& [a, b] : {std::pair<uint64_t, uint64_t>{700, 700},
                             {700, 650},
                             {700, 300},
                             {50, 40}}) {
    uint32_t last = 0;
    for (uint64_t common = 0; common <= b; ++common) {
      const uint32_t now = GradePair(Facts(a, b, common)).per_mille;
      ASSERT_GE(now, last) << a << " " << b << " " << common;
      last = now;
    }
  }
}

// Sweeps the whole curve: no jump and no gap between its lines.
TEST(Grade, HasNoJumps) {
  uint32_t last = 0;
  for (uint64_t common = 0; common <= 100000; ++common) {
    const uint32_t now = GradePair(Facts(100000, 100000, common)).per_mille;
    ASSERT_TRUE(common == 0 || now - last <= 1) << common;
    last = now;
  }
  EXPECT_GT(last, 930u);
}

}  // namespace
}  // namespace twinset
