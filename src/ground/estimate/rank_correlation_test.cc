#include "estimate/rank_correlation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/hash.h"
#include "estimate/paired_tests.h"
#include "estimate/special_functions.h"

namespace twinset {
namespace {

using Scores = std::vector<double>;

TEST(RankCorrelationTest, TauBOfKnownRankings) {
  // scipy.stats.kendalltau of the same lists.
  EXPECT_NEAR(*KendallTauB(Scores{12, 2, 1, 12, 2}, Scores{1, 4, 7, 1, 0}),
              -0.4714045207910316, 1e-15);
  EXPECT_NEAR(*KendallTauB(Scores{1, 2, 3, 4}, Scores{1, 2, 3, 4}), 1, 1e-15);
  EXPECT_NEAR(*KendallTauB(Scores{1, 2, 3, 4}, Scores{4, 3, 2, 1}), -1, 1e-15);
  EXPECT_FALSE(KendallTauB(Scores{1, 1}, Scores{1, 2}).has_value());
  EXPECT_FALSE(KendallTauB(Scores{}, Scores{}).has_value());
}

TEST(RankCorrelationTest, TauApCostsMoreAtTheTop) {
  const Scores truth = {5, 4, 3, 2, 1};
  EXPECT_DOUBLE_EQ(*TauAp(truth, truth), 1);
  EXPECT_DOUBLE_EQ(*TauAp(truth, Scores{1, 2, 3, 4, 5}), -1);
  // Ranks 1 and 2 swapped: the second is right about none of one above it.
  EXPECT_DOUBLE_EQ(*TauAp(truth, Scores{4, 5, 3, 2, 1}),
                   2.0 / 4 * (0 + 1 + 1 + 1) - 1);
  // Ranks 4 and 5 swapped: the fifth is right about three of four.
  EXPECT_DOUBLE_EQ(*TauAp(truth, Scores{5, 4, 3, 1, 2}),
                   2.0 / 4 * (1 + 1 + 1 + 0.75) - 1);
  EXPECT_FALSE(TauAp(Scores{1}, Scores{1}).has_value());
}

TEST(RankCorrelationTest, RankBiasedOverlapByItsFormula) {
  const Scores x = {3, 2, 1}, y = {2, 3, 1};
  const double p = 0.9;
  // Agreement at depths 1, 2, 3: 0, 1, 1.
  const double sum = 0 * p + 1 * p * p + 1 * p * p * p;
  EXPECT_NEAR(*RankBiasedOverlap(x, y, p), (1 - p) / p * sum + p * p * p,
              1e-15);
  EXPECT_NEAR(*RankBiasedOverlap(x, x, p), 1, 1e-15);
}

TEST(PairedTestsTest, StudentByTables) {
  EXPECT_NEAR(StudentTwoSided(2.0452296421327034, 29), 0.05, 1e-12);
  EXPECT_NEAR(StudentTwoSided(12.706204736174694, 1), 0.05, 1e-12);
  EXPECT_NEAR(StudentTwoSided(0, 7), 1, 1e-15);
  EXPECT_NEAR(StudentTwoSided(1, 1), 0.5, 1e-13);
  EXPECT_LT(StudentTwoSided(40, 50), 1e-35);
}

TEST(PairedTestsTest, PairedTAsScipySaysIt) {
  const Scores x = {0.3, 0.5, 0.2, 0.9, 0.4}, y = {0.1, 0.4, 0.3, 0.5, 0.2};
  const PairedTest test = PairedT(x, y);
  EXPECT_NEAR(test.difference, 0.16, 1e-15);
  EXPECT_NEAR(test.t, 1.9694638556693236, 1e-9);
  EXPECT_NEAR(test.p, 0.12024334063356451, 1e-9);
  EXPECT_EQ(PairedT(x, x).p, 1);
  EXPECT_EQ(PairedT(Scores{1}, Scores{0}).p, 1);
  EXPECT_EQ(PairedT(Scores{2, 3}, Scores{1, 2}).p, 0);
}

TEST(PairedTestsTest, RandomisationIsExactForFewTopics) {
  // Differences 1, 2, 3: of eight patterns +++ and --- reach a sum of 6.
  EXPECT_DOUBLE_EQ(RandomisationTest(Scores{1, 2, 3}, Scores{0, 0, 0}, 100, 1),
                   0.25);
  // One negative: |4| is reached by the sums 6, 4, -6, -4.
  EXPECT_DOUBLE_EQ(RandomisationTest(Scores{-1, 2, 3}, Scores{0, 0, 0}, 100, 1),
                   0.5);
  EXPECT_EQ(RandomisationTest(Scores{1}, Scores{1}, 100, 1), 1);
}

TEST(PairedTestsTest, DrawnPatternsComeNearTheExactOnes) {
  SplitMix64 random(7);
  Scores x, y;
  for (int i = 0; i < 12; ++i) {
    x.push_back(static_cast<double>(random.Below(100)));
    y.push_back(static_cast<double>(random.Below(80)));
  }
  const double exact = RandomisationTest(x, y, 1 << 12, 1);
  const double drawn = RandomisationTest(x, y, 4000, 5);
  EXPECT_NEAR(drawn, exact, 4 * std::sqrt(0.25 / 4000));
  EXPECT_EQ(drawn, RandomisationTest(x, y, 4000, 5));
}

// The normal law with the variance of C - D over all orders of y.
TEST(RankCorrelationTest, TwoSidedHasTheVarianceOfAllOrders) {
  const std::vector<double> x = {1, 2, 2, 3, 4, 4, 4};
  std::vector<double> y = {1, 1, 2, 3, 3, 3, 5};
  const auto balance = [&x](const std::vector<double>& other) {
    double sum = 0;
    for (size_t i = 0; i < x.size(); ++i)
      for (size_t k = 0; k < i; ++k)
        sum += ((x[i] > x[k]) - (x[i] < x[k])) *
               ((other[i] > other[k]) - (other[i] < other[k]));
    return sum;
  };
  std::vector<size_t> order = {0, 1, 2, 3, 4, 5, 6};
  double squares = 0, orders = 0;
  do {
    std::vector<double> other;
    for (const size_t i : order) other.push_back(y[i]);
    squares += balance(other) * balance(other);
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_NEAR(*KendallTwoSided(x, y),
              NormalTwoSided(balance(y) / std::sqrt(squares / orders)), 1e-12);
  EXPECT_FALSE(KendallTwoSided(x, std::vector<double>(7, 1)));
}

}  // namespace
}  // namespace twinset
