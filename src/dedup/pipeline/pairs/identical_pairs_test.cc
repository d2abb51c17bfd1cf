// Pairs of equal documents that scopes allow, against all pairs of them.
#include "pipeline/pairs/identical_pairs.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "base/hash.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

using Pairs = std::set<std::pair<uint64_t, uint64_t>>;

// Few fingerprints, hosts and days, so that they meet.
std::vector<DocumentInfo> RandomInfos(SplitMix64* random, uint64_t documents,
                                      uint64_t fingerprints) {
  std::vector<DocumentInfo> infos(documents);
  for (size_t i = 0; i < infos.size(); ++i) {
    infos[i].id = std::to_string(i);
    infos[i].code_points = random->Below(5);
    infos[i].fingerprint = {random->Below(fingerprints), 1};
    infos[i].empty = random->Below(10) == 0;
    infos[i].within = {random->Below(2), 0};
    infos[i].across = {random->Below(3), 0};
    infos[i].seconds = random->Below(8) == 0
                           ? kNoDate
                           : static_cast<int64_t>(random->Below(6)) * 86400;
  }
  return infos;
}

struct How {
  std::string across, window;
  uint64_t bucket_limit = 0;
};

// Two days apart at most, where there is a window.
bool NaiveAllows(const How& how, const DocumentInfo& x, const DocumentInfo& y) {
  if (x.empty || y.empty || x.fingerprint != y.fingerprint) return false;
  if (x.within != y.within) return false;
  if (!how.across.empty() && x.across == y.across) return false;
  if (how.window.empty()) return true;
  if (x.seconds == kNoDate || y.seconds == kNoDate) return false;
  return std::abs(x.seconds - y.seconds) <= 2 * 86400;
}

Pairs NaivePairs(const How& how, const std::vector<DocumentInfo>& infos) {
  Pairs pairs;
  for (size_t b = 0; b < infos.size(); ++b)
    for (size_t a = 0; a < b; ++a)
      if (NaiveAllows(how, infos[a], infos[b])) pairs.insert({a, b});
  return pairs;
}

struct Found {
  Pairs pairs;
  HotBuckets hot;
};

Found Find(const How& how, const std::vector<DocumentInfo>& infos,
           const std::string& method = "minhash") {
  TestRun run(infos.size(), [&](PlanOptions* options) {
    options->method.name = method;
    options->across = how.across;
    options->window = how.window;
    if (method == "minhash") options->method.bucket_limit = how.bucket_limit;
  });
  run.WriteInfos(infos);
  run.WriteBlobs("features.blob", std::vector<std::string>(infos.size()));
  EXPECT_TRUE(OrderStage(run.get()));
  Found found;
  EXPECT_TRUE(FindIdenticalPairs(run.get(), &found.hot));
  for (const auto& pair : run.ReadRecords<CandidatePair>("identical.run"))
    EXPECT_TRUE(found.pairs.insert({pair.a, pair.b}).second);
  return found;
}

TEST(IdenticalPairsTest, AreAllThatTheScopesAllow) {
  SplitMix64 random(1);
  const How hows[] = {{"host", ""}, {"", "date:2d"}, {"host", "date:2d"}};
  for (int i = 0; i < 6; ++i) {
    const auto infos = RandomInfos(&random, i == 0 ? 0 : random.Below(150),
                                   1 + random.Below(8));
    const How& how = hows[i % 3];
    SCOPED_TRACE(i);
    const Found found = Find(how, infos);
    EXPECT_EQ(found.pairs, NaivePairs(how, infos));
    EXPECT_EQ(found.hot.count, 0u);
  }
}

TEST(IdenticalPairsTest, ClassesAndCompleteMethodsNeedNone) {
  SplitMix64 random(2);
  const auto infos = RandomInfos(&random, 40, 3);
  ASSERT_FALSE(NaivePairs({}, infos).empty());
  EXPECT_TRUE(Find({}, infos).pairs.empty());
  ASSERT_FALSE(NaivePairs({"host", ""}, infos).empty());
  EXPECT_TRUE(Find({"host", ""}, infos, "complete").pairs.empty());
}

// All documents equal, and more than a bucket holds: at most two pairs for
// each document, one at least for each that has a partner.
TEST(IdenticalPairsTest, LargeGroupsLeaveNoDocumentAlone) {
  SplitMix64 random(3);
  uint64_t hot = 0;
  for (int i = 0; i < 4; ++i) {
    const auto infos = RandomInfos(&random, 20 + random.Below(60), 1);
    const How how = {"host", i % 2 == 0 ? "" : "date:2d", 2 + random.Below(9)};
    SCOPED_TRACE(i);
    const Found found = Find(how, infos);
    const Pairs all = NaivePairs(how, infos);
    std::set<uint64_t> paired, with_partner;
    for (const auto& [a, b] : found.pairs) {
      EXPECT_TRUE(all.contains({a, b}));
      paired.insert({a, b});
    }
    for (const auto& [a, b] : all) with_partner.insert({a, b});
    EXPECT_EQ(paired, with_partner);
    EXPECT_LE(found.pairs.size(), 2 * infos.size());
    EXPECT_LT(found.pairs.size(), all.size());
    EXPECT_GE(found.hot.pairs_possible, all.size());
    hot += found.hot.count;
  }
  EXPECT_GE(hot, 4u);
}

// Read beside a sorted list, each is handed on once: as contained, as passed or
// as left.
TEST(IdenticalPairsTest, AreMergedWithOtherPairs) {
  SplitMix64 random(4);
  TestRun run(0);
  for (int i = 0; i < 30; ++i) {
    std::set<CandidatePair> own, asked;
    for (uint64_t n = random.Below(30); n > 0; --n)
      own.insert({random.Below(6), 6 + random.Below(6)});
    for (uint64_t n = random.Below(30); n > 0; --n)
      asked.insert({random.Below(6), 6 + random.Below(6)});
    run.WriteRecords("identical.run",
                     std::vector<CandidatePair>(own.begin(), own.end()));
    auto pairs = IdenticalPairs::Open(*run.get());
    ASSERT_TRUE(pairs);
    std::vector<CandidatePair> seen;
    const auto sink = [&](const CandidatePair& pair) -> Status {
      seen.push_back(pair);
      return {};
    };
    for (const CandidatePair& pair : asked) {
      const auto contained = pairs->Contains(pair, sink);
      ASSERT_TRUE(contained);
      EXPECT_EQ(*contained, own.contains(pair));
      if (*contained) seen.push_back(pair);
    }
    ASSERT_TRUE(pairs->Finish(sink));
    EXPECT_EQ(seen, std::vector<CandidatePair>(own.begin(), own.end()));
  }
}

}  // namespace
}  // namespace twinset
