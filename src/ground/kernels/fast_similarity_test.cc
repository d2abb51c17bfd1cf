// Bin minima and Fast Similarity Sketching on every target of this CPU against
// their references.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/hash.h"
#include "kernels/kernels.h"

namespace twinset::kernels {
namespace {

class FastSimilarityTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(ForceTarget(GetParam()).has_value()); }
  void TearDown() override { ASSERT_TRUE(ForceTarget("").has_value()); }
};

INSTANTIATE_TEST_SUITE_P(Targets, FastSimilarityTest,
                         ::testing::ValuesIn(Targets()),
                         [](const auto& info) { return info.param; });

std::vector<uint64_t> Random(SplitMix64* random, size_t count) {
  std::vector<uint64_t> values(count);
  for (uint64_t& value : values) value = random->Next();
  return values;
}

constexpr size_t kBins[] = {1,   2,   8,   24,  64,   100, 128,
                            200, 256, 512, 520, 1024, 4096};

TEST_P(FastSimilarityTest, BinMinimaEqualReference) {
  SplitMix64 random(1);
  for (const size_t bins : kBins) {
    const uint64_t a = random.Next() | 1, b = random.Next();
    for (const size_t count : {0, 1, 3, 15, 16, 17, 40, 300, 1300, 9000}) {
      const auto x = Random(&random, count);
      std::vector<uint64_t> fast(bins + 1, 7), slow(bins + 1, 7);
      BinMinima(x, a, b, std::span(fast).first(bins));
      reference::BinMinima(x, a, b, std::span(slow).first(bins));
      EXPECT_EQ(fast, slow) << bins << " bins, " << count << " shingles";
    }
  }
}

TEST_P(FastSimilarityTest, KeysEqualReference) {
  SplitMix64 random(2);
  for (const size_t bins : kBins) {
    const auto a = Random(&random, 2 * bins), b = Random(&random, 2 * bins);
    for (const size_t count : {0, 1, 2, 3, 7, 8, 60, 130, 500, 1700, 9000}) {
      if (bins > 1000 && count < 3 && count > 0)
        continue;  // slow by definition
      const auto x = Random(&random, count);
      std::vector<uint64_t> fast(bins + 1, 7), slow(bins + 1, 7);
      FastSimilarity(x, a, b, std::span(fast).first(bins));
      reference::FastSimilarity(x, a, b, std::span(slow).first(bins));
      EXPECT_EQ(fast, slow) << bins << " bins, " << count << " shingles";
    }
  }
}

// Shingles that all fall into one bin round after round, into the last rounds;
// and values at the ends of the range.
TEST_P(FastSimilarityTest, HoldsOnBadShingles) {
  constexpr size_t kFew = 16;
  std::vector<uint64_t> ones(2 * kFew, 1), zeros(2 * kFew, 0);
  for (const std::vector<uint64_t>& x :
       {std::vector<uint64_t>{~0ull}, std::vector<uint64_t>{0},
        std::vector<uint64_t>{~0ull, ~0ull - 1},
        std::vector<uint64_t>(100, 0x1234),
        std::vector<uint64_t>{0, 1ull << 63, ~0ull, 1ull << 60}}) {
    std::vector<uint64_t> fast(kFew), slow(kFew);
    FastSimilarity(x, ones, zeros, fast);
    reference::FastSimilarity(x, ones, zeros, slow);
    EXPECT_EQ(fast, slow);
    EXPECT_EQ(std::count(fast.begin(), fast.end(), ~0ull), 0);
  }
}

TEST_P(FastSimilarityTest, KnownAnswers) {
  // Two bins, identity functions: 3 falls into bin 0, 2^63 + 2^20 into bin 1.
  const std::vector<uint64_t> a(4, 1), b(4, 0);
  std::vector<uint64_t> keys(2);
  FastSimilarity(std::vector<uint64_t>{1 << 13, (1ull << 63) + (1 << 20)}, a, b,
                 keys);
  EXPECT_EQ(keys, (std::vector<uint64_t>{1, (1ull << 50) + (1 << 7)}));
  // One shingle: its bin in round 0, the other one in round 2 + 1.
  FastSimilarity(std::vector<uint64_t>{1 << 13}, a, b, keys);
  EXPECT_EQ(keys, (std::vector<uint64_t>{1, 3ull << 51 | 1}));
  std::vector<uint64_t> minima(2);
  BinMinima(std::vector<uint64_t>{9, 4, 7}, 1, 0, minima);
  EXPECT_EQ(minima, (std::vector<uint64_t>{4, ~0ull}));
}

// The sketch does not depend on the order of the shingles.
TEST_P(FastSimilarityTest, OrderDoesNotMatter) {
  SplitMix64 random(3);
  const auto a = Random(&random, 256), b = Random(&random, 256);
  auto x = Random(&random, 1000);
  std::vector<uint64_t> one(128), other(128);
  FastSimilarity(x, a, b, one);
  std::sort(x.begin(), x.end());
  FastSimilarity(x, a, b, other);
  EXPECT_EQ(one, other);
}

}  // namespace
}  // namespace twinset::kernels
