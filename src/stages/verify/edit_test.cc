#include "verify/edit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "base/hash.h"
#include "verify/test_sequences.h"

namespace twinset {
namespace {

// Wagner and Fischer: the whole table, nothing clever.
uint64_t NaiveEditDistance(const Sequence& a, const Sequence& b) {
  std::vector<std::vector<uint64_t>> d(a.size() + 1,
                                       std::vector<uint64_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1,
                          d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
    }
  }
  return d[a.size()][b.size()];
}

TEST(EditDistance, ExhaustiveAgainstTheTable) {
  const std::vector<Sequence> all = AllSequences(TWINSET_SLOW_BUILD ? 4 : 5, 3);
  for (const Sequence& a : all) {
    for (const Sequence& b : all) {
      const uint64_t expected = NaiveEditDistance(a, b);
      const EditResult result = EditDistance(a, b, ~uint64_t{0});
      ASSERT_TRUE(result.exact);
      ASSERT_EQ(result.distance, expected);
      for (const uint64_t cells : {0, 5, 20}) {
        const EditResult bounded = EditDistance(a, b, cells);
        ASSERT_LE(bounded.distance, expected);
        if (bounded.exact) {
          ASSERT_EQ(bounded.distance, expected);
        }
      }
    }
  }
}

TEST(EditDistance, IsAMetric) {
  const std::vector<Sequence> all = AllSequences(3, 3);
  const auto d = [](const Sequence& a, const Sequence& b) {
    return EditDistance(a, b, ~uint64_t{0}).distance;
  };
  for (const Sequence& a : all) {
    for (const Sequence& b : all) {
      EXPECT_EQ(d(a, b), d(b, a));
      EXPECT_EQ(d(a, b) == 0, a == b);
      for (const Sequence& c : all) EXPECT_LE(d(a, c), d(a, b) + d(b, c));
    }
  }
}

TEST(EditDistance, RandomLongAgainstTheTable) {
  SplitMix64 random(11);
  for (int round = 0; round < 300; ++round) {
    const auto [a, b] = RandomEdits(200, 50, 60, &random);
    const uint64_t expected = NaiveEditDistance(a, b);
    ASSERT_EQ(EditDistance(a, b, ~uint64_t{0}).distance, expected);
    const EditResult bounded = EditDistance(a, b, 2000);
    ASSERT_LE(bounded.distance, expected);
    if (bounded.exact) {
      ASSERT_EQ(bounded.distance, expected);
    }
  }
}

TEST(EditDistance, GivesUpWithALowerBoundAndInBoundedTime) {
  Sequence a(1000000), b(1000000);
  SplitMix64 random(3);
  for (uint64_t& x : a) x = random.Below(1000);
  for (uint64_t& x : b) x = 1000 + random.Below(1000);
  const EditResult result = EditDistance(a, b, 10000000);
  EXPECT_FALSE(result.exact);
  EXPECT_EQ(result.distance, 1000000u);  // no token in common
  const EditResult near = EditDistance(a, a, 0);
  EXPECT_TRUE(near.exact);
  EXPECT_EQ(near.distance, 0u);
}

// Tokens that occur once and others that fill more than is counted at once.
TEST(EditDistance, LowerBoundOfLargeTextsIsThatOfTheirMultisets) {
  SplitMix64 random(5);
  Sequence a = {1}, b = {2};  // the ends differ
  for (int i = 0; i < 700'000; ++i) {
    a.push_back(random.Below(3) == 0 ? 7 : random.Below(1'000'000));
    b.push_back(random.Below(2) == 0 ? 7 : random.Below(1'000'000));
  }
  a.push_back(3);
  b.push_back(4);
  Sequence left = a, right = b, common;
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                        std::back_inserter(common));
  EXPECT_GT(common.size(), 300'000u);
  EXPECT_EQ(EditDistance(a, b, 0).distance, a.size() - common.size());
}

TEST(Cosine, CountsOrderAndZeroVectors) {
  const Sequence a = {1, 1, 2}, b = {2, 1, 1}, c = {3, 3};
  EXPECT_EQ(CosineOfCounts(a, b), 1.0);
  EXPECT_EQ(CosineOfCounts(a, c), 0.0);
  EXPECT_EQ(CosineOfCounts({}, {}), 0.0);
  EXPECT_EQ(CosineOfCounts(a, {}), 0.0);
  // (2,1) and (1,1): 3 / sqrt(5 * 2).
  EXPECT_NEAR(CosineOfCounts(a, Sequence{1, 2}), 3 / std::sqrt(10.0), 1e-15);
}

}  // namespace
}  // namespace twinset
