#include "pipeline/report/text_diff.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

std::vector<DiffRun> Diff(const std::string& x, const std::string& y) {
  const FeatureExtractor extractor(TokenRule::kUnicode,
                                   *ParseShingles("word:5"));
  const std::vector<Token> of_x = extractor.Tokens(x),
                           of_y = extractor.Tokens(y);
  std::vector<uint64_t> a, b;
  for (const Token& token : of_x) a.push_back(Hash64(token.text));
  for (const Token& token : of_y) b.push_back(Hash64(token.text));
  return DiffTexts({x, of_x}, {y, of_y}, AlignTokens(a, b, 1000));
}

// "=both", "=x|y" where they write it differently, "-only X", "+only Y".
std::vector<std::string> Shown(const std::string& x, const std::string& y) {
  std::vector<std::string> shown;
  for (const DiffRun& run : Diff(x, y)) {
    std::string text(1, "=-+"[static_cast<size_t>(run.kind)]);
    text += run.text;
    if (run.kind == DiffRun::kBoth && run.text != run.text_y)
      text += "|" + run.text_y;
    shown.push_back(text);
  }
  return shown;
}

using Texts = std::vector<std::string>;

TEST(TextDiffTest, SignsStayWithTheirWords) {
  EXPECT_EQ(Shown("$5.00 (five), foo_bar<int>", "nothing alike"),
            (Texts{"-$5.00 (five), foo_bar<int>", "+nothing alike"}));
  EXPECT_EQ(
      Shown("It costs $5.00 (five), always.", "It costs $6.00 (six), always."),
      (Texts{"=It costs ", "-$5.00 (five),", "+$6.00 (six),", "= always."}));
  EXPECT_EQ(Shown("map foo_bar<int> it", "map foo_bar<long> it"),
            (Texts{"=map foo_bar<", "-int>", "+long>", "= it"}));
  EXPECT_EQ(Shown("a heavy book", "a massive book"),
            (Texts{"=a ", "-heavy", "+massive", "= book"}));
  EXPECT_EQ(Shown("one two", "one, two, three"),
            (Texts{"=one two|one, two,", "+ three"}));
}

TEST(TextDiffTest, TheSameWordsWrittenDifferently) {
  EXPECT_EQ(Shown("Hello, World again", "hello World again"),
            (Texts{"=Hello,|hello", "= World again"}));
  EXPECT_EQ(Shown("same text (here)", "same text (here)"),
            (Texts{"=same text (here)"}));
}

TEST(TextDiffTest, TextsWithoutTokens) {
  EXPECT_EQ(Shown("", ""), Texts{});
  EXPECT_EQ(Shown("...", "..."), (Texts{"=..."}));
  EXPECT_EQ(Shown("...", "!!!"), (Texts{"-...", "+!!!"}));
  EXPECT_EQ(Shown("...", "one"), (Texts{"-...", "+one"}));
  EXPECT_EQ(Shown("one", "..."), (Texts{"-one", "+..."}));
}

// The pieces of a side are its text, whatever the texts are: signs, white
// space, characters that give several tokens, malformed bytes.
TEST(TextDiffTest, NothingIsLost) {
  const Texts kWords = {"a",      "b",      "Cc",       "5.00",   "it's",
                        "$",      " ",      "  ",       "\n",     "(",
                        ")",      "_",      "<",        "\t",     ",",
                        "-",      "\u338f", "\u682a",   "\u5f0f", "\u337f",
                        "\u00a0", "\xff",   "\xe6\xa0", "."};
  std::mt19937_64 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string x, y;
    for (int i = static_cast<int>(random() % 12); i > 0; --i)
      x += kWords[random() % kWords.size()];
    y = random() % 2 ? x : "";
    for (int i = static_cast<int>(random() % 6); i > 0; --i)
      y.insert(random() % (y.size() + 1), kWords[random() % kWords.size()]);
    std::string back_x, back_y;
    for (const DiffRun& run : Diff(x, y)) {
      if (run.kind != DiffRun::kOnlyY) back_x += run.text;
      if (run.kind == DiffRun::kOnlyY) back_y += run.text;
      if (run.kind == DiffRun::kBoth) back_y += run.text_y;
    }
    ASSERT_EQ(back_x, x);
    ASSERT_EQ(back_y, y);
  }
}

}  // namespace
}  // namespace twinset
