#include "sketch/rabin_prime.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "sketch/collision_laws.h"

namespace twinset {
namespace {

std::string BytesOf(uint64_t value, size_t bytes) {
  std::string text(bytes, '\0');
  for (size_t i = bytes; i-- > 0; value >>= 8)
    text[i] = static_cast<char>(value & 0xff);
  return text;
}

std::vector<uint64_t> FirstPrimes(size_t count) {
  std::vector<uint64_t> primes;
  for (uint64_t n = 2; primes.size() < count; ++n) {
    if (std::none_of(primes.begin(), primes.end(),
                     [n](uint64_t p) { return p * p <= n && n % p == 0; })) {
      primes.push_back(n);
    }
  }
  return primes;
}

Uint128 Power2(int exponent) { return Uint128{1} << exponent; }

// The lecture's numbers of 10 bits, p = 173.
TEST(RabinPrimeTest, Golden) {
  const RabinPrime rabin = *RabinPrime::Create(173);
  EXPECT_TRUE(rabin.Of(BytesOf(0b0101011011, 2), false) == 0b00000001);
  EXPECT_TRUE(rabin.Of(BytesOf(0b1101011011, 2), false) == 0b10100111);
  EXPECT_TRUE(rabin.Of(BytesOf(0b0001011011, 2), false) == 0b01011011);
}

TEST(RabinPrimeTest, LengthCountsOnlyWithTheLeadingOne) {
  const RabinPrime rabin = *RabinPrime::Create(173);
  const std::string one = BytesOf(1, 1), padded = BytesOf(1, 2);
  EXPECT_TRUE(rabin.Of(one, false) == rabin.Of(padded, false));
  EXPECT_FALSE(rabin.Of(one) == rabin.Of(padded));
  EXPECT_TRUE(rabin.Of("", false) == 0);
  EXPECT_TRUE(rabin.Of("") == 1);
}

TEST(RabinPrimeTest, EqualsRemainderByteForByte) {
  SplitMix64 random(21);
  for (int i = 0; i < 200; ++i) {
    const int bits = 2 + static_cast<int>(random.Below(79));
    const RabinPrime rabin = *RabinPrime::Create(RandomPrime128(bits, &random));
    std::string text(random.Below(60), '\0');
    for (char& byte : text) byte = static_cast<char>(random.Next());
    Uint128 naive = 1 % rabin.prime();
    for (const char byte : text)
      naive = (naive * 256 + static_cast<uint8_t>(byte)) % rabin.prime();
    EXPECT_TRUE(rabin.Of(text) == naive);
  }
}

TEST(RabinPrimeTest, PrimalityAgreesWithTrialDivision) {
  const std::vector<uint64_t> primes = FirstPrimes(2000);  // up to 17389
  size_t next = 0;
  for (uint64_t n = 0; n <= primes.back(); ++n) {
    const bool prime = n == primes[next];
    ASSERT_EQ(IsPrime128(n), prime) << n;
    next += prime;
  }
}

TEST(RabinPrimeTest, PrimalityGolden) {
  // Mersenne primes and the primes next to powers of two (OEIS A000043,
  // A013597, A013603).
  for (const int exponent : {2, 3, 5, 7, 13, 17, 19, 31, 61})
    EXPECT_TRUE(IsPrime128(Power2(exponent) - 1)) << exponent;
  for (const int exponent : {11, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71, 73})
    EXPECT_FALSE(IsPrime128(Power2(exponent) - 1)) << exponent;
  EXPECT_TRUE(IsPrime128(Power2(64) - 59));
  EXPECT_TRUE(IsPrime128(Power2(64) + 13));
  EXPECT_TRUE(IsPrime128(Power2(68) - 23));
  EXPECT_FALSE(IsPrime128(Power2(68) - 21));
  // Carmichael numbers, and composites that pass the test with the bases up to
  // 7, up to 23 and up to 37 (OEIS A014233).
  for (const Uint128 n :
       {Uint128{561}, Uint128{41041}, Uint128{3215031751},
        Uint128{3825123056546413051},
        Uint128{318665857834} * 1000000000000 + 31151167461}) {
    EXPECT_FALSE(IsPrime128(n));
  }
  EXPECT_FALSE(IsPrime128(Power2(80)));
}

// Exactly those of the first m primes collide that divide |x - y|: six of
// 30030 = 2 3 5 7 11 13, whatever m, and so at most n of m for n bits.
TEST(RabinPrimeTest, ExactlyTheDivisorsOfTheDifferenceCollide) {
  const std::string x = BytesOf(0x123456, 3), y = BytesOf(0x123456 + 30030, 3);
  const std::vector<uint64_t> primes = FirstPrimes(5000);
  for (const bool leading_one : {false, true}) {
    size_t collisions = 0;
    for (size_t m = 1; m <= primes.size(); ++m) {
      const RabinPrime rabin = *RabinPrime::Create(primes[m - 1]);
      collisions += rabin.Of(x, leading_one) == rabin.Of(y, leading_one);
      ASSERT_EQ(collisions, std::min<size_t>(m, 6));
    }
    EXPECT_LE(collisions, 15u);  // texts that differ by 15 bits
  }
}

// Chi-square over the 54 primes below 2^8, 54,000 draws: 53 degrees of freedom,
// mean 53, deviation 10.3; the bound is five deviations.
TEST(RabinPrimeTest, DrawsAreUniformAmongThePrimes) {
  SplitMix64 random(1);
  std::map<unsigned, int> drawn;
  for (int i = 0; i < 54000; ++i)
    ++drawn[static_cast<unsigned>(RandomPrime128(8, &random))];
  ASSERT_EQ(drawn.size(), 54u);
  double chi_square = 0;
  for (const auto& [prime, count] : drawn) {
    EXPECT_TRUE(IsPrime128(prime));
    chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
  }
  EXPECT_LT(chi_square, 53 + 5 * 10.3);
}

TEST(RabinPrimeTest, DrawsOfTheMethodArePrimesBelow2To68) {
  SplitMix64 random(2);
  bool above_64_bits = false;
  for (int i = 0; i < 20; ++i) {
    const Uint128 prime = RandomPrime128(kMethodPrimeBits, &random);
    EXPECT_TRUE(IsPrime128(prime));
    EXPECT_TRUE(prime >> 68 == 0);
    above_64_bits |= prime >> 64 != 0;
  }
  EXPECT_TRUE(above_64_bits);
}

TEST(RabinPrimeTest, RefusesComposites) {
  EXPECT_FALSE(RabinPrime::Create(0));
  EXPECT_FALSE(RabinPrime::Create(1));
  EXPECT_FALSE(RabinPrime::Create(341));
  EXPECT_FALSE(RabinPrime::Create(Power2(100) + 277));  // prime, too long
}

TEST(RabinPrimeTest, SketchesAreOfTheSeedsPrime) {
  Sketch a, b, c;
  MakeRabinPrimeSketcher(1)->Compute("the same page", &a);
  MakeRabinPrimeSketcher(1)->Compute("the sane page", &b);
  MakeRabinPrimeSketcher(2)->Compute("the same page", &c);
  const auto sketcher = MakeRabinPrimeSketcher(1);
  EXPECT_EQ(sketcher->Estimate(a, a), 1.0);
  EXPECT_EQ(sketcher->Estimate(a, b), 0.0);
  EXPECT_NE(a, c);
  // One number of 68 bits, not three of 32.
  const std::string written = sketcher->Written(a);
  const Uint128 value = SeededRabinPrime(1).Of("the same page");
  EXPECT_EQ(written, ToHex(static_cast<uint64_t>(value >> 64), 1) +
                         ToHex(static_cast<uint64_t>(value)));
}

// The primes of the method tell a million texts of 1 KiB apart with probability
// 0.999: that needs C(10^6, 2) 8192 / 10^-3 primes, one in so many of which
// divides the difference of a given pair.
TEST(CollisionLawsTest, ThePrimesOfTheMethodAreMany) {
  const double needed = 1e6 * (1e6 - 1) / 2 * 8192 / 1e-3;
  EXPECT_NEAR(needed / 4.096e18, 1, 1e-5);
  EXPECT_GE(PrimesBelow(kMethodPrimeBits), needed);
  EXPECT_LT(PrimesBelow(kMethodPrimeBits - 1), needed);
}

// 64 bits, 10 %: the 1.97 billion documents of the content-seen test.
// The million-th prime is 15485863, the 10^12-th 29996224275833.
TEST(CollisionLawsTest, LengthsOfPrimes) {
  EXPECT_NEAR(PrimeLength(1e6), std::log2(15485863.0), .01);
  EXPECT_NEAR(PrimeLength(1e12), std::log2(29996224275833.0), .01);
  EXPECT_NEAR(PrimeLength(4.096e18), 67.3, .05);
  // 54 primes are below 2^8, 6542 below 2^16.
  EXPECT_LE(PrimesBelow(8), 54);
  EXPECT_LE(PrimesBelow(16), 6542);
  EXPECT_GE(PrimesBelow(16), 5900);
}

TEST(CollisionLawsTest, CollisionsOfUniformFingerprints) {
  // Three values of 8 bits, 3 pairs of 1 / 256 each, are different with
  // probability 255 254 / 256^2.
  EXPECT_NEAR(AnyCollision(3.0 / 256), 1 - 255.0 * 254 / 65536, 1e-4);
  EXPECT_NEAR(AnyCollision(1.9716e9 * 1.9716e9 / 2 * 0x1p-64), .1, 1e-5);
  EXPECT_DOUBLE_EQ(DocumentsFor(3.0 / 256, 1.0 / 256), 3);
}

TEST(CollisionLawsTest, BirthdayGolden) {
  EXPECT_NEAR(BirthdayDocuments(64, 0.1), 1.9716e9, 5e4);
}

}  // namespace
}  // namespace twinset
