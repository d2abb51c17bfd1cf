#include "text/tokens/units.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/hash.h"
#include "text/tokens/segment.h"

namespace twinset {
namespace {

struct Unit {
  uint32_t begin, end;
  uint64_t tokens;
  std::string normalised;
};

std::vector<Unit> UnitsOf(const std::string& text, ShingleKind::Unit unit,
                          TokenRule rule = TokenRule::kUnicode,
                          UnitCounts* counts = nullptr) {
  std::vector<Unit> units;
  UnitScratch scratch;
  std::string collected;
  const UnitCounts all = ForEachUnit(
      text, unit, rule, &scratch, &collected, [&](const TextUnit& u) {
        units.push_back({u.begin, u.end, u.tokens, std::string(u.normalised)});
      });
  EXPECT_EQ(all.units, units.size());
  if (counts != nullptr) *counts = all;
  return units;
}

// The text of every unit, to see what goes with each.
std::vector<std::string> Pieces(const std::string& text,
                                ShingleKind::Unit unit) {
  std::vector<std::string> pieces;
  for (const Unit& u : UnitsOf(text, unit))
    pieces.push_back(text.substr(u.begin, u.end - u.begin));
  return pieces;
}

using Strings = std::vector<std::string>;

TEST(Units, ALineGoesWithItsLineFeedAndTheBlankLinesBehindIt) {
  const auto line = ShingleKind::kLine;
  EXPECT_EQ(Pieces("One.\nTwo\n\n \nThree", line),
            (Strings{"One.\n", "Two\n\n \n", "Three"}));
  // Indentation and marks belong to it; lines without a word are no units.
  EXPECT_EQ(Pieces("\n  * One *\n-----\n\n\tTwo\r\n ", line),
            (Strings{"  * One *\n", "\tTwo\r\n"}));
  EXPECT_EQ(Pieces("", line), Strings{});
  EXPECT_EQ(Pieces("***\n\n", line), Strings{});
  EXPECT_EQ(Pieces("one", line), Strings{"one"});
}

TEST(Units, AParagraphEndsAtBlankLines) {
  const auto paragraph = ShingleKind::kParagraph;
  EXPECT_EQ(Pieces("\n\nOne\ntwo.\n\n\nThree\n", paragraph),
            (Strings{"One\ntwo.\n\n\n", "Three\n"}));
  EXPECT_EQ(Pieces("One\n\n* * *\n\nTwo\n***\n\n\n", paragraph),
            (Strings{"One\n\n", "Two\n***\n\n\n"}));
  EXPECT_EQ(Pieces("One\n \t\u00A0\n---\nTwo", paragraph),
            (Strings{"One\n \t\u00A0\n", "---\nTwo"}));
}

TEST(Units, ASentenceGoesWithItsMarksAndTheSpaceBehindIt) {
  const auto sentence = ShingleKind::kSentence;
  EXPECT_EQ(Pieces(" He said: \"Go!\" She went...  \"Where?\", he asked. End",
                   sentence),
            (Strings{"He said: \"Go!\" ", "She went...  ",
                     "\"Where?\", he asked. ", "End"}));
  EXPECT_EQ(
      Pieces("\u4eca\u65e5\u306f\u3002\u300c\u306f\u3044\u3002\u300d"
             "\u305d\u3046\uff1f\u3048",
             sentence),
      (Strings{"\u4eca\u65e5\u306f\u3002", "\u300c\u306f\u3044\u3002\u300d",
               "\u305d\u3046\uff1f", "\u3048"}));
  // A decoration at the end stays.
  EXPECT_EQ(Pieces("One two. ***", sentence), Strings{"One two. "});
  // And so does a sentence without a word.
  EXPECT_EQ(Pieces("One. ... -- ?! \"Two\".", sentence),
            (Strings{"One. ", "\"Two\"."}));
}

TEST(Units, TokensOfScriptsWithoutSpacesAreCharacters) {
  const auto units = UnitsOf("\u6771\u4eac\u90fd\n\u0e2a\u0e27\u0e31\u0e2a\n",
                             ShingleKind::kLine);
  ASSERT_EQ(units.size(), 2u);
  EXPECT_EQ(units[0].tokens, 3u);
  EXPECT_EQ(units[0].normalised, "\u6771 \u4eac \u90fd");
  EXPECT_EQ(units[1].tokens, 4u);
}

TEST(Units, EqualAfterNormalisation) {
  const auto units =
      UnitsOf("\uFF28ello, WORLD!\n> hello world\n", ShingleKind::kLine);
  ASSERT_EQ(units.size(), 2u);
  EXPECT_EQ(units[0].normalised, "hello world");
  EXPECT_EQ(units[1].normalised, "hello world");
}

std::string RandomText(SplitMix64* random, size_t length) {
  static const std::vector<std::string> kParts = {
      "a",      "B",       "word",   " ",      " ",         "\n",     "\n",
      ".",      "!",       ")",      "\"",     "-",         "\u3002", "\u300d",
      "\u00e9", "e\u0301", "\u4e2d", "\u0e01", "\u2026",    "\u00A0", "\u200B",
      "\u00AD", "\uFB01",  "\u2028", "3.14",   "it\u2019s", "\r\n",   "\uFF01"};
  std::string text;
  for (size_t i = 0; i < length; ++i)
    text += kParts[random->Below(kParts.size())];
  return text;
}

constexpr ShingleKind::Unit kUnits[] = {
    ShingleKind::kLine, ShingleKind::kParagraph, ShingleKind::kSentence};

TEST(Units, BoundariesAreWhereSegmentsEnd) {
  const std::vector<std::string> parts = {" ",      "\n", ".",      "!",
                                          "\"",     ")",  "-",      "\u3002",
                                          "\u300d", "\t", "\u2026", "\u2028"};
  SplitMix64 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string gap;
    for (uint64_t n = random.Below(8); n > 0; --n)
      gap += parts[random.Below(parts.size())];
    for (const ShingleKind::Unit unit : kUnits) {
      const bool terminated = random.Below(4) == 0,
                 single = random.Below(2) == 0;
      const auto found = FindSegmentBoundary(unit, gap, terminated, single);
      ASSERT_EQ(found.has_value(), SegmentEnds(unit, gap, terminated, single))
          << gap;
      if (!found) continue;
      EXPECT_LE(found->end, found->begin);
      EXPECT_LE(found->begin, gap.size());
      // What is left in front of the next unit ends no other line or paragraph.
      EXPECT_FALSE(SegmentEnds(unit, gap.substr(found->begin), false,
                               single && found->begin < gap.size()));
    }
  }
}

// The units are the segments of --shingle, and what each is said to be is what
// its own text says.
void ExpectSegments(const std::string& text, ShingleKind::Unit unit,
                    TokenRule rule) {
  const FeatureExtractor extractor(rule, {{.unit = unit, .n = 0}});
  UnitCounts counts;
  const auto units = UnitsOf(text, unit, rule, &counts);
  const auto spans = extractor.Spans(text);
  ASSERT_EQ(units.size(), spans.size()) << text;
  FeatureScratch scratch;
  std::string joined, all;
  uint32_t last = 0;
  uint64_t tokens = 0;
  for (size_t i = 0; i < units.size(); ++i) {
    ASSERT_LE(last, units[i].begin);
    ASSERT_LE(units[i].begin, spans[i].begin);
    ASSERT_LE(spans[i].end, units[i].end);
    last = units[i].end;
    JoinTokens(std::string_view(text).substr(units[i].begin,
                                             units[i].end - units[i].begin),
               rule, &scratch, &joined);
    ASSERT_EQ(units[i].normalised, joined) << text;
    if (i > 0) all += ' ';
    all += units[i].normalised;
    tokens += units[i].tokens;
  }
  ASSERT_LE(last, text.size());
  JoinTokens(text, rule, &scratch, &joined);
  EXPECT_EQ(all, joined);
  EXPECT_EQ(tokens, counts.tokens);
}

TEST(Units, RandomTextsLikeTheSegmentsOfShingles) {
  SplitMix64 random(2);
  for (int round = 0; round < 3000; ++round) {
    const std::string text = RandomText(&random, random.Below(40));
    for (const ShingleKind::Unit unit : kUnits) {
      for (const TokenRule rule : {TokenRule::kUnicode, TokenRule::kWhitespace})
        ExpectSegments(text, unit, rule);
    }
  }
}

TEST(Units, LongTextsPassThroughInWindows) {
  SplitMix64 random(3);
  for (int round = 0; round < 3; ++round) {
    const std::string text = RandomText(&random, 150000);
    for (const ShingleKind::Unit unit : kUnits)
      ExpectSegments(text, unit, TokenRule::kUnicode);
  }
  // A gap and a token longer than a window.
  const std::string text = "one." + std::string(200000, ' ') +
                           std::string(200000, 'x') + ".\n\n\ntwo";
  for (const ShingleKind::Unit unit : kUnits)
    ExpectSegments(text, unit, TokenRule::kUnicode);
}

// Lines by splitting at line feeds, with what stands behind them.
TEST(Units, LinesByTheDefinition) {
  SplitMix64 random(4);
  FeatureScratch scratch;
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (uint64_t n = random.Below(30); n > 0; --n)
      text += "ab \n\n-."[random.Below(7)];
    std::vector<Unit> expected;
    bool behind = false;  // the last line was a unit or blank behind one
    for (size_t at = 0; at < text.size();) {
      const size_t feed = text.find('\n', at);
      const size_t end = feed == std::string::npos ? text.size() : feed + 1;
      const std::string line = text.substr(at, end - at);
      if (line.find_first_of("ab") != std::string::npos) {
        std::string joined;
        JoinTokens(line, TokenRule::kUnicode, &scratch, &joined);
        expected.push_back(
            {static_cast<uint32_t>(at), static_cast<uint32_t>(end), 0, joined});
        behind = true;
      } else if (line.find_first_not_of(" \n") != std::string::npos) {
        behind = false;
      } else if (behind && feed != std::string::npos) {
        expected.back().end = static_cast<uint32_t>(end);
      }
      at = end;
    }
    const auto units = UnitsOf(text, ShingleKind::kLine);
    ASSERT_EQ(units.size(), expected.size()) << text;
    for (size_t i = 0; i < units.size(); ++i) {
      EXPECT_EQ(units[i].begin, expected[i].begin) << text;
      EXPECT_EQ(units[i].end, expected[i].end) << text;
      EXPECT_EQ(units[i].normalised, expected[i].normalised) << text;
    }
  }
}

}  // namespace
}  // namespace twinset
