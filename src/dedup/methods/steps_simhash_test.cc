// The steps of fingerprints: votes, look-up tables, remainders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "methods/steps_testing.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Row = std::vector<std::string>;

// ---- votes and tables ----

MethodOptions OfBits(int bits, int distance, const std::string& tables) {
  MethodOptions options = Named("simhash");
  options.feature_hash = FeatureHash::kBinary;
  options.sketch_shingle = "word:1";
  options.bits = bits;
  options.distance = distance;
  options.tables = tables;
  return options;
}

// Graßegger (2014), example 3.4, with the keys of the printed fingerprints.
TEST(SimHashStepsTest, TheTablesOfEightFingerprints) {
  const NamedTexts texts = {{"1", "10101010"}, {"2", "11110110"},
                            {"3", "10101011"}, {"4", "10100000"},
                            {"5", "10011100"}, {"6", "00010110"},
                            {"7", "11110000"}, {"8", "00011100"}};
  const StepInput input = InputOf(OfBits(8, 2, "4"), texts);
  StepText text;
  const auto added = AddSimHashSteps(input, &text);
  ASSERT_TRUE(added && *added);
  const auto tables = TablesOf(text);
  ASSERT_EQ(tables.size(), 3u);
  std::vector<std::string> contents;
  for (const Row& row : tables[1])
    if (row[0] != "table") contents.push_back(row[2]);
  EXPECT_THAT(
      contents,
      ElementsAre("0001: 6, 8; 1001: 5; 1010: 1, 3, 4; 1111: 2, 7",
                  "0001: 6; 0011: 8; 1000: 4; 1010: 1, 3; 1011: 5; 1100: 7; "
                  "1101: 2",
                  "0000: 8; 0010: 6; 1000: 4, 5; 1010: 1; 1011: 3; 1100: 7; "
                  "1110: 2",
                  "0101: 6; 0111: 5, 8; 1000: 4; 1010: 1, 3; 1100: 7; 1101: 2",
                  "0100: 5, 8; 0110: 6; 1000: 4; 1010: 1; 1011: 3; 1100: 7; "
                  "1110: 2",
                  "0000: 4, 7; 0110: 2, 6; 1010: 1; 1011: 3; 1100: 5, 8"));
  std::vector<std::string> near;
  for (const Row& row : tables[2])
    if (row[3] == "yes") near.push_back(row[0] + " " + row[2]);
  EXPECT_THAT(near, ElementsAre("1, 3 1", "1, 4 2", "2, 7 2", "4, 7 2",
                                "5, 8 1", "6, 8 2"));
  EXPECT_THAT(text.Written().markdown,
              HasSubstr("comparing all pairs finds 6"));
}

// Example 3.5 of the same: 10000000 has candidates 4, 5 and 7, of which 4 is
// near; and 11100110 has 1, 2 and 6, of which 2 is (recomputed, for the printed
// query is lost).
TEST(SimHashStepsTest, QueriesAreLookedUpInTheTables) {
  const NamedTexts texts = {{"1", "10101010"}, {"2", "11110110"},
                            {"3", "10101011"}, {"4", "10100000"},
                            {"5", "10011100"}, {"6", "00010110"},
                            {"7", "11110000"}, {"8", "00011100"}};
  const StepInput input = InputOf(OfBits(8, 2, "4"), texts, "word:1",
                                  {{"q", "10000000"}, {"r", "11100110"}});
  StepText text;
  ASSERT_TRUE(AddSimHashSteps(input, &text));
  const std::string markdown = text.Written().markdown;
  EXPECT_THAT(markdown,
              HasSubstr("Candidates: 4, 5, 7. Near-duplicates: 4. Comparing "
                        "with every document finds the same."));
  EXPECT_THAT(markdown,
              HasSubstr("Candidates: 1, 2, 6. Near-duplicates: 2. Comparing "
                        "with every document finds the same."));
  const auto tables = TablesOf(text);
  EXPECT_THAT(tables.back(), ElementsAre(Row{"candidate", "fingerprint",
                                             "bits that differ", "near"},
                                         Row{"1", "10101010", "3", "no"},
                                         Row{"2", "11110110", "1", "yes"},
                                         Row{"6", "00010110", "4", "no"}));
}

// The rose in four bits: V = (2, -2, 2, -2), so 1010 (see the fingerprints of
// the method).
TEST(SimHashStepsTest, VotesOfTheRose) {
  MethodOptions options = Named("simhash");
  options.feature_hash = FeatureHash::kMd5;
  options.bits = 4;
  StepText text;
  ASSERT_TRUE(AddSimHashSteps(
      InputOf(options, {{"x", "a rose is a rose is a rose"}}), &text));
  const auto tables = TablesOf(text);
  ASSERT_EQ(tables.size(), 3u);
  EXPECT_THAT(tables[1],
              ElementsAre(Row{"feature", "weight", "bits", "1", "2", "3", "4"},
                          Row{"a", "3", "0000", "-3", "-3", "-3", "-3"},
                          Row{"rose", "3", "1111", "+3", "+3", "+3", "+3"},
                          Row{"is", "2", "1010", "+2", "-2", "+2", "-2"},
                          Row{"V", "", "1010", "+2", "-2", "+2", "-2"}));
  EXPECT_THAT(tables[2][1], ElementsAre("x", "1010"));
  // As a set each word has one vote: 0 is no majority.
  options.weights = FeatureWeights::kSet;
  StepText once;
  ASSERT_TRUE(AddSimHashSteps(
      InputOf(options, {{"x", "a rose is a rose is a rose"}}), &once));
  EXPECT_THAT(TablesOf(once)[1].back(),
              ElementsAre("V", "", "1010", "+1", "-1", "+1", "-1"));
}

// A long fingerprint is voted bit by bit: all that is shown must add up.
TEST(SimHashStepsTest, LongVotesAddUp) {
  MethodOptions options = Named("simhash");
  for (const size_t words : {5, 40}) {
    const std::string body = RandomTexts(31, 1, words)[0];
    StepText text;
    ASSERT_TRUE(AddSimHashSteps(InputOf(options, {{"x", body}}), &text));
    const auto tables = TablesOf(text);
    const Rows* votes = nullptr;
    for (const Rows& table : tables)
      if (table[0][0] == "bit") votes = &table;
    ASSERT_NE(votes, nullptr);
    ASSERT_EQ(votes->size(), 65u);
    std::string fingerprint;
    for (size_t i = 1; i < votes->size(); ++i) {
      const Row& row = (*votes)[i];
      int sum = 0;
      for (size_t column = 1; column + 2 < row.size(); ++column)
        sum += std::stoi(row[column]);
      EXPECT_EQ(sum, std::stoi(row[row.size() - 2]));
      EXPECT_EQ(row.back(), sum > 0 ? "1" : "0");
      fingerprint += row.back();
    }
    uint64_t value = 0;
    for (const char bit : fingerprint) value = value << 1 | (bit == '1');
    EXPECT_EQ(tables.back()[1][1], ToHex(value, 16));
  }
}

TEST(SimHashStepsTest, SimHashRefusesWhatItCannotDerive) {
  StepText text;
  const auto wrong =
      AddSimHashSteps(InputOf(OfBits(8, 2, ""), {{"x", "1010101"}}), &text);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "the document 'x' has 7 bits, --bits is 8");
  MethodOptions options = Named("simhash");
  options.weights = FeatureWeights::kTfIdf;
  EXPECT_FALSE(AddSimHashSteps(InputOf(options, {{"x", "a"}}), &text));
  options = Named("simhash");
  options.tables = "2";
  EXPECT_FALSE(AddSimHashSteps(InputOf(options, {{"x", "a"}}), &text));
}

TEST(SimHashStepsTest, OnlyTheAskedPartsOfSimHashAreShown) {
  const NamedTexts texts = {{"x", "a b c d"}, {"y", "a b c e"}};
  for (const auto& [part, heading] :
       {std::pair(StepPart::kVotes, "Votes of x"),
        {StepPart::kFingerprints, "Fingerprints"},
        {StepPart::kTables, "Look-up tables"},
        {StepPart::kCandidates, "Candidates among"},
        {StepPart::kFeatures, "Features:"}}) {
    StepOptions steps;
    steps.parts = {part};
    StepText text;
    ASSERT_TRUE(AddSimHashSteps(
        InputOf(Named("simhash"), texts, "word:1", {}, steps), &text));
    const std::string markdown = text.Written().markdown;
    for (const char* any : {"Votes of x", "Fingerprints", "Look-up tables",
                            "Candidates among", "Features:"})
      EXPECT_EQ(markdown.find(std::string("# ") + any) != std::string::npos,
                std::string(any) == heading)
          << any;
  }
}

// ---- remainders ----

// Sauerhoff's slides: 347, 859 and 91 modulo 173.
TEST(SimHashStepsTest, RemaindersModulo173) {
  MethodOptions options = Named("rabin-mod-prime");
  options.feature_hash = FeatureHash::kBinary;
  StepOptions steps;
  steps.functions = {"x mod 173"};
  StepText text;
  const auto added = AddRabinSteps(
      InputOf(options,
              {{"a", "0101011011"}, {"b", "1101011011"}, {"c", "0001011011"}},
              "word:1", {}, steps),
      &text);
  ASSERT_TRUE(added && *added);
  const auto tables = TablesOf(text);
  ASSERT_EQ(tables.size(), 2u);
  const auto cell = [&](size_t row, size_t column) {
    return tables[0][row][column];
  };
  EXPECT_EQ(cell(1, 2), "347");
  EXPECT_EQ(cell(1, 4), "00000001");
  EXPECT_EQ(cell(2, 2), "859");
  EXPECT_EQ(cell(2, 4), "10100111");
  EXPECT_EQ(cell(3, 2), "91");
  EXPECT_EQ(cell(3, 4), "01011011");
  EXPECT_THAT(tables[1][1], ElementsAre("a, b", "1", "4", "no"));
  EXPECT_THAT(tables[1][2], ElementsAre("a, c", "1", "4", "no"));
}

TEST(SimHashStepsTest, RemaindersNeedNumbersAndAPrime) {
  const auto added = [](bool numbers, std::vector<std::string> functions) {
    MethodOptions options = Named("rabin-mod-prime");
    if (numbers) options.feature_hash = FeatureHash::kBinary;
    StepOptions steps;
    steps.functions = std::move(functions);
    StepText text;
    return AddRabinSteps(InputOf(options, {{"a", "0101"}}, "word:1", {}, steps),
                         &text);
  };
  EXPECT_FALSE(*added(false, {})) << "the steps of any other method";
  EXPECT_TRUE(*added(true, {"x mod 7"}));
  EXPECT_FALSE(added(true, {}));
  EXPECT_FALSE(added(false, {"x mod 7"}));
  EXPECT_FALSE(added(true, {"x mod 7", "x mod 11"}));
  EXPECT_FALSE(added(true, {"x mod 8"})) << "8 is no prime";
  EXPECT_FALSE(added(true, {"seven"}));
}

}  // namespace
}  // namespace twinset
