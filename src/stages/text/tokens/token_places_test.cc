#include "text/tokens/token_places.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/hash.h"
#include "text/page/clean_text.h"
#include "text/tokens/tokens.h"

namespace twinset {
namespace {

using Strings = std::vector<std::string>;

struct Split {
  Strings tokens, stretches;
  UnitCounts counts;
};

Split SplitText(const std::string& text, TokenRule rule = TokenRule::kUnicode) {
  Split split;
  std::vector<uint32_t> begins;
  UnitScratch scratch;
  split.counts = ForEachToken(text, rule, &scratch,
                              [&](std::string_view token, uint32_t begin) {
                                split.tokens.emplace_back(token);
                                begins.push_back(begin);
                              });
  begins.push_back(static_cast<uint32_t>(text.size()));
  for (size_t i = 0; i + 1 < begins.size(); ++i)
    split.stretches.push_back(
        text.substr(begins[i], begins[i + 1] - begins[i]));
  return split;
}

Strings Stretches(const std::string& text,
                  TokenRule rule = TokenRule::kUnicode) {
  return SplitText(text, rule).stretches;
}

TEST(TokenPlaces, MarksGoWithTheTokenThatTheyAreNotApartFrom) {
  EXPECT_EQ(Stretches("He said (\"Foo bar.\") and went."),
            (Strings{"He ", "said ", "(\"Foo ", "bar.\") ", "and ", "went."}));
  EXPECT_EQ(Stretches("* One\n\n  - two -\n\n--- three"),
            (Strings{"* One\n\n  ", "- two ", "-\n\n--- three"}));
  EXPECT_EQ(Stretches("a,b"), (Strings{"a,", "b"}));
  EXPECT_EQ(Stretches(" \t\xE2\x80\x9C"
                      "a\xE2\x80\x9D\xC2\xA0\xE2\x80\x9C"
                      "b\xE2\x80\x9D\n"),
            (Strings{" \t\xE2\x80\x9C"
                     "a\xE2\x80\x9D\xC2\xA0",
                     "\xE2\x80\x9C"
                     "b\xE2\x80\x9D\n"}));
  EXPECT_EQ(Stretches(""), Strings{});
  EXPECT_EQ(Stretches("..."), Strings{});
  EXPECT_EQ(Stretches("(a) b", TokenRule::kWhitespace), (Strings{"(a) ", "b"}));
}

TEST(TokenPlaces, ScriptsWithoutSpacesAreCharacters) {
  EXPECT_EQ(Stretches("天气。好"), (Strings{"天", "气。", "好"}));
}

TEST(TokenPlaces, OfOneCharacterTheLastTokenHasIt) {
  const Split split = SplitText("a \xE2\x91\xB4\xEF\xB7\xBA z");  // U+FDFA
  ASSERT_GT(split.tokens.size(), 4u);
  EXPECT_EQ(split.stretches.back(), "z");
  std::string all;
  for (const std::string& stretch : split.stretches) all += stretch;
  EXPECT_EQ(all, "a \xE2\x91\xB4\xEF\xB7\xBA z");
  EXPECT_EQ(split.stretches[split.tokens.size() - 3], "");
}

// Tokens are those of the feature extractor, and the stretches are the text,
// also where it takes many windows.
TEST(TokenPlaces, StretchesOfRandomTextsMakeUpTheText) {
  const Strings pieces = {"a",  "Bc", "7",  ".",  " ",   "\n",
                          "(",  "\"", "é",  "天", "。",  "\xE2\x80\x8B",
                          "\t", "-",  "'s", "ﬁ",  "\r\n"};
  SplitMix64 random(7);
  for (int round = 0; round < 60; ++round) {
    std::string text;
    const uint64_t most = round == 0 ? 200'000 : 40;
    for (uint64_t n = random.Below(most) + most / 2; n > 0; --n)
      text += pieces[random.Below(pieces.size())];
    for (const TokenRule rule : {TokenRule::kUnicode, TokenRule::kWhitespace}) {
      const Split split = SplitText(text, rule);
      FeatureScratch scratch;
      TokenStream stream(text, rule, &scratch, 1 << 20);
      TokenWindow window;
      Strings tokens;
      while (stream.Next(&window)) {
        for (size_t i = 0; i < window.count; ++i)
          tokens.emplace_back(window.text + window.begins[i],
                              window.ends[i] - window.begins[i]);
      }
      ASSERT_EQ(split.tokens, tokens);
      ASSERT_EQ(split.counts.tokens, tokens.size());
      ASSERT_EQ(split.counts.units, tokens.size());
      ASSERT_EQ(split.counts.code_points, CountCodePoints(text));
      std::string all;
      for (const std::string& stretch : split.stretches) all += stretch;
      ASSERT_EQ(all, tokens.empty() ? "" : text);
    }
  }
}

}  // namespace
}  // namespace twinset
