// What all parts find together is what one run finds: the same pairs, and of
// hot buckets the same counts.
#include "pipeline/pairs/part_rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/hash.h"
#include "candidate/join.h"

namespace twinset {
namespace {

using PairSet = std::set<std::pair<uint64_t, uint64_t>>;

PartRule RuleOf(uint32_t number, uint32_t of, bool has_join) {
  Plan plan;
  plan.options.part = {number, of};
  MethodParts parts;
  if (has_join) {
    parts.join = [](const CollectionJoinContext&)
        -> Result<std::unique_ptr<CollectionJoin>> {
      return Fail(ErrorCode::kUsage, "is never called");
    };
  }
  return PartRule(plan, parts);
}

// Few keys, so that documents meet, some in buckets beyond the limit.
std::vector<Posting> RandomPostings(SplitMix64* random) {
  std::vector<Posting> postings;
  for (uint64_t document = 0; document < 60; ++document) {
    for (int i = 0; i < 5; ++i) {
      const uint64_t key = random->Below(2 + random->Below(60));
      postings.push_back(Posting::Make(key, document, document, 9));
    }
  }
  std::sort(postings.begin(), postings.end(), [](const auto& x, const auto& y) {
    return x.SortWords() < y.SortWords();
  });
  return postings;
}

struct Found {
  PairSet pairs;
  uint64_t emitted = 0;
  HotBuckets hot;
};

Found Join(const std::vector<Posting>& postings, const PartRule& rule) {
  Found found;
  JoinRules rules;
  rules.bucket_limit = 8;
  rules.max_leaders = 2;
  rules.similar = [](uint64_t a, uint64_t b) { return (a ^ b) % 3 != 0; };
  BucketJoin join(std::move(rules), [&](const CandidatePair& pair) -> Status {
    if (!rule.TakesPair(pair)) return {};
    ++found.emitted;
    found.pairs.emplace(pair.a, pair.b);
    return {};
  });
  for (const Posting& posting : postings) {
    if (!rule.TakesKey(posting.key)) continue;
    EXPECT_TRUE(join.Add(posting));
  }
  EXPECT_TRUE(join.Finish());
  found.hot = join.hot_buckets();
  return found;
}

TEST(PartRuleTest, TogetherThePartsFindWhatTheWholeFinds) {
  SplitMix64 random(3);
  for (int round = 0; round < 30; ++round) {
    const std::vector<Posting> postings = RandomPostings(&random);
    for (const bool has_join : {false, true}) {
      const Found whole = Join(postings, RuleOf(0, 0, has_join));
      ASSERT_GT(whole.hot.count, 0u);
      for (const uint32_t of : {1, 2, 3, 7}) {
        Found sum;
        uint64_t in_parts = 0;
        for (uint32_t number = 0; number < of; ++number) {
          const Found part = Join(postings, RuleOf(number, of, has_join));
          sum.pairs.insert(part.pairs.begin(), part.pairs.end());
          sum.emitted += part.emitted;
          sum.hot.count += part.hot.count;
          sum.hot.pairs_compared += part.hot.pairs_compared;
          in_parts += part.pairs.size();
        }
        EXPECT_EQ(sum.pairs, whole.pairs);
        EXPECT_EQ(sum.emitted, whole.emitted);
        if (has_join) {
          EXPECT_EQ(in_parts, whole.pairs.size());
        } else {
          EXPECT_EQ(sum.hot.count, whole.hot.count);
          EXPECT_EQ(sum.hot.pairs_compared, whole.hot.pairs_compared);
        }
      }
    }
  }
}

TEST(PartRuleTest, PartsAreOfAboutOneSize) {
  constexpr uint32_t kParts = 7;
  constexpr uint64_t kDocuments = 300;
  std::vector<uint64_t> keys(kParts), pairs(kParts);
  for (uint32_t number = 0; number < kParts; ++number) {
    const PartRule by_keys = RuleOf(number, kParts, false);
    const PartRule by_pairs = RuleOf(number, kParts, true);
    for (uint64_t a = 0; a < kDocuments; ++a) {
      for (uint64_t b = a + 1; b < kDocuments; ++b) {
        keys[number] += by_keys.TakesKey(a * kDocuments + b);
        pairs[number] += by_pairs.TakesPair({a, b});
      }
    }
  }
  const uint64_t mean = kDocuments * (kDocuments - 1) / 2 / kParts;
  for (const auto& sizes : {keys, pairs}) {
    for (const uint64_t size : sizes) {
      EXPECT_GT(size, mean - mean / 20);
      EXPECT_LT(size, mean + mean / 20);
    }
  }
}

TEST(PartRuleTest, EqualDocumentsAreFoundOnce) {
  for (const bool has_join : {false, true}) {
    for (uint64_t a = 0; a < 50; ++a) {
      int parts = 0;
      for (uint32_t number = 0; number < 3; ++number)
        parts += RuleOf(number, 3, has_join).TakesIdentical({a, a + 5});
      EXPECT_EQ(parts, 1);
    }
  }
}

}  // namespace
}  // namespace twinset
