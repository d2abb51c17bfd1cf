#include "sketch/rabin.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/hash.h"
#include "sketch/sketcher.h"

namespace twinset {
namespace {

constexpr Gf2Polynomial kP8{8, 0x1B};  // x^8 + x^4 + x^3 + x + 1

TEST(RabinTest, IrreducibilityGolden) {
  EXPECT_TRUE(IsIrreducible(kP8));
  EXPECT_TRUE(IsIrreducible(kRabinPolynomial));
  EXPECT_FALSE(IsIrreducible({8, 0x01}));  // x^8 + 1 = (x + 1)^8
}

uint64_t NaiveRest(uint64_t rest, uint64_t divisor) {
  const int divisor_degree = 63 - __builtin_clzll(divisor);
  while (rest != 0 && 63 - __builtin_clzll(rest) >= divisor_degree)
    rest ^= divisor << (63 - __builtin_clzll(rest) - divisor_degree);
  return rest;
}

// Trial division by every polynomial of lower degree.
bool NaiveIrreducible(uint64_t full, int degree) {
  for (uint64_t divisor = 2; divisor < (uint64_t{1} << degree); ++divisor) {
    if (NaiveRest(full, divisor) == 0) return false;
  }
  return true;
}

TEST(RabinTest, IrreducibilityAgreesWithTrialDivision) {
  for (int degree = 1; degree <= 10; ++degree) {
    for (uint64_t low = 0; low < (uint64_t{1} << degree); ++low) {
      EXPECT_EQ(IsIrreducible({degree, low}),
                NaiveIrreducible(uint64_t{1} << degree | low, degree))
          << degree << " " << low;
    }
  }
}

TEST(RabinTest, FingerprintGolden) {
  const auto p8 = *RabinFingerprint::Create(kP8);
  EXPECT_EQ(p8.Of("a"), 0x7au);
  EXPECT_EQ(p8.Of("abc"), 0x30u);
  EXPECT_EQ(p8.Of("rose"), 0xd8u);
  EXPECT_EQ(p8.Of("a rose is a rose"), 0x93u);
  EXPECT_EQ(p8.Of("a", false), 0x61u);
  EXPECT_EQ(p8.Of("abc", false), 0x83u);
  EXPECT_EQ(p8.Of("rose", false), 0x3cu);
  EXPECT_EQ(p8.Of("a rose is a rose", false), 0x69u);
  const auto p64 = *RabinFingerprint::Create(kRabinPolynomial);
  EXPECT_EQ(p64.Of("a rose is a rose"), 0xcb44421d4abb1734u);
  EXPECT_EQ(p64.Of("a rose is a rose", false), 0xcb44421d4abb1671u);
  EXPECT_EQ(p64.Of("rose", false), 0x726f7365u);
}

TEST(RabinTest, LeadingZerosOnlyVanishWithoutTheLeadingOne) {
  const auto rabin = *RabinFingerprint::Create(kRabinPolynomial);
  const std::string one("\x01", 1), padded("\0\x01", 2);
  EXPECT_EQ(rabin.Of(one, false), rabin.Of(padded, false));
  EXPECT_NE(rabin.Of(one), rabin.Of(padded));
}

TEST(RabinTest, IsLinear) {
  SplitMix64 random(7);
  std::string text;
  for (int i = 0; i < 2000; ++i) text += static_cast<char>(random.Next());
  for (const Gf2Polynomial& polynomial : {kP8, kRabinPolynomial}) {
    const auto rabin = *RabinFingerprint::Create(polynomial);
    std::string other = text, sum = text;
    for (size_t i = 0; i < text.size(); ++i) {
      other[i] = static_cast<char>(random.Next());
      sum[i] = static_cast<char>(text[i] ^ other[i]);
    }
    EXPECT_EQ(rabin.Of(sum, false),
              rabin.Of(text, false) ^ rabin.Of(other, false));
  }
}

// The number of monic irreducible polynomials of degree n is (1/n) sum of
// mu(d) 2^(n/d) over d | n: 2, 1, 2, 3, 6, 9, 18, 30.
TEST(RabinTest, CountsOfIrreduciblePolynomials) {
  const int kCounts[] = {2, 1, 2, 3, 6, 9, 18, 30};
  for (int degree = 1; degree <= 8; ++degree) {
    int count = 0;
    for (uint64_t low = 0; low < (uint64_t{1} << degree); ++low)
      count += IsIrreducible({degree, low});
    EXPECT_EQ(count, kCounts[degree - 1]) << degree;
  }
}

// Chi-square over the 30 polynomials of degree 8, 30,000 draws: 29 degrees of
// freedom, deviation 7.6; the bound is five deviations.
TEST(RabinTest, DrawsAreUniformAmongTheIrreducible) {
  SplitMix64 random(1);
  std::map<uint64_t, int> drawn;
  for (int i = 0; i < 30000; ++i) ++drawn[DrawIrreducible(8, &random)->low];
  ASSERT_EQ(drawn.size(), 30u);
  double chi_square = 0;
  for (const auto& [low, count] : drawn) {
    EXPECT_TRUE(IsIrreducible({8, low}));
    chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
  }
  EXPECT_LT(chi_square, 29 + 5 * 7.6);
}

TEST(RabinTest, DrawnPolynomialsMakeFingerprints) {
  SplitMix64 random(3);
  for (int degree = 8; degree <= 64; degree += 8) {
    const Gf2Polynomial drawn = *DrawIrreducible(degree, &random);
    EXPECT_EQ(drawn.degree, degree);
    EXPECT_TRUE(RabinFingerprint::Create(drawn));
  }
  EXPECT_EQ(DrawIrreducible(64, &random)->degree, 64);
  EXPECT_FALSE(DrawIrreducible(0, &random));
  EXPECT_FALSE(DrawIrreducible(65, &random));
}

TEST(RabinTest, ToText) {
  EXPECT_EQ(ToText(kRabinPolynomial), "x^64 + x^4 + x^3 + x + 1");
  EXPECT_EQ(ToText({8, 0x80}), "x^8 + x^7");
  EXPECT_EQ(ToText({1, 0}), "x^1");
}

// By bits: has P, of degree 64, a factor of degree up to 32? Then it has one in
// common with some x^(2^i) + x, the product of the irreducible polynomials
// whose degrees divide i (Ben-Or 1981).
bool HasSmallFactor(uint64_t low) {
  using Wide = unsigned __int128;
  const Wide p = Wide{1} << 64 | low;
  const auto degree = [](Wide q) {
    int d = -1;
    for (; q != 0; q >>= 1) ++d;
    return d;
  };
  const auto rest = [&](Wide q, Wide by) {
    for (int d = degree(q); d >= degree(by); d = degree(q))
      q ^= by << (d - degree(by));
    return q;
  };
  Wide power = 2;
  for (int i = 1; i <= 32; ++i) {
    Wide square = 0;
    for (int bit = 63; bit >= 0; --bit) {
      square = rest(square << 1, p);
      if (power >> bit & 1) square ^= power;
    }
    power = square;
    Wide a = p, b = power ^ 2;
    while (b != 0) {
      const Wide r = rest(a, b);
      a = b;
      b = r;
    }
    if (a != 1) return true;
  }
  return false;
}

TEST(RabinTest, DrawnPolynomialsAreIrreducibleByNaiveTests) {
  EXPECT_FALSE(HasSmallFactor(kRabinPolynomial.low));
  EXPECT_TRUE(HasSmallFactor(0));
  EXPECT_TRUE(HasSmallFactor(1));  // (x + 1)^64
  SplitMix64 random(9);
  for (const int degree : {2, 5, 8, 11, 16, 20}) {
    for (int i = 0; i < 20; ++i) {
      const Gf2Polynomial drawn = *DrawIrreducible(degree, &random);
      // One of two factors has at most half the degree.
      const uint64_t full = uint64_t{1} << degree | drawn.low;
      for (uint64_t divisor = 2; divisor < uint64_t{2} << degree / 2; ++divisor)
        ASSERT_NE(NaiveRest(full, divisor), 0u) << ToText(drawn);
    }
  }
  for (uint64_t seed = 0; seed < 8; ++seed)
    EXPECT_FALSE(HasSmallFactor(SeededPolynomial(seed).low)) << seed;
}

// The same on every machine: known answers.
TEST(RabinTest, SeededPolynomialGolden) {
  EXPECT_EQ(SeededPolynomial(1).degree, 64);
  EXPECT_EQ(SeededPolynomial(1).low, 0xfd845ef300ce2d0bu);
  EXPECT_EQ(SeededPolynomial(2).low, 0x02fc1efe0fccd72du);
  Sketch fixed, drawn;
  MakeRabinSketcher()->Compute("a rose is a rose", &fixed);
  EXPECT_EQ(fixed, (Sketch{0x4abb1734, 0xcb44421d}));
  const auto sketcher = MakeRabinSketcher(1);
  sketcher->Compute("a rose is a rose", &drawn);
  EXPECT_NE(drawn, fixed);
  EXPECT_EQ(sketcher->DrawnModulus(), ToText(SeededPolynomial(1)));
  EXPECT_EQ(MakeRabinSketcher()->DrawnModulus(), "");
}

// Two texts of n bits collide for at most n / 8 of the 30 polynomials of degree
// 8: the product of that many divides their difference. Here the difference is
// itself the product of four.
TEST(RabinTest, AtMostTheDivisorsOfTheDifferenceCollide) {
  std::vector<Gf2Polynomial> polynomials;
  for (uint64_t low = 0; low < 256; ++low) {
    if (IsIrreducible({8, low})) polynomials.push_back({8, low});
  }
  unsigned __int128 product = 1;
  for (size_t i = 0; i < 4; ++i) {
    unsigned __int128 sum = 0;
    for (int bit = 0; bit <= 8; ++bit) {
      if ((uint64_t{256} | polynomials[i].low) >> bit & 1)
        sum ^= product << bit;
    }
    product = sum;
  }
  SplitMix64 random(5);
  std::string x(5, '\0'), y = x;
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<char>(random.Next());
    y[i] = static_cast<char>(x[i] ^ static_cast<char>(product >> 8 * (4 - i)));
  }
  for (const bool leading_one : {false, true}) {
    size_t collisions = 0;
    for (const Gf2Polynomial& polynomial : polynomials) {
      const auto rabin = *RabinFingerprint::Create(polynomial);
      collisions += rabin.Of(x, leading_one) == rabin.Of(y, leading_one);
    }
    EXPECT_EQ(collisions, 4u);
  }
}

TEST(RabinTest, RefusesReduciblePolynomials) {
  EXPECT_FALSE(RabinFingerprint::Create({8, 0x01}));
  EXPECT_FALSE(RabinFingerprint::Create(
      {7, 0x03}));  // irreducible, but not a whole byte
}

TEST(RabinTest, SketcherSeesOneChangedByte) {
  const auto sketcher = MakeRabinSketcher();
  Sketch a, b, c;
  sketcher->Compute("the same page", &a);
  sketcher->Compute("the same page", &b);
  sketcher->Compute("the sane page", &c);
  EXPECT_EQ(sketcher->Estimate(a, b), 1.0);
  EXPECT_EQ(sketcher->Estimate(a, c), 0.0);
  sketcher->Compute("a rose is a rose", &a);
  EXPECT_EQ(sketcher->Written(a), "cb44421d4abb1734");
}

}  // namespace
}  // namespace twinset
