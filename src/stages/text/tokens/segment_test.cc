#include "text/tokens/segment.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/hash.h"

namespace twinset {
namespace {

bool Line(std::string_view gap) {
  return SegmentEnds(ShingleKind::kLine, gap, false, false);
}
bool Paragraph(std::string_view gap) {
  return SegmentEnds(ShingleKind::kParagraph, gap, false, false);
}
bool Sentence(std::string_view gap, bool terminated = false,
              bool single_next = false) {
  return SegmentEnds(ShingleKind::kSentence, gap, terminated, single_next);
}

TEST(Segment, LinesEndAtLineFeeds) {
  EXPECT_TRUE(Line("\n"));
  EXPECT_TRUE(Line(" \r\n "));
  EXPECT_FALSE(Line(". "));
  EXPECT_FALSE(Line("\u2028"));
}

TEST(Segment, ParagraphsEndAtBlankLines) {
  EXPECT_TRUE(Paragraph(".\n\nX"));
  EXPECT_TRUE(Paragraph("\r\n \t\u00A0\r\n"));
  EXPECT_FALSE(Paragraph("\n"));
  EXPECT_FALSE(Paragraph("\n - \n"));
  EXPECT_TRUE(Paragraph("\n - \n\n"));
}

TEST(Segment, SentencesEndAtTerminators) {
  for (const char* gap : {". ", "!\n", "?\u3000", "...  ", "\u2026 ", "\uFF01 ",
                          ".\" ", "?\u201D) ", "\u3002", "(\u3002", ".' "}) {
    EXPECT_TRUE(Sentence(gap)) << gap;
  }
  for (const char* gap : {" ", ", ", ".", ".x ", ".-- ", " . - ", "\" ", ""}) {
    EXPECT_EQ(Sentence(gap), gap == std::string_view(" . - ")) << gap;
  }
  EXPECT_TRUE(Sentence("!", false, true));
  EXPECT_TRUE(Sentence("?\u300D", false, true));
  EXPECT_FALSE(Sentence("", false, true));
  EXPECT_TRUE(Sentence(" ", true));
  EXPECT_FALSE(Sentence(",", true));
}

TEST(Segment, SentencesEndInEveryScript) {
  for (const char* mark :
       {"\u0964", "\u0965", "\u06D4", "\u1362", "\u0589", "\u061F", "\u104A",
        "\u104B", "\u17D4", "\u17D5", "\u0F0D", "\u0F0E", "\u203D", "\uFF0E",
        "\uFF61", "\U00011C41"}) {
    EXPECT_TRUE(Sentence(std::string(mark) + " ")) << mark;
    EXPECT_TRUE(Sentence(std::string(mark) + "\u201D ")) << mark;
    EXPECT_TRUE(Sentence(mark, false, true)) << mark;
    EXPECT_FALSE(Sentence(mark)) << mark;
    EXPECT_TRUE(TerminatorAtEnd(std::string("x") + mark)) << mark;
    EXPECT_TRUE(FindSegmentBoundary(ShingleKind::kSentence,
                                    std::string(mark) + " ", false, false))
        << mark;
  }
  for (const char* mark : {"\u060C", "\u1363", "\u0F0B", "\u00B7", "\u037E"})
    EXPECT_FALSE(Sentence(std::string(mark) + " ")) << mark;
}

TEST(Segment, TerminatorAtEndOfToken) {
  EXPECT_TRUE(TerminatorAtEnd("end."));
  EXPECT_TRUE(TerminatorAtEnd("end.\")"));
  EXPECT_TRUE(TerminatorAtEnd("終。"));
  EXPECT_FALSE(TerminatorAtEnd("3.14"));
  EXPECT_FALSE(TerminatorAtEnd("(end)"));
  EXPECT_FALSE(TerminatorAtEnd(""));
}

std::vector<size_t> ChunkEnds(const std::vector<uint64_t>& tokens, uint32_t min,
                              uint32_t max) {
  const uint64_t weights[] = {3, 5, 7, 11};
  Chunker chunker(min, max, weights);
  std::vector<size_t> ends;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (chunker.Add(tokens[i])) ends.push_back(i + 1);
  }
  return ends;
}

std::vector<uint64_t> RandomTokens(size_t count, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<uint64_t> tokens(count);
  for (uint64_t& token : tokens) token = random.Next();
  return tokens;
}

TEST(Chunker, LengthsLieBetweenMinAndMaxWithAMeanBetween) {
  const auto ends = ChunkEnds(RandomTokens(200000, 1), 20, 100);
  size_t last = 0;
  for (const size_t end : ends) {
    ASSERT_GE(end - last, 20u);
    ASSERT_LE(end - last, 100u);
    last = end;
  }
  const double mean = 200000.0 / static_cast<double>(ends.size());
  EXPECT_GT(mean, 40);  // 20 + 32 (1 - e^-2.5), less the cut at MAX: 49
  EXPECT_LT(mean, 60);
}

TEST(Chunker, EqualMinAndMaxCutEvenly) {
  EXPECT_EQ(ChunkEnds(RandomTokens(20, 2), 5, 5),
            (std::vector<size_t>{5, 10, 15, 20}));
  EXPECT_EQ(ChunkEnds(RandomTokens(3, 2), 1, 1),
            (std::vector<size_t>{1, 2, 3}));
}

TEST(Chunker, BoundariesComeBackAfterAnInsertion) {
  const auto tokens = RandomTokens(5000, 3);
  auto shifted = RandomTokens(137, 4);
  shifted.insert(shifted.end(), tokens.begin(), tokens.end());
  const auto ends = ChunkEnds(tokens, 20, 100);
  auto shifted_ends = ChunkEnds(shifted, 20, 100);
  for (size_t& end : shifted_ends) end -= std::min<size_t>(end, 137);
  std::vector<size_t> common;
  std::set_intersection(ends.begin(), ends.end(), shifted_ends.begin(),
                        shifted_ends.end(), std::back_inserter(common));
  EXPECT_GT(common.size(), ends.size() * 8 / 10);
}

}  // namespace
}  // namespace twinset
