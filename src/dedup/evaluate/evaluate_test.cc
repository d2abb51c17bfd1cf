// Small evaluations from end to end, where every number is known beforehand.
#include "twinset/evaluate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "base/file.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SmallEvaluationTest : public ::testing::Test {
 protected:
  // Rows of an id and a text.
  std::string Write(
      const std::string& name,
      const std::vector<std::pair<std::string, std::string>>& rows) {
    std::string text;
    for (const auto& [id, body] : rows)
      text += R"({"id": ")" + id + R"(", "text": ")" + body + "\"}\n";
    EXPECT_TRUE(WriteWholeFile(dir_ / name, text));
    return dir_ / name;
  }
  // By single words a and b have 3 of 5 in common, a and c all, d none.
  EvaluateOptions Options(const std::vector<std::string>& methods) {
    EvaluateOptions options;
    options.input.inputs = {Write("in.jsonl", {{"a", "p q r s"},
                                               {"b", "p q r t"},
                                               {"c", "s r q p"},
                                               {"d", "x y z"},
                                               {"e", ""}})};
    options.features.shingle = "word:1";
    for (const std::string& name : methods) {
      EvaluateMethod method;
      method.label = method.method.name = name;
      method.features = options.features;
      options.methods.push_back(method);
    }
    options.thresholds = {0.5};
    options.resources.threads = 1;
    options.resources.memory_bytes = 64 << 20;
    options.out = dir_ / "out";
    options.overwrite = true;
    return options;
  }
  static EvaluationSummary Must(const EvaluateOptions& options) {
    auto summary = Evaluate(options);
    EXPECT_TRUE(summary) << summary.error().ToString();
    return summary ? std::move(*summary) : EvaluationSummary();
  }

  const TestDir dir_;
};

TEST_F(SmallEvaluationTest, TheCompleteJoinFindsTheTruth) {
  const EvaluationSummary summary = Must(Options({"complete"}));
  EXPECT_EQ(summary.documents, 5u);
  ASSERT_EQ(summary.rows.size(), 1u);
  const EvaluationRow& row = summary.rows[0];
  // a and c are equal; each of them and b have 3/5.
  EXPECT_EQ(row.real, 3u);
  EXPECT_EQ(row.found, 3u);
  EXPECT_EQ(row.correct, 3u);
  EXPECT_EQ(row.precision.value, 1);
  EXPECT_EQ(row.recall.value, 1);
  EXPECT_EQ(summary.json["empty"], 1);
  EXPECT_EQ(summary.json["copies"], 1);
  EXPECT_EQ(summary.json["truth"]["thresholds"][0]["pairs"], 3);
  for (const char* name :
       {"evaluation.json", "evaluation.csv", "evaluation.html", "page.json"})
    EXPECT_TRUE(std::filesystem::exists(dir_ / "out/" + name)) << name;
  EXPECT_FALSE(std::filesystem::exists(dir_ / "out/.work"));
}

TEST_F(SmallEvaluationTest, ExactFindsCopiesAlone) {
  const EvaluationRow row = Must(Options({"exact"})).rows.at(0);
  EXPECT_EQ(row.real, 3u);
  // a and c have the same words, and other bytes.
  EXPECT_EQ(row.found, 0u);
  EXPECT_EQ(row.recall.value, 0);
}

// Thresholds come in any order and more than once; rows stand by method, then
// threshold.
TEST_F(SmallEvaluationTest, ThresholdsAreSortedAndDistinct) {
  EvaluateOptions options = Options({"complete", "exact"});
  options.thresholds = {1, 0.5, 0.5};
  const EvaluationSummary summary = Must(options);
  std::vector<std::pair<std::string, double>> rows;
  std::vector<uint64_t> real;
  for (const EvaluationRow& row : summary.rows) {
    rows.emplace_back(row.label, row.threshold);
    real.push_back(row.real);
  }
  EXPECT_THAT(
      rows, ElementsAre(std::pair("complete", 0.5), std::pair("complete", 1.0),
                        std::pair("exact", 0.5), std::pair("exact", 1.0)));
  EXPECT_THAT(real, ElementsAre(3, 1, 3, 1));
  EXPECT_EQ(summary.json["floor"], 0.5);
}

// The histogram goes down to the floor, the truth does not.
TEST_F(SmallEvaluationTest, TheFloorIsForTheHistogram) {
  EvaluateOptions options = Options({"complete"});
  options.thresholds = {0.9};
  options.floor = 0.5;
  const EvaluationSummary summary = Must(options);
  EXPECT_EQ(summary.rows[0].real, 1u);
  std::map<double, uint64_t> bins;
  for (const Json& bin : summary.json["methods"][0]["rows"][0]["by_similarity"])
    bins[bin[0].get<double>()] = bin[1].get<uint64_t>();
  EXPECT_EQ(bins.begin()->first, 0.5);
  EXPECT_EQ(bins[0.6], 2u);
  EXPECT_EQ(bins[1], 1u);
}

TEST_F(SmallEvaluationTest, TwoCollectionsHaveNoPairsWithin) {
  EvaluateOptions options = Options({"complete"});
  options.against = {Write("other.jsonl", {{"a", "r s t p"}, {"z", "x y z"}})};
  const EvaluationSummary summary = Must(options);
  // a, b and c with r s t p; d with x y z.
  EXPECT_EQ(summary.rows[0].real, 4u);
  EXPECT_EQ(summary.rows[0].recall.value, 1);
  EXPECT_EQ(summary.json["documents_a"], 5);
  EXPECT_EQ(summary.json["documents_b"], 2);
}

TEST_F(SmallEvaluationTest, JudgementsAreTheTruthWhereTheyAreGiven) {
  EvaluateOptions options = Options({"complete"});
  options.judged = dir_ / "judged.csv";
  ASSERT_TRUE(WriteWholeFile(
      options.judged, "a,b,label\na,b,0\na,c,1\na,d,1\nb,gone,1\nc,d,?\n"));
  const EvaluationSummary summary = Must(options);
  const EvaluationRow& row = summary.rows[0];
  EXPECT_EQ(row.set, PairSet::kVerified);
  EXPECT_EQ(row.real, 2u);     // a c, a d
  EXPECT_EQ(row.found, 2u);    // a b and a c; b c is not judged
  EXPECT_EQ(row.correct, 1u);  // a c
  EXPECT_THAT(
      summary.warnings,
      ElementsAre("1 judged pairs name documents that are not in the inputs, "
                  "as gone",
                  "1 judged pairs have a label that is no number"));
  // A pair at the threshold itself is listed, and one below it is not.
  for (const double threshold : {0.6, 0.61}) {
    options.thresholds = {threshold};
    EXPECT_EQ(Must(options).rows[0].found, threshold == 0.6 ? 2u : 1u);
  }
  options.thresholds = {0.5};
  // What counts as a duplicate is a choice.
  options.relevant = 0;
  EXPECT_EQ(Must(options).rows[0].real, 3u);
}

TEST_F(SmallEvaluationTest, WhatWasSeenIsTheLeastOfAnEstimate) {
  EvaluateOptions options = Options({"complete", "exact"});
  options.truth = TruthKind::kNone;
  const EvaluationSummary summary = Must(options);
  EXPECT_EQ(summary.json["truth"]["kind"], "none");
  EXPECT_GE(summary.rows[0].real, 3u);
  EXPECT_EQ(summary.json["capture_recapture"][0]["seen"], 3);
}

TEST_F(SmallEvaluationTest, OptionsThatDoNotFitAreRefused) {
  const auto refused =
      [&](const std::function<void(EvaluateOptions*)>& change) {
        EvaluateOptions options = Options({"complete", "exact"});
        change(&options);
        const auto summary = Evaluate(options);
        EXPECT_FALSE(summary);
        return summary ? "" : summary.error().ToString();
      };
  EXPECT_THAT(refused([](auto* o) { o->methods.clear(); }),
              HasSubstr("no method to evaluate"));
  EXPECT_THAT(refused([](auto* o) { o->thresholds.clear(); }),
              HasSubstr("no threshold"));
  for (const double threshold : {0.0, -1.0, 1.01})
    EXPECT_THAT(refused([&](auto* o) {
                  o->thresholds = {0.5, threshold};
                }),
                HasSubstr("above 0 and at most 1"));
  for (const double floor : {-0.1, 0.6})
    EXPECT_THAT(refused([&](auto* o) { o->floor = floor; }),
                HasSubstr("--floor must be above 0 and at most the least"));
  EXPECT_THAT(refused([](auto* o) {
                o->truth = TruthKind::kNone;
                o->methods.pop_back();
              }),
              HasSubstr("recall needs two methods"));
  EXPECT_THAT(refused([](auto* o) { o->methods[1].label = "complete"; }),
              HasSubstr("method complete is given twice"));
  EXPECT_THAT(refused([](auto* o) { o->methods[1].method.name = "exactly"; }),
              HasSubstr("exact: no method is called 'exactly'"));
  EXPECT_THAT(refused([](auto* o) { o->methods[1].method.bits = 9; }),
              HasSubstr("exact: method exact does not read --bits"));
  EXPECT_THAT(
      refused([&](auto* o) { o->input.inputs = {Write("none.jsonl", {})}; }),
      HasSubstr("the input has no document"));
  EXPECT_THAT(refused([&](auto* o) { o->against = {Write("none.jsonl", {})}; }),
              HasSubstr("--against"));
  // A folder with results is not written over unasked.
  Must(Options({"complete"}));
  EXPECT_NE(refused([](auto* o) { o->overwrite = false; }), "");
}

TEST_F(SmallEvaluationTest, NumbersDoNotDependOnTheThreads) {
  EvaluateOptions options = Options({"minhash"});
  const auto numbers = [&](int threads) {
    options.resources.threads = threads;
    Json json = Must(options).json;
    json.erase("run");
    return json.dump();
  };
  EXPECT_EQ(numbers(1), numbers(3));
}

}  // namespace
}  // namespace twinset
