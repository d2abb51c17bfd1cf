// What holds for every row of the registry, on a corpus that it has learnt.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "methods/method_rows.h"
#include "methods/methods_testing.h"
#include "options/parameters.h"

namespace twinset {
namespace {

// Twelve texts; 0 and 7 are equal, 3 is 2 with another beginning, 9 has
// letters of other scripts, 10 is short.
std::vector<std::string> Corpus() {
  std::vector<std::string> texts = RandomTexts(3, 12, 150);
  texts[7] = texts[0];
  texts[3] = "another beginning " + texts[2].substr(40);
  texts[9] = "Прямая речь и 全文检索的重复文档 Ärger öffnet Türen " + texts[9];
  texts[10] = "a short text";
  return texts;
}

class EveryMethodTest : public ::testing::TestWithParam<std::string> {
 protected:
  // Learning is the costly part: a row learns once for all of its cases.
  static const MethodOnTexts& Learnt(const std::string& name) {
    static std::map<std::string, std::unique_ptr<MethodOnTexts>> all;
    auto& found = all[name];
    if (found == nullptr)
      found = std::make_unique<MethodOnTexts>(MethodCalled(name), Named(name),
                                              Corpus());
    return *found;
  }
  const Method& method() const { return MethodCalled(GetParam()); }
  const MethodOnTexts& seen() const { return Learnt(GetParam()); }
};

TEST_P(EveryMethodTest, EqualTextsAreFoundAndScoreOne) {
  ASSERT_NE(seen().parts().generator, nullptr);
  EXPECT_TRUE(seen().ShareKey(0, 7));
  EXPECT_TRUE(seen().PassesFilter(0, 7));
  const auto verdict = seen().Compare(0, 7);
  EXPECT_TRUE(verdict.accepted);
  EXPECT_EQ(verdict.score, 1);
  for (size_t i = 0; i < seen().parts().sketchers.size(); ++i) {
    EXPECT_EQ(seen().SketchesOf(0)[i], seen().SketchesOf(7)[i]);
    EXPECT_EQ(seen().Estimate(i, 0, 7), 1) << i;
  }
}

TEST_P(EveryMethodTest, APairIsTheSamePairFromBothSides) {
  for (size_t a = 0; a < seen().size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      EXPECT_EQ(seen().PassesFilter(a, b), seen().PassesFilter(b, a));
      EXPECT_EQ(seen().ShareKey(a, b), seen().ShareKey(b, a));
      const auto ab = seen().Compare(a, b), ba = seen().Compare(b, a);
      EXPECT_EQ(ab.accepted, ba.accepted);
      EXPECT_EQ(ab.score, ba.score);
      for (size_t i = 0; i < seen().parts().sketchers.size(); ++i) {
        const double estimate = seen().Estimate(i, a, b);
        EXPECT_EQ(estimate, seen().Estimate(i, b, a));
        EXPECT_GE(estimate, 0);
        EXPECT_LE(estimate, 1);
      }
    }
  }
}

TEST_P(EveryMethodTest, TextsThatShareNothingAreNoPair) {
  EXPECT_FALSE(seen().Compare(0, 1).accepted);
  EXPECT_FALSE(seen().Compare(1, 10).accepted);
}

TEST_P(EveryMethodTest, DocumentsOfTwoScopesNeverShareAKey) {
  const auto first = seen().Keys(0, 11), second = seen().Keys(0, 12);
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(first.size(), second.size());
  std::vector<uint64_t> both;
  std::set_intersection(first.begin(), first.end(), second.begin(),
                        second.end(), std::back_inserter(both));
  EXPECT_TRUE(both.empty());
  EXPECT_EQ(first, seen().Keys(7, 11));
}

TEST_P(EveryMethodTest, TheOrderOfTheCorpusAndTheThreadsTeachNothing) {
  if (!method().learns || !method().learns(Named(GetParam()))) return;
  std::vector<std::string> texts = Corpus();
  std::reverse(texts.begin(), texts.end());
  const MethodOnTexts again(method(), Named(GetParam()), texts, 3);
  ASSERT_NE(again.model(), nullptr);
  EXPECT_EQ(again.model()->bytes, seen().model()->bytes);
  for (size_t d = 0; d < texts.size(); ++d)
    EXPECT_EQ(again.SketchesOf(d), seen().SketchesOf(texts.size() - 1 - d));
}

TEST_P(EveryMethodTest, ADamagedModelIsToldAndNotUsed) {
  if (seen().model() == nullptr) return;
  const MethodOptions options = Named(GetParam());
  for (const size_t cut : {size_t{0}, size_t{3}, size_t{8}, size_t{9}}) {
    CorpusModel damaged = *seen().model();
    damaged.bytes.resize(std::min(cut, damaged.bytes.size()));
    const auto made = method().make(options, &damaged);
    ASSERT_FALSE(made) << cut;
    EXPECT_EQ(made.error().code, ErrorCode::kCorrupt) << cut;
  }
  CorpusModel other = *seen().model();
  other.name = "another";
  EXPECT_FALSE(method().make(options, &other));
  other = *seen().model();
  ++other.version;
  EXPECT_FALSE(method().make(options, &other));
}

// A seed that is read draws other functions, and one that is not does nothing.
TEST_P(EveryMethodTest, TheSeedMattersWhereItIsReadOnly) {
  const MethodInfo& info = method().info;
  MethodOptions options = Named(GetParam());
  options.seed = 2;
  std::vector<std::string> texts = Corpus();
  // The fixed polynomial of `exact` needs no seed.
  if (GetParam() == "exact") options.polynomial = RabinModulus::kDrawn;
  const bool reads = Reads(info, "seed");
  if (!reads && seen().model() != nullptr) return;  // learns the same again
  const MethodOnTexts other(method(), options, texts);
  EXPECT_EQ(other.SketchesOf(0) == seen().SketchesOf(0), !reads);
}

TEST_P(EveryMethodTest, SketchersReadViewsThatAreStored) {
  const auto views = method().views(Named(GetParam()));
  ASSERT_TRUE(views);
  ASSERT_FALSE(views->empty());
  const MethodParts& parts = seen().parts();
  EXPECT_TRUE(parts.sketch_views.empty() ||
              parts.sketch_views.size() == parts.sketchers.size());
  for (const size_t view : parts.sketch_views) EXPECT_LT(view, views->size());
  for (size_t i = 0; i < views->size(); ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_FALSE((*views)[i] == (*views)[j]) << "stored twice";
  // What is promised is a probability, and certain where all is found.
  if (parts.expected_recall) {
    EXPECT_GT(*parts.expected_recall, 0);
    EXPECT_LE(*parts.expected_recall, 1);
  }
  if (parts.complete) {
    EXPECT_EQ(parts.expected_recall, 1);
  }
}

TEST_P(EveryMethodTest, AThresholdOutsideItsRangeIsRefused) {
  if (!Reads(method().info, "threshold")) return;
  for (const double threshold : {0.0, -0.5, 1.0001, std::nan("")}) {
    MethodOptions options = Named(GetParam());
    options.threshold = threshold;
    const auto made = method().make(options, nullptr);
    ASSERT_FALSE(made) << threshold;
    EXPECT_EQ(made.error().code, ErrorCode::kUsage);
  }
  MethodOptions one = Named(GetParam());
  one.threshold = 1;
  EXPECT_TRUE(method().make(one, nullptr));
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const MethodInfo& method : Methods()) names.push_back(method.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EveryMethodTest, ::testing::ValuesIn(Names()),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace twinset
