// Star cover and components of random documents with classes of equal ones,
// against the definitions (docs/spec/1.md) applied to every document.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/bytes.h"
#include "base/hash.h"
#include "pipeline/results/cluster_rows.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

struct Corpus {
  std::vector<uint64_t> ranks;   // by document
  std::vector<uint64_t> leader;  // first of the class by rank; often itself
  std::vector<std::set<uint64_t>> features;  // equal within a class
  std::map<std::pair<uint64_t, uint64_t>, double> pairs;  // of leaders, a < b

  size_t size() const { return ranks.size(); }
  // Returns the similarity of any two documents; 0 where no pair was found.
  double Score(uint64_t a, uint64_t b) const {
    if (leader[a] == leader[b]) return 1;
    const auto found = pairs.find(std::minmax(leader[a], leader[b]));
    return found == pairs.end() ? 0 : found->second;
  }
};

double Jaccard(const std::set<uint64_t>& a, const std::set<uint64_t>& b) {
  uint64_t common = 0;
  for (const uint64_t feature : a) common += b.contains(feature);
  return static_cast<double>(common) /
         static_cast<double>(a.size() + b.size() - common);
}

SharedFeatures Shared(const std::set<uint64_t>& a,
                      const std::set<uint64_t>& b) {
  SharedFeatures shared = {static_cast<uint32_t>(a.size()),
                           static_cast<uint32_t>(b.size()), 0};
  for (const uint64_t feature : a) shared.common += b.contains(feature);
  return shared;
}

Corpus RandomCorpus(SplitMix64* random, size_t documents, size_t tries) {
  Corpus corpus;
  for (size_t i = 0; i < documents; ++i) corpus.ranks.push_back(i);
  for (size_t i = documents; i > 1; --i)
    std::swap(corpus.ranks[i - 1], corpus.ranks[random->Below(i)]);
  std::map<uint64_t, uint64_t> first;  // class -> leader
  std::vector<uint64_t> of_class;
  for (size_t i = 0; i < documents; ++i) {
    of_class.push_back(random->Below(documents));
    const auto [at, fresh] = first.try_emplace(of_class[i], i);
    if (!fresh && corpus.ranks[i] < corpus.ranks[at->second]) at->second = i;
  }
  for (size_t i = 0; i < documents; ++i) {
    corpus.leader.push_back(first[of_class[i]]);
    std::set<uint64_t> features = {of_class[i]};
    for (uint64_t f = 0; f < 8; ++f)
      features.insert(1000 + (of_class[i] + f) % 9);
    corpus.features.push_back(features);
  }
  for (size_t i = 0; i < tries && documents > 0; ++i) {
    const uint64_t a = corpus.leader[random->Below(documents)];
    const uint64_t b = corpus.leader[random->Below(documents)];
    if (a != b)
      corpus.pairs[std::minmax(a, b)] =
          Jaccard(corpus.features[a], corpus.features[b]);
  }
  return corpus;
}

std::vector<uint64_t> ByRank(const Corpus& corpus) {
  std::vector<uint64_t> documents(corpus.size());
  for (size_t i = 0; i < corpus.size(); ++i) documents[corpus.ranks[i]] = i;
  return documents;
}

// member -> centre: the most similar of the better documents that are centres
// and lack at most `twentieths` of its features, of equals the best.
std::map<uint64_t, uint64_t> NaiveStar(const Corpus& corpus,
                                       uint64_t twentieths) {
  std::vector<uint64_t> centres;  // best first
  std::map<uint64_t, uint64_t> joined;
  for (const uint64_t document : ByRank(corpus)) {
    double best = 0;
    for (const uint64_t centre : centres) {
      const SharedFeatures shared =
          Shared(corpus.features[document], corpus.features[centre]);
      if (20 * (shared.a - shared.common) > twentieths * shared.a) continue;
      if (corpus.Score(document, centre) > best) {
        best = corpus.Score(document, centre);
        joined[document] = centre;
      }
    }
    if (best == 0) centres.push_back(document);
  }
  return joined;
}

// member -> the best document that any chain of pairs leads to.
std::map<uint64_t, uint64_t> NaiveComponents(const Corpus& corpus) {
  std::vector<uint64_t> best = ByRank(corpus), order = best;
  for (size_t i = 0; i < corpus.size(); ++i) best[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t a = 0; a < corpus.size(); ++a) {
      for (size_t b = 0; b < corpus.size(); ++b) {
        if (corpus.Score(a, b) == 0 ||
            corpus.ranks[best[b]] >= corpus.ranks[best[a]])
          continue;
        best[a] = best[b];
        changed = true;
      }
    }
  }
  std::map<uint64_t, uint64_t> joined;
  for (size_t i = 0; i < corpus.size(); ++i)
    if (best[i] != i) joined[i] = best[i];
  return joined;
}

void WriteCorpus(const Corpus& corpus, TestRun* run) {
  run->WriteRecords("ranks.run", corpus.ranks);
  std::vector<Copy> copies;
  std::vector<VerifiedPair> pairs;
  std::vector<std::string> features(corpus.size());
  for (size_t i = 0; i < corpus.size(); ++i) {
    for (const uint64_t feature : corpus.features[i])
      AppendLE(&features[i], feature);
    if (corpus.leader[i] != i)
      copies.push_back({corpus.leader[i], corpus.ranks[i], i});
  }
  std::sort(copies.begin(), copies.end());
  for (const auto& [ends, score] : corpus.pairs)
    pairs.push_back(
        {ends.first, ends.second, score,
         Shared(corpus.features[ends.first], corpus.features[ends.second])});
  run->WriteRecords("copies.run", copies);
  run->WriteRecords("verified.run", pairs);
  run->WriteBlobs("features.blob", features);
}

void ExpectClusters(const Corpus& corpus, const std::string& how,
                    uint64_t twentieths = 20) {
  TestRun run(corpus.size(), [&](auto* options) {
    options->cluster = *FindChoice<ClusterRule>(how);
    options->max_loss = static_cast<double>(twentieths) / 20;
  });
  WriteCorpus(corpus, &run);
  ASSERT_TRUE(ClusterStage(run.get()));
  const auto joined =
      how == "star" ? NaiveStar(corpus, twentieths) : NaiveComponents(corpus);
  std::map<uint64_t, std::set<uint64_t>> members;
  for (const auto& [member, centre] : joined)
    members[centre].insert({member, centre});
  std::map<uint64_t, ClusterRow> rows;
  for (const ClusterRow& row : run.ReadRecords<ClusterRow>("clusters.run"))
    EXPECT_TRUE(rows.emplace(row.document, row).second);
  size_t clustered = 0;
  for (const auto& [centre, all] : members) {
    clustered += all.size();
    for (const uint64_t document : all) {
      ASSERT_TRUE(rows.contains(document)) << document;
      const ClusterRow& row = rows[document];
      EXPECT_EQ(row.representative, centre);
      EXPECT_EQ(row.size, all.size());
      EXPECT_EQ(row.score,
                Jaccard(corpus.features[document], corpus.features[centre]));
      EXPECT_EQ(row.contained,
                Shared(corpus.features[document], corpus.features[centre])
                    .Contained());
    }
  }
  EXPECT_EQ(rows.size(), clustered);
}

TEST(ClusterStage, EqualsTheDefinitions) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SplitMix64 random(seed);
    const size_t documents = random.Below(40);
    const Corpus corpus = RandomCorpus(&random, documents, random.Below(60));
    SCOPED_TRACE(seed);
    ExpectClusters(corpus, "star");
    ExpectClusters(corpus, "components");
    for (const uint64_t twentieths : {0, 1, 2, 3, 4, 6, 10})
      ExpectClusters(corpus, "star", twentieths);
  }
}

}  // namespace
}  // namespace twinset
