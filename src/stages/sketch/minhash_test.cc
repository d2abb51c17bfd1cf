#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/hash.h"
#include "sketch/sketcher.h"

namespace twinset {
namespace {

std::string_view Bytes(const std::vector<uint64_t>& hashes) {
  return {reinterpret_cast<const char*>(hashes.data()),
          hashes.size() * sizeof(uint64_t)};
}

// Two sets of mixed elements with `common` in both and `rest` in each alone.
struct TwoSets {
  std::vector<uint64_t> a, b;
  TwoSets(uint64_t common, uint64_t rest, uint64_t salt) {
    for (uint64_t i = 0; i < common + 2 * rest; ++i) {
      const uint64_t element = Mix64(salt * 1'000'003 + i + 1);
      if (i < common + rest) a.push_back(element);
      if (i < common || i >= common + rest) b.push_back(element);
    }
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
  }
};

TEST(MinHashTest, MatchesItsDefinition) {
  const auto sketcher = *MakeMinHashSketcher(16, 42);
  const std::vector<uint64_t> set = {3, 1ull << 40, ~0ull,
                                     12345678901234567ull};
  Sketch sketch;
  sketcher->Compute(Bytes(set), &sketch);
  SplitMix64 random(42);
  for (int i = 0; i < 16; ++i) {
    const uint64_t a = random.Next() | 1, b = random.Next();
    uint32_t least = ~0u;
    for (const uint64_t x : set)
      least = std::min(least, static_cast<uint32_t>((a * x + b) >> 32));
    EXPECT_EQ(sketch[static_cast<size_t>(i)], least);
  }
}

TEST(MinHashTest, WrittenFormIsBigEndianHex) {
  EXPECT_EQ((*MakeMinHashSketcher(8, 1))->Written(Sketch{1, 0xabcdef01u}),
            "00000001abcdef01");
}

TEST(MinHashTest, RefusesBadPermutations) {
  for (const int permutations : {0, -8, 12, 5000}) {
    const auto made = MakeMinHashSketcher(permutations, 1);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::kUsage);
  }
}

// Over R independent seeds the mean estimate lies within 4 SE / sqrt(R) of J
// and the empirical variance within 25 % of J (1 - J) / n
// (docs/methods/minhash.md).
TEST(MinHashTest, EstimatesAreUnbiasedWithTheBinomialVariance) {
  constexpr int kPermutations = 200, kSeeds = 400;
  for (const auto& [common, rest] :
       {std::pair<uint64_t, uint64_t>{300, 50}, {200, 100}}) {
    const TwoSets sets(common, rest, common);
    const double j =
        static_cast<double>(common) / static_cast<double>(common + 2 * rest);
    double sum = 0, squares = 0;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const auto sketcher = *MakeMinHashSketcher(kPermutations, seed);
      Sketch a, b;
      sketcher->Compute(Bytes(sets.a), &a);
      sketcher->Compute(Bytes(sets.b), &b);
      const double estimate = sketcher->Estimate(a, b);
      sum += estimate;
      squares += estimate * estimate;
    }
    const double mean = sum / kSeeds;
    const double variance = squares / kSeeds - mean * mean;
    const double expected = j * (1 - j) / kPermutations;
    EXPECT_NEAR(mean, j, 4 * std::sqrt(expected / kSeeds));
    EXPECT_NEAR(variance, expected, 0.25 * expected);
  }
}

}  // namespace
}  // namespace twinset
