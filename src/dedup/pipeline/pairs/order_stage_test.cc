// Ranks, final ids and classes of random documents, against the definitions
// (docs/spec/1.md) applied to lists in memory.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/hash.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

struct Corpus {
  std::vector<DocumentInfo> infos;
  std::vector<std::string> features;
};

// Ids, keys and features from small pools, so that they meet. Only the length
// of the features is in the fingerprint: different ones collide.
Corpus RandomCorpus(SplitMix64* random, uint64_t documents,
                    uint64_t feature_scale = 1) {
  const std::vector<std::string> ids = {
      "a",  "a#2", "a#3", "a#02", "a#1",   "a#",
      "#2", "",    "b",   "b#4",  "a#2#2", "b#18446744073709551616"};
  Corpus corpus;
  for (uint64_t i = 0; i < documents; ++i) {
    DocumentInfo info;
    info.id = ids[random->Below(ids.size())];
    info.code_points = random->Below(4);
    info.within = {random->Below(2), 0};
    const uint64_t length = random->Below(3) * feature_scale;
    std::string features(8 * length, static_cast<char>(random->Below(2)));
    info.empty = features.empty();
    info.fingerprint = {length, 0};
    corpus.infos.push_back(info);
    corpus.features.push_back(features);
  }
  return corpus;
}

std::vector<uint64_t> NaiveRanks(const Corpus& corpus) {
  std::vector<uint64_t> ranks(corpus.infos.size());
  for (size_t i = 0; i < ranks.size(); ++i) {
    for (size_t j = 0; j < ranks.size(); ++j) {
      const auto& x = corpus.infos[j].code_points;
      const auto& y = corpus.infos[i].code_points;
      ranks[i] += x > y || (x == y && j < i);  // the longest first
    }
  }
  return ranks;
}

// The first document called so keeps its id, the others get the least number
// that no document is called by.
std::vector<std::string> NaiveIds(const Corpus& corpus) {
  std::set<std::string> read, given, taken;
  for (const DocumentInfo& info : corpus.infos) read.insert(info.id);
  std::vector<std::string> ids;
  for (const DocumentInfo& info : corpus.infos) {
    std::string id = info.id;
    if (!given.insert(id).second) {
      for (uint64_t n = 2; read.contains(id) || taken.contains(id); ++n)
        id = info.id + "#" + std::to_string(n);
    }
    taken.insert(id);
    ids.push_back(id);
  }
  return ids;
}

// leader -> copies in order of rank.
std::map<uint64_t, std::vector<uint64_t>> NaiveClasses(
    const Corpus& corpus, const std::vector<uint64_t>& ranks) {
  std::vector<uint64_t> by_rank(ranks.size());
  for (size_t i = 0; i < ranks.size(); ++i) by_rank[ranks[i]] = i;
  std::map<uint64_t, std::vector<uint64_t>> classes;
  std::vector<uint64_t> leaders;
  for (const uint64_t document : by_rank) {
    if (corpus.infos[document].empty) continue;
    bool is_copy = false;
    for (const uint64_t leader : leaders) {
      if (corpus.features[leader] == corpus.features[document] &&
          corpus.infos[leader].within == corpus.infos[document].within) {
        classes[leader].push_back(document);
        is_copy = true;
        break;
      }
    }
    if (!is_copy) leaders.push_back(document);
  }
  return classes;
}

void ExpectOrder(const Corpus& corpus, TestRun* run, bool has_classes) {
  run->WriteInfos(corpus.infos);
  run->WriteBlobs("features.blob", corpus.features);
  ASSERT_TRUE(OrderStage(run->get()));
  const auto ranks = NaiveRanks(corpus);
  EXPECT_EQ(run->ReadRecords<uint64_t>("ranks.run"), ranks);
  const auto ids = run->ReadBlobs("ids.blob");
  EXPECT_EQ(ids, NaiveIds(corpus));
  EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), ids.size());
  std::map<uint64_t, std::vector<uint64_t>> classes;
  std::map<uint64_t, uint64_t> leaders;
  for (const Copy& copy : run->ReadRecords<Copy>("copies.run")) {
    EXPECT_EQ(copy.rank, ranks[copy.document]);
    classes[copy.leader].push_back(copy.document);
    leaders[copy.document] = copy.leader;
  }
  const auto naive = has_classes ? NaiveClasses(corpus, ranks)
                                 : std::map<uint64_t, std::vector<uint64_t>>();
  EXPECT_EQ(classes, naive);
  const auto by_document =
      run->ReadRecords<CopyByDocument>("copies-by-document.run");
  EXPECT_EQ(by_document.size(), leaders.size());
  for (const CopyByDocument& copy : by_document)
    EXPECT_EQ(copy.leader, leaders.at(copy.document));
  const OrderCounts& counts = run->get()->counts.order;
  EXPECT_EQ(counts.copies, leaders.size());
  EXPECT_EQ(counts.classes, naive.size());
}

TEST(OrderStage, EqualsTheDefinitions) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SplitMix64 random(seed);
    const Corpus corpus = RandomCorpus(&random, random.Below(60));
    TestRun run(corpus.infos.size());
    ExpectOrder(corpus, &run, true);
  }
}

// Groups of equal fingerprints are compared in pieces: of their bytes, or of
// their number.
TEST(OrderStage, GroupsThatDoNotFitEqualTheDefinitions) {
  for (const auto& [documents, feature_scale] :
       {std::pair{60, 60'000}, std::pair{4'500, 1}}) {
    SplitMix64 random(static_cast<uint64_t>(documents));
    const Corpus corpus =
        RandomCorpus(&random, static_cast<uint64_t>(documents),
                     static_cast<uint64_t>(feature_scale));
    TestRun run(corpus.infos.size());
    ExpectOrder(corpus, &run, true);
  }
}

TEST(OrderStage, ScopesThatTellMembersApartLeaveNoClasses) {
  SplitMix64 random(7);
  const Corpus corpus = RandomCorpus(&random, 50);
  TestRun across(50, [](auto* options) { options->across = "host"; });
  ExpectOrder(corpus, &across, false);
  TestRun window(50, [](auto* options) { options->window = "date:1d"; });
  ExpectOrder(corpus, &window, false);
}

}  // namespace
}  // namespace twinset
