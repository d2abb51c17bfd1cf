#include "text/tokens/python_text.h"

#include <gtest/gtest.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "text/tokens/features.h"
#include "text/tokens/normalise.h"
#include "text/tokens/tokens.h"
#include "text/tokens/tokens_reference.h"

namespace twinset {
namespace {

using Strings = std::vector<std::string>;

struct Known {
  std::string text, lower;
  Strings split, runs, spaces;
};

// Made by CPython 3.11: text.lower(), re.split(r"\W", lower),
// re.findall(r"[\w\u4e00-\u9fcc]+", lower), and the words of
// re.split(" ", lower).
const std::vector<Known> kKnown = {
    {"Hello, World_1!",
     "hello, world_1!",
     {"hello", "", "world_1", ""},
     {"hello", "world_1"},
     {"hello,", "world_1!"}},
    {"\u039f\u0394\u03a5\u03a3\u03a3\u0395\u03a5\u03a3 \u03a3\u0391\u03a3. "
     "\u03a3 \u03a3' a\u03a3: a\u03a3b \u03a3\u0301 a\u03a3\u0301 "
     "a\u00ad\u03a3",
     "\u03bf\u03b4\u03c5\u03c3\u03c3\u03b5\u03c5\u03c2 \u03c3\u03b1\u03c2. "
     "\u03c3 \u03c3' a\u03c2: a\u03c3b \u03c3\u0301 a\u03c2\u0301 "
     "a\u00ad\u03c2",
     {"\u03bf\u03b4\u03c5\u03c3\u03c3\u03b5\u03c5\u03c2", "\u03c3\u03b1\u03c2",
      "", "\u03c3", "\u03c3", "", "a\u03c2", "", "a\u03c3b", "\u03c3", "",
      "a\u03c2", "", "a", "\u03c2"},
     {"\u03bf\u03b4\u03c5\u03c3\u03c3\u03b5\u03c5\u03c2", "\u03c3\u03b1\u03c2",
      "\u03c3", "\u03c3", "a\u03c2", "a\u03c3b", "\u03c3", "a\u03c2", "a",
      "\u03c2"},
     {"\u03bf\u03b4\u03c5\u03c3\u03c3\u03b5\u03c5\u03c2", "\u03c3\u03b1\u03c2.",
      "\u03c3", "\u03c3'", "a\u03c2:", "a\u03c3b", "\u03c3\u0301",
      "a\u03c2\u0301", "a\u00ad\u03c2"}},
    {"\u0130stanbul I \u0131 \ufb01 \u1e9e \u01c4",
     "i\u0307stanbul i \u0131 \ufb01 \u00df \u01c6",
     {"i", "stanbul", "i", "\u0131", "\ufb01", "\u00df", "\u01c6"},
     {"i", "stanbul", "i", "\u0131", "\ufb01", "\u00df", "\u01c6"},
     {"i\u0307stanbul", "i", "\u0131", "\ufb01", "\u00df", "\u01c6"}},
    {"a--b  c",
     "a--b  c",
     {"a", "", "b", "", "c"},
     {"a", "b", "c"},
     {"a--b", "c"}},
    {"--", "--", {"", "", ""}, {}, {"--"}},
    {"x", "x", {"x"}, {"x"}, {"x"}},
    {"  lead", "  lead", {"", "", "lead"}, {"lead"}, {"lead"}},
    {"\u4f60\u597d\uff0c\u4e16\u754c abc1\uff12\uff13",
     "\u4f60\u597d\uff0c\u4e16\u754c abc1\uff12\uff13",
     {"\u4f60\u597d", "\u4e16\u754c", "abc1\uff12\uff13"},
     {"\u4f60\u597d", "\u4e16\u754c", "abc1\uff12\uff13"},
     {"\u4f60\u597d\uff0c\u4e16\u754c", "abc1\uff12\uff13"}},
    {"\u0e44\u0e17\u0e22 e\u0301 \u00bd \u2167 \u2461 _",
     "\u0e44\u0e17\u0e22 e\u0301 \u00bd \u2177 \u2461 _",
     {"\u0e44\u0e17\u0e22", "e", "", "\u00bd", "\u2177", "\u2461", "_"},
     {"\u0e44\u0e17\u0e22", "e", "\u00bd", "\u2177", "\u2461", "_"},
     {"\u0e44\u0e17\u0e22", "e\u0301", "\u00bd", "\u2177", "\u2461", "_"}},
    {"tab\tnew\nline  two",
     "tab\tnew\nline  two",
     {"tab", "new", "line", "", "two"},
     {"tab", "new", "line", "two"},
     {"tab\tnew\nline", "two"}},
    {"na\u00efve caf\u00e9\u2019s",
     "na\u00efve caf\u00e9\u2019s",
     {"na\u00efve", "caf\u00e9", "s"},
     {"na\u00efve", "caf\u00e9", "s"},
     {"na\u00efve", "caf\u00e9\u2019s"}},
    {"\u1e9e\U00010400\U0001d400 \U0001d7d8",
     "\u00df\U00010428\U0001d400 \U0001d7d8",
     {"\u00df\U00010428\U0001d400", "\U0001d7d8"},
     {"\u00df\U00010428\U0001d400", "\U0001d7d8"},
     {"\u00df\U00010428\U0001d400", "\U0001d7d8"}}};

Strings Tokens(std::string_view clean, TokenRule rule,
               size_t window = kTokenWindowBytes) {
  FeatureScratch scratch;
  TokenStream stream(clean, rule, &scratch, window);
  TokenWindow tokens;
  Strings words;
  while (stream.Next(&tokens)) {
    for (size_t i = 0; i < tokens.count; ++i) {
      words.emplace_back(tokens.text + tokens.begins[i],
                         tokens.ends[i] - tokens.begins[i]);
    }
  }
  return words;
}

TEST(PythonTextTest, KnownAnswersOfPython) {
  for (const Known& known : kKnown) {
    EXPECT_EQ(Normalise(known.text, NormaliseRule::kLower, nullptr),
              known.lower);
    EXPECT_EQ(Tokens(known.text, TokenRule::kNonwordSplit), known.split);
    EXPECT_EQ(Tokens(known.text, TokenRule::kJoinedWords), known.runs);
    EXPECT_EQ(Tokens(known.text, TokenRule::kLowerSpace), known.spaces);
    EXPECT_EQ(Tokens(known.text, TokenRule::kRaw), Strings{known.text});
  }
}

TEST(PythonTextTest, NoTextHasNoTokens) {
  for (const TokenRule rule :
       {TokenRule::kNonwordSplit, TokenRule::kJoinedWords,
        TokenRule::kLowerSpace, TokenRule::kRaw}) {
    EXPECT_TRUE(Tokens("", rule).empty());
  }
}

TEST(PythonTextTest, LowerCaseOfEveryCodePointIsIcus) {
  for (uint32_t c = 1; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    const icu::UnicodeString text(static_cast<UChar32>(c));
    const std::string utf8 = naive::Encode(text);
    ASSERT_EQ(
        Normalise(utf8, NormaliseRule::kLower, nullptr),
        naive::Encode(icu::UnicodeString(text).toLower(icu::Locale::getRoot())))
        << c;
  }
}

// A sigma is final behind a cased character, and not before one; what is
// ignorable does not count.
TEST(PythonTextTest, EveryCodePointAroundASigmaIsAsIcuHasIt) {
  for (uint32_t c = 1; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    if (TWINSET_SLOW_BUILD && c > 0x3000 && c % 7 != 0) continue;
    const std::string point =
        naive::Encode(icu::UnicodeString(static_cast<UChar32>(c)));
    for (const std::string& text :
         {point + "\u03a3", "a" + point + "\u03a3", "a\u03a3" + point + "b"}) {
      ASSERT_EQ(
          Normalise(text, NormaliseRule::kLower, nullptr),
          naive::Encode(naive::Decode(text).toLower(icu::Locale::getRoot())))
          << c;
    }
  }
}

TEST(PythonTextTest, WordCharactersAreLettersNumbersAndTheUnderscore) {
  for (uint32_t c = 0; c < 0x110000; ++c) {
    const auto point = static_cast<UChar32>(c);
    ASSERT_EQ(IsPythonWord(c), c == '_' || (U_GET_GC_MASK(point) &
                                            (U_GC_L_MASK | U_GC_ND_MASK |
                                             U_GC_NL_MASK | U_GC_NO_MASK)) != 0)
        << c;
  }
}

// Random texts of characters that matter to the rules.
std::string RandomText(SplitMix64* random) {
  const char* const kPieces[] = {"a",          "B",      " ",      "-",  "_",
                                 "\u03a3",     "\u0301", "\u00ad", "1",  "\n",
                                 "\u4e2d",     "\u0130", "\xff",   ".",  "'",
                                 "\U00010400", "\u2019", "\u0e44", "  ", "Z"};
  std::string text;
  for (uint64_t left = random->Below(60); left > 0; --left)
    text += kPieces[random->Below(std::size(kPieces))];
  return text;
}

TEST(PythonTextTest, LowerCaseOfTextsIsIcus) {
  SplitMix64 random(11);
  for (int i = 0; i < 20000; ++i) {
    const std::string text = RandomText(&random);
    ASSERT_EQ(
        Normalise(text, NormaliseRule::kLower, nullptr),
        naive::Encode(naive::Decode(text).toLower(icu::Locale::getRoot())))
        << text;
  }
}

// The definition on the whole text, character by character.
Strings NaiveTokens(std::string_view clean, TokenRule rule) {
  const icu::UnicodeString text =
      naive::Decode(clean).toLower(icu::Locale::getRoot());
  Strings words;
  if (text.isEmpty()) return words;
  icu::UnicodeString word;
  const auto end_word = [&] {
    if (rule == TokenRule::kNonwordSplit || !word.isEmpty())
      words.push_back(naive::Encode(word));
    word.remove();
  };
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    const UChar32 c = text.char32At(i);
    const bool ends = rule == TokenRule::kLowerSpace
                          ? c == ' '
                          : !IsPythonWord(static_cast<uint32_t>(c));
    if (ends) {
      end_word();
    } else {
      word.append(c);
    }
  }
  end_word();
  return words;
}

TEST(PythonTextTest, TokensDoNotDependOnTheWindow) {
  SplitMix64 random(5);
  for (int i = 0; i < 5000; ++i) {
    const std::string text = RandomText(&random);
    for (const TokenRule rule :
         {TokenRule::kNonwordSplit, TokenRule::kJoinedWords,
          TokenRule::kLowerSpace}) {
      const Strings expected = NaiveTokens(text, rule);
      for (const size_t window :
           {size_t{1}, size_t{2}, size_t{7}, kTokenWindowBytes}) {
        ASSERT_EQ(Tokens(text, rule, window), expected) << text;
      }
    }
  }
}

TEST(PythonTextTest, PositionsOfTokensAreThoseOfTheText) {
  const FeatureExtractor extractor(TokenRule::kNonwordSplit, {});
  const std::string clean = "-Ab\u00c4 \u0130x-";
  const std::vector<Token> tokens = extractor.Tokens(clean);
  Strings from_text, normalised;
  for (const Token& token : tokens) {
    from_text.push_back(clean.substr(token.begin, token.end - token.begin));
    normalised.push_back(token.text);
  }
  EXPECT_EQ(normalised, (Strings{"", "ab\u00e4", "i", "x", ""}));
  EXPECT_EQ(from_text, (Strings{"", "Ab\u00c4", "\u0130", "x", ""}));
}

TEST(PythonTextTest, LongRunsTakeLinearTime) {
  // Capital sigmas among characters that Final_Sigma looks past, one endless
  // token, and nothing but separators.
  std::string ignorable, giant(4 << 20, 'A'), separators(4 << 20, '-');
  for (int i = 0; i < 1 << 19; ++i) ignorable += "\u0301";
  const std::string sigma = "a" + ignorable + "\u03a3" + ignorable + "\u03a3";
  EXPECT_EQ(Tokens(sigma, TokenRule::kLowerSpace).size(), 1u);
  EXPECT_EQ(Tokens(giant, TokenRule::kNonwordSplit).size(), 1u);
  EXPECT_EQ(Tokens(giant, TokenRule::kRaw).size(), 1u);
  EXPECT_EQ(Tokens(separators, TokenRule::kNonwordSplit).size(),
            separators.size() + 1);
}

}  // namespace
}  // namespace twinset
