#include "text/tokens/normalise.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/hash.h"
#include "kernels/kernels.h"
#include "text/tokens/normalise_fold.h"
#include "text/tokens/tokens_reference.h"

namespace twinset {
namespace {

std::string Unicode(std::string_view clean) {
  return Normalise(clean, NormaliseRule::kUnicode, nullptr);
}

// In steps of `step` bytes and with the way back: must not change a byte.
std::string InSteps(std::string_view clean, size_t step, bool with_map) {
  Normaliser normaliser(clean, NormaliseRule::kUnicode);
  NormalisedMap map;
  std::string out;
  size_t size = 0;
  while (!normaliser.AtEnd()) {
    normaliser.Step(step, &out, &size, with_map ? &map : nullptr);
  }
  out.resize(size);
  EXPECT_EQ(normaliser.code_points(),
            static_cast<uint64_t>(naive::Decode(clean).countChar32()));
  return out;
}

void ExpectNormalised(std::string_view clean) {
  const std::string expected = naive::Encode(naive::Normalised(clean));
  ASSERT_EQ(Unicode(clean), expected) << clean;
  for (const size_t step : {1, 7, 64}) {
    ASSERT_EQ(InSteps(clean, step, false), expected) << clean;
    ASSERT_EQ(InSteps(clean, step, true), expected) << clean;
  }
}

TEST(Normalise, ThisUnicodeIsTheOneOfTheSpec) {
  EXPECT_TRUE(CheckUnicodeVersion().has_value());
}

TEST(Normalise, ByHand) {
  EXPECT_EQ(Unicode("Straße ÄÖ ﬁ"), "strasse äö fi");
  EXPECT_EQ(Unicode("don\u2019t"), "don't");
  EXPECT_EQ(Unicode("a\u200Bb"), "a b");
  EXPECT_EQ(Unicode("so\u00ADft"), "soft");
  EXPECT_EQ(Unicode("e\u0301"), "é");
  EXPECT_EQ(Unicode("ＡＢＣ１"), "abc1");
  EXPECT_EQ(Unicode("a\xFFz\xE4\xB8z"), "a\uFFFDz\uFFFDz");
  EXPECT_EQ(Unicode(""), "");
  EXPECT_EQ(Normalise("A\xFFz Ä\u2019", NormaliseRule::kCopy, nullptr),
            "A\uFFFDz Ä\u2019");
}

// Alone, between letters, and where what is around it composes, reorders,
// vanishes or is a syllable that takes one more.
TEST(Normalise, EveryCodePointInItsSurroundingsEqualsIcu) {
  const std::pair<std::string, std::string> around[] = {
      {"", ""},         {"A", "b"},
      {"中", "\u0301"}, {"e\u0301", "\u0316"},
      {"가", "ᆨ"},     {"ᄀ", "ᅡ"},
      {"\u0316", ""},   {"a\u00AD", "\u0300\u0345"},
      {"か", "\u3099"}, {"e\u0323\u0345", "\u0302"}};
  for (UChar32 c = 0; c < 0x110000; ++c) {
    if (U_IS_SURROGATE(c)) continue;
    if (TWINSET_SLOW_BUILD && c > 0x3000 && c % 31 != 0) continue;
    // Planes that no version has assigned are all alike.
    if (c >= 0x40000 && c < 0xE0000 && c % 61 != 0) continue;
    const std::string point = naive::Encode(icu::UnicodeString(c));
    for (const auto& [before, behind] : around) {
      const std::string text = before + point + behind;
      ASSERT_EQ(Unicode(text), naive::Encode(naive::Normalised(text)))
          << std::hex << c << " in " << text;
    }
  }
}

// Where segments end decides which clean bytes a token is given.
TEST(Normalise, BoundariesAndFoldsOfEveryCodePointEqualIcu) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* icu_fold =
      icu::Normalizer2::getNFKCCasefoldInstance(status);
  const auto& table = normalise_internal::FoldTable::Get();
  for (UChar32 c = 0; c < 0x110000; ++c) {
    if (U_IS_SURROGATE(c) || c == 0x200B || c == 0x2019) continue;
    const auto point = static_cast<uint32_t>(c);
    const bool boundary = icu_fold->hasBoundaryBefore(c) != 0;
    ASSERT_EQ(table.BoundaryBefore(point), boundary) << std::hex << c;
    const icu::UnicodeString folded =
        icu_fold->normalize(icu::UnicodeString(c), status);
    const bool single = boundary && folded.countChar32() == 1;
    ASSERT_EQ(table.Folded(point),
              single ? static_cast<uint32_t>(folded.char32At(0)) : 0)
        << std::hex << c;
  }
}

// Code points that compose, reorder, vanish, expand, or are malformed.
const std::vector<std::string>& Pieces() {
  static const std::vector<std::string> pieces = {
      "a",          "E",          " ",      "\u0301", "\u0316",   "\u0300",
      "\u0344",     "\u00AD",     "\u200B", "\u200D", "\u2019",   "É",
      "ü",          "ß",          "ﷺ",      "ㇱ",     "가",       "ᄀ",
      "ᅡ",         "ᆨ",         "か",     "\u3099", "ｶ",        "ﾞ",
      "न",          "\u093C",     "Ж",      "\xFF",   "\xE4\xB8", "\U0001F600",
      "\U00010400", "\U0001D160", "\u0F73", "\u0345", "Σ",        "İ",
      "\u09C7",     "\u09BE",     "㌖"};
  return pieces;
}

TEST(Normalise, AllPairsAndTriples) {
  for (const std::string& a : Pieces()) {
    for (const std::string& b : Pieces()) {
      ExpectNormalised(a + b);
      for (const std::string& c : Pieces()) {
        const std::string text = a + b + c;
        ASSERT_EQ(Unicode(text), naive::Encode(naive::Normalised(text)))
            << text;
      }
    }
  }
}

TEST(Normalise, RandomLongText) {
  SplitMix64 random(11);
  for (int round = 0; round < 300; ++round) {
    const size_t first = random.Below(Pieces().size());
    const size_t kinds = 1 + random.Below(Pieces().size() - first);
    std::string text;
    while (text.size() < 3000) {
      const size_t repeat = 1 + random.Below(random.Below(20) == 0 ? 90 : 3);
      const std::string& piece = Pieces()[first + random.Below(kinds)];
      for (size_t i = 0; i < repeat; ++i) text += piece;
    }
    ExpectNormalised(text);
  }
}

// Code points of all blocks that take part in anything, and some that do not.
std::vector<UChar32> PointsThatChange() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* fold =
      icu::Normalizer2::getNFKCCasefoldInstance(status);
  std::vector<UChar32> points = {' ', 'a', 'Z', 0x4E2D, 0x11A7, 0x2065, 0xFFF4};
  for (UChar32 c = 0x80; c < 0xE0200; ++c) {
    if (U_IS_SURROGATE(c)) continue;
    if (c >= 0xAC00 && c < 0xD7A4 && c % 28 > 3) continue;
    if (!fold->isInert(c)) points.push_back(c);
  }
  return points;
}

TEST(Normalise, AMillionRandomTextsEqualIcu) {
  const std::vector<UChar32> points = PointsThatChange();
  std::vector<UChar32> joining;  // those that change what is before them
  UErrorCode status = U_ZERO_ERROR;
  for (const UChar32 c : points) {
    if (!icu::Normalizer2::getNFKCCasefoldInstance(status)->hasBoundaryBefore(
            c))
      joining.push_back(c);
  }
  ASSERT_GT(joining.size(), 1000u);
  SplitMix64 random(13);
  for (int round = 0; round < (TWINSET_SLOW_BUILD ? 20000 : 1000000); ++round) {
    icu::UnicodeString text;
    for (uint64_t left = 1 + random.Below(8); left > 0; --left) {
      const auto& from = random.Below(2) == 0 ? points : joining;
      text.append(from[random.Below(from.size())]);
    }
    const std::string clean = naive::Encode(text);
    ASSERT_EQ(Unicode(clean), naive::Encode(naive::Normalised(clean))) << clean;
  }
}

TEST(Normalise, LongRunsOfMarksEqualIcu) {
  SplitMix64 random(12);
  const std::string marks[] = {"\u0301", "\u0316", "\u0345", "\u0334",
                               "\u0344", "\u00AD", "\u093C", "\u05B0"};
  for (const std::string start : {"a", "", "é", "中", "ᄀ"}) {
    for (int round = 0; round < 5; ++round) {
      std::string text = "X " + start;
      while (text.size() < 4500) {
        text += marks[random.Below(std::size(marks))];
      }
      text += "Z";
      ExpectNormalised(text);
    }
  }
}

TEST(Normalise, LongRunsOfMarksAreLinear) {
  // Half a million marks in the worst order: quadratic work would be 10^10
  // steps, minutes; the bound leaves room for sanitizers.
  std::string text = "a";
  for (int i = 0; i < 250000; ++i) text += "\u0301";
  for (int i = 0; i < 250000; ++i) text += "\u0316";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(Unicode(text).size(),
            text.size() - 1);  // the first accent composes
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Normalise, TheWayBackIsMonotoneAndExact) {
  const std::string clean = "Ab \u00AD\uFB01x e\u0301 Ü\u200BQ";
  NormalisedMap map;
  const std::string text = Normalise(clean, NormaliseRule::kUnicode, &map);
  ASSERT_EQ(text, "ab fix é ü q");
  const auto clean_of = [&](std::string_view part) {
    const auto at = static_cast<uint32_t>(text.find(part));
    const uint32_t begin = map.CleanBegin(at);
    const uint32_t end = map.CleanEnd(at + static_cast<uint32_t>(part.size()));
    return clean.substr(begin, end - begin);
  };
  EXPECT_EQ(clean_of("ab"), "Ab");
  EXPECT_EQ(clean_of("fix"), "\uFB01x");
  EXPECT_EQ(clean_of("f"), "\uFB01");
  EXPECT_EQ(clean_of("i"), "\uFB01");
  EXPECT_EQ(clean_of("é"), "e\u0301");
  EXPECT_EQ(clean_of("ü"), "Ü");
  EXPECT_EQ(clean_of("q"), "Q");
}

}  // namespace
}  // namespace twinset
