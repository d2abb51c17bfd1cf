// The steps of sets and small universes, against the tables of the lectures
// they teach.
#include "methods/steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "methods/steps_testing.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Row = std::vector<std::string>;

TEST(MethodStepsTest, ATextOfAWindowIsItsTokensOrItsCharacters) {
  const StepInput words =
      InputOf({}, {{"x", "Die  Äpfel, die ROTEN!"}}, "word:2");
  const StepDocument& document = words.documents[0];
  ASSERT_EQ(document.windows.size(), 3u);
  EXPECT_EQ(document.TextOf(document.windows[0]), "die äpfel");
  EXPECT_EQ(document.TextOf(document.windows[2]), "die roten");
  const StepInput characters = InputOf({}, {{"x", "Äpfel"}}, "char:3");
  ASSERT_EQ(characters.documents[0].windows.size(), 3u);
  // The first begins where a token does, and holds no whole token.
  EXPECT_EQ(characters.documents[0].TextOf(characters.documents[0].windows[0]),
            "Äpf");
  EXPECT_EQ(characters.documents[0].TextOf(characters.documents[0].windows[1]),
            "pfe");
  // A long window is built in part only.
  std::string much;
  for (int i = 0; i < 400; ++i) much += "word" + std::to_string(i) + " ";
  const StepInput whole = InputOf({}, {{"x", much}}, "paragraph");
  const std::string text =
      whole.documents[0].TextOf(whole.documents[0].windows[0]);
  EXPECT_GT(text.size(), kPlainBytes);
  EXPECT_LT(text.size(), 2 * kPlainBytes);
}

TEST(MethodStepsTest, DecimalsHaveFourPlacesAndNoZerosAtTheEnd) {
  for (const auto& [value, text] : {std::pair(0.0, "0"),
                                    {1.0, "1"},
                                    {10.0, "10"},
                                    {0.5, "0.5"},
                                    {1.0 / 3, "0.3333"},
                                    {0.00004, "0"},
                                    {0.00006, "0.0001"},
                                    {123456.78901, "123456.789"},
                                    {-0.25, "-0.25"},
                                    {1e15, "1000000000000000"}})
    EXPECT_EQ(Decimal(value), text);
  EXPECT_EQ(Ratio(0, 3), "0/3 = 0");
  EXPECT_EQ(Ratio(2, 3), "2/3 = 0.6667");
  EXPECT_EQ(Ratio(~uint64_t{0}, ~uint64_t{0}),
            "18446744073709551615/18446744073709551615 = 1");
}

TEST(MethodStepsTest, SetsAreWrittenByTheirLabelsUpToTheMostRows) {
  StepInput input = InputOf(OfNumbers(), {{"x", "4 1 3 1"}});
  EXPECT_EQ(SetText(input, input.documents[0].set), "{1, 3, 4}");
  EXPECT_EQ(SetText(input, {}), "{}");
  input.steps.most_rows = 2;
  EXPECT_EQ(SetText(input, input.documents[0].set), "{1, 3, …}");
  input.steps.most_rows = 3;
  EXPECT_EQ(SetText(input, input.documents[0].set), "{1, 3, 4}");
  // What no document has is known by its number alone.
  EXPECT_EQ(Label(input, 99), "99");
  const StepInput words = InputOf({}, {{"x", "a|b"}});
  EXPECT_EQ(Label(words, words.documents[0].windows[0].hash), "a");
}

TEST(MethodStepsTest, TheUniverseHoldsItsRowsAndAllFeatures) {
  StepOptions steps;
  steps.universe = 4;
  EXPECT_THAT(
      UniverseOf(InputOf(OfNumbers(), {{"x", "7 2"}}, "word:1", {}, steps)),
      ElementsAre(1, 2, 3, 4, 7));
  EXPECT_THAT(UniverseOf(InputOf(OfNumbers(), {{"x", "7 2"}, {"y", "2 5"}})),
              ElementsAre(2, 5, 7));
  // Words stand as they are met, numbers ascending.
  const StepInput words = InputOf({}, {{"x", "b a b"}, {"y", "c a"}});
  Row met;
  for (const uint64_t feature : FeaturesInOrder(words))
    met.push_back(Label(words, feature));
  EXPECT_THAT(met, ElementsAre("b", "a", "c"));
  EXPECT_THAT(FeaturesInOrder(InputOf(OfNumbers(), {{"x", "3 1 2"}})),
              ElementsAre(1, 2, 3));
}

TEST(MethodStepsTest, OverlapsOfAllSmallSets) {
  for (uint64_t a = 0; a < 64; ++a) {
    for (uint64_t b = 0; b < 64; ++b) {
      const Overlap overlap = OverlapOfSets(SetOfBits(a), SetOfBits(b));
      EXPECT_EQ(overlap,
                (Overlap{static_cast<uint64_t>(std::popcount(a)),
                         static_cast<uint64_t>(std::popcount(b)),
                         static_cast<uint64_t>(std::popcount(a & b))}));
    }
  }
}

TEST(MethodStepsTest, QueriesAreNoStoredDocuments) {
  const StepInput input =
      InputOf({}, {{"a", "x"}, {"b", "y"}, {"c", "z"}}, "word:1", {{"q", "x"}});
  EXPECT_EQ(input.stored(), 3u);
  EXPECT_TRUE(input.documents[3].is_query);
  std::vector<std::pair<size_t, size_t>> pairs;
  ForEachStepPair(input, [&](size_t a, size_t b) { pairs.emplace_back(a, b); });
  EXPECT_THAT(pairs,
              ElementsAre(std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)));
}

TEST(MethodStepsTest, PartsAreShownThatAreAskedFor) {
  StepInput input = InputOf({}, {{"a", "x"}});
  EXPECT_TRUE(input.Shows(StepPart::kTables));
  input.steps.parts = {StepPart::kVotes, StepPart::kRows};
  EXPECT_TRUE(input.Shows(StepPart::kRows));
  EXPECT_FALSE(input.Shows(StepPart::kTables));
}

// Shingles of a sentence: the lecture of Sauerhoff (Dortmund 2007) shows its
// five shingles of two words, and Broder (1997) the rose.
TEST(MethodStepsTest, WindowsAndShinglesOfKnownSentences) {
  struct Case {
    const char* text;
    const char* shingle;
    size_t windows, different;
  };
  const char* spam = "spam spam spam lovely spam wonderful spam lovely spam";
  const char* rose = "a rose is a rose is a rose";
  for (const Case& c :
       {Case{spam, "word:2", 8, 5}, Case{rose, "word:4", 5, 3},
        Case{rose, "word:3", 6, 3}, Case{rose, "word:2", 7, 3},
        Case{rose, "word:1", 8, 3}, Case{"a rose", "word:3", 1, 1}}) {
    const StepInput input = InputOf({}, {{"x", c.text}}, c.shingle);
    StepText text;
    AddShingleSteps(input, &text);
    EXPECT_THAT(text.Written().markdown,
                HasSubstr(std::to_string(c.windows) + " window" +
                          (c.windows == 1 ? "" : "s") + ", " +
                          std::to_string(c.different) + " different"));
    const auto tables = TablesOf(text);
    ASSERT_EQ(tables.size(), 1u);
    EXPECT_EQ(tables[0].size(), 1 + c.windows);
    size_t fresh = 0;
    for (const Row& row : tables[0]) fresh += row.back() == "new";
    EXPECT_EQ(fresh, c.different) << c.text << c.shingle;
  }
}

TEST(MethodStepsTest, ALongListIsCutAndCounted) {
  const StepInput input = InputOf({}, {{"x", "a b c d e f g"}});
  StepText text(3);
  AddShingleSteps(input, &text);
  const auto tables = TablesOf(text);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_THAT(text.Written().markdown, HasSubstr("4 more"));
  StepText rows(3);
  AddMembershipSteps(InputOf({}, {{"x", "a b c d e f g"}, {"y", "a"}}), &rows);
  EXPECT_THAT(rows.Written().markdown, HasSubstr("4 more"));
  // The count of kinds is of all rows, not of those shown.
  EXPECT_THAT(rows.Written().markdown, HasSubstr("1/7 = 0.1429"));
}

// The columns 011010 and 101011 of Manning, Raghavan and Schütze's lecture
// 19: two rows of type A, five with any, so J = 2/5.
TEST(MethodStepsTest, RowTypesOfTwoColumns) {
  StepOptions steps;
  steps.universe = 6;
  StepText text;
  AddMembershipSteps(InputOf(OfNumbers(), {{"C1", "2 3 5"}, {"C2", "1 3 5 6"}},
                             "word:1", {}, steps),
                     &text);
  const auto tables = TablesOf(text);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_THAT(tables[0],
              ElementsAre(Row{"row", "C1", "C2", "kind"},
                          Row{"1", "0", "1", "C"}, Row{"2", "1", "0", "B"},
                          Row{"3", "1", "1", "A"}, Row{"4", "0", "0", "D"},
                          Row{"5", "1", "1", "A"}, Row{"6", "0", "1", "C"}));
  EXPECT_THAT(text.Written().markdown, HasSubstr("2/5 = 0.4"));
}

TEST(MethodStepsTest, OneDocumentHasNoColumnsToCompare) {
  StepText rows, measures;
  AddMembershipSteps(InputOf({}, {{"x", "a b"}}), &rows);
  AddMeasureSteps(InputOf({}, {{"x", "a b"}}), &measures);
  EXPECT_EQ(rows.Written().markdown, "");
  EXPECT_EQ(measures.Written().markdown, "");
  // Three documents have columns, but no kinds of rows.
  StepText three;
  AddMembershipSteps(InputOf({}, {{"x", "a"}, {"y", "b"}, {"z", "a"}}), &three);
  EXPECT_THAT(TablesOf(three)[0][0], ElementsAre("feature", "x", "y", "z"));
  EXPECT_THAT(three.Written().markdown, Not(HasSubstr("Jaccard")));
}

// The three sentences of 现代信息检索, lecture 16, by 2-shingles: sizes 4,
// 7, 5.
TEST(MethodStepsTest, MeasuresOfTheSentencesOfJackLondon) {
  StepText text;
  AddMeasureSteps(
      InputOf({},
              {{"d1", "Jack London traveled to Oakland"},
               {"d2", "Jack London traveled to the city of Oakland"},
               {"d3", "Jack traveled from Oakland to London"}},
              "word:2"),
      &text);
  const auto tables = TablesOf(text);
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_THAT(tables[0][1],
              ElementsAre("d1, d2", "3", "8", "3/8 = 0.375", "3/4 = 0.75",
                          "3/7 = 0.4286", "6/11 = 0.5455"));
  EXPECT_THAT(tables[0][2], ElementsAre("d1, d3", "0", "9", "0/9 = 0",
                                        "0/4 = 0", "0/5 = 0", "0/9 = 0"));
  EXPECT_EQ(tables[0][3][2], "12");
  EXPECT_THAT(tables[1], ElementsAre(Row{"a, b", "edit distance, tokens",
                                         "edit distance, characters",
                                         "cosine of token counts"},
                                     Row{"d1, d2", "3", "12", "0.7906"},
                                     Row{"d1, d3", "4", "20", "0.9129"},
                                     Row{"d2, d3", "6", "26", "0.7217"}));
}

// One letter of many bytes is one character: all three bytes of the first
// differ.
TEST(MethodStepsTest, CharactersAreThoseOfUnicode) {
  StepText text;
  AddMeasureSteps(InputOf({}, {{"a", "文 same"}, {"b", "字 same"}}), &text);
  EXPECT_THAT(TablesOf(text)[1][1], ElementsAre("a, b", "1", "1", "0.5"));
}

// ---- permutations and slots ----

// Sauerhoff's example: 1 to 3, 2 to 4, 3 to 1, 4 to 2, and S = {2, 3, 4}.
TEST(MethodStepsTest, TheLeastImage) {
  StepOptions steps;
  steps.images = {"3 4 1 2"};
  StepText text;
  ASSERT_TRUE(AddImageSteps(
      InputOf(OfNumbers(), {{"S", "2 3 4"}}, "word:1", {}, steps), &text));
  EXPECT_THAT(TablesOf(text)[0][1],
              ElementsAre("S", "{2, 3, 4}", "{4, 1, 2}", "1"));
}

// Signatures by three orders (Manning, Raghavan and Schütze's lecture 19): the
// value is the label of the row, not its rank.
TEST(MethodStepsTest, SignaturesByOrders) {
  StepOptions steps;
  steps.orders = {"12345", "54321", "3 4 5 1 2"};
  StepText text;
  ASSERT_TRUE(AddOrderSteps(
      InputOf(OfNumbers(), {{"C1", "1 3 4"}, {"C2", "2 5"}, {"C3", "1 2 4"}},
              "word:1", {}, steps),
      &text));
  const auto tables = TablesOf(text);
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_THAT(tables[0], ElementsAre(Row{"order", "C1", "C2", "C3"},
                                     Row{"1 2 3 4 5", "1", "2", "1"},
                                     Row{"5 4 3 2 1", "4", "5", "4"},
                                     Row{"3 4 5 1 2", "3", "5", "4"}));
  EXPECT_THAT(tables[1][1], ElementsAre("C1, C2", "0/5 = 0", "0/3 = 0", "0"));
  EXPECT_EQ(tables[1][2][1], "2/4 = 0.5");
  EXPECT_EQ(tables[1][2][2], "2/3 = 0.6667");
  EXPECT_EQ(tables[1][3][1], "1/4 = 0.25");
  EXPECT_EQ(tables[1][3][2], "0/3 = 0");
}

// The slots of one pass at their end: the same lecture, h = x mod 5 and g =
// 2x + 1 mod 5; and the exercise of 现代信息检索, lecture 16. (That one prints
// 0 for g(4) of the first, where 9 mod 5 is 4.)
TEST(MethodStepsTest, SlotsOfTheLectures) {
  StepOptions steps;
  steps.functions = {"x mod 5", "(2x + 1) mod 5"};
  StepText first;
  ASSERT_TRUE(
      AddSlotSteps(InputOf(OfNumbers(), {{"C1", "1 3 4"}, {"C2", "2 3 5"}},
                           "word:1", {}, steps),
                   &first));
  auto tables = TablesOf(first);
  ASSERT_EQ(tables.size(), 3u);
  const char* none = "∞, ∞";
  EXPECT_THAT(tables[0],
              ElementsAre(Row{"row", "h", "g", "C1 (h, g)", "C2 (h, g)"},
                          Row{"1", "1", "3", "1, 3", none},
                          Row{"2", "2", "0", "1, 3", "2, 0"},
                          Row{"3", "3", "2", "1, 2", "2, 0"},
                          Row{"4", "4", "4", "1, 2", "2, 0"},
                          Row{"5", "0", "1", "1, 2", "0, 0"}));
  EXPECT_EQ(tables[1][1][1], "1/5 = 0.2");
  EXPECT_EQ(tables[1][1][2], "0/2 = 0");
  EXPECT_EQ(tables[2], tables[0]);
  EXPECT_THAT(first.Written().markdown, HasSubstr("at the end are the same"));
  steps.functions = {"5x+5 mod 4", "3x+1 mod 4"};
  StepText second;
  ASSERT_TRUE(AddSlotSteps(
      InputOf(OfNumbers(), {{"d1", "2 4"}, {"d2", "1 3"}, {"d3", "1 2"}},
              "word:1", {}, steps),
      &second));
  tables = TablesOf(second);
  EXPECT_THAT(
      tables[0],
      ElementsAre(::testing::_, Row{"1", "2", "0", none, "2, 0", "2, 0"},
                  Row{"2", "3", "3", "3, 3", "2, 0", "2, 0"},
                  Row{"3", "0", "2", "3, 3", "0, 0", "2, 0"},
                  Row{"4", "1", "1", "1, 1", "0, 0", "2, 0"}));
  EXPECT_EQ(tables[1][3][2], "1/2 = 0.5");
}

TEST(MethodStepsTest, PermutationsAreRefusedWithTheWordsOfTheirFlag) {
  const auto error = [](const char* documents, StepOptions steps) {
    const StepInput input =
        InputOf(OfNumbers(), {{"x", documents}}, "word:1", {}, steps);
    StepText text;
    const Status status = steps.images.empty() ? AddOrderSteps(input, &text)
                                               : AddImageSteps(input, &text);
    return status ? "" : status.error().message;
  };
  for (const char* order : {"", "12", "1 2 2", "0 1 2", "1 2 4", "1 2 x",
                            "123 ", "1,2,3", "99999999999999999999 1 2"}) {
    StepOptions steps;
    steps.orders = {order};
    EXPECT_EQ(error("1 2 3", steps),
              "--orders '" + std::string(order) +
                  "' is no permutation of the rows 1 to 3");
    steps.images = steps.orders;
    EXPECT_THAT(error("1 2 3", steps), HasSubstr("--images"));
  }
  StepOptions good;
  good.orders = {"  3   1  2 ", "4321"};
  EXPECT_EQ(error("1 2 3", good), "");
  // Rows from 0 on, and more rows than are shown.
  EXPECT_THAT(error("0 1", good), HasSubstr("numbers 1 to 10000"));
  EXPECT_THAT(error("10001", good), HasSubstr("numbers 1 to 10000"));
}

TEST(MethodStepsTest, SlotTablesAreForSmallUniverses) {
  StepOptions steps;
  steps.functions = {"x mod 5"};
  steps.universe = 10'000;
  StepText text(2);
  EXPECT_TRUE(AddSlotSteps(
      InputOf(OfNumbers(), {{"x", "1"}}, "word:1", {}, steps), &text));
  const Status status = AddSlotSteps(
      InputOf(OfNumbers(), {{"x", "20000"}}, "word:1", {}, steps), &text);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("here are 10001"));
  steps.functions = {"x squared"};
  EXPECT_FALSE(AddSlotSteps(
      InputOf(OfNumbers(), {{"x", "1"}}, "word:1", {}, steps), &text));
}

// What the steps derive are the first values of the sketch that a run makes.
TEST(MethodStepsTest, TheFirstSlotsAreThoseOfMinHash) {
  MethodOptions options = Named("minhash");
  options.seed = 7;
  const NamedTexts texts = {{"x", RandomTexts(1, 1, 50)[0]},
                            {"y", RandomTexts(2, 1, 1)[0]}};
  const StepInput input = InputOf(options, texts, "word:3");
  StepText text;
  const auto slots = AddMethodSlots(input, &text);
  const MethodParts parts = PartsOf(options);
  for (size_t d = 0; d < texts.size(); ++d) {
    const Sketch sketch = SketchOf(parts, Stored(input.documents[d].set));
    for (size_t k = 0; k < kMethodSlots; ++k)
      EXPECT_EQ(slots[d][k], sketch[k]) << d << k;
  }
}

}  // namespace
}  // namespace twinset
