#include "verify/diff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/hash.h"
#include "verify/test_sequences.h"

namespace twinset {
namespace {

uint64_t LongestCommonSubsequence(const Sequence& a, const Sequence& b) {
  std::vector<std::vector<uint64_t>> l(a.size() + 1,
                                       std::vector<uint64_t>(b.size() + 1));
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      l[i][j] = a[i - 1] == b[j - 1] ? l[i - 1][j - 1] + 1
                                     : std::max(l[i - 1][j], l[i][j - 1]);
    }
  }
  return l[a.size()][b.size()];
}

// Checks every promise of the header except optimality; returns the tokens in
// common.
uint64_t CheckRuns(const std::vector<AlignedRun>& runs, const Sequence& a,
                   const Sequence& b) {
  uint64_t at_a = 0, at_b = 0, common = 0;
  for (size_t i = 0; i < runs.size(); ++i) {
    const AlignedRun& run = runs[i];
    EXPECT_EQ(run.a_begin, at_a);
    EXPECT_EQ(run.b_begin, at_b);
    const uint64_t in_a = run.a_end - run.a_begin;
    const uint64_t in_b = run.b_end - run.b_begin;
    EXPECT_GT(in_a + in_b, 0u);
    if (i > 0) {
      EXPECT_NE(run.kind, runs[i - 1].kind);
      EXPECT_FALSE(run.kind == AlignedRun::kOnlyA &&
                   runs[i - 1].kind == AlignedRun::kOnlyB);
    }
    switch (run.kind) {
      case AlignedRun::kBoth:
        EXPECT_EQ(in_a, in_b);
        common += in_a;
        for (uint64_t j = 0; j < in_a; ++j) {
          EXPECT_EQ(a[run.a_begin + j], b[run.b_begin + j]);
        }
        break;
      case AlignedRun::kOnlyA:
        EXPECT_EQ(in_b, 0u);
        break;
      case AlignedRun::kOnlyB:
        EXPECT_EQ(in_a, 0u);
        break;
    }
    at_a = run.a_end;
    at_b = run.b_end;
  }
  EXPECT_EQ(at_a, a.size());
  EXPECT_EQ(at_b, b.size());
  return common;
}

TEST(AlignTokens, ExhaustiveOnSmallInputs) {
  const std::vector<Sequence> all = AllSequences(TWINSET_SLOW_BUILD ? 4 : 5, 3);
  for (const Sequence& a : all) {
    for (const Sequence& b : all) {
      const uint64_t best = LongestCommonSubsequence(a, b);
      const uint64_t cost = a.size() + b.size() - 2 * best;
      for (const uint64_t max_cost : {~uint64_t{0}, uint64_t{4}, uint64_t{0}}) {
        const uint64_t common = CheckRuns(AlignTokens(a, b, max_cost), a, b);
        ASSERT_FALSE(testing::Test::HasFailure());
        if (cost <= max_cost) {
          ASSERT_EQ(common, best);
        } else {
          ASSERT_LE(common, best);
        }
      }
    }
  }
}

TEST(AlignTokens, RandomEditsAreShortest) {
  SplitMix64 random(5);
  for (int round = 0; round < 200; ++round) {
    const auto [a, b] = RandomEdits(300, 100, 100, &random);
    const uint64_t best = LongestCommonSubsequence(a, b);
    ASSERT_EQ(CheckRuns(AlignTokens(a, b, 10000), a, b), best);
    ASSERT_LE(CheckRuns(AlignTokens(a, b, 10), a, b), best);
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

TEST(AlignTokens, AnchorsFindMovedAndInsertedBlocksBeyondTheCost) {
  Sequence a, b;
  for (uint64_t i = 0; i < 1000; ++i) a.push_back(i);
  b = a;
  Sequence noise;
  for (uint64_t i = 0; i < 5000; ++i) noise.push_back(1000000 + i % 7);
  b.insert(b.begin() + 500, noise.begin(), noise.end());
  b[100] = 77777;  // so that prefix and suffix alone do not solve it
  b[5900] = 88888;
  const auto runs = AlignTokens(a, b, 8);
  EXPECT_EQ(CheckRuns(runs, a, b), 998u);
}

TEST(AlignTokens, WorstCasesStayNearLinear) {
  constexpr size_t kSize = 1000000;
  SplitMix64 random(9);
  Sequence a(kSize), b(kSize), zigzag(kSize);
  for (uint64_t& x : a) x = random.Below(2);
  for (uint64_t& x : b) x = random.Below(2);
  for (size_t i = 0; i < kSize; ++i) zigzag[i] = kSize - i;  // reversed
  Sequence straight(zigzag.rbegin(), zigzag.rend());
  const auto start = std::chrono::steady_clock::now();
  CheckRuns(AlignTokens(a, b, 64), a, b);
  CheckRuns(AlignTokens(straight, zigzag, 64), straight, zigzag);
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 60.0);  // quadratic work would take hours
}

}  // namespace
}  // namespace twinset
