// Pairs of documents with equal features, against a look at all pairs; and of
// groups beyond --bucket-limit what is promised of them.
#include "pipeline/pairs/identical_pairs.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/hash.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

constexpr int64_t kDay = 86400;
using PairSet = std::set<std::pair<uint64_t, uint64_t>>;

struct Corpus {
  std::vector<DocumentInfo> infos;
  std::vector<uint64_t> ranks;
};

// Few fingerprints, hosts and sites, so that they meet; some documents have no
// features or no date.
Corpus RandomCorpus(SplitMix64* random, uint64_t documents,
                    uint64_t fingerprints, uint64_t sites) {
  Corpus corpus;
  for (uint64_t i = 0; i < documents; ++i) {
    DocumentInfo info;
    info.id = std::to_string(i);
    info.fingerprint = {random->Below(fingerprints), 7};
    info.within = {random->Below(2), 0};
    info.across = {random->Below(sites), 0};
    info.empty = random->Below(10) == 0;
    if (random->Below(8) != 0)
      info.seconds = static_cast<int64_t>(random->Below(6)) * (kDay / 2);
    corpus.infos.push_back(info);
    corpus.ranks.push_back(i);
  }
  for (uint64_t i = documents; i > 1; --i)
    std::swap(corpus.ranks[i - 1], corpus.ranks[random->Below(i)]);
  return corpus;
}

struct Scopes {
  bool has_across = false, has_window = false;
};

bool NaiveAllowed(const DocumentInfo& x, const DocumentInfo& y,
                  const Scopes& scopes) {
  if (x.empty || y.empty || x.within != y.within) return false;
  if (x.fingerprint != y.fingerprint) return false;
  if (scopes.has_across && x.across == y.across) return false;
  if (!scopes.has_window) return true;
  return x.seconds != kNoDate && y.seconds != kNoDate &&
         std::abs(x.seconds - y.seconds) <= kDay;
}

PairSet NaivePairs(const Corpus& corpus, const Scopes& scopes) {
  PairSet pairs;
  for (uint64_t a = 0; a < corpus.infos.size(); ++a) {
    for (uint64_t b = a + 1; b < corpus.infos.size(); ++b) {
      if (NaiveAllowed(corpus.infos[a], corpus.infos[b], scopes))
        pairs.insert({a, b});
    }
  }
  return pairs;
}

struct Found {
  PairSet pairs;
  HotBuckets hot;
};

Found Find(const Corpus& corpus, const Scopes& scopes, uint64_t limit) {
  TestRun run(corpus.infos.size(), [&](PlanOptions* options) {
    options->method.name = "minhash";  // complete methods find them themselves
    if (scopes.has_across) options->across = "host";
    if (scopes.has_window) options->window = "date:1d";
    options->method.bucket_limit = limit;
  });
  run.WriteInfos(corpus.infos);
  run.WriteRecords("ranks.run", corpus.ranks);
  Found found;
  EXPECT_TRUE(FindIdenticalPairs(run.get(), &found.hot));
  const auto records = run.ReadRecords<CandidatePair>("identical.run");
  EXPECT_TRUE(std::is_sorted(records.begin(), records.end()));
  for (const CandidatePair& pair : records)
    EXPECT_TRUE(found.pairs.emplace(pair.a, pair.b).second);
  return found;
}

constexpr Scopes kScopes[] = {{true, false}, {false, true}, {true, true}};

TEST(IdenticalPairs, OfSmallGroupsAreAllThatTheScopesAllow) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    SplitMix64 random(seed);
    const Corpus corpus =
        RandomCorpus(&random, random.Below(60), 5, 1 + random.Below(4));
    for (const Scopes& scopes : kScopes) {
      SCOPED_TRACE(seed);
      const PairSet expected = NaivePairs(corpus, scopes);
      for (const uint64_t limit : {uint64_t{0}, uint64_t{60}}) {
        const Found found = Find(corpus, scopes, limit);
        EXPECT_EQ(found.pairs, expected);
        EXPECT_EQ(found.hot.count, 0u);
      }
    }
  }
}

// No pair is forbidden, there are at most two for each document, and every
// document that has a partner keeps one.
TEST(IdenticalPairs, OfLargeGroupsAreFewAndLeaveNobodyOut) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    SplitMix64 random(seed);
    const Corpus corpus = RandomCorpus(&random, 80, 2, 2 + random.Below(3));
    for (const Scopes& scopes : kScopes) {
      SCOPED_TRACE(seed);
      const PairSet allowed = NaivePairs(corpus, scopes);
      const Found found = Find(corpus, scopes, 3);
      std::set<uint64_t> have, could;
      for (const auto& [a, b] : found.pairs) {
        EXPECT_TRUE(allowed.contains({a, b})) << a << " " << b;
        have.insert({a, b});
      }
      for (const auto& [a, b] : allowed) could.insert({a, b});
      EXPECT_EQ(have, could);
      EXPECT_LE(found.pairs.size(), 2 * corpus.infos.size());
      EXPECT_GT(found.hot.count, 0u);
      // Each of the four groups that may be small has three pairs at most.
      EXPECT_GE(found.hot.pairs_compared + 12, found.pairs.size());
      EXPECT_GT(found.hot.pairs_possible, found.hot.pairs_compared);
    }
  }
}

TEST(IdenticalPairs, WithoutScopesAreLeftToTheClasses) {
  SplitMix64 random(1);
  const Corpus corpus = RandomCorpus(&random, 30, 2, 2);
  EXPECT_TRUE(Find(corpus, {}, 0).pairs.empty());
}

TEST(IdenticalPairs, OfNoDocumentsAreNone) {
  const Found found = Find({}, {true, true}, 2);
  EXPECT_TRUE(found.pairs.empty());
  EXPECT_EQ(found.hot.members, 0u);
}

// Two lists side by side, against their sets.
TEST(IdenticalPairs, BesideASortedListEachIsPassedOrContained) {
  SplitMix64 random(4);
  TestRun run(10);
  for (int round = 0; round < 30; ++round) {
    PairSet identical, asked;
    for (uint64_t i = random.Below(30); i > 0; --i)
      identical.insert({random.Below(5), 5 + random.Below(5)});
    for (uint64_t i = random.Below(30); i > 0; --i)
      asked.insert({random.Below(5), 5 + random.Below(5)});
    std::vector<CandidatePair> records;
    for (const auto& [a, b] : identical) records.push_back({a, b});
    run.WriteRecords("identical.run", records);
    auto pairs = IdenticalPairs::Open(*run.get());
    ASSERT_TRUE(pairs);
    PairSet passed, contained;
    const auto sink = [&](const CandidatePair& pair) -> Status {
      EXPECT_TRUE(passed.emplace(pair.a, pair.b).second);
      return {};
    };
    for (const auto& [a, b] : asked) {
      const auto contains = pairs->Contains({a, b}, sink);
      ASSERT_TRUE(contains);
      if (*contains) contained.insert({a, b});
    }
    ASSERT_TRUE(pairs->Finish(sink));
    for (const auto& pair : identical)
      EXPECT_NE(passed.contains(pair), contained.contains(pair));
    EXPECT_EQ(passed.size() + contained.size(), identical.size());
    for (const auto& pair : contained) EXPECT_TRUE(asked.contains(pair));
  }
}

TEST(ScopesAllow, LooksAtEveryScope) {
  TestRun open(0), closed(0, [](PlanOptions*options) {
    options->across = "host";
    options->window = "date:1d";
  });
  const Plan& none = open.get()->plan;
  const Plan& all = closed.get()->plan;
  const ScopeValues one = {{1, 0}, {1, 0}, 0};
  EXPECT_TRUE(ScopesAllow(none, one, one));
  EXPECT_FALSE(ScopesAllow(all, one, one));
  EXPECT_TRUE(ScopesAllow(all, one, {{1, 0}, {2, 0}, kDay}));
  EXPECT_TRUE(ScopesAllow(all, {{1, 0}, {2, 0}, kDay}, one));
  EXPECT_FALSE(ScopesAllow(all, one, {{1, 0}, {2, 0}, kDay + 1}));
  EXPECT_FALSE(ScopesAllow(all, one, {{1, 1}, {2, 0}, 0}));
  EXPECT_FALSE(ScopesAllow(none, one, {{2, 0}, {1, 0}, 0}));
  EXPECT_FALSE(ScopesAllow(all, one, {{1, 0}, {2, 0}, kNoDate}));
  EXPECT_FALSE(
      ScopesAllow(all, {{1, 0}, {1, 0}, kNoDate}, {{1, 0}, {2, 0}, kNoDate}));
}

}  // namespace
}  // namespace twinset
