#include "kernels/datasketch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"
#include "kernels/kernels.h"

namespace twinset::kernels {
namespace {

class DatasketchTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(ForceTarget(GetParam()).has_value()); }
  void TearDown() override { ASSERT_TRUE(ForceTarget("").has_value()); }
};

INSTANTIATE_TEST_SUITE_P(Targets, DatasketchTest,
                         ::testing::ValuesIn(Targets()),
                         [](const auto& info) { return info.param; });

// Texts have every length around the ends of blocks.
TEST_P(DatasketchTest, Sha1OfTextsSideBySide) {
  SplitMix64 random(1);
  Sha1Words hasher;
  for (size_t count : {0, 1, 7, 8, 9, 16, 17, 300, 1000}) {
    std::vector<uint64_t> words, expected;
    for (size_t i = 0; i < count; ++i) {
      std::string text(count < 300 ? random.Below(60) : i % 300, '\0');
      for (char& c : text) c = static_cast<char>(random.Next());
      hasher.Add(text, &words);
      expected.push_back(LoadLE<uint64_t>(Sha1(text).data()));
    }
    hasher.Finish(&words);
    std::ranges::sort(words);
    std::ranges::sort(expected);
    EXPECT_EQ(words, expected) << count;
  }
}

template <typename T, typename Function>
void Compare(Function fast, Function naive) {
  SplitMix64 random(2);
  for (size_t permutations = 16; permutations <= 336; permutations += 16) {
    for (size_t count : {0, 1, 2, 50}) {
      std::vector<T> hashes(count), a(permutations), b(permutations);
      for (std::vector<T>* values : {&hashes, &a, &b})
        for (T& value : *values)
          value = random.Below(4) == 0 ? static_cast<T>(-1 - random.Below(2))
                                       : static_cast<T>(random.Next());
      std::vector<T> minima(permutations, static_cast<T>(-1));
      std::vector<T> expected = minima;
      fast(hashes, a, b, minima.data());
      naive(hashes, a, b, expected.data());
      EXPECT_EQ(minima, expected) << permutations << ' ' << count;
    }
  }
}

TEST_P(DatasketchTest, MinimaOfPermutations) {
  Compare<uint32_t>(LowerAffine32, reference::LowerAffine32);
  Compare<uint64_t>(LowerAffine64, reference::LowerAffine64);
  Compare<uint64_t>(LowerMersenne, reference::LowerMersenne);
}

// Sums at both ends of each fold of 2^61 - 1.
TEST_P(DatasketchTest, MersenneAtTheEndsOfFolds) {
  constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;
  for (uint64_t times = 0; times <= 8; ++times) {
    for (uint64_t off = 0; off < 5; ++off) {
      const uint64_t sum = times * kPrime + off - 2;
      const std::vector<uint64_t> hash = {1}, a(16, 0), b(16, sum);
      std::vector<uint64_t> minima(16, ~uint64_t{0});
      LowerMersenne(hash, a, b, minima.data());
      EXPECT_EQ(minima[5], (sum % kPrime) & 0xffffffff);
    }
  }
}

}  // namespace
}  // namespace twinset::kernels
