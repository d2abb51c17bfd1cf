// Scores of pairs that methods have of their own.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <map>
#include <string>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "twinset/explain.h"

namespace twinset {
namespace {

std::map<std::string, PairScore> ByName(const Explanation& explanation) {
  std::map<std::string, PairScore> scores;
  for (const PairScore& score : explanation.scores) scores[score.name] = score;
  return scores;
}

std::string Row(const std::string& id, const std::string& text) {
  return R"({"id": ")" + id + R"(", "text": ")" + text + "\"}\n";
}

// Chunks of two words. x: ab bc cd de, y: ab bc cd dx xy yz, z: bc cd.
TEST(ScoresTest, CoDerivativeScoresByTheDefinition) {
  TestDir dir;
  const std::string corpus = dir.path() + "/corpus.jsonl";
  ASSERT_TRUE(
      WriteWholeFile(corpus, Row("x", "a b c d e") + Row("y", "a b c d x y z") +
                                 Row("z", "b c d") + Row("w", "w v u")));
  InputOptions in;
  in.inputs = {corpus};
  MethodOptions method;
  method.name = "spex";
  method.sketch_shingle = "word:2";
  FeatureOptions features;
  features.shingle = "word:2";
  const auto pair = Explain({"x", "y", in, features, method});
  ASSERT_TRUE(pair) << pair.error().ToString();
  auto scores = ByName(*pair);
  EXPECT_EQ(scores["s1"].value, 3);
  EXPECT_EQ(scores["s2"].value, 3.0 / 4);
  EXPECT_EQ(scores["s3"].value, 3.0 / 5);
  EXPECT_EQ(scores["s3"].value, pair->s3);
  // Two documents have ab, three bc and cd.
  EXPECT_DOUBLE_EQ(scores["s4"].value, (1.0 / 2 + 2.0 / 3) / 5);
  const auto none = Explain({"x", "w", in, features, method});
  ASSERT_TRUE(none);
  for (const auto& [name, score] : ByName(*none))
    EXPECT_EQ(score.value, 0) << name;
  // A text shorter than a chunk is one.
  method.sketch_shingle = "word:4";
  const auto same = Explain({"z", "z", in, features, method});
  ASSERT_TRUE(same);
  EXPECT_EQ(ByName(*same)["s2"].value, ByName(*same)["s1"].value);
}

// It looks for documents in the inputs, and learns from them.
TEST(ExplainTest, IsStoppedWhereItReads) {
  const TestDir dir;
  const std::string corpus = dir.path() + "/corpus.jsonl";
  ASSERT_TRUE(
      WriteWholeFile(corpus, Row("x", "a b c d e") + Row("y", "a b c d x")));
  ExplainOptions options;
  options.x = "x";
  options.y = "y";
  options.in.inputs = {corpus};
  options.method.name = "spex";
  std::atomic<bool> stop = false;
  options.stop = &stop;
  for (const char* step : {"find", "learn"}) {
    stop = false;
    options.on_progress = [&](const Progress& now) {
      EXPECT_EQ(now.stage, "explain");
      stop = stop || now.step == step;
    };
    const auto explained = Explain(options);
    ASSERT_FALSE(explained) << step;
    EXPECT_EQ(explained.error().code, ErrorCode::kInterrupted);
  }
}

// A stop word more is not compared, and is a difference to whoever reads.
TEST(ScoresTest, KindsAreOfAllWords) {
  FeatureOptions features;
  features.stop_words = "en";
  const std::string words = "nine brown foxes jump over seven lazy dogs twice ";
  const auto pair = ExplainTexts(words + words, words + "the " + words,
                                 features, MethodOptions());
  ASSERT_TRUE(pair) << pair.error().ToString();
  EXPECT_EQ(pair->jaccard, 1);
  EXPECT_EQ(pair->difference, DifferenceKind::kInsertion);
  EXPECT_NE(pair->duplicate_kind, DuplicateKind::kExact);
}

TEST(ScoresTest, ContainmentIsEstimatedInBothDirections) {
  SplitMix64 random(3);
  std::string words[3];
  for (std::string& text : words) {
    for (int i = 0; i < 1500; ++i)
      text += "w" + std::to_string(random.Below(1 << 20)) + " ";
  }
  MethodOptions method;
  method.name = "mod-m";
  const auto pair =
      ExplainTexts(words[0] + words[1], words[1] + words[2], {}, method);
  ASSERT_TRUE(pair);
  auto scores = ByName(*pair);
  ASSERT_EQ(scores.size(), 2u);
  for (const auto& [name, exact] :
       {std::pair("containment_ab", pair->containment_ab),
        std::pair("containment_ba", pair->containment_ba)}) {
    const PairScore& score = scores[name];
    // About 120 of 3,000 shingles are kept.
    EXPECT_NEAR(score.standard_error.value(), std::sqrt(.25 / 120), .01)
        << name;
    EXPECT_NEAR(score.value, exact, 4 * std::sqrt(.25 / 90)) << name;
    EXPECT_NE(score.value, exact) << name;
  }
  method.modulus = 1;
  const auto whole =
      ExplainTexts(words[0] + words[1], words[1] + words[2], {}, method);
  ASSERT_TRUE(whole);
  EXPECT_EQ(ByName(*whole)["containment_ab"].value, whole->containment_ab);
  EXPECT_EQ(ByName(*whole)["containment_ba"].value, whole->containment_ba);
  method.name = "minhash";
  method.modulus = MethodOptions().modulus;
  const auto other = ExplainTexts(words[0], words[1], {}, method);
  ASSERT_TRUE(other);
  EXPECT_TRUE(other->scores.empty());
}

}  // namespace
}  // namespace twinset
