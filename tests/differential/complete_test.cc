// The complete join: whole runs against all pairs compared by the definition of
// each measure, in any memory.
#include <algorithm>
#include <cmath>

#include "support/dedup_fixture.h"

namespace twinset::testing {
namespace {

using Words = std::vector<std::string>;
using Scores = std::map<std::pair<size_t, size_t>, double>;

Words Split(const std::string& text) {
  Words words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

double EditScore(const Words& a, const Words& b) {
  std::vector<double> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<double>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    double diagonal = row[0];
    row[0] = static_cast<double>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const double above = row[j];
      row[j] = std::min({diagonal + (a[i - 1] == b[j - 1] ? 0 : 1), above + 1,
                         row[j - 1] + 1});
      diagonal = above;
    }
  }
  const double longer = static_cast<double>(std::max(a.size(), b.size()));
  return (longer - row[b.size()]) / longer;
}

double HammingScore(const Words& a, const Words& b) {
  if (a.size() != b.size()) return 0;
  double same = 0;
  for (size_t i = 0; i < a.size(); ++i) same += a[i] == b[i];
  return same / static_cast<double>(a.size());
}

std::map<std::string, double> Counts(const Words& words) {
  std::map<std::string, double> counts;
  for (size_t i = 0; i + 2 <= words.size(); ++i)
    ++counts[words[i] + " " + words[i + 1]];
  return counts;
}

// What counts of shingles weigh in a corpus: 1 + log2 of the documents for each
// that has it.
void Weigh(std::vector<std::map<std::string, double>>* documents) {
  std::map<std::string, double> frequency;
  for (const auto& counts : *documents)
    for (const auto& entry : counts) ++frequency[entry.first];
  const double all = static_cast<double>(documents->size());
  for (auto& counts : *documents) {
    for (auto& [shingle, count] : counts)
      count *= 1 + std::log2(all / frequency[shingle]);
  }
}

double SetScore(const std::string& measure,
                const std::map<std::string, double>& a,
                const std::map<std::string, double>& b) {
  double common = 0, dot = 0, aa = 0, bb = 0;
  for (const auto& [shingle, count] : a) {
    aa += count * count;
    const auto found = b.find(shingle);
    if (found == b.end()) continue;
    ++common;
    dot += count * found->second;
  }
  for (const auto& entry : b) bb += entry.second * entry.second;
  const double m = static_cast<double>(a.size());
  const double n = static_cast<double>(b.size());
  if (measure == "jaccard") return common / (m + n - common);
  if (measure == "containment") return common / std::min(m, n);
  if (measure == "dice" || measure == "s3") return 2 * common / (m + n);
  if (measure == "cosine") return common / std::sqrt(m * n);
  return dot / std::sqrt(aa * bb);  // cosine-tf and cosine-tf-idf
}

Scores NaivePairs(const std::string& measure, double threshold,
                  const std::vector<std::string>& texts) {
  std::vector<Words> words;
  std::vector<std::map<std::string, double>> counts;
  for (const std::string& text : texts) {
    words.push_back(Split(text));
    counts.push_back(Counts(words.back()));
  }
  if (measure == "cosine-tf-idf") Weigh(&counts);
  Scores scores;
  for (size_t a = 0; a < texts.size(); ++a) {
    for (size_t b = a + 1; b < texts.size(); ++b) {
      const double score = measure == "edit" ? EditScore(words[a], words[b])
                           : measure == "hamming"
                               ? HammingScore(words[a], words[b])
                               : SetScore(measure, counts[a], counts[b]);
      if (score >= threshold) scores[{a, b}] = score;
    }
  }
  return scores;
}

Scores FoundPairs(const DedupOptions& options) {
  MustDedup(options);
  Scores scores;
  for (const Json& row : ReadRows(options.out + "/pairs.jsonl")) {
    scores[{std::stoul(row["a"].get<std::string>().substr(1)),
            std::stoul(row["b"].get<std::string>().substr(1))}] =
        row["similarity"].get<double>();
  }
  return scores;
}

class CompleteTest : public ::testing::TestWithParam<const char*> {};

TEST_P(CompleteTest, PairsAreThoseOfTheDefinition) {
  TemporaryFolder folder;
  const SyntheticCorpus corpus(29, 300, 40);
  Write(folder / "in.jsonl", corpus.Jsonl());
  // Weights of features are rounded to 1/65536.
  const double tolerance =
      GetParam() == std::string("cosine-tf-idf") ? 1e-4 : 1e-12;
  for (const double threshold : {0.5, 0.8}) {
    DedupOptions options = OptionsFor(folder / "in.jsonl", folder / "out");
    options.method.measure = *FindChoice<Measure>(GetParam());
    options.method.threshold = threshold;
    options.features.shingle = "word:2";
    options.pairs = ListedPairs::kAll;
    options.overwrite = true;
    const Scores expected = NaivePairs(GetParam(), threshold, corpus.texts);
    const Scores found = FoundPairs(options);
    EXPECT_GT(expected.size(), 100u);
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [pair, score] : expected) {
      const auto at = found.find(pair);
      ASSERT_NE(at, found.end()) << pair.first << " " << pair.second;
      EXPECT_NEAR(at->second, score, tolerance);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Measures, CompleteTest,
                         ::testing::Values("jaccard", "containment", "dice",
                                           "cosine", "s3", "cosine-tf",
                                           "cosine-tf-idf", "edit", "hamming"));

// Bands over shingles do not see all that these measures call similar.
TEST(CompleteTest, BandsMissPairsOfSequences) {
  TemporaryFolder folder;
  const SyntheticCorpus corpus(30, 200, 40);
  Write(folder / "in.jsonl", corpus.Jsonl());
  for (const char* measure : {"edit", "hamming", "cosine-tf"}) {
    DedupOptions options = OptionsFor(folder / "in.jsonl", folder / "out");
    options.method.measure = *FindChoice<Measure>(measure);
    options.method.threshold = 0.6;
    options.features.shingle = "word:2";
    options.pairs = ListedPairs::kAll;
    options.overwrite = true;
    const Scores expected = NaivePairs(measure, 0.6, corpus.texts);
    const Scores found = FoundPairs(options);
    EXPECT_EQ(found.size(), expected.size()) << measure;
    options.method.name = "minhash";
    options.method.bands = 1;
    options.method.rows = 64;
    EXPECT_LT(FoundPairs(options).size(), expected.size()) << measure;
  }
}

// 64 MB do not hold the postings of these: not one promised byte differs.
TEST(CompleteTest, AnyMemoryGivesTheSameBytes) {
  TemporaryFolder folder;
  const SyntheticCorpus corpus(31, 2500, 3000);
  Write(folder / "in.jsonl", corpus.Jsonl());
  const auto run = [&](const std::string& name, uint64_t memory) {
    DedupOptions options = OptionsFor(folder / "in.jsonl", folder / name);
    options.resources.memory_bytes = memory;
    MustDedup(options);
    return PromisedBytes(options.out);
  };
  EXPECT_EQ(run("large", uint64_t{1} << 30), run("small", 64 << 20));
}

TEST(CompleteTest, RefusesWhatItCannotPromise) {
  TemporaryFolder folder;
  Write(folder / "in.jsonl", SyntheticCorpus(1, 5).Jsonl());
  DedupOptions options = OptionsFor(folder / "in.jsonl", folder / "out");
  options.method.verify = false;
  const auto estimated = Dedup(options);
  ASSERT_FALSE(estimated.has_value());
  EXPECT_EQ(estimated.error().code, ErrorCode::kUsage);
  options.method.verify = true;
  options.method.threshold = 0;
  const auto all = Dedup(options);
  ASSERT_FALSE(all.has_value());
  EXPECT_EQ(all.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace twinset::testing
