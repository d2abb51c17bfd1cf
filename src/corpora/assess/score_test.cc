// Scores of labels: what several people say of many pairs, against counting by
// hand, and the files that tell it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "assess/label_draw.h"
#include "assess/label_votes.h"
#include "assess/score_report.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "twinset/json.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A sample of `pairs` pairs of two methods with three strata each; a pair may
// be of both.
Assessment RandomSample(uint64_t seed, size_t pairs) {
  SplitMix64 random(seed);
  Assessment sample;
  sample.seed = seed;
  for (const char* name : {"minhash", "simhash"}) {
    AssessMethod& method = sample.methods.emplace_back();
    method.name = name;
    for (int s = 0; s < 3; ++s)
      method.strata.push_back({"s" + std::to_string(s), 0, 0});
  }
  for (size_t i = 0; i < pairs; ++i) {
    AssessedPair& pair = sample.pairs.emplace_back();
    pair.a = "a" + std::to_string(i);
    pair.b = "ä" + std::to_string(i);
    for (size_t method = 0; method < 2; ++method) {
      if (method == 1 && random.Below(2) == 0) continue;
      const size_t stratum = random.Below(3);
      pair.drawings.push_back({method, stratum, 0.5 + 0.1 * stratum});
      auto& of = sample.methods[method].strata[stratum];
      ++of.drawn;
      of.pairs += 3;  // a third was drawn
    }
  }
  return sample;
}

LabelsFile RandomLabels(const Assessment& sample, const std::string& who,
                        uint64_t seed) {
  SplitMix64 random(seed);
  LabelsFile file;
  file.sample = sample.Digest();
  file.assessor = who;
  for (size_t i = 0; i < sample.pairs.size(); ++i) {
    if (random.Below(4) == 0) continue;
    PairLabel label;
    label.pair = i + 1;
    label.a = sample.pairs[i].a;
    label.b = sample.pairs[i].b;
    for (auto& answer : label.answers)
      if (random.Below(5) > 0)
        answer = static_cast<LabelAnswer>(random.Below(3));
    file.labels.push_back(label);
  }
  return file;
}

std::string TextOf(const LabelsFile& file) {
  Json rows = Json::array();
  for (const PairLabel& label : file.labels) {
    Json row = {{"pair", label.pair}, {"a", label.a}, {"b", label.b}};
    for (const auto& [question, name] : kChoices<LabelQuestion>) {
      const auto& answer = label.answers[static_cast<size_t>(question)];
      row[std::string(name)] = answer ? Json(ChoiceName(*answer)) : Json();
    }
    rows.push_back(row);
  }
  return Json({{"magic", "twinset-labels"},
               {"version", 1},
               {"sample", file.sample},
               {"assessor", file.assessor},
               {"labels", rows}})
      .dump();
}

TEST(ScoreLabelsTest, CountsAreThoseOfTheVotes) {
  for (const size_t assessors : {size_t{1}, size_t{2}, size_t{5}}) {
    const Assessment sample = RandomSample(3, 60);
    std::vector<LabelsFile> files;
    for (size_t i = 0; i < assessors; ++i)
      files.push_back(RandomLabels(sample, "p" + std::to_string(i), 10 + i));
    const auto table = TableOf(sample, files);
    ASSERT_TRUE(table);
    for (const auto& [question, name] : kChoices<LabelQuestion>) {
      const auto at = static_cast<size_t>(question);
      // By method, stratum: yes, no, unsure.
      std::map<std::pair<size_t, size_t>, std::array<uint64_t, 3>> counts;
      for (size_t i = 0; i < sample.pairs.size(); ++i) {
        int balance = 0;
        bool any = false;
        for (const LabelsFile& file : files) {
          for (const PairLabel& label : file.labels) {
            if (label.pair != i + 1 || !label.answers[at]) continue;
            any = true;
            balance += *label.answers[at] == LabelAnswer::kYes;
            balance -= *label.answers[at] == LabelAnswer::kNo;
          }
        }
        if (!any) continue;
        for (const PairDrawing& drawing : sample.pairs[i].drawings)
          ++counts[{drawing.method, drawing.stratum}][balance > 0   ? 0
                                                      : balance < 0 ? 1
                                                                    : 2];
      }
      const QuestionScore score =
          ScoreQuestion(sample, *table, files, question);
      ASSERT_EQ(score.methods.size(), 2u);
      EXPECT_EQ(score.agreements.size(), assessors * (assessors - 1) / 2);
      for (size_t m = 0; m < 2; ++m) {
        const MethodScore& method = score.methods[m];
        uint64_t pairs = 0, yes = 0, no = 0, unsure = 0;
        double weighed = 0, weight = 0;
        for (size_t s = 0; s < 3; ++s) {
          const LabelShare& share = method.strata[s];
          const auto& [y, n, u] = counts[{m, s}];
          EXPECT_EQ(share.yes, y);
          EXPECT_EQ(share.no, n);
          EXPECT_EQ(share.unsure, u);
          EXPECT_EQ(share.pairs, sample.methods[m].strata[s].pairs);
          EXPECT_LE(share.low, share.share);
          EXPECT_GE(share.high, share.share);
          pairs += share.pairs;
          yes += y;
          no += n;
          unsure += u;
          weighed += static_cast<double>(share.pairs) * share.share;
          weight += static_cast<double>(share.pairs);
        }
        EXPECT_EQ(method.all.pairs, pairs);
        EXPECT_EQ(method.all.yes, yes);
        EXPECT_EQ(method.all.no, no);
        EXPECT_EQ(method.all.unsure, unsure);
        EXPECT_NEAR(method.all.share, weighed / weight, 1e-12);
      }
    }
  }
}

// The same labels in any order of their files are the same score.
TEST(ScoreLabelsTest, TheOrderOfTheFilesDoesNotMatter) {
  const Assessment sample = RandomSample(8, 40);
  std::vector<LabelsFile> files;
  for (uint64_t i = 0; i < 3; ++i)
    files.push_back(RandomLabels(sample, "p" + std::to_string(i), i));
  std::vector<LabelsFile> turned(files.rbegin(), files.rend());
  const auto table = TableOf(sample, files), other = TableOf(sample, turned);
  ASSERT_TRUE(table && other);
  const QuestionScore x =
      ScoreQuestion(sample, *table, files, LabelQuestion::kContent);
  const QuestionScore y =
      ScoreQuestion(sample, *other, turned, LabelQuestion::kContent);
  for (size_t m = 0; m < 2; ++m) {
    EXPECT_EQ(x.methods[m].all.yes, y.methods[m].all.yes);
    EXPECT_EQ(x.methods[m].all.share, y.methods[m].all.share);
  }
  // Agreement is symmetric.
  std::multiset<std::pair<uint64_t, uint64_t>> of_x, of_y;
  for (const PairAgreement& one : x.agreements)
    of_x.emplace(one.pairs, one.agreed);
  for (const PairAgreement& one : y.agreements)
    of_y.emplace(one.pairs, one.agreed);
  EXPECT_EQ(of_x, of_y);
}

TEST(ScoreLabelsTest, FilesSayWhatTheResultSays) {
  const TestDir dir;
  const Assessment sample = RandomSample(5, 30);
  std::filesystem::create_directories(dir / "sample");
  ASSERT_TRUE(WriteWholeFile(dir / "sample/sample.json", sample.Text()));
  ScoreOptions options;
  options.sample = dir / "sample";
  options.out = dir / "out";
  std::vector<LabelsFile> files;
  for (uint64_t i = 0; i < 2; ++i) {
    files.push_back(RandomLabels(sample, "p" + std::to_string(i), i + 1));
    options.labels.push_back(dir / ("l" + std::to_string(i) + ".json"));
    ASSERT_TRUE(WriteWholeFile(options.labels.back(), TextOf(files.back())));
  }
  const auto result = ScoreLabels(options);
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_THAT(result->assessors, ElementsAre("p0", "p1"));
  EXPECT_EQ(result->pairs, 30u);
  EXPECT_EQ(ReadWholeFile(dir / "out/summary.json").value(),
            SummaryJson(*result).dump(2) + "\n");
  // A row of the truth for each pair that anybody answered.
  const auto table = TableOf(sample, files);
  ASSERT_TRUE(table);
  std::string truth;
  size_t differ = 0;
  for (size_t i = 0; i < sample.pairs.size(); ++i) {
    const auto vote = VoteOf((*table)[i], LabelQuestion::kContent);
    for (size_t q = 0; q < kLabelQuestions; ++q) {
      const PairLabel *x = (*table)[i][0], *y = (*table)[i][1];
      differ += x != nullptr && y != nullptr && x->answers[q] &&
                y->answers[q] && *x->answers[q] != *y->answers[q];
    }
    if (!vote) continue;
    truth += R"({"a":")" + sample.pairs[i].a + R"(","b":")" +
             sample.pairs[i].b + R"(","label":)" +
             (*vote == LabelAnswer::kYes  ? "1"
              : *vote == LabelAnswer::kNo ? "0"
                                          : "\"unsure\"") +
             "}\n";
  }
  EXPECT_EQ(ReadWholeFile(dir / "out/truth.jsonl").value(), truth);
  EXPECT_EQ(result->disagreements.size(), differ);
  EXPECT_GT(differ, 5u);
  const std::string csv = ReadWholeFile(dir / "out/shares.csv").value();
  // Two questions of two methods: three strata and all.
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 * 2 * 4);
}

TEST(ScoreLabelsTest, WhatCannotBeScoredIsTold) {
  const TestDir dir;
  const Assessment sample = RandomSample(5, 6);
  std::filesystem::create_directories(dir / "sample");
  ASSERT_TRUE(WriteWholeFile(dir / "sample/sample.json", sample.Text()));
  LabelsFile labels = RandomLabels(sample, "p", 1);
  ASSERT_TRUE(WriteWholeFile(dir / "l.json", TextOf(labels)));
  ScoreOptions good;
  good.sample = dir / "sample";
  good.labels = {dir / "l.json"};
  ASSERT_TRUE(ScoreLabels(good));
  const auto refused = [](const ScoreOptions& options) {
    const auto result = ScoreLabels(options);
    return result ? std::string() : result.error().ToString();
  };
  ScoreOptions options = good;
  options.labels.clear();
  EXPECT_THAT(refused(options), HasSubstr("files of labels are needed"));
  options = good;
  options.report = true;
  EXPECT_THAT(refused(options), HasSubstr("--out"));
  options = good;
  options.sample = dir.path();
  EXPECT_THAT(refused(options), HasSubstr("it holds no sample"));
  options = good;
  options.labels.push_back(options.labels[0]);
  EXPECT_THAT(refused(options), HasSubstr("two files are of the assessor p"));
  labels.labels.clear();
  ASSERT_TRUE(WriteWholeFile(dir / "none.json", TextOf(labels)));
  options = good;
  options.labels = {dir / "none.json"};
  EXPECT_THAT(refused(options), HasSubstr("no pair is labelled"));
  labels.sample = "0";
  ASSERT_TRUE(WriteWholeFile(dir / "other.json", TextOf(labels)));
  options.labels = {dir / "other.json"};
  EXPECT_THAT(refused(options), HasSubstr("are of another sample"));
}

// ---- samples ----

TEST(AssessmentFileTest, EveryChangeOfASampleIsSeen) {
  const Assessment sample = RandomSample(2, 5);
  const std::string text = sample.Text();
  const auto read = Assessment::Parse(text, "sample.json");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->Text(), text);
  EXPECT_EQ(read->Digest(), sample.Digest());
  const auto broken = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    const size_t at = other.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    other.replace(at, from.size(), to);
    const auto parsed = Assessment::Parse(other, "sample.json");
    return parsed ? std::string() : parsed.error().message;
  };
  EXPECT_EQ(broken("\"a3\"", "\"a9\""),
            "the sample was changed: its digest is another");
  EXPECT_EQ(broken("\"drawn\":", "\"drawn\":1"),
            "the sample was changed: its digest is another");
  EXPECT_EQ(broken("\"version\":1", "\"version\":2"),
            "a sample of another version");
  EXPECT_EQ(broken("twinset-assessment", "twinset"),
            "it is no sample of an assessment");
  EXPECT_EQ(broken("\"strata\":\"", "\"strata\":\"x"),
            "its strata are not known");
  EXPECT_EQ(broken("\"drawn\":", "\"gone\":"),
            "its seed or its methods cannot be read");
  EXPECT_EQ(broken("\"similarity\":", "\"gone\":"), "pair 1 cannot be read");
  EXPECT_THAT(broken("\"method\":0", "\"method\":7"),
              HasSubstr("pair 1 is of a stratum that is not there"));
  // There are three strata of a method: 0, 1 and 2.
  for (const char* stratum : {"0", "1", "2"}) {
    const std::string of = std::string("\"stratum\":") + stratum;
    if (text.find(of) == std::string::npos) continue;
    EXPECT_THAT(broken(of, "\"stratum\":3"),
                HasSubstr("is of a stratum that is not there"));
  }
  for (size_t i = 0; i + 4 < text.size(); i += 7)
    EXPECT_FALSE(Assessment::Parse(text.substr(0, i), "x")) << i;
}

// Two of each stratum as far as they go, never more than there are, and all
// that is asked for; in proportion up to one pair.
TEST(ShareOutTest, SharesOfRandomSizes) {
  SplitMix64 random(4);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<uint64_t> sizes(1 + random.Below(8));
    uint64_t all = 0;
    for (uint64_t& size : sizes) all += size = random.Below(50);
    const uint64_t total = random.Below(120);
    const auto shares = ShareOut(sizes, total);
    uint64_t given = 0, least = 0;
    for (const uint64_t size : sizes) least += std::min<uint64_t>(size, 2);
    const uint64_t rest = std::min(total, all) - std::min(least, total);
    for (size_t i = 0; i < sizes.size(); ++i) {
      EXPECT_LE(shares[i], sizes[i]);
      given += shares[i];
      if (total < least) continue;
      const uint64_t own = std::min<uint64_t>(sizes[i], 2);
      EXPECT_GE(shares[i], own);
      if (all > least) {
        const double part = static_cast<double>(rest) *
                            static_cast<double>(sizes[i] - own) /
                            static_cast<double>(all - least);
        EXPECT_NEAR(static_cast<double>(shares[i] - own), part, 1);
      }
    }
    EXPECT_EQ(given, std::min(total, all));
  }
  // Sizes beyond any product of 64 bits.
  const uint64_t huge = uint64_t{1} << 62;
  EXPECT_THAT(ShareOut({huge, huge}, 1000), ElementsAre(500, 500));
}

// Every hundredth is in the twentieth that it begins or follows.
TEST(LabelDrawTest, RangesOfEveryHundredth) {
  for (int i = 0; i < 100; ++i) {
    const int from = i / 5 * 5;
    const std::string range = SimilarityRange(i / 100.0);
    EXPECT_DOUBLE_EQ(std::stod(range), from / 100.0) << i;
    EXPECT_DOUBLE_EQ(std::stod(range.substr(range.find('-') + 1)),
                     (from + 5) / 100.0)
        << i;
  }
  EXPECT_EQ(SimilarityRange(-0.5), "0-0.05");
  EXPECT_EQ(SimilarityRange(1.5), "1");
}

TEST(LabelDrawTest, TooManyStrataAreToldWithTheRemedy) {
  LabelDraw draw(AssessStrata::kKind, 5, 1);
  for (size_t i = 0; i < LabelDraw::kMostStrata; ++i)
    ASSERT_TRUE(draw.Add("a", "b", {}, "kind" + std::to_string(i)));
  const Status status = draw.Add("a", "b", {}, "one more");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kUsage);
  EXPECT_EQ(status.error().remedy, "--strata similarity");
}

}  // namespace
}  // namespace twinset
