// The token rule against a naive tokeniser, on every SIMD target.
#include "text/tokens/tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.h"
#include "kernels/kernels.h"
#include "text/tokens/tokens_reference.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;

std::string Joined(std::string_view clean, TokenRule rule) {
  static FeatureScratch scratch;
  std::string out;
  JoinTokens(clean, rule, &scratch, &out);
  return out;
}

std::vector<std::string> Words(std::string_view clean, TokenRule rule) {
  std::vector<std::string> words;
  for (const Token& token : FeatureExtractor(rule, {}).Tokens(clean)) {
    words.push_back(token.text);
  }
  return words;
}

std::vector<std::string> Unicode(std::string_view clean) {
  return Words(clean, TokenRule::kUnicode);
}

class EveryTarget : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(kernels::ForceTarget(GetParam()).has_value());
  }
  void TearDown() override {
    ASSERT_TRUE(kernels::ForceTarget("").has_value());
  }
};

INSTANTIATE_TEST_SUITE_P(Targets, EveryTarget,
                         ::testing::ValuesIn(kernels::Targets()),
                         [](const auto& info) { return info.param; });

// All strings of up to `length` letters of the alphabet, with their tokens by
// the naive tokeniser.
struct Case {
  std::string text, tokens;
};
const std::vector<Case>& AllShortStrings() {
  static const std::vector<Case> cases = [] {
    const std::vector<std::string> alphabet = {
        "a", "1",      ".",  ",",    "'",      " ",     "_",
        "É", "\u0301", "中", "\xFF", "\u2019", "\u00AD"};
    std::vector<Case> all = {{"", ""}};
    for (size_t length = 0, from = 0; length < (TWINSET_SLOW_BUILD ? 4 : 5);
         ++length) {
      for (const size_t to = all.size(); from < to; ++from) {
        for (const std::string& letter : alphabet) {
          all.push_back({all[from].text + letter, ""});
        }
      }
    }
    for (Case& one : all) {
      one.tokens = naive::Join(naive::UnicodeTokens(one.text));
    }
    return all;
  }();
  return cases;
}

TEST_P(EveryTarget, AllShortStringsEqualTheNaiveTokeniser) {
  for (const Case& one : AllShortStrings()) {
    ASSERT_EQ(Joined(one.text, TokenRule::kUnicode), one.tokens)
        << "[" << one.text << "]";
  }
}

std::string RandomText(SplitMix64* random, size_t size) {
  static const std::vector<std::string> pieces = {
      "the ",       "Quick",    "it's ", "3.14 ",   "e.g. ",    "1,000",
      ", ",         "\n\n",     "_",     "É",       "ß",        "\u0301",
      "中文",       "か\u3099", "กำ",    "\u2019",  "\u200B",   "\u00AD",
      "٣",          "Ⅷ",        "½",     "\xFF",    "\xE4\xB8", "\U0001F600",
      "\U00010400", "ﬁ",        "①",     "Привет ", "γλώσσα",   "हिन्दी ",
      "한국어",     "ᄀ",       "㌖",    "A"};
  const size_t kinds = 1 + random->Below(pieces.size());
  std::string text;
  while (text.size() < size) {
    const size_t repeat = 1 + random->Below(random->Below(30) == 0 ? 70 : 2);
    const std::string& piece = pieces[random->Below(kinds)];
    for (size_t i = 0; i < repeat; ++i) text += piece;
  }
  return text;
}

TEST_P(EveryTarget, LongMixedTextEqualsTheNaiveTokeniserAtEveryAlignment) {
  SplitMix64 random(21);
  for (int round = 0; round < (TWINSET_SLOW_BUILD ? 3 : 12); ++round) {
    const std::string text = RandomText(&random, 2000);
    const std::string tokens = naive::Join(naive::UnicodeTokens(text));
    for (size_t shift = 0; shift < 64; ++shift) {
      ASSERT_EQ(
          Joined(std::string(shift, '-') + text, TokenRule::kUnicode),
          naive::Join(naive::UnicodeTokens(std::string(shift, '-') + text)))
          << round << " shifted by " << shift;
    }
    ASSERT_EQ(Joined(text, TokenRule::kUnicode), tokens);
  }
}

TEST(Tokens, TheWindowSizeChangesNothing) {
  SplitMix64 random(22);
  for (int round = 0; round < 60; ++round) {
    std::string text = RandomText(&random, 1500);
    if (round % 5 == 0) text += std::string(700, 'x') + std::string(900, ' ');
    text += RandomText(&random, 500);
    for (const TokenRule rule : {TokenRule::kUnicode, TokenRule::kWhitespace}) {
      const std::vector<std::string> expected =
          rule == TokenRule::kUnicode ? naive::UnicodeTokens(text)
                                      : naive::WhitespaceTokens(text);
      for (const size_t window : {1, 2, 3, 17, 64, 300, 5000}) {
        FeatureScratch scratch;
        TokenStream stream(text, rule, &scratch, window);
        TokenWindow tokens;
        std::vector<std::string> got;
        while (stream.Next(&tokens)) {
          ASSERT_GT(tokens.count, 0u);
          for (size_t i = 0; i < tokens.count; ++i) {
            got.emplace_back(tokens.text + tokens.begins[i],
                             tokens.ends[i] - tokens.begins[i]);
          }
        }
        ASSERT_EQ(got, expected) << round << " by " << window;
        EXPECT_EQ(stream.code_points(),
                  static_cast<uint64_t>(naive::Decode(text).countChar32()));
      }
    }
  }
}

TEST(Tokens, ScratchIsBoundedOnLongTextAndFollowsLongTokens) {
  std::string text;
  while (text.size() < (8 << 20)) text += "some words of a long document, ";
  FeatureScratch scratch;
  std::string out;
  JoinTokens(text, TokenRule::kUnicode, &scratch, &out);
  EXPECT_LT(scratch.normalised.size() + 4 * scratch.begins.size() +
                4 * scratch.ends.size(),
            1u << 20);
  const std::string giant(3 << 20, 'a');
  JoinTokens(giant, TokenRule::kUnicode, &scratch, &out);
  EXPECT_EQ(out, giant);
  EXPECT_LT(scratch.normalised.size() + 4 * scratch.begins.size() +
                4 * scratch.ends.size(),
            16 * giant.size());
}

TEST(Tokens, RuleByHand) {
  EXPECT_THAT(Unicode("Don\u2019t panic: it's 3.14, i.e. 1,000 snake_case!"),
              ElementsAre("don't", "panic", "it's", "3.14", "i.e", "1,000",
                          "snake", "case"));
  EXPECT_THAT(Unicode("私はラーメン"),
              ElementsAre("私", "は", "ラ", "ー", "メ", "ン"));
  EXPECT_THAT(Unicode("ก่า ab"), ElementsAre("ก", "่", "า", "ab"));
  EXPECT_THAT(Unicode("x² ½ Ⅷ"), ElementsAre("x2", "1", "2", "viii"));
  EXPECT_THAT(Unicode("a\u200Bb c\u00ADd"), ElementsAre("a", "b", "cd"));
  EXPECT_THAT(Unicode(" .,'_ "), ElementsAre());
  EXPECT_THAT(Unicode(""), ElementsAre());
}

TEST(Tokens, WhitespaceRuleLeavesTheTextAsItIs) {
  EXPECT_THAT(Words("Don\u2019t  PANIC\u00A0\u3000it's\n中文. \u200Bx",
                    TokenRule::kWhitespace),
              ElementsAre("Don\u2019t", "PANIC", "it's", "中文.", "\u200Bx"));
  EXPECT_THAT(Words("a\xFF"
                    "b",
                    TokenRule::kWhitespace),
              ElementsAre("a\uFFFD"
                          "b"));
  SplitMix64 random(23);
  for (int round = 0; round < 200; ++round) {
    const std::string text = RandomText(&random, 300);
    ASSERT_EQ(Words(text, TokenRule::kWhitespace),
              naive::WhitespaceTokens(text));
  }
}

TEST(Tokens, OffsetsAreBytesOfTheCleanText) {
  const std::string clean =
      "\u00ADThe ﬁne \xFF E\u0301te\u0301, 中 don\u2019t.";
  const auto tokens = FeatureExtractor(TokenRule::kUnicode, {}).Tokens(clean);
  std::vector<std::string> quoted;
  for (const Token& token : tokens) {
    quoted.push_back(clean.substr(token.begin, token.end - token.begin));
  }
  EXPECT_THAT(quoted,
              ElementsAre("The", "ﬁne", "E\u0301te\u0301", "中", "don\u2019t"));
}

// Each token's clean text alone has the same tokens, and offsets ascend.
TEST(Tokens, OffsetsQuoteTheTokenOnRandomText) {
  SplitMix64 random(24);
  const FeatureExtractor extractor(TokenRule::kUnicode, {});
  for (int round = 0; round < 100; ++round) {
    const std::string clean = RandomText(&random, 800);
    const auto tokens = extractor.Tokens(clean);
    uint32_t last = 0;
    for (const Token& token : tokens) {
      ASSERT_LE(last, token.begin + 12);  // pieces of one expanded segment
      ASSERT_LT(token.begin, token.end);
      ASSERT_LE(token.end, clean.size());
      last = token.begin;
      const std::string quoted =
          clean.substr(token.begin, token.end - token.begin);
      ASSERT_NE(naive::Join(naive::UnicodeTokens(quoted)).find(token.text),
                std::string::npos)
          << quoted << " for " << token.text;
    }
  }
}

}  // namespace
}  // namespace twinset
