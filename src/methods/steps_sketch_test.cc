// The steps of methods: what they show must be what the method does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "methods/steps_testing.h"
#include "sketch/fuzzy.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Row = std::vector<std::string>;

NamedTexts TwoTexts() {
  const auto texts = RandomTexts(21, 2, 40);
  return {{"x", texts[0]}, {"y", texts[0].substr(0, 100) + texts[1]}};
}

TEST(SketchStepsTest, MinHashSaysThatItsSlotsAreTheSketch) {
  const Sketched minhash(Named("minhash"), TwoTexts(), "word:3");
  EXPECT_THAT(minhash.Before().Written().markdown,
              HasSubstr("the slots are the first values of the sketches"));
  // It does not say so of features that the sketches do not see.
  const Sketched other(Named("minhash"), TwoTexts(), "word:2");
  EXPECT_THAT(other.Before().Written().markdown,
              HasSubstr("The sketches have other values"));
}

// Every value of a place has a feature of its own document behind it, and the
// sketch of that feature alone has the value.
TEST(SketchStepsTest, ValuesComeFromFeatures) {
  for (const char* name : {"fss", "one-permutation", "rabin-minhash"}) {
    MethodOptions options = Named(name);
    options.permutations = 32;
    const Sketched sketched(options, TwoTexts(), "word:3");
    const auto tables = TablesOf(sketched.Before());
    ASSERT_EQ(tables.size(), 1u) << name;
    EXPECT_THAT(tables[0][0],
                ElementsAre("value", "x", "comes from", "y", "comes from"));
    ASSERT_EQ(tables[0].size(), 33u) << name;
    for (size_t i = 1; i <= 32; ++i) {
      for (size_t d = 0; d < 2; ++d) {
        const uint32_t value = sketched.sketches().of[d][0][i - 1];
        EXPECT_EQ(tables[0][i][1 + 2 * d], ToHex(value, 8));
        const std::string& origin = tables[0][i][2 + 2 * d];
        // An empty bin has the value of another place.
        if (std::string(name) != "one-permutation") {
          EXPECT_FALSE(origin.empty());
        }
        if (!origin.empty()) {
          EXPECT_THAT(sketched.input().documents[d].text, HasSubstr(origin));
        }
      }
    }
  }
}

TEST(SketchStepsTest, BandsShowTheirCurve) {
  MethodOptions options = Named("minhash");
  options.permutations = 200;
  options.bands = 20;
  options.rows = 10;
  const auto tables = TablesOf(Sketched(options, TwoTexts(), "word:3").After());
  ASSERT_EQ(tables.size(), 1u);
  std::map<std::string, std::string> curve;
  for (const Row& row : tables[0]) curve[row[0]] = row[1];
  // Recomputed: 1 - (1 - J^10)^20.
  EXPECT_EQ(curve["0.5"], "0.0194");
  EXPECT_EQ(curve["0.7"], "0.4362");
  EXPECT_EQ(curve["0.8"], "0.8969");
  EXPECT_EQ(curve["0.9"], "0.9998");
  options.bands = options.rows = 0;
  options.generator = "sorted";
  EXPECT_TRUE(
      TablesOf(Sketched(options, TwoTexts(), "word:3").After()).empty());
}

TEST(SketchStepsTest, SuperShinglesShowTheirMinimaAndPairs) {
  const Sketched sketched(Named("super-shingle"), TwoTexts(), "word:3");
  const auto minima = TablesOf(sketched.Before());
  ASSERT_EQ(minima.size(), 1u);
  ASSERT_EQ(minima[0].size(), 85u);  // 6 of 14, and the names
  EXPECT_EQ(minima[0][84][0], "6");
  EXPECT_EQ(minima[0][84][1], "84");
  for (size_t i = 1; i <= 84; ++i)
    EXPECT_EQ(minima[0][i][4] == "yes", minima[0][i][2] == minima[0][i][3]);
  // The minima are those of classic MinHash with as many functions.
  MethodOptions classic = Named("minhash");
  classic.permutations = 88;
  const Sketch values =
      SketchOf(PartsOf(classic), Stored(sketched.input().documents[0].set));
  for (size_t i = 0; i < 84; ++i)
    EXPECT_EQ(minima[0][i + 1][2], ToHex(values[i], 8));
  const auto tables = TablesOf(sketched.After());
  ASSERT_EQ(tables.size(), 2u);
  // Broder's law: 0.9^14, and two of six.
  for (const Row& row : tables[0]) {
    if (row[0] == "0.9") {
      EXPECT_THAT(row, ElementsAre("0.9", "0.2288", "0.4151"));
    }
    if (row[0] == "0.95") {
      EXPECT_THAT(row, ElementsAre("0.95", "0.4877", "0.8786"));
    }
  }
  EXPECT_EQ(tables[1].size(), 16u);  // 6 over 2
  const Row last = tables[1].back();
  EXPECT_EQ(last[0], "5, 6");
  // Asked for three, there are no mega-shingles to show.
  MethodOptions three = Named("super-shingle");
  three.agree = 3;
  EXPECT_EQ(TablesOf(Sketched(three, TwoTexts(), "word:3").After()).size(), 1u);
}

TEST(SketchStepsTest, MultiplesAreListedWithTheirFactors) {
  MethodOptions options = OfNumbers();
  options.name = "mod-m";
  options.modulus = 5;
  options.sketch_shingle = "word:1";
  const StepText text =
      Sketched(options, {{"x", "10 3 7 25"}, {"y", "1 2"}}, "word:1").Before();
  const auto tables = TablesOf(text);
  ASSERT_EQ(tables.size(), 1u) << "of y nothing is kept";
  EXPECT_THAT(tables[0],
              ElementsAre(::testing::_, Row{"10", "000000000000000a", "2  5"},
                          Row{"25", "0000000000000019", "5  5"}));
  EXPECT_THAT(text.Written().markdown, HasSubstr("2 of 4 features are kept"));
  EXPECT_THAT(text.Written().markdown, HasSubstr("0 of 2 features are kept"));
}

// ---- copies ----

TEST(SketchStepsTest, CopiesShowWhatIsCompared) {
  MethodOptions options = Named("exact");
  options.level = CopyLevel::kTokens;
  const StepText text =
      Sketched(options, {{"x", "Ein  Satz!"}, {"y", "ein satz"}}, "word:1")
          .Before();
  const auto tables = TablesOf(text);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_THAT(tables[0][1], ElementsAre("x", "8", "ein satz"));
  EXPECT_THAT(tables[0][2], ElementsAre("y", "8", "ein satz"));
  EXPECT_THAT(text.Written().markdown, HasSubstr("What is compared: tokens"));
  EXPECT_THAT(text.Written().markdown, Not(HasSubstr("drawn with the seed")));
  options.polynomial = RabinModulus::kDrawn;
  EXPECT_THAT(
      Sketched(options, {{"x", "a"}}, "word:1").Before().Written().markdown,
      HasSubstr("drawn with the seed"));
}

TEST(SketchStepsTest, ProfilesShowTheTokensThatAreLeft) {
  const StepText text = Sketched(Named("text-profile"),
                                 {{"x", "pear apple apple pear apple once"},
                                  {"y", "to be or not"}},
                                 "word:1")
                            .Before();
  const auto tables = TablesOf(text);
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_THAT(tables[0], ElementsAre(Row{"token", "count"}, Row{"apple", "2"},
                                     Row{"pear", "2"}));
  // In y no word stands twice: "not" counts once.
  EXPECT_THAT(tables[1], ElementsAre(Row{"token", "count"}, Row{"not", "1"}));
  EXPECT_THAT(Sketched(Named("text-profile"), {{"x", "to be or"}}, "word:1")
                  .Before()
                  .Written()
                  .markdown,
              HasSubstr("all tokens are hashed instead"));
}

TEST(SketchStepsTest, FuzzyDigitsAreThoseOfTheSketch) {
  const std::string latin = RandomTexts(3, 1, 80)[0];
  const Sketched sketched(Named("fuzzy"), {{"x", latin}}, "word:1");
  const auto tables = TablesOf(sketched.Before());
  ASSERT_EQ(tables.size(), 1u);
  ASSERT_EQ(tables[0].size(), 1u + kFuzzySchemes);
  for (int scheme = 0; scheme < kFuzzySchemes; ++scheme) {
    const Row& row = tables[0][static_cast<size_t>(scheme) + 1];
    EXPECT_EQ(row[2], "Latin");
    EXPECT_EQ(row[3].size(), 27u);  // a to z, and one for all others
    EXPECT_EQ(row[3].find_first_not_of("01"), std::string::npos);
  }
}

// ---- what a corpus tells apart ----

TEST(SketchStepsTest, TheStepsOfLexicaCountWhatTheSignaturesSee) {
  NamedTexts texts;
  const auto bodies = RandomTexts(2, 30, 40, 150);
  for (size_t d = 0; d < bodies.size(); ++d)
    texts.emplace_back("d" + std::to_string(d), bodies[d]);
  MethodOptions options = Named("i-match");
  options.lexicons = 3;
  const Sketched sketched(options, texts, "word:1");
  const auto tables = TablesOf(sketched.Before());
  ASSERT_EQ(tables.size(), 2u);
  const Rows &terms = tables[0], &signatures = tables[1];
  // Terms that are kept stand first, and each document's count of them is what
  // the first signature has.
  std::vector<int> kept(texts.size());
  bool others = false;
  for (size_t i = 1; i < terms.size(); ++i) {
    const bool is_kept = terms[i][3] == "yes";
    EXPECT_FALSE(is_kept && others) << "kept terms stand first";
    others = others || !is_kept;
    for (size_t d = 0; d < texts.size(); ++d)
      kept[d] += is_kept && terms[i][4 + d] == "1";
  }
  ASSERT_EQ(signatures.size(), 5u);
  for (size_t d = 0; d < texts.size(); ++d) {
    EXPECT_EQ(signatures[1][1 + d], std::to_string(kept[d]));
    for (size_t value = 2; value < signatures.size(); ++value)
      EXPECT_LE(std::stoi(signatures[value][1 + d]), kept[d]);
    // A document with too few of them has no signature.
    EXPECT_EQ(sketched.sketches().of[d][0].empty(), kept[d] < 4) << d;
  }
}

TEST(SketchStepsTest, TheStepsOfChunksShowWhatIsKept) {
  MethodOptions options = Named("rare-chunks");
  options.chunks = 5;
  const Sketched sketched(options, TwoTexts(), "word:1");
  const auto tables = TablesOf(sketched.Before());
  ASSERT_EQ(tables.size(), 2u);
  for (size_t d = 0; d < 2; ++d) {
    ASSERT_EQ(tables[d].size(), 6u);
    const Sketch& sketch = sketched.sketches().of[d][0];
    std::vector<std::string> kept, shown;
    for (size_t i = 0; i < sketch.size(); i += 2)
      kept.push_back(ToHex(sketch[i] | uint64_t{sketch[i + 1]} << 32));
    for (size_t i = 1; i < tables[d].size(); ++i) {
      const Row& row = tables[d][i];
      shown.push_back(row[4]);
      EXPECT_TRUE(row[0].starts_with(row[1]));
      EXPECT_EQ(row[1].size(), 5u);
      EXPECT_EQ(row[0].size(), 20u);
      EXPECT_EQ(row[0].find_first_of(" aeiou"), std::string::npos);
    }
    std::sort(shown.begin(), shown.end());
    std::sort(kept.begin(), kept.end());
    EXPECT_EQ(shown, kept);
  }
}

TEST(SketchStepsTest, TheStepsOfSpexShowWhatIsShared) {
  MethodOptions options = Named("spex");
  options.sketch_shingle = "word:2";
  const Sketched sketched(
      options, {{"x", "a b c d"}, {"y", "e b c f"}, {"z", "a"}}, "word:1");
  const auto tables = TablesOf(sketched.Before());
  ASSERT_EQ(tables.size(), 2u);
  const auto kept = [](const Rows& rows) {
    std::vector<std::string> chunks;
    for (const Row& row : rows)
      if (row[3] == "yes") chunks.push_back(row[0]);
    return chunks;
  };
  EXPECT_EQ(tables[0].size(), 4u);
  EXPECT_THAT(kept(tables[0]), ElementsAre("b c"));
  EXPECT_THAT(kept(tables[1]), ElementsAre("b c"));
  // "a" stands in x and in z, so "a b" is half shared, and not kept.
  EXPECT_EQ(tables[0][1][1], "yes");
  EXPECT_EQ(tables[0][1][2], "yes");
  EXPECT_EQ(tables[0][3][2], "");
  EXPECT_THAT(sketched.Before().Written().markdown,
              HasSubstr("The text is shorter than a chunk"));
}

// What is marked as a prefix is what the keys are made of.
TEST(SketchStepsTest, PrefixesShortenAsTheThresholdRises) {
  size_t before = ~size_t{0};
  for (const double threshold : {0.3, 0.6, 0.9, 1.0}) {
    MethodOptions options = Named("complete");
    options.threshold = threshold;
    const Sketched sketched(options, TwoTexts(), "word:3");
    const size_t keys = sketched.sketches().of[0][0].size() / 2;
    EXPECT_LT(keys, before) << threshold;
    EXPECT_GE(keys, 1u);
    before = keys;
    EXPECT_THAT(sketched.Before().Written().markdown,
                HasSubstr("the threshold of " + Decimal(threshold)));
  }
}

}  // namespace
}  // namespace twinset
