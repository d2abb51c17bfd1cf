#include "sketch/rabin.h"

#include <gtest/gtest.h>

#include <string>

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

// Trial division by every polynomial of lower degree.
bool NaiveIrreducible(uint64_t full, int degree) {
  for (uint64_t divisor = 2; divisor < (uint64_t{1} << degree); ++divisor) {
    uint64_t rest = full;
    const int divisor_degree = 63 - __builtin_clzll(divisor);
    while (rest != 0 && 63 - __builtin_clzll(rest) >= divisor_degree) {
      rest ^= divisor << (63 - __builtin_clzll(rest) - divisor_degree);
    }
    if (rest == 0) return false;
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

TEST(RabinTest, IsLinearAndRollsToTheScratchValueAtEveryWindow) {
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
    constexpr size_t kWindow = 48;
    const RabinWindow window(&rabin, kWindow);
    uint64_t rolled = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      const char out = i < kWindow ? 0 : text[i - kWindow];
      rolled = window.Roll(rolled, static_cast<uint8_t>(text[i]),
                           static_cast<uint8_t>(out));
      if (i + 1 < kWindow) continue;
      ASSERT_EQ(rolled, rabin.Of(std::string_view(text).substr(i + 1 - kWindow,
                                                               kWindow),
                                 false));
    }
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
}

}  // namespace
}  // namespace twinset
