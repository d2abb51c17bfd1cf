// The bound by which a look-up passes over documents: never too low, and low
// enough for strangers.
#include "pipeline/pairs/lookup_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>

namespace twinset {
namespace {

std::vector<uint64_t> Numbers(std::mt19937_64* random, size_t count) {
  std::set<uint64_t> numbers;
  while (numbers.size() < count) numbers.insert((*random)());
  return {numbers.begin(), numbers.end()};
}

// `shared` of a, and others.
std::vector<uint64_t> Partner(std::mt19937_64* random,
                              const std::vector<uint64_t>& a, size_t shared,
                              size_t others) {
  std::vector<uint64_t> b = Numbers(random, others);
  b.insert(b.end(), a.begin(), a.begin() + static_cast<ptrdiff_t>(shared));
  std::sort(b.begin(), b.end());
  return b;
}

TEST(MostShared, IsNeverLessThanWhatIsShared) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto a = Numbers(&random, 1 + random() % 400);
    const size_t shared = random() % (a.size() + 1);
    const auto b = Partner(&random, a, shared, 1 + random() % 400);
    const auto x = FoldElementsToBits(a), y = FoldElementsToBits(b);
    const uint64_t most = MostShared(a.size(), x, b.size(), y);
    EXPECT_GE(most, shared);
    EXPECT_EQ(most, MostShared(b.size(), y, a.size(), x));
    EXPECT_LE(most, std::min(a.size(), b.size()));
  }
}

TEST(MostShared, IsLittleForStrangersOfAnySize) {
  std::mt19937_64 random(2);
  for (const size_t size : {20, 100, 500, 3000, 30000}) {
    const auto a = FoldElementsToBits(Numbers(&random, size));
    for (const size_t other : {size, size * 9 / 10}) {
      const auto b = FoldElementsToBits(Numbers(&random, other));
      EXPECT_LT(MostShared(size, a, other, b), size * 7 / 10);
    }
  }
}

TEST(MostShared, IsAllForEqualSets) {
  std::mt19937_64 random(3);
  for (const size_t size : {1, 2, 63, 64, 65, 1000, 100000}) {
    const auto a = FoldElementsToBits(Numbers(&random, size));
    EXPECT_EQ(MostShared(size, a, size, a), size);
  }
}

}  // namespace
}  // namespace twinset
