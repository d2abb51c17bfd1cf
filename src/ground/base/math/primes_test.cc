#include "base/math/primes.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace twinset {
namespace {

TEST(PrimesTest, EqualsTheSieve) {
  constexpr size_t kLimit = 200'000;
  std::vector<bool> composite(kLimit, false);
  composite[0] = composite[1] = true;
  for (size_t i = 2; i * i < kLimit; ++i) {
    for (size_t j = i * i; !composite[i] && j < kLimit; j += i)
      composite[j] = true;
  }
  for (size_t n = 0; n < kLimit; ++n) ASSERT_EQ(IsPrime(n), !composite[n]) << n;
}

TEST(PrimesTest, DecidesLargeNumbers) {
  EXPECT_TRUE(IsPrime(4294967291u));              // the last below 2^32
  EXPECT_TRUE(IsPrime(18446744073709551557ull));  // the last below 2^64
  EXPECT_TRUE(IsPrime((1ull << 61) - 1));
  EXPECT_FALSE(IsPrime((1ull << 59) - 1));
  EXPECT_FALSE(IsPrime(~0ull));
  EXPECT_FALSE(IsPrime(4294967291ull * 4294967291ull));
  // Strong pseudoprimes to the first 4, 5, 6, 8, 9 and 11 prime bases (Jaeschke
  // 1993; Zhang 2001).
  for (const uint64_t n : {3215031751ull, 2152302898747ull, 3474749660383ull,
                           341550071728321ull, 3825123056546413051ull}) {
    EXPECT_FALSE(IsPrime(n)) << n;
  }
}

// All primes below 2^bits, none more often than chance allows.
TEST(PrimesTest, RandomPrimesAreUniform) {
  SplitMix64 random(1);
  std::map<uint64_t, int> times;
  constexpr int kDraws = 54 * 400;  // 54 primes below 2^8
  for (int i = 0; i < kDraws; ++i) ++times[RandomPrime(8, &random)];
  EXPECT_EQ(times.size(), 54u);
  for (const auto& [prime, count] : times) {
    EXPECT_TRUE(IsPrime(prime));
    EXPECT_NEAR(count, 400, 4.5 * 20) << prime;
  }
  EXPECT_TRUE(IsPrime(RandomPrime(64, &random)));
}

}  // namespace
}  // namespace twinset
