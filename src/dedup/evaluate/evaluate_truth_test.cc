// Judged pairs and labels as people write them, and what is said of those that
// cannot be read.
#include "evaluate/evaluate_truth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluate/evaluate_testing.h"
#include "evaluate/labels_file.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class EvaluateTruthTest : public ::testing::Test {
 protected:
  // Documents of these ids; `first`: so many are of the first collection.
  void Open(const std::vector<std::string>& ids, uint64_t first = 0) {
    run_ = std::make_unique<CountedRun>(
        ids.size(), std::vector<uint64_t>(ids.size()), first);
    run_->test().WriteBlobs("ids.blob", ids);
  }
  void SetUp() override { Open({"a", "b", "c", "Straße 文", "e"}); }

  Result<JudgedPairs> Read(const std::string& text,
                           const std::string& name = "pairs.jsonl") {
    EXPECT_TRUE(WriteWholeFile(dir_ / name, text));
    return ReadJudgedPairs(*run_->get(), dir_ / name);
  }
  std::string Refused(const std::string& text,
                      const std::string& name = "pairs.jsonl") {
    const auto judged = Read(text, name);
    EXPECT_FALSE(judged) << text;
    return judged ? "" : judged.error().ToString();
  }
  static std::vector<std::string> Rows(const JudgedPairs& judged) {
    std::vector<std::string> rows;
    for (const JudgedPair& pair : judged.pairs)
      rows.push_back(std::to_string(pair.a) + " " + std::to_string(pair.b) +
                     " " + std::to_string(pair.value).substr(0, 4));
    return rows;
  }

  const TestDir dir_;
  std::unique_ptr<CountedRun> run_;
};

// The same three judgements, as they may be written.
TEST_F(EvaluateTruthTest, FormsOfOneTruth) {
  const std::vector<std::pair<std::string, std::string>> forms = {
      {"p.jsonl",
       "{\"a\":\"c\",\"b\":\"a\",\"label\":1}\n"
       "{\"a\":\"a\",\"b\":\"Straße 文\",\"label\":0}\n"
       "{\"a\":\"b\",\"b\":\"e\",\"label\":\"2.5\"}\n"},
      {"q.jsonl",
       "{\"id_a\":\"c\",\"id_b\":\"a\",\"label\":1}\n"
       "{\"id_a\":\"a\",\"id_b\":\"Straße 文\",\"label\":0}\n"
       "{\"id_a\":\"b\",\"id_b\":\"e\",\"label\":2.5}\n"},
      {"p.csv", "a,b,label\nc,a,1\na,Straße 文,0\nb,e,2.5\n"},
      {"p.tsv", "label\tb\ta\n1\ta\tc\n0\tStraße 文\ta\n2.5\te\tb\n"}};
  for (const auto& [name, text] : forms) {
    const auto judged = Read(text, name);
    ASSERT_TRUE(judged) << name << judged.error().ToString();
    EXPECT_TRUE(judged->labels) << name;
    EXPECT_THAT(Rows(*judged), ElementsAre("0 2 1.00", "0 3 0.00", "1 4 2.50"))
        << name;
    EXPECT_EQ(judged->unknown + judged->undecided, 0u) << name;
  }
}

TEST_F(EvaluateTruthTest, SimilaritiesAreNoLabels) {
  const auto judged = Read("a,b,similarity\na,b,0.25\nb,c,1\n", "p.csv");
  ASSERT_TRUE(judged);
  EXPECT_FALSE(judged->labels);
  EXPECT_THAT(Rows(*judged), ElementsAre("0 1 0.25", "1 2 1.00"));
  // Where both are given, people know better.
  const auto both =
      Read("a,b,label,similarity\na,b,1,0.25\nb,c,0,1\n", "both.csv");
  ASSERT_TRUE(both);
  EXPECT_TRUE(both->labels);
  EXPECT_THAT(Refused("{\"a\":\"a\",\"b\":\"b\",\"label\":1}\n"
                      "{\"a\":\"a\",\"b\":\"c\",\"similarity\":1}\n"),
              HasSubstr("some pairs have a label and some a similarity"));
}

TEST_F(EvaluateTruthTest, PairsOfUnknownDocumentsAreCounted) {
  std::string text;
  for (int i = 0; i < 8; ++i)
    text +=
        "{\"a\":\"a\",\"b\":\"gone" + std::to_string(i) + "\",\"label\":1}\n";
  const auto judged = Read(text + "{\"a\":\"a\",\"b\":\"b\",\"label\":1}\n");
  ASSERT_TRUE(judged);
  EXPECT_EQ(judged->unknown, 8u);
  EXPECT_THAT(judged->missing,
              ElementsAre("gone0", "gone1", "gone2", "gone3", "gone4"));
  EXPECT_EQ(judged->pairs.size(), 1u);
  // A truth of another collection has no pair that is left.
  const std::string none = Refused(text);
  EXPECT_THAT(none, HasSubstr("have no id in common: 'gone0'"));
  EXPECT_THAT(none, HasSubstr("'a' of the inputs"));
}

TEST_F(EvaluateTruthTest, LabelsThatAreNoNumberAreUndecided) {
  const auto judged = Read(
      "a,b,label\na,b,unsure\na,c,1x\nb,c,nan\nb,e,1e10\nc,e,-1\n", "p.csv");
  ASSERT_TRUE(judged);
  EXPECT_EQ(judged->undecided, 4u);
  EXPECT_THAT(Rows(*judged), ElementsAre("2 4 -1.0"));
}

TEST_F(EvaluateTruthTest, APairIsJudgedOnce) {
  const auto same = Read("a,b,label\na,b,1\nb,a,1\na,b,1\na,a,1\n", "p.csv");
  ASSERT_TRUE(same);
  EXPECT_THAT(Rows(*same), ElementsAre("0 1 1.00"))
      << "a document is no pair with itself";
  EXPECT_THAT(Refused("a,b,label\na,b,1\nc,e,0\nb,a,0\n", "q.csv"),
              HasSubstr("a pair is judged twice, differently"));
}

TEST_F(EvaluateTruthTest, FilesWithoutPairsAreTold) {
  EXPECT_THAT(Refused("x,y\n1,2\n", "p.csv"), HasSubstr("x, y"));
  Refused("", "empty.jsonl");
  EXPECT_THAT(Refused("{\"a\":\"a\",\"label\":1}\n", "one.jsonl"),
              HasSubstr("a judged pair needs a, b and label or similarity"));
  EXPECT_THAT(Refused("{\"a\":\"a\",\"b\":\"b\"}\n", "two.jsonl"),
              HasSubstr("two.jsonl: row 1"));
  EXPECT_THAT(Refused("{\"a\":\"a\",\"b\":\"b\",\"label\":1}\nno json\n",
                      "three.jsonl"),
              HasSubstr("row 2"));
  const auto missing = ReadJudgedPairs(*run_->get(), dir_ / "none.csv");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kIo);
}

// Where there are two collections, `a` is of the first and `b` of the second,
// also if both have the id.
TEST_F(EvaluateTruthTest, TwoCollections) {
  Open({"x", "y", "x", "z"}, 2);
  const auto judged = Read("a,b,label\nx,x,1\ny,z,0\n", "p.csv");
  ASSERT_TRUE(judged) << judged.error().ToString();
  EXPECT_THAT(Rows(*judged), ElementsAre("0 2 1.00", "1 3 0.00"));
  const auto turned = Read("a,b,label\nz,y,1\nx,x,1\nx,y,1\n", "q.csv");
  ASSERT_TRUE(turned);
  EXPECT_EQ(turned->unknown, 2u);
  EXPECT_THAT(turned->missing, ElementsAre("z", "y"));
}

TEST_F(EvaluateTruthTest, TheLabelsOfAnAssessorAreATruth) {
  const auto judged = Read(R"({"magic": "twinset-labels", "version": 1,
    "sample": "s", "assessor": "x", "labels": [
      {"pair": 1, "a": "a", "b": "b", "content": "yes", "appearance": "no"},
      {"pair": 2, "a": "a", "b": "c", "content": "no"},
      {"pair": 3, "a": "b", "b": "c", "content": "unsure"},
      {"pair": 4, "a": "c", "b": "e", "appearance": "yes"}]})",
                           "labels.json");
  ASSERT_TRUE(judged) << judged.error().ToString();
  EXPECT_TRUE(judged->labels);
  EXPECT_THAT(Rows(*judged), ElementsAre("0 1 1.00", "0 2 0.00"));
  EXPECT_EQ(judged->undecided, 1u) << "only who is unsure; no answer is none";
}

// ---- labels ----

std::string Labels(const std::string& rows) {
  return R"({"magic": "twinset-labels", "version": 1, "sample": "5f",
             "assessor": "Änne", "labels": [)" +
         rows + "]}";
}

TEST(LabelsFileTest, LabelsAreReadInTheOrderOfTheirPairs) {
  const auto file =
      ParseLabels(Labels(R"({"pair": 7, "a": "x", "b": "y", "content": "yes",
                 "appearance": null, "time": "2026-01-02T03:04:05Z",
                 "seconds": 2.5},
                {"pair": 2, "a": "u", "b": "文", "appearance": "unsure"})"),
                  "labels.json");
  ASSERT_TRUE(file) << file.error().ToString();
  EXPECT_EQ(file->sample, "5f");
  EXPECT_EQ(file->assessor, "Änne");
  ASSERT_EQ(file->labels.size(), 2u);
  EXPECT_EQ(file->labels[0].pair, 2u);
  EXPECT_EQ(file->labels[0].b, "文");
  EXPECT_THAT(file->labels[0].answers,
              ElementsAre(std::nullopt, LabelAnswer::kUnsure));
  EXPECT_EQ(file->labels[0].time, "");
  EXPECT_THAT(file->labels[1].answers,
              ElementsAre(LabelAnswer::kYes, std::nullopt));
  EXPECT_EQ(file->labels[1].seconds, 2.5);
  EXPECT_THAT(ParseLabels(Labels(""), "x")->labels, IsEmpty());
}

TEST(LabelsFileTest, WhatIsNoFileOfLabelsIsTold) {
  const auto refused = [](const std::string& text) {
    const auto file = ParseLabels(text, "labels.json");
    if (file) return std::string();
    EXPECT_EQ(file.error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(file.error().where, "labels.json");
    return file.error().message;
  };
  for (const char* text : {"", "{}", "[]", "no json", "{\"magic\": 1}",
                           "{\"magic\": \"twinset-label\"}"})
    EXPECT_EQ(refused(text), "it is no file of labels") << text;
  EXPECT_EQ(refused(R"({"magic": "twinset-labels", "version": 2})"),
            "labels of another version");
  EXPECT_EQ(refused(R"({"magic": "twinset-labels", "version": 1})"),
            "it has no list of labels");
  const std::string good = R"({"pair": 1, "a": "x", "b": "y"})";
  for (const char* bad :
       {"1", "{}", R"({"pair": 0, "a": "x", "b": "y"})",
        R"({"pair": -1, "a": "x", "b": "y"})",
        R"({"pair": 1.5, "a": "x", "b": "y"})",
        R"({"pair": "1", "a": "x", "b": "y"})", R"({"pair": 2, "a": "x"})",
        R"({"pair": 2, "a": "", "b": "y"})",
        R"({"pair": 2, "a": "x", "b": "y", "content": "maybe"})",
        R"({"pair": 2, "a": "x", "b": "y", "appearance": 1})"}) {
    EXPECT_THAT(refused(Labels(good + "," + bad)), HasSubstr("label 2 is none"))
        << bad;
  }
  EXPECT_EQ(refused(Labels(good + "," + good)), "pair 1 is labelled twice");
}

TEST(LabelsFileTest, AFileIsKnownByItsBeginning) {
  const TestDir dir;
  const auto looks = [&](const std::string& text) {
    EXPECT_TRUE(WriteWholeFile(dir / "x", text));
    return LooksLikeLabels(dir / "x");
  };
  EXPECT_TRUE(looks(Labels("")));
  EXPECT_TRUE(looks("{\n\n\n  \"magic\": \"twinset-labels\"}"));
  EXPECT_FALSE(looks(std::string(9, '\n') + Labels("")));
  EXPECT_FALSE(looks("{\"a\": \"twinset-labels\"}"));
  EXPECT_FALSE(looks(""));
  EXPECT_FALSE(LooksLikeLabels(dir / "missing"));
  ASSERT_TRUE(WriteWholeFile(
      dir / "y", Labels("\n{\"pair\": 1,\n\"a\": \"x\", \"b\": \"y\"}\n")));
  const auto file = ReadLabelsFile(dir / "y");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->labels.size(), 1u);
  EXPECT_FALSE(ReadLabelsFile(dir / "missing"));
}

}  // namespace
}  // namespace twinset
