// Clusters and lists of runs whose candidate stage leaves hot elements, against
// runs that join all of them.
#include "pipeline/results/star_walk.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/hash.h"
#include "pipeline/results/cluster_rows.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

struct Corpus {
  std::vector<DocumentInfo> infos;
  std::vector<std::string> features;
};

// Families of documents that share much of a small universe, some of them
// equal, in any order of priority.
Corpus RandomCorpus(SplitMix64* random, size_t documents, size_t families,
                    uint64_t universe, size_t most_changes) {
  constexpr size_t kElements = 40;
  std::vector<std::set<uint64_t>> prototypes(families);
  for (auto& elements : prototypes)
    while (elements.size() < kElements)
      elements.insert(Mix64(random->Below(universe)));
  Corpus corpus;
  for (size_t i = 0; i < documents; ++i) {
    std::set<uint64_t> elements = prototypes[random->Below(families)];
    for (uint64_t n = random->Below(most_changes + 1); n > 0; --n) {
      elements.erase(*std::next(
          elements.begin(),
          static_cast<std::ptrdiff_t>(random->Below(elements.size()))));
      if (random->Below(3) != 0)
        elements.insert(Mix64(random->Below(universe)));
    }
    const std::vector<uint64_t> values(elements.begin(), elements.end());
    DocumentInfo info;
    info.id = std::to_string(i);
    info.code_points = random->Below(20);
    info.feature_count = values.size();
    corpus.features.emplace_back(reinterpret_cast<const char*>(values.data()),
                                 values.size() * sizeof(uint64_t));
    info.fingerprint = Hash128(corpus.features.back());
    corpus.infos.push_back(info);
  }
  return corpus;
}

using Rows = std::map<std::pair<uint64_t, uint64_t>, double>;

struct Outcome {
  Rows memberships, pairs;  // by representative and document; by a and b
  std::set<uint64_t> copies;
  RunCounts counts;
};

struct How {
  double threshold = .8;
  uint64_t hot_limit = 0, large_cluster = ~uint64_t{0};
  uint64_t memory_bytes = 64 << 20;
  int threads = 2;
  ListedPairs pairs = ListedPairs::kAuto;
};

Outcome Cluster(const Corpus& corpus, const How& how) {
  TestRun run(
      corpus.infos.size(),
      [&](PlanOptions* options) {
        options->method.threshold = how.threshold;
        options->resources.threads = how.threads;
        options->pairs = how.pairs;
      },
      [&](Plan* plan) {
        plan->scope.hot_limit = how.hot_limit;
        plan->scope.large_cluster = how.large_cluster;
        plan->machine.memory_bytes = how.memory_bytes;
      });
  run.WriteInfos(corpus.infos);
  run.WriteBlobs("features.blob", corpus.features);
  for (const auto& stage :
       {OrderStage, CandidateStage, VerifyStage, ClusterStage, ListStage}) {
    const Status done = stage(run.get());
    EXPECT_TRUE(done) << done.error().ToString();
  }
  Outcome outcome;
  for (const auto& m : run.ReadRecords<Membership>("memberships.run"))
    outcome.memberships[{m.representative, m.document}] = m.score;
  if (how.pairs != ListedPairs::kStar) {
    for (const auto& pair : run.ReadRecords<VerifiedPair>(
             run.get()->counts.list ? "listed.run" : "verified.run")) {
      EXPECT_TRUE(
          outcome.pairs.try_emplace({pair.a, pair.b}, pair.score).second);
    }
  }
  for (const Copy& copy : run.ReadRecords<Copy>("copies.run"))
    outcome.copies.insert(copy.document);
  outcome.counts = run.get()->counts;
  return outcome;
}

// What is listed of all pairs when clusters with more leaders are large.
Rows NaiveList(const Outcome& all, uint64_t large_cluster) {
  std::map<uint64_t, std::set<uint64_t>> clusters;
  std::map<uint64_t, uint64_t> cluster_of;
  for (const auto& [names, score] : all.memberships) {
    const auto [representative, document] = names;
    clusters[representative].insert(representative);
    cluster_of[representative] = representative;
    if (all.copies.contains(document)) continue;
    clusters[representative].insert(document);
    cluster_of[document] = representative;
  }
  const auto is_large = [&](uint64_t document) {
    const auto found = cluster_of.find(document);
    return found != cluster_of.end() &&
           clusters[found->second].size() > large_cluster;
  };
  Rows rows;
  for (const auto& [pair, score] : all.pairs) {
    const auto [a, b] = pair;
    const auto joins = [&](uint64_t member, uint64_t representative) {
      const auto found = cluster_of.find(member);
      return found != cluster_of.end() && found->second == representative;
    };
    if ((!is_large(a) && !is_large(b)) || joins(a, b) || joins(b, a))
      rows[pair] = score;
  }
  return rows;
}

Outcome ExpectSame(const Corpus& corpus, const How& how) {
  const Outcome all =
      Cluster(corpus, {.threshold = how.threshold, .pairs = ListedPairs::kAll});
  EXPECT_FALSE(all.counts.list);
  const Outcome found = Cluster(corpus, how);
  EXPECT_EQ(found.memberships, all.memberships);
  if (how.pairs == ListedPairs::kStar) {
    uint64_t members = 0;
    for (const auto& [names, score] : all.memberships)
      members += !all.copies.contains(names.second);
    EXPECT_EQ(found.counts.list->listed, members);
    return found;
  }
  EXPECT_EQ(found.pairs, NaiveList(all, how.large_cluster));
  if (found.counts.list) {
    EXPECT_EQ(found.counts.list->listed, found.pairs.size());
  }
  return found;
}

TEST(StarWalkTest, FindsTheClustersAndListsOfAllPairs) {
  SplitMix64 random(1);
  uint64_t hot = 0, large = 0;
  constexpr int kCorpora = TWINSET_SLOW_BUILD ? 15 : 30;
  for (int i = 0; i < kCorpora; ++i) {
    const Corpus corpus =
        RandomCorpus(&random, 1 + random.Below(200), 1 + random.Below(4),
                     45 + random.Below(100), random.Below(14));
    How how;
    how.threshold = .4 + .05 * static_cast<double>(random.Below(12));
    how.hot_limit = 1 + random.Below(20);
    how.large_cluster =
        random.Below(2) == 0 ? how.large_cluster : 2 + random.Below(40);
    how.threads = 1 + static_cast<int>(random.Below(2));
    how.pairs = random.Below(3) == 0 ? ListedPairs::kStar : ListedPairs::kAuto;
    SCOPED_TRACE(i);
    const Outcome found = ExpectSame(corpus, how);
    hot += found.counts.candidate.hot_postings.has_value();
    large += found.counts.list && found.counts.list->large_clusters > 0;
  }
  EXPECT_GT(hot, kCorpora / 2u);
  EXPECT_GT(large, kCorpora / 10u);
}

// More centres than the index holds: what comes behind is compared with it, and
// it begins anew.
TEST(StarWalkTest, WorksInAnyMemory) {
  SplitMix64 random(2);
  constexpr size_t kDocuments = TWINSET_SLOW_BUILD ? 400 : 800;
  const Corpus corpus =
      RandomCorpus(&random, kDocuments, kDocuments / 10, 90, 12);
  How how;
  how.threshold = .6;
  how.hot_limit = 4;
  how.large_cluster = 30;
  how.memory_bytes = 1 << 18;
  const Outcome found = ExpectSame(corpus, how);
  EXPECT_TRUE(found.counts.candidate.hot_postings);
}

// One cluster of n documents costs n comparisons.
TEST(StarWalkTest, ManyNearEqualDocumentsAreComparedWithOne) {
  SplitMix64 random(3);
  const size_t documents = 3000;
  const Corpus corpus = RandomCorpus(&random, documents, 1, 1 << 20, 2);
  How how;
  how.hot_limit = 256;
  how.large_cluster = 1000;
  const Outcome found = Cluster(corpus, how);
  std::set<uint64_t> representatives;
  for (const auto& [names, score] : found.memberships)
    representatives.insert(names.first);
  EXPECT_EQ(representatives.size(), 1u);
  EXPECT_EQ(found.memberships.size(), documents - 1);
  ASSERT_TRUE(found.counts.list);
  EXPECT_EQ(found.counts.list->large_clusters, 1u);
  EXPECT_EQ(found.pairs.size() + 1, found.counts.list->large_documents);
  EXPECT_EQ(found.counts.list->large_documents + found.copies.size(),
            documents);
  EXPECT_LT(found.counts.candidate.pairs, documents);
}

}  // namespace
}  // namespace twinset
