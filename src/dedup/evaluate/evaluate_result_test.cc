// What is written of an evaluation: rows, JSON, CSV and page must say the same,
// and claim no more than is known.
#include "evaluate/evaluate_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "report/html_report.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

GroupedTrials Single(uint64_t trials, uint64_t successes) {
  GroupedTrials all;
  for (uint64_t i = 0; i < trials; ++i) all.Add(1, i < successes);
  return all;
}

// `real` true pairs; a method finds `found`, of which `correct` are true; every
// pair is a group of its own.
EvaluationEntry Entry(size_t method, size_t threshold, uint64_t real,
                      uint64_t found, uint64_t correct) {
  EvaluationEntry entry;
  entry.method = method;
  entry.threshold = threshold;
  entry.counts.all = {real, found, correct};
  entry.groups.all.precision = Single(found, correct);
  entry.groups.all.recall = Single(real, correct);
  entry.groups.all.overlap = Single(found + real - correct, correct);
  for (SetFigures& set : entry.sets)
    set = {entry.counts.all, entry.groups.all, {real, correct, correct}};
  entry.pairs.proposed = found;
  entry.pairs.seconds = {{"read", 1.5}, {"candidate", 0.25}};
  return entry;
}

EvaluateMethod MethodNamed(const std::string& name, const std::string& label) {
  EvaluateMethod method;
  method.label = label;
  method.method.name = name;
  return method;
}

// Two methods at one threshold: 80 of 100 pairs with 90 named, and 60 with 60.
Evaluation Two() {
  Evaluation evaluation;
  evaluation.documents = evaluation.counted = 50;
  evaluation.options.methods = {MethodNamed("minhash", "min, \"hash\""),
                                MethodNamed("simhash", "sim")};
  evaluation.options.floor = 0.5;
  evaluation.truth.resize(1);
  evaluation.truth[0].all.real = 100;
  evaluation.bins[80] = 100;
  evaluation.entries = {Entry(0, 0, 100, 90, 80), Entry(1, 0, 100, 60, 60)};
  return evaluation;
}

// The page as a reader sees its source.
std::string PageOf(const Evaluation& evaluation) {
  return EvaluationPage(evaluation).Drawn().Finish();
}

TEST(EvaluateResultTest, SharesFollowFromTheCounts) {
  const Evaluation evaluation = Two();
  const EvaluationRow row = RowOf(evaluation, evaluation.entries[0]);
  EXPECT_EQ(row.label, "min, \"hash\"");
  EXPECT_EQ(row.threshold, 0.8);
  EXPECT_DOUBLE_EQ(row.precision.value, 0.888889);  // to six places
  EXPECT_DOUBLE_EQ(row.recall.value, 0.8);
  EXPECT_DOUBLE_EQ(row.f1.value, 0.842105);  // 160 / 190
  EXPECT_DOUBLE_EQ(row.candidates_per_document, 1.8);
  EXPECT_DOUBLE_EQ(row.seconds, 1.75);
  for (const Proportion* p : {&row.precision, &row.recall, &row.f1}) {
    EXPECT_EQ(p->no_interval, "");
    EXPECT_LT(p->low, p->value);
    EXPECT_GT(p->high, p->value);
    EXPECT_GE(p->low, 0);
    EXPECT_LE(p->high, 1);
  }
  ASSERT_EQ(row.sets.size(), kPairSets);
  for (const EvaluatedSet& set : row.sets) {
    EXPECT_EQ(set.precision.value, row.precision.value);
    EXPECT_EQ(set.found, 90u);
  }
  // Finding everything and nothing else.
  Evaluation perfect = Two();
  perfect.entries[0] = Entry(0, 0, 100, 100, 100);
  const EvaluationRow all = RowOf(perfect, perfect.entries[0]);
  EXPECT_EQ(all.precision.value, 1);
  EXPECT_EQ(all.f1.value, 1);
  EXPECT_EQ(all.f1.high, 1);
}

TEST(EvaluateResultTest, OfNothingThereIsNoShare) {
  Evaluation evaluation = Two();
  evaluation.entries[0] = Entry(0, 0, 0, 0, 0);
  const EvaluationRow row = RowOf(evaluation, evaluation.entries[0]);
  for (const Proportion* p : {&row.precision, &row.recall, &row.f1}) {
    EXPECT_EQ(p->value, 0);
    EXPECT_EQ(p->low, 0);
    EXPECT_EQ(p->high, 1);
  }
  evaluation.documents = 0;
  EXPECT_EQ(CandidatesPerDocument(evaluation, evaluation.entries[0]), 0);
}

// Ninety pairs in two groups are no ninety trials.
TEST(EvaluateResultTest, AFewGroupsBearNoInterval) {
  GroupedTrials two;
  two.Add(60, 60);
  two.Add(30, 0);
  const Proportion share = ProportionOf(two);
  EXPECT_NEAR(share.value, 2.0 / 3, 1e-6);
  EXPECT_EQ(share.low, 0);
  EXPECT_EQ(share.high, 1);
  // 90^2 / (60^2 + 30^2) = 1.8.
  EXPECT_EQ(share.no_interval, WhyFewGroups(1.8));
  EXPECT_THAT(share.no_interval, HasSubstr("worth 1.8 groups"));
  EXPECT_THAT(WhyFewGroups(2.95), HasSubstr("worth 3.0 groups"));
  Evaluation evaluation = Two();
  evaluation.entries[0].groups.all.recall = two;
  const Json json = EvaluationJson(evaluation);
  const Json& recall = json["methods"][0]["rows"][0]["recall"];
  EXPECT_TRUE(recall["low"].is_null());
  EXPECT_EQ(recall["no_interval"], share.no_interval);
  EXPECT_EQ(json["methods"][0]["rows"][0]["precision"].contains("no_interval"),
            false);
}

// Without truth the number of true pairs is the largest of the estimates, and
// never below what was seen.
TEST(EvaluateResultTest, RecallOfAnEstimatedTruth) {
  Evaluation evaluation = Two();
  evaluation.options.truth = TruthKind::kNone;
  RecaptureResult recapture;
  recapture.seen = 100;
  recapture.groups = 100;
  SizeEstimate small, large;
  small.size = 110;
  small.interval = {100, 130};
  large.size = 160;
  large.interval = {125, 320};
  recapture.by_method = {small, large};
  recapture.of_two = {small};
  recapture.largest = 1;
  evaluation.recapture = {recapture};
  EvaluationRow row = RowOf(evaluation, evaluation.entries[0]);
  EXPECT_EQ(row.real, 160u);
  EXPECT_DOUBLE_EQ(row.recall.value, 0.5);  // 80 / 160
  EXPECT_DOUBLE_EQ(row.recall.low, 0.25);   // 80 / 320
  EXPECT_DOUBLE_EQ(row.recall.high, 0.64);  // 80 / 125
  EXPECT_DOUBLE_EQ(row.f1.value, 0.64);     // 160 / 250
  // An estimate below what was seen.
  evaluation.recapture[0].by_method[1].size = 40;
  row = RowOf(evaluation, evaluation.entries[0]);
  EXPECT_EQ(row.real, 100u);
  EXPECT_DOUBLE_EQ(row.recall.value, 0.8);
  // An interval without an end reaches down to no recall at all.
  evaluation.recapture[0].by_method[1].size = 160;
  evaluation.recapture[0].by_method[1].interval.high =
      std::numeric_limits<double>::infinity();
  row = RowOf(evaluation, evaluation.entries[0]);
  EXPECT_EQ(row.recall.low, 0);
  const Json json = EvaluationJson(evaluation);
  EXPECT_EQ(json["capture_recapture"][0]["seen"], 100);
  EXPECT_EQ(json["capture_recapture"][0]["estimate"]["size"], 160);
  EXPECT_TRUE(json["capture_recapture"][0]["estimate"]["high"].is_null());
  EXPECT_EQ(json["capture_recapture"][0]["against_others"].size(), 2u);
  EXPECT_EQ(json["capture_recapture"][0]["of_two"][0]["methods"][1], "sim");
  EXPECT_THAT(PageOf(evaluation), HasSubstr("no limit"));
  // A few groups: a value, and no interval.
  evaluation.recapture[0].groups = 2;
  row = RowOf(evaluation, evaluation.entries[0]);
  EXPECT_DOUBLE_EQ(row.recall.value, 0.5);
  EXPECT_EQ(row.recall.no_interval, WhyFewGroups(2));
  EXPECT_THAT(PageOf(evaluation), HasSubstr("few groups"));
}

// ---- files ----

// The cells of a line of CSV.
std::vector<std::string> CellsOf(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

TEST(EvaluateResultTest, CsvAndJsonSayTheSame) {
  Evaluation evaluation = Two();
  evaluation.entries[0].counts.same = {10, 9, 8};
  evaluation.entries[0].counts.other = {20, 19, 18};
  evaluation.entries[0].pairs.peak_bytes = 4096;
  evaluation.entries[1].groups.all.recall = GroupedTrials();
  evaluation.entries[1].groups.all.recall.Add(100, 60);
  const std::string csv = EvaluationCsv(evaluation);
  std::vector<std::vector<std::string>> lines;
  for (size_t at = 0; at < csv.size();) {
    const size_t end = csv.find('\n', at);
    lines.push_back(CellsOf(csv.substr(at, end - at)));
    at = end + 1;
  }
  ASSERT_EQ(lines.size(), 3u);
  const Json json = EvaluationJson(evaluation);
  for (size_t m = 0; m < 2; ++m) {
    ASSERT_EQ(lines[m + 1].size(), lines[0].size());
    std::map<std::string, std::string> cell;
    for (size_t i = 0; i < lines[0].size(); ++i)
      cell[lines[0][i]] = lines[m + 1][i];
    const Json& row = json["methods"][m]["rows"][0];
    for (const char* share : {"precision", "recall", "f1"}) {
      EXPECT_EQ(std::stod(cell[share]), row[share]["value"].get<double>());
      for (const char* end : {"low", "high"}) {
        const std::string name = std::string(share) + "_" + end;
        if (row[share][end].is_null())
          EXPECT_EQ(cell[name], "") << name;
        else
          EXPECT_EQ(std::stod(cell[name]), row[share][end].get<double>());
      }
    }
    for (const char* count : {"true", "found", "correct"})
      EXPECT_EQ(std::stoull(cell[count]), row[count].get<uint64_t>());
    for (const char* host : {"same_host", "other_host"})
      for (const char* count : {"true", "found", "correct"})
        EXPECT_EQ(std::stoull(cell[std::string(host) + "_" + count]),
                  row[host][count].get<uint64_t>());
    EXPECT_EQ(cell["set"], row["set"].get<std::string>());
    for (const char* set : {"candidates", "decision", "verified"})
      EXPECT_EQ(std::stoull(cell[std::string(set) + "_found"]),
                row["sets"][set]["found"].get<uint64_t>());
  }
  EXPECT_EQ(lines[2][lines[2].size() - 1], "0");
  EXPECT_EQ(lines[1][lines[1].size() - 1], "4096");
  EXPECT_THAT(csv, HasSubstr("\"min, \"\"hash\"\"\","));
}

// By hundredths of similarity from the floor on; labels have none.
TEST(EvaluateResultTest, BinsBeginAtTheFloor) {
  Evaluation evaluation = Two();
  evaluation.entries[0].counts.found[80] = 70;
  Json rows =
      EvaluationJson(evaluation)["methods"][0]["rows"][0]["by_similarity"];
  ASSERT_EQ(rows.size(), 51u);
  EXPECT_EQ(rows[0][0], 0.5);
  EXPECT_EQ(rows[50][0], 1);
  EXPECT_EQ(rows[30], Json::array({0.8, 100, 70}));
  evaluation.judged = JudgedPairs();
  evaluation.judged->labels = true;
  EXPECT_FALSE(EvaluationJson(evaluation)["methods"][0]["rows"][0].contains(
      "by_similarity"));
  evaluation.judged->labels = false;
  EXPECT_TRUE(EvaluationJson(evaluation)["methods"][0]["rows"][0].contains(
      "by_similarity"));
}

TEST(EvaluateResultTest, TheKindOfTruthIsNamed) {
  Evaluation evaluation = Two();
  EXPECT_EQ(EvaluationJson(evaluation)["truth"]["kind"], "complete");
  EXPECT_FALSE(EvaluationJson(evaluation)["truth"].contains("judged"));
  evaluation.judged = JudgedPairs();
  evaluation.judged->undecided = 3;
  evaluation.judged->unknown = 2;
  evaluation.judged->pairs.resize(7);
  Json truth = EvaluationJson(evaluation)["truth"];
  EXPECT_EQ(truth["kind"], "similarities");
  EXPECT_EQ(truth["judged"], 7);
  EXPECT_EQ(truth["undecided"], 3);
  EXPECT_EQ(truth["unknown"], 2);
  EXPECT_FALSE(truth.contains("relevant"));
  evaluation.judged->labels = true;
  truth = EvaluationJson(evaluation)["truth"];
  EXPECT_EQ(truth["kind"], "labels");
  EXPECT_EQ(truth["relevant"], 1);
}

TEST(EvaluateResultTest, TwoCollectionsAreCountedApart) {
  Evaluation evaluation = Two();
  EXPECT_FALSE(EvaluationJson(evaluation).contains("documents_a"));
  evaluation.options.against = {"other.jsonl"};
  evaluation.counted = 20;
  const Json json = EvaluationJson(evaluation);
  EXPECT_EQ(json["documents_a"], 20);
  EXPECT_EQ(json["documents_b"], 30);
}

TEST(EvaluateResultTest, HubsAndExamplesHaveTheirIds) {
  Evaluation evaluation = Two();
  EvaluationEntry& entry = evaluation.entries[0];
  evaluation.ids = {{3, "three"}, {9, "neun"}};
  entry.hub_documents = {9, 3};
  entry.spread.hubs = {{"", 12}, {"", 4}};
  entry.missed[0] = CandidatePair{3, 9};
  const EvaluationRow row = RowOf(evaluation, entry);
  EXPECT_EQ(row.spread.hubs[0].id, "neun");
  EXPECT_EQ(row.spread.hubs[1].candidates, 4u);
  const Json json = EvaluationJson(evaluation)["methods"][0]["rows"][0];
  EXPECT_EQ(json["candidates_by_document"]["hubs"][0]["id"], "neun");
  EXPECT_EQ(json["kinds"][0]["example_missed"], Json::array({"three", "neun"}));
  EXPECT_TRUE(json["kinds"][0]["example_wrong"].is_null());
  EXPECT_EQ(json["kinds"].size(), kDifferenceKinds);
}

TEST(EvaluateResultTest, SetsAreNamed) {
  EXPECT_EQ(PairSetName(PairSet::kCandidates), "candidates");
  EXPECT_EQ(PairSetName(PairSet::kDecision), "decision");
  EXPECT_EQ(PairSetName(PairSet::kVerified), "verified");
}

// ---- the page ----

std::string LeadOf(const Evaluation& evaluation) {
  const std::string page = PageOf(evaluation);
  const size_t at = page.find("<h1");
  return page.substr(at == std::string::npos ? 0 : at, 2500);
}

TEST(EvaluateResultTest, TheLeadNamesTheBestMethod) {
  Evaluation evaluation = Two();
  EXPECT_THAT(LeadOf(evaluation),
              HasSubstr("is best: it finds 80 % of the true pairs"));
  EXPECT_THAT(LeadOf(evaluation), HasSubstr("88.9 % are true"));
  EXPECT_THAT(LeadOf(evaluation), HasSubstr("100 pairs of 50 documents"));
  // As good as each other, in a sentence.
  evaluation.entries[1] = Entry(1, 0, 100, 90, 80);
  EXPECT_THAT(LeadOf(evaluation), HasSubstr(" and sim are best: each finds"));
  evaluation.options.methods = {
      MethodNamed("minhash", "m1"), MethodNamed("fss", "m2"),
      MethodNamed("simhash", "m3"), MethodNamed("fuzzy", "m4")};
  evaluation.entries.push_back(Entry(2, 0, 100, 90, 80));
  EXPECT_THAT(LeadOf(evaluation), HasSubstr("m1, m2 and m3 are best"));
  evaluation.entries.push_back(Entry(3, 0, 100, 90, 80));
  EXPECT_THAT(LeadOf(evaluation),
              HasSubstr("4 methods are best and equally good"));
}

TEST(EvaluateResultTest, TheTruthItselfIsNoCandidateForTheBest) {
  Evaluation evaluation = Two();
  evaluation.options.methods[0] = MethodNamed("complete", "complete");
  evaluation.entries[0] = Entry(0, 0, 100, 100, 100);
  EXPECT_THAT(LeadOf(evaluation), HasSubstr("sim is best: it finds 60 %"));
  evaluation.options.methods.pop_back();
  evaluation.entries.pop_back();
  EXPECT_THAT(LeadOf(evaluation), HasSubstr("it is the truth itself"));
  // Judged by people, the complete join may be wrong.
  evaluation.judged = JudgedPairs();
  evaluation.judged->labels = true;
  evaluation.judged->pairs.resize(120);
  EXPECT_THAT(LeadOf(evaluation), HasSubstr("complete is best"));
  EXPECT_THAT(LeadOf(evaluation),
              HasSubstr("120 pairs of 50 documents are judged"));
}

TEST(EvaluateResultTest, NoTruePairIsNoResult) {
  Evaluation evaluation = Two();
  evaluation.entries = {Entry(0, 0, 0, 5, 0), Entry(1, 0, 0, 0, 0)};
  evaluation.bins = {};
  EXPECT_THAT(LeadOf(evaluation),
              HasSubstr("There is no true pair to be found."));
}

// All and none are said only where it is all or none.
TEST(EvaluateResultTest, AlmostAllIsNotAll) {
  Evaluation evaluation = Two();
  evaluation.options.methods.pop_back();
  const auto lead = [&](uint64_t real, uint64_t found, uint64_t correct) {
    evaluation.entries = {Entry(0, 0, real, found, correct)};
    return LeadOf(evaluation);
  };
  std::string text = lead(4000, 4001, 3999);
  EXPECT_THAT(text, HasSubstr("finds 99.9 % of the true pairs"));
  EXPECT_THAT(text, HasSubstr("99.9 % are true"));
  text = lead(4000, 4000, 4000);
  EXPECT_THAT(text, HasSubstr("finds 100 % of the true pairs"));
  EXPECT_THAT(text, HasSubstr("100 % are true"));
  text = lead(4000, 5000, 1);
  EXPECT_THAT(text, HasSubstr("finds 0.1 % of the true pairs"));
  EXPECT_THAT(text, HasSubstr(" 0.1 % are true"));
  EXPECT_THAT(lead(4000, 0, 0), HasSubstr("finds 0 % of the true pairs"));
}

TEST(EvaluateResultTest, CountedSharesHaveNoInterval) {
  Evaluation evaluation = Two();
  EXPECT_THAT(PageOf(evaluation), HasSubstr("The shares are exact"));
  evaluation.judged = JudgedPairs();
  evaluation.judged->labels = true;
  evaluation.judged->pairs.resize(120);
  EXPECT_THAT(PageOf(evaluation), HasSubstr("interval of 95 %"));
  EXPECT_THAT(PageOf(evaluation), Not(HasSubstr("The shares are exact")));
}

TEST(EvaluateResultTest, NamesOfMethodsAreTextOfThePage) {
  Evaluation evaluation = Two();
  evaluation.options.methods[0].label = "<script>alert(1)</script>";
  EXPECT_THAT(PageOf(evaluation), Not(HasSubstr("<script>alert")));
  EXPECT_THAT(PageOf(evaluation), HasSubstr("&lt;script&gt;alert"));
}

TEST(EvaluateResultTest, InputsThatBrokeOffAreTold) {
  Evaluation evaluation = Two();
  EXPECT_THAT(PageOf(evaluation), Not(HasSubstr("could not be read")));
  evaluation.incomplete = {"b.warc.gz"};
  evaluation.complete = false;
  EXPECT_THAT(PageOf(evaluation),
              HasSubstr("b.warc.gz could not be read to its end."));
  EXPECT_EQ(EvaluationJson(evaluation)["complete"], false);
}

}  // namespace
}  // namespace twinset
