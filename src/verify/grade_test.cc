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
  facts.passages = {a - 3, b - 3, common > 3 ? common - 3 : 0};
  return facts;
}

PairFacts Turned(PairFacts facts) {
  std::swap(facts.tokens_a, facts.tokens_b);
  std::swap(facts.content.a, facts.content.b);
  std::swap(facts.passages.a, facts.passages.b);
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
  PairFacts facts = Facts(most, most, most);
  facts.layout = {most, most, most};
  for (const int64_t feature : GradeFeaturesOf(facts)) {
    EXPECT_EQ(feature, 65536);
  }
}

TEST(Grade, UnknownLayoutIsNeutral) {
  PairFacts facts = Facts(500, 500, 400);
  EXPECT_EQ(GradeFeaturesOf(facts)[kGradeLayout], 0);
  facts.layout = {30, 30, 20};  // J = 1/2
  EXPECT_EQ(GradeFeaturesOf(facts)[kGradeLayout], 0);
  facts.layout = {30, 30, 30};
  EXPECT_EQ(GradeFeaturesOf(facts)[kGradeLayout], 65536);
  facts.layout = {30, 30, 0};
  EXPECT_EQ(GradeFeaturesOf(facts)[kGradeLayout], -65536);
}

// The features once more with doubles.
TEST(Grade, FeaturesEqualTheirDefinitions) {
  SplitMix64 random(7);
  for (int round = 0; round < 20000; ++round) {
    const uint64_t a = 4 + random.Below(2000), b = 4 + random.Below(2000);
    PairFacts facts = Facts(a, b, random.Below(std::min(a, b) + 1));
    const auto seen = GradeFeaturesOf(facts);
    const double length =
        static_cast<double>(std::min(facts.tokens_a, facts.tokens_b)) /
        static_cast<double>(std::max(facts.tokens_a, facts.tokens_b));
    const double in_a = ContainmentAB(facts.content);
    const double in_b = ContainmentBA(facts.content);
    const double expected[] = {Jaccard(facts.content),
                               std::min(in_a, in_b),
                               std::max(in_a, in_b),
                               S3(facts.passages),
                               length,
                               std::max(0.0, (length - 0.8) * 5),
                               0};
    for (size_t i = 0; i < seen.size(); ++i) {
      ASSERT_NEAR(static_cast<double>(seen[i]) / 65536, expected[i],
                  8.0 / 65536)
          << GradeFeatureName(static_cast<GradeFeature>(i));
    }
    ASSERT_EQ(GradeFeaturesOf(Turned(facts)), seen);
    ASSERT_EQ(GradePair(Turned(facts)).reason, GradePair(facts).reason);
  }
}

// The model once more with doubles and the exponential function.
TEST(Grade, ProbabilityIsThatOfTheModel) {
  SplitMix64 random(8);
  for (int round = 0; round < 20000; ++round) {
    const uint64_t a = 4 + random.Below(5000), b = 4 + random.Below(5000);
    PairFacts facts = Facts(a, b, random.Below(std::min(a, b) + 1));
    facts.layout = {30, 30, random.Below(31)};
    const auto features = GradeFeaturesOf(facts);
    double logit = static_cast<double>(kGradeBias);
    for (size_t i = 0; i < features.size(); ++i) {
      ASSERT_GE(kGradeWeights[i], 0);
      logit += static_cast<double>(kGradeWeights[i] * features[i]) / 65536;
    }
    ASSERT_NEAR(GradePair(facts).per_mille,
                1000 / (1 + std::exp(-logit / 4096)), 1.0);
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

// Sweeps the model's whole range: the steps of the result follow from the
// features by small steps, so the table has no jump and no gap.
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
