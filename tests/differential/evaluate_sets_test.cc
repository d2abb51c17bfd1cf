// The three sets of pairs of an evaluation, and what they mean for documents,
// against naive references.
#include <algorithm>
#include <bit>
#include <cmath>

#include "support/evaluate_fixture.h"
#include "twinset/evaluate.h"
#include "twinset/inspect.h"

namespace twinset::testing {
namespace {

using Pairs = std::set<std::pair<std::string, std::string>>;

EvaluateOptions OptionsOf(const TemporaryFolder& folder,
                          std::vector<EvaluateMethod> methods) {
  return EvaluateFor(folder / "a.jsonl", folder / "evaluation",
                     std::move(methods));
}

std::map<std::pair<std::string, std::string>, double> PairsOf(
    const std::string& out) {
  std::map<std::pair<std::string, std::string>, double> pairs;
  for (const Json& row : ReadRows(out + "/pairs.jsonl"))
    pairs[{row["a"], row["b"]}] = row["similarity"];
  return pairs;
}

// What `dedup` lists with these options.
Pairs Listed(const TemporaryFolder& folder, MethodOptions method, bool verify) {
  DedupOptions options = OptionsFor(folder / "a.jsonl", folder / "listed");
  options.method = std::move(method);
  options.method.verify = verify;
  options.overwrite = true;
  MustDedup(options);
  Pairs pairs;
  for (const auto& [pair, similarity] : PairsOf(folder / "listed"))
    pairs.insert(pair);
  return pairs;
}

std::map<std::pair<std::string, std::string>, double> Truth(
    const TemporaryFolder& folder, double threshold) {
  DedupOptions options = OptionsFor(folder / "a.jsonl", folder / "truth");
  options.method.threshold = threshold;
  options.overwrite = true;
  MustDedup(options);
  return PairsOf(folder / "truth");
}

const EvaluatedSet& SetOf(const EvaluationRow& row, PairSet set) {
  return row.sets.at(static_cast<size_t>(set));
}

class EvaluateSets : public ::testing::Test {
 protected:
  void SetUp() override {
    Write(folder_ / "a.jsonl", SyntheticCorpus(11, 300).Jsonl());
  }
  TemporaryFolder folder_;
};

TEST_F(EvaluateSets, DecisionAndVerifiedAreWhatDedupLists) {
  for (const char* name : {"minhash", "simhash", "super-shingle", "i-match"}) {
    const auto options = OptionsOf(folder_, {Named(name)});
    const EvaluationSummary summary = MustEvaluate(options);
    std::filesystem::remove_all(folder_ / "evaluation");
    ASSERT_EQ(summary.rows.size(), 1u);
    const EvaluationRow& row = summary.rows[0];
    const auto truth = Truth(folder_, 0.8);
    for (const auto& [set, verify] : {std::pair(PairSet::kDecision, false),
                                      std::pair(PairSet::kVerified, true)}) {
      const Pairs listed = Listed(folder_, options.methods[0].method, verify);
      uint64_t correct = 0;
      for (const auto& pair : listed) correct += truth.contains(pair);
      EXPECT_EQ(SetOf(row, set).found, listed.size()) << name;
      EXPECT_EQ(SetOf(row, set).correct, correct) << name;
    }
    EXPECT_EQ(SetOf(row, PairSet::kVerified).precision.value, 1) << name;
    const EvaluatedSet& candidates = SetOf(row, PairSet::kCandidates);
    EXPECT_GE(candidates.found, SetOf(row, PairSet::kDecision).found) << name;
    // The main figures are of the set that they name.
    EXPECT_EQ(row.set, std::string(name) == "minhash" ? PairSet::kCandidates
                                                      : PairSet::kDecision)
        << name;
    EXPECT_EQ(row.found, SetOf(row, row.set).found) << name;
    EXPECT_EQ(row.correct, SetOf(row, row.set).correct) << name;
  }
}

TEST_F(EvaluateSets, DocumentsThatLoseADuplicate) {
  auto options = OptionsOf(folder_, {Named("super-shingle")});
  const EvaluationSummary summary = MustEvaluate(options);
  const auto truth = Truth(folder_, 0.8);
  std::map<std::string, double> best;
  for (const auto& [pair, similarity] : truth) {
    for (const std::string& id : {pair.first, pair.second})
      best[id] = std::max(best[id], similarity);
  }
  std::set<std::string> found, best_found;
  for (const auto& pair : Listed(folder_, options.methods[0].method, true)) {
    for (const std::string& id : {pair.first, pair.second}) {
      found.insert(id);
      if (truth.at(pair) == best[id]) best_found.insert(id);
    }
  }
  const DocumentFigures& documents =
      SetOf(summary.rows[0], PairSet::kVerified).documents;
  EXPECT_EQ(documents.with_true, best.size());
  EXPECT_EQ(documents.found, found.size());
  EXPECT_EQ(documents.best_found, best_found.size());
  EXPECT_LT(documents.best_found, documents.with_true);
}

TEST_F(EvaluateSets, CandidatesOfADocument) {
  auto options = OptionsOf(folder_, {Named("complete")});
  const EvaluationSummary summary = MustEvaluate(options);
  std::map<std::string, uint64_t> counts;
  for (const auto& [pair, similarity] : Truth(folder_, 0.8)) {
    ++counts[pair.first];
    ++counts[pair.second];
  }
  std::vector<uint64_t> sorted(300 - counts.size(), 0);
  for (const auto& [id, count] : counts) sorted.push_back(count);
  std::sort(sorted.begin(), sorted.end());
  const CandidateSpread& spread = summary.rows[0].spread;
  EXPECT_EQ(spread.quartile1, sorted[74]);
  EXPECT_EQ(spread.median, sorted[149]);
  EXPECT_EQ(spread.quartile3, sorted[224]);
  EXPECT_EQ(spread.percentile99, sorted[296]);
  EXPECT_EQ(spread.most, sorted.back());
  ASSERT_EQ(spread.hubs.size(), 5u);
  for (size_t i = 0; i < spread.hubs.size(); ++i) {
    EXPECT_EQ(spread.hubs[i].candidates, sorted[sorted.size() - 1 - i]);
    EXPECT_EQ(spread.hubs[i].candidates, counts[spread.hubs[i].id]);
  }
}

TEST_F(EvaluateSets, BytesAndKeysOfADocument) {
  auto options = OptionsOf(
      folder_, {Named("minhash"), Named("super-shingle"), Named("complete")});
  options.methods[0].method.bands = 16;
  options.methods[0].method.rows = 8;
  const EvaluationSummary summary = MustEvaluate(options);
  EXPECT_EQ(summary.rows[0].sketch_bytes_per_document, 128 * 4);
  EXPECT_EQ(summary.rows[0].keys_per_document, 16);
  EXPECT_EQ(summary.rows[1].sketch_bytes_per_document, 6 * 8);
  EXPECT_EQ(summary.rows[1].keys_per_document, 6);
  EXPECT_EQ(summary.rows[2].sketch_bytes_per_document, 0);
  EXPECT_EQ(summary.rows[2].keys_per_document, 0);
}

TEST_F(EvaluateSets, FilesNameTheSets) {
  MustEvaluate(OptionsOf(folder_, {Named("minhash"), Named("simhash")}));
  const Json json = Json::parse(Read(folder_ / "evaluation/evaluation.json"));
  const Json& minhash = json["methods"][0]["rows"][0];
  EXPECT_EQ(minhash["set"], "candidates");
  EXPECT_EQ(minhash["sets"]["candidates"]["found"], minhash["found"]);
  EXPECT_LT(minhash["sets"]["decision"]["found"], minhash["found"]);
  EXPECT_EQ(json["methods"][1]["rows"][0]["set"], "decision");
  const auto lines = ReadLines(folder_ / "evaluation/evaluation.csv");
  EXPECT_NE(lines[0].find(",set,candidates_found,"), std::string::npos);
  EXPECT_NE(lines[1].find(",candidates,"), std::string::npos);
  EXPECT_EQ(std::count(lines[0].begin(), lines[0].end(), ','),
            std::count(lines[1].begin(), lines[1].end(), ','));
  EXPECT_NE(Read(folder_ / "evaluation/evaluation.html")
                .find("What each method proposes, decides and keeps"),
            std::string::npos);
}

// A against B: the pairs of match, and documents of A alone.
TEST_F(EvaluateSets, TwoCorpora) {
  Write(folder_ / "b.jsonl", SyntheticCorpus(11, 120).Jsonl());
  auto options = OptionsOf(folder_, {Named("complete"), Named("minhash")});
  options.against = {folder_ / "b.jsonl"};
  const EvaluationSummary summary = MustEvaluate(options);
  auto match =
      FileOptionsFor<MatchOptions>(folder_ / "a.jsonl", folder_ / "matched");
  match.against = options.against;
  const MatchSummary matched = MustMatch(match);
  EXPECT_EQ(summary.documents, 420u);
  for (const EvaluationRow& row : summary.rows) {
    EXPECT_EQ(row.real, matched.pairs) << row.label;
    EXPECT_EQ(SetOf(row, PairSet::kVerified).correct, matched.pairs)
        << row.label;
    EXPECT_EQ(SetOf(row, PairSet::kVerified).documents.with_true,
              matched.matched)
        << row.label;
    EXPECT_EQ(SetOf(row, PairSet::kVerified).documents.found, matched.matched)
        << row.label;
  }
  const Json json = Json::parse(summary.json.dump());
  EXPECT_EQ(json["documents_a"], 300);
  EXPECT_EQ(json["documents_b"], 120);
  // Labels name a document of each side, also where both have its id.
  Write(folder_ / "labels.jsonl",
        "{\"a\":\"d5\",\"b\":\"d5\",\"label\":1}\n"
        "{\"a\":\"d0\",\"b\":\"d5\",\"label\":0}\n");
  options.judged = folder_ / "labels.jsonl";
  options.overwrite = true;
  const EvaluationSummary judged = MustEvaluate(options);
  EXPECT_EQ(judged.rows[0].real, 1u);
  EXPECT_EQ(judged.rows[0].correct, 1u);
}

}  // namespace
}  // namespace twinset::testing
