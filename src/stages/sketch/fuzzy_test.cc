#include "sketch/fuzzy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/hash.h"

namespace twinset {
namespace {

Sketch Compute(std::string_view tokens) {
  Sketch sketch;
  MakeFuzzySketcher()->Compute(tokens, &sketch);
  return sketch;
}

uint64_t Number(const Sketch& sketch, size_t scheme) {
  return uint64_t{sketch[2 * scheme + 1]} << 32 | sketch[2 * scheme];
}

// Words that begin as usual in English, roughly, and one that does not.
std::string RandomText(int words, uint64_t seed) {
  static constexpr std::string_view kLetters =
      "aaaaaabbbccccddddeeffffggghhhiiiikllmmmnnoooppprrssssttttttuvwwwy";
  SplitMix64 random(seed);
  std::string text;
  for (int i = 0; i < words; ++i) {
    if (i > 0) text += ' ';
    text += kLetters[random.Below(kLetters.size())];
    text.append(random.Below(8), 'x');
  }
  return text;
}

TEST(FuzzyTest, DoublingChangesNothing) {
  for (const std::string& text :
       {RandomText(400, 1), RandomText(7, 2), std::string("один два three"),
        std::string("吾 輩 は 猫 で あ る"),
        std::string("λόγος 가나다 ไ ท ย")}) {
    std::string many = text;
    for (int i = 2; i < 6; ++i) {
      many += " " + text;
      EXPECT_EQ(Compute(text), Compute(many)) << i << " times " << text;
    }
  }
}

TEST(FuzzyTest, OrderOfWordsDoesNotMatter) {
  EXPECT_EQ(Compute("one two three four"), Compute("four three two one"));
}

TEST(FuzzyTest, DigitsAreBelowTheLevels) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const std::string text = RandomText(static_cast<int>(1 + seed * 7), seed);
    for (int scheme = 0; scheme < kFuzzySchemes; ++scheme) {
      const auto digits = FuzzyDigitsOf(text, scheme);
      ASSERT_EQ(digits.size(), 1u);
      ASSERT_EQ(digits[0].digits.size(), 27u);
      for (const uint8_t digit : digits[0].digits) {
        EXPECT_LT(digit, kFuzzyLevels);
      }
    }
  }
}

// Schemes differ in where their intervals meet: -4, 0, 4, 8.
TEST(FuzzyTest, HigherBoundsGiveLowerDigits) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const std::string text = RandomText(200, seed);
    std::vector<uint8_t> before(27, 1);
    for (const int scheme : {2, 0, 1, 3}) {
      const auto digits = FuzzyDigitsOf(text, scheme);
      for (size_t i = 0; i < before.size(); ++i) {
        EXPECT_LE(digits[0].digits[i], before[i]);
      }
      before = digits[0].digits;
    }
  }
}

TEST(FuzzyTest, NumberIsItsDigits) {
  const std::string text = RandomText(150, 3);
  const Sketch sketch = Compute(text);
  ASSERT_EQ(sketch.size(), 2u * kFuzzySchemes);
  for (int scheme = 0; scheme < kFuzzySchemes; ++scheme) {
    uint64_t number = 0, weight = 1;
    const auto digits = FuzzyDigitsOf(text, scheme);
    for (const uint8_t digit : digits[0].digits) {
      number += digit * weight;
      weight *= kFuzzyLevels;
    }
    EXPECT_EQ(Number(sketch, static_cast<size_t>(scheme)), number);
    EXPECT_LT(number, uint64_t{1} << 27);
  }
}

// By hand, in scheme 0, where the expected share itself is the bound: 4 of 8
// words begin with a, usually 11.3 %; 1 of 8 with c, usually 5.0 %; 1 of 8 with
// t, usually 14.2 %; none with s, usually 7.7 %.
TEST(FuzzyTest, DigitsByHand) {
  const std::string_view text = "a an all and the big old cat";
  const auto digit = [&](int scheme, char letter) {
    const auto digits = FuzzyDigitsOf(text, scheme);
    return int{digits[0].digits[static_cast<size_t>(letter - 'a')]};
  };
  EXPECT_EQ(digit(0, 'a'), 1);
  EXPECT_EQ(digit(0, 'c'), 1);
  EXPECT_EQ(digit(0, 't'), 0);
  EXPECT_EQ(digit(0, 's'), 0);
  // 14.2 % - 0.04 * root of 0.142 = 12.7 %, above 12.5 %.
  EXPECT_EQ(digit(2, 't'), 0);
  // 4.2 % of f + 0.08 * root of 0.042 = 5.9 %: none begins with f.
  EXPECT_EQ(digit(3, 'f'), 0);
  // 5.0 % + 0.08 * root of 0.05 = 6.8 %.
  EXPECT_EQ(digit(3, 'c'), 1);
}

TEST(FuzzyTest, ClassesOfScripts) {
  const auto is = [](char32_t c, PrefixScript script, int number) {
    const PrefixClass found = PrefixClassOf(c);
    EXPECT_EQ(found.script, script) << static_cast<uint32_t>(c);
    EXPECT_EQ(found.number, number) << static_cast<uint32_t>(c);
  };
  is('a', PrefixScript::kLatin, 0);
  is('z', PrefixScript::kLatin, 25);
  is('Z', PrefixScript::kLatin, 25);
  is(U'é', PrefixScript::kLatin, 26);
  is(U'ạ', PrefixScript::kLatin, 26);
  is(U'а', PrefixScript::kCyrillic, 0);
  is(U'я', PrefixScript::kCyrillic, 31);
  is(U'ё', PrefixScript::kCyrillic, 32);
  is(U'α', PrefixScript::kGreek, 0x3b1 % 32);
  is(U'א', PrefixScript::kHebrew, 0x5d0 % 32);
  is(U'ب', PrefixScript::kArabic, 0x628 % 32);
  is(U'क', PrefixScript::kIndic, 0x915 % 32);
  is(U'ก', PrefixScript::kSouthEast, 0xe01 % 32);
  is(U'가', PrefixScript::kHangul, 0);
  is(U'힣', PrefixScript::kHangul, 18);
  is(U'ㄱ', PrefixScript::kHangul, 19);
  is(U'猫', PrefixScript::kCjk, 0x732b % 32);
  is(U'あ', PrefixScript::kCjk, 32 + 0x3042 % 32);
  is(U'ა', PrefixScript::kOther, 0x10d0 % 32);
  for (const char32_t none : {U'1', U' ', U'-', U'٣', U'½', U'\uFFFD'}) {
    EXPECT_EQ(PrefixClassOf(none).number, -1);
  }
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    const PrefixClass found = PrefixClassOf(c);
    ASSERT_LT(found.number, PrefixClasses(found.script)) << uint32_t{c};
  }
}

// A script counts from a quarter of the words on.
TEST(FuzzyTest, MixedScripts) {
  const auto scripts = [](std::string_view text) {
    std::vector<PrefixScript> all;
    for (const auto& digits : FuzzyDigitsOf(text, 0)) {
      all.push_back(digits.script);
    }
    return all;
  };
  using enum PrefixScript;
  EXPECT_EQ(scripts("one two three раз"),
            (std::vector<PrefixScript>{kLatin, kCyrillic}));
  EXPECT_EQ(scripts("one two three four раз"),
            (std::vector<PrefixScript>{kLatin}));
  EXPECT_EQ(Compute("one two three four раз"), Compute("one two three four"));
  EXPECT_NE(Compute("one two three раз"), Compute("one two three"));
}

TEST(FuzzyTest, TextsWithoutWordsHaveNoNumber) {
  EXPECT_TRUE(Compute("").empty());
  EXPECT_TRUE(Compute("1 2 3 2024 99").empty());
  EXPECT_EQ(MakeFuzzySketcher()->Estimate({}, {}), 0);
}

TEST(FuzzyTest, AnyBytesAreRead) {
  SplitMix64 random(5);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes;
    for (uint64_t n = random.Below(40); n > 0; --n) {
      bytes += static_cast<char>(random.Below(4) == 0 ? ' ' : random.Next());
    }
    const Sketch sketch = Compute(bytes);
    EXPECT_TRUE(sketch.empty() || sketch.size() == 2 * kFuzzySchemes);
  }
}

TEST(FuzzyTest, EstimateIsTheShareOfEqualNumbers) {
  const auto sketcher = MakeFuzzySketcher();
  const Sketch a = {1, 0, 2, 0, 3, 0, 4, 0}, b = {1, 0, 2, 1, 3, 0, 4, 0};
  EXPECT_EQ(sketcher->Estimate(a, a), 1.0);
  EXPECT_EQ(sketcher->Estimate(a, b), 0.75);
  EXPECT_EQ(sketcher->Written(b),
            "0000000000000001000000010000000200000000000000030000000000000004");
}

}  // namespace
}  // namespace twinset
