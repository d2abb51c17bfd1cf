#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/hash.h"
#include "candidate/bands.h"
#include "candidate/join.h"

namespace twinset {
namespace {

TEST(BandsTest, RecallFollowsTheLaw) {
  // docs/methods/bands.md, n = 200.
  EXPECT_NEAR(BandRecall(.5, 20, 10), .0194, 5e-5);
  EXPECT_NEAR(BandRecall(.7, 20, 10), .4362, 5e-5);
  EXPECT_NEAR(BandRecall(.8, 20, 10), .8969, 5e-5);
  EXPECT_NEAR(BandRecall(.9, 20, 10), .9998, 5e-5);
  EXPECT_NEAR(BandRecall(.7, 25, 8), .7734, 5e-5);
  EXPECT_NEAR(BandRecall(.5, 40, 5), .7192, 5e-5);
  EXPECT_NEAR(BandRecall(.4, 50, 4), .7266, 5e-5);
}

// Random sketches whose values agree with probability s become candidates at
// the rate of the law.
TEST(BandsTest, KeysAgreeAtTheRateOfTheLaw) {
  constexpr int kBands = 20, kRows = 10, kTrials = 4000;
  const auto keys = *MakeBandKeys(kBands, kRows, 200);
  SplitMix64 random(11);
  for (const double s : {.7, .8}) {
    int hits = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      Sketch a(200), b(200);
      for (size_t i = 0; i < 200; ++i) {
        a[i] = static_cast<uint32_t>(random.Next());
        b[i] = random.Below(1'000'000) < s * 1'000'000
                   ? a[i]
                   : static_cast<uint32_t>(random.Next());
      }
      std::vector<uint64_t> keys_a, keys_b;
      keys->Keys(std::vector<Sketch>{a}, 0, &keys_a);
      keys->Keys(std::vector<Sketch>{b}, 0, &keys_b);
      bool hit = false;
      for (size_t i = 0; i < keys_a.size(); ++i) hit |= keys_a[i] == keys_b[i];
      hits += hit;
    }
    const double p = BandRecall(s, kBands, kRows);
    EXPECT_NEAR(hits / double{kTrials}, p, 3 * std::sqrt(p * (1 - p) / kTrials))
        << s;
  }
}

TEST(BandsTest, KeysAreSaltedByBandAndScope) {
  const auto keys = *MakeBandKeys(4, 2, 8);
  const std::vector<Sketch> equal_bands = {Sketch(8, 5)};
  std::vector<uint64_t> a, b;
  keys->Keys(equal_bands, 1, &a);
  keys->Keys(equal_bands, 2, &b);
  std::set<uint64_t> all(a.begin(), a.end());
  all.insert(b.begin(), b.end());
  EXPECT_EQ(all.size(), 8u);
}

TEST(BandsTest, PlanIsTheCheapestThatReachesTheRecall) {
  const BandPlan plan = *PlanBands(0.8, 128, 0.99);
  EXPECT_EQ(plan.rows, 6);
  EXPECT_EQ(plan.bands, 16);
  EXPECT_GE(plan.expected_recall, 0.99);
  EXPECT_LT(BandRecall(0.8, plan.bands - 1, plan.rows), 0.99);
  EXPECT_LT(BandRecall(0.8, 128 / 7, 7), 0.99);
  EXPECT_FALSE(PlanBands(0.05, 8, 0.99));
  EXPECT_FALSE(PlanBands(0, 128, 0.99));
  EXPECT_FALSE(MakeBandKeys(20, 10, 128));
}

// ---- join ----

using Pairs = std::set<std::pair<uint64_t, uint64_t>>;

std::vector<Posting> RandomPostings(uint64_t seed, uint64_t documents,
                                    uint64_t keys_each,
                                    uint64_t distinct_keys) {
  SplitMix64 random(seed);
  std::vector<Posting> postings;
  for (uint64_t d = 0; d < documents; ++d) {
    for (uint64_t k = 0; k < keys_each; ++k) {
      postings.push_back(Posting::Make(k << 32 | random.Below(distinct_keys),
                                       d * 7 % documents, d, 10 + d));
    }
  }
  std::sort(postings.begin(), postings.end());
  return postings;
}

Pairs NaivePairs(const std::vector<Posting>& postings) {
  Pairs pairs;
  for (const Posting& x : postings) {
    for (const Posting& y : postings) {
      if (x.key == y.key && x.document() < y.document())
        pairs.insert({x.document(), y.document()});
    }
  }
  return pairs;
}

Pairs AllPairs(const std::vector<Posting>& postings, JoinRules rules,
               HotBuckets* hot = nullptr) {
  Pairs pairs;
  BucketJoin join(std::move(rules), [&](const CandidatePair& pair) -> Status {
    pairs.insert({pair.a, pair.b});
    return {};
  });
  for (const Posting& posting : postings) EXPECT_TRUE(join.Add(posting));
  EXPECT_TRUE(join.Finish());
  if (hot != nullptr) *hot = join.hot_buckets();
  return pairs;
}

TEST(JoinTest, AllPairsEqualTheNaiveJoin) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const auto postings = RandomPostings(seed, 97, 3, 30);
    EXPECT_EQ(AllPairs(postings, {}), NaivePairs(postings));
  }
}

// One document against a stored collection, for every document, finds what all
// pairs finds, by the same code.
TEST(JoinTest, OneAgainstStoredEqualsAllPairs) {
  const auto postings = RandomPostings(5, 97, 3, 30);
  JoinRules rules;
  rules.may_pair = [](const Posting& x, const Posting& y) {
    return (x.document() + y.document()) % 3 != 0;
  };
  const StoredPostings stored(postings);
  Pairs found;
  for (const Posting& query : postings) {
    EXPECT_TRUE(ProbeBucket(query, stored.Bucket(query.key), rules,
                            [&](const CandidatePair& pair) -> Status {
                              found.insert({pair.a, pair.b});
                              return {};
                            }));
  }
  EXPECT_EQ(found, AllPairs(postings, rules));
}

TEST(JoinTest, HotBucketsAreComparedWithLeadersInPriorityOrder) {
  // 100 documents of ten groups, all in one bucket; similar means same group.
  // Rank is reversed.
  std::vector<Posting> postings;
  for (uint64_t d = 0; d < 100; ++d)
    postings.push_back(Posting::Make(1, 99 - d, d, 5));
  std::sort(postings.begin(), postings.end());
  JoinRules rules;
  rules.bucket_limit = 50;
  rules.similar = [](uint64_t a, uint64_t b) -> Result<bool> {
    return a % 10 == b % 10;
  };
  HotBuckets hot;
  const Pairs pairs = AllPairs(postings, rules, &hot);
  EXPECT_EQ(pairs.size(), 90u);  // each but the ten leaders, with its leader
  for (const auto& [a, b] : pairs) {
    EXPECT_EQ(a % 10, b % 10);
    EXPECT_GE(b, 90u);  // leaders are the best of their groups: ranks 0..9
  }
  EXPECT_EQ(hot.count, 1u);
  EXPECT_EQ(hot.members, 100u);
  EXPECT_EQ(hot.pairs_possible, 4950u);
  EXPECT_EQ(hot.pairs_compared, 45u + 90 * 10);
}

TEST(JoinTest, LeadersAreLimited) {
  std::vector<Posting> postings;
  for (uint64_t d = 0; d < 100; ++d)
    postings.push_back(Posting::Make(1, d, d, 5));
  JoinRules rules;
  rules.bucket_limit = 10;
  rules.max_leaders = 4;
  rules.similar = [](uint64_t, uint64_t) -> Result<bool> { return false; };
  HotBuckets hot;
  EXPECT_TRUE(AllPairs(postings, rules, &hot).empty());
  EXPECT_EQ(hot.pairs_compared, 0u + 1 + 2 + 3 + 96 * 4);
}

// Where no pair may be, none is missed: such a bucket is no hot one.
TEST(JoinTest, HotBucketsWithoutPossiblePairsDoNotCount) {
  std::vector<Posting> postings;
  for (uint64_t key = 1; key <= 2; ++key) {
    for (uint64_t d = 0; d < 30; ++d)
      postings.push_back(Posting::Make(key, d, key * 100 + d, 5));
  }
  JoinRules rules;
  rules.bucket_limit = 10;
  rules.may_pair = [](const Posting& x, const Posting&) {
    return x.document() >= 200;
  };
  rules.similar = [](uint64_t, uint64_t) -> Result<bool> { return false; };
  HotBuckets hot;
  EXPECT_TRUE(AllPairs(postings, rules, &hot).empty());
  EXPECT_EQ(hot.count, 1u);
  EXPECT_EQ(hot.members, 30u);
}

TEST(JoinTest, SizesSaturate) {
  const Posting posting =
      Posting::Make(1, 2, (uint64_t{1} << 40) - 1, uint64_t{1} << 30);
  EXPECT_EQ(posting.size(), Posting::kMaxSize);
  EXPECT_EQ(posting.document(), (uint64_t{1} << 40) - 1);
}

}  // namespace
}  // namespace twinset
