// Promise 1: every reported pair is a pair, its similarity is exact, and few
// are missed; clusters follow from the pairs.
#include <cmath>

#include "support/dedup_fixture.h"

namespace twinset::testing {
namespace {

size_t Number(const Json& id) {
  return std::stoul(id.get<std::string>().substr(1));
}

class TruthTest : public ::testing::TestWithParam<double> {
 protected:
  // Every pair from .5 on, found once for all thresholds.
  static const std::map<std::pair<size_t, size_t>, double>& Similar(
      const SyntheticCorpus& corpus) {
    static const auto similar = NaiveTruth(corpus.texts).Pairs(0.5);
    return similar;
  }
};

TEST_P(TruthTest, PairsEqualTheNaiveReference) {
  const double threshold = GetParam();
  TemporaryFolder folder;
  const SyntheticCorpus corpus(17, 900);
  Write(folder / "in.jsonl", corpus.Jsonl());
  DedupOptions options = OptionsFor(folder / "in.jsonl", folder / "out");
  options.method.threshold = threshold;
  MustDedup(options);
  auto truth = Similar(corpus);
  std::erase_if(truth, [&](const auto& p) { return p.second < threshold; });
  size_t found = 0;
  std::pair<size_t, size_t> last{0, 0};
  for (const Json& row : ReadRows(folder / "out/pairs.jsonl")) {
    const std::pair<size_t, size_t> pair{Number(row["a"]), Number(row["b"])};
    const auto expected = truth.find(pair);
    ASSERT_NE(expected, truth.end()) << row.dump();
    EXPECT_NEAR(row["similarity"].get<double>(), expected->second, 1e-12);
    EXPECT_LT(last, pair) << "pairs are sorted and unique";
    last = pair;
    ++found;
  }
  EXPECT_GE(found, std::ceil(0.99 * static_cast<double>(truth.size())));
  EXPECT_GT(truth.size(), 300u);
}

INSTANTIATE_TEST_SUITE_P(Thresholds, TruthTest,
                         ::testing::Values(0.5, 0.8, 0.9));

// Star cover and components over the pairs of the run itself, from the
// definitions.
struct NaiveClusters {
  std::map<size_t, std::map<size_t, double>> near;
  std::vector<size_t> by_rank;
  std::map<size_t, size_t> rank;

  NaiveClusters(const SyntheticCorpus& corpus, const std::vector<Json>& pairs) {
    for (const Json& row : pairs) {
      const size_t a = Number(row["a"]), b = Number(row["b"]);
      near[a][b] = near[b][a] = row["similarity"].get<double>();
    }
    for (size_t i = 0; i < corpus.texts.size(); ++i) by_rank.push_back(i);
    std::stable_sort(by_rank.begin(), by_rank.end(), [&](size_t x, size_t y) {
      return corpus.texts[x].size() > corpus.texts[y].size();
    });
    for (size_t r = 0; r < by_rank.size(); ++r) rank[by_rank[r]] = r;
  }
  std::map<size_t, size_t> Star() {
    std::map<size_t, size_t> joined;
    for (const size_t d : by_rank) {
      size_t best = d;
      for (const auto& [other, score] : near[d]) {
        if (rank[other] > rank[d] || joined.contains(other)) continue;
        if (best == d || score > near[d][best] ||
            (score == near[d][best] && rank[other] < rank[best])) {
          best = other;
        }
      }
      if (best != d) joined[d] = best;
    }
    return joined;
  }
  std::map<size_t, size_t> Components() {
    std::map<size_t, size_t> joined;
    std::set<size_t> seen;
    for (const size_t d : by_rank) {
      if (!seen.insert(d).second) continue;
      std::vector<size_t> stack = {d};
      while (!stack.empty()) {
        const size_t x = stack.back();
        stack.pop_back();
        for (const auto& [y, score] : near[x]) {
          if (!seen.insert(y).second) continue;
          joined[y] = d;
          stack.push_back(y);
        }
      }
    }
    return joined;
  }
};

TEST(ClusterTruthTest, ClustersKeepAndDropFollowFromThePairs) {
  for (const uint64_t seed : {1, 2, 3}) {
    TemporaryFolder folder;
    const SyntheticCorpus corpus(seed, 700, 60);
    Write(folder / "in.jsonl", corpus.Jsonl());
    for (const std::string mode : {"star", "components"}) {
      DedupOptions options = OptionsFor(folder / "in.jsonl", folder / mode);
      options.cluster = *FindChoice<ClusterRule>(mode);
      options.method.threshold = 0.6;
      MustDedup(options);
      NaiveClusters naive(corpus, ReadRows(folder / (mode + "/pairs.jsonl")));
      const auto expected = mode == "star" ? naive.Star() : naive.Components();
      const NaiveTruth truth(corpus.texts);
      std::map<size_t, size_t> joined;
      for (const Json& row : ReadRows(folder / (mode + "/clusters.jsonl"))) {
        const size_t id = Number(row["id"]), cluster = Number(row["cluster"]);
        EXPECT_EQ(row["is_representative"].get<bool>(), id == cluster);
        EXPECT_NEAR(row["similarity"].get<double>(), truth.Jaccard(id, cluster),
                    1e-12);
        if (id != cluster) joined[id] = cluster;
      }
      EXPECT_EQ(joined, expected) << mode << " seed " << seed;
      std::vector<std::string> keep, drop;
      for (size_t i = 0; i < corpus.texts.size(); ++i) {
        (expected.contains(i) ? drop : keep).push_back("d" + std::to_string(i));
      }
      EXPECT_EQ(ReadLines(folder / (mode + "/keep.txt")), keep);
      EXPECT_EQ(ReadLines(folder / (mode + "/drop.txt")), drop);
    }
  }
}

}  // namespace
}  // namespace twinset::testing
