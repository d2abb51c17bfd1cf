#include "text/html/html_entities.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "text/charset/charset.h"

namespace twinset {
namespace {

#include "text/html/html_entities.inc"

constexpr size_t kNames = std::size(kReferenceValues);

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (size_t i = 0; i < kNames; ++i) {
    names.emplace_back(kReferenceNames + kReferenceStarts[i],
                       kReferenceNames + kReferenceStarts[i + 1]);
  }
  return names;
}

std::string Value(size_t i) {
  std::string value;
  AppendCodePoint(kReferenceValues[i] & 0xFFFFFF, &value);
  const uint32_t second = kReferenceValues[i] >> 24;
  if (second != 0) AppendCodePoint(kSecondCodePoints[second - 1], &value);
  return value;
}

bool IsAlnum(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

// The rule of the standard over the whole list.
std::string NaiveDecode(std::string_view text, bool in_attribute) {
  static const std::vector<std::string> names = Names();
  std::string out;
  while (!text.empty()) {
    size_t best = kNames;
    for (size_t i = 0; text[0] == '&' && i < kNames; ++i) {
      if (text.substr(1).starts_with(names[i]) &&
          (best == kNames || names[i].size() > names[best].size())) {
        best = i;
      }
    }
    if (best < kNames && in_attribute && names[best].back() != ';') {
      const std::string_view after = text.substr(1 + names[best].size());
      if (!after.empty() && (after[0] == '=' || IsAlnum(after[0]))) {
        best = kNames;
      }
    }
    if (best == kNames) {
      out += text[0];
      text.remove_prefix(1);
    } else {
      out += Value(best);
      text.remove_prefix(1 + names[best].size());
    }
  }
  return out;
}

TEST(HtmlEntities, TheStandardsList) {
  const std::vector<std::string> names = Names();
  ASSERT_EQ(names.size(), 2231u);
  size_t legacy = 0, pairs = 0;
  for (size_t i = 0; i < kNames; ++i) {
    if (i > 0) {
      EXPECT_LT(names[i - 1], names[i]);
    }
    legacy += names[i].back() != ';';
    pairs += kReferenceValues[i] >> 24 != 0;
  }
  EXPECT_EQ(legacy, 106u);
  EXPECT_EQ(pairs, 93u);
}

TEST(HtmlEntities, EveryNameWithWhateverFollows) {
  const std::vector<std::string> names = Names();
  for (size_t i = 0; i < kNames; ++i) {
    const CharacterReference reference = ReadReference("&" + names[i], false);
    EXPECT_EQ(reference.length, 1 + names[i].size()) << names[i];
    EXPECT_EQ(DecodeReferences("&" + names[i], true), Value(i)) << names[i];
    if (i % 7 != 0 && names[i].back() == ';') continue;
    const std::string cut = "&" + names[i].substr(0, names[i].size() - 1);
    for (const std::string& text :
         {cut, cut + "=", cut + "x;", "&" + names[i] + "=", cut + "\x80",
          "&" + names[i] + "Z", "&" + names[i] + ";"}) {
      for (const bool in_attribute : {false, true}) {
        EXPECT_EQ(DecodeReferences(text, in_attribute),
                  NaiveDecode(text, in_attribute))
            << text;
      }
    }
  }
}

TEST(HtmlEntities, RandomAgainstTheNaiveRule) {
  const std::vector<std::string> names = Names();
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (size_t n = random() % 4; n > 0; --n) {
      const std::string& name = names[random() % kNames];
      text += "&" + name.substr(0, random() % (name.size() + 1));
      if (random() % 2 == 0) text += "=;aZ9\xFF&[`{"[random() % 10];
    }
    const bool in_attribute = random() % 2 == 0;
    EXPECT_EQ(DecodeReferences(text, in_attribute),
              NaiveDecode(text, in_attribute))
        << text;
  }
}

TEST(HtmlEntities, Values) {
  EXPECT_EQ(DecodeReferences("&nbsp;&euro;&hellip;&Afr;", false),
            "\u00A0\u20AC\u2026\U0001D504");
  EXPECT_EQ(DecodeReferences("&NotEqualTilde;&fjlig;&bne;", false),
            "\u2242\u0338fj=\u20E5");
  EXPECT_EQ(DecodeReferences("&notit;&notin;&noti;", false),
            "\u00ACit;\u2209\u00ACi;");
  EXPECT_EQ(DecodeReferences("&CounterClockwiseContourIntegral;", false),
            "\u2233");
  EXPECT_EQ(DecodeReferences("&nbsp&nbs;&hellip", false), "\u00A0&nbs;&hellip");
}

TEST(HtmlEntities, Numbers) {
  EXPECT_EQ(DecodeReferences("&#65;&#x42&#X43;", false), "ABC");
  EXPECT_EQ(DecodeReferences("&#;&#x;&#xg&#", false), "&#;&#x;&#xg&#");
  EXPECT_EQ(DecodeReferences("&#0;&#xD800;&#x110000;", false),
            "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(DecodeReferences("&#99999999999999999999;", false), "\uFFFD");
  EXPECT_EQ(DecodeReferences("&#x80;&#x81;&#159;", false),
            "\u20AC\u0081\u0178");
  EXPECT_EQ(DecodeReferences("&#13;", false), "\r");
  EXPECT_EQ(DecodeReferences("&#65=", true), "A=");
}

}  // namespace
}  // namespace twinset
