// The pairs that results list, against all pairs of documents by definition:
// those of one class are equal, those of two are as alike as their leaders.
#include "pipeline/results/class_pairs.h"

#include <gtest/gtest.h>

#include <map>

#include "base/hash.h"
#include "pipeline/results/cluster_rows.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

using Pairs = std::map<std::pair<uint64_t, uint64_t>, double>;

struct Classes {
  std::vector<uint64_t> leader;  // by document; itself where it leads
  Pairs verified;                // of leaders
};

// Any member leads, not only the first one in input order.
Classes RandomClasses(SplitMix64* random, uint64_t documents,
                      uint64_t classes) {
  std::vector<std::vector<uint64_t>> members(classes);
  for (uint64_t i = 0; i < documents; ++i)
    members[random->Below(classes)].push_back(i);
  Classes made;
  made.leader.resize(documents);
  std::vector<uint64_t> leaders;
  for (const auto& of : members) {
    if (of.empty()) continue;
    leaders.push_back(of[random->Below(of.size())]);
    for (const uint64_t member : of) made.leader[member] = leaders.back();
  }
  for (const uint64_t a : leaders) {
    for (const uint64_t b : leaders) {
      if (a < b && random->Below(3) == 0)
        made.verified[{a, b}] = .5 + .01 * static_cast<double>(b % 50);
    }
  }
  return made;
}

void Write(const Classes& classes, TestRun* run) {
  std::vector<Copy> copies;
  for (uint64_t i = 0; i < classes.leader.size(); ++i)
    if (classes.leader[i] != i) copies.push_back({classes.leader[i], i, i});
  std::sort(copies.begin(), copies.end());
  std::vector<VerifiedPair> pairs;
  for (const auto& [ends, score] : classes.verified)
    pairs.push_back({ends.first, ends.second, score});
  run->WriteRecords("copies.run", copies);
  run->WriteRecords("verified.run", pairs);
}

Pairs NaivePairs(const Classes& classes) {
  Pairs all;
  for (uint64_t a = 0; a < classes.leader.size(); ++a) {
    for (uint64_t b = a + 1; b < classes.leader.size(); ++b) {
      const auto ends = std::minmax(classes.leader[a], classes.leader[b]);
      if (ends.first == ends.second) {
        all[{a, b}] = 1;
      } else if (const auto at = classes.verified.find(ends);
                 at != classes.verified.end()) {
        all[{a, b}] = at->second;
      }
    }
  }
  return all;
}

struct Listed {
  Pairs pairs;
  uint64_t implied = 0;
};

// Fails for pairs that come twice, or not in order.
Listed List(TestRun* run) {
  Listed listed;
  std::pair<uint64_t, uint64_t> last = {0, 0};
  const auto implied =
      ForEachResultPair(run->get(), [&](const VerifiedPair& pair) -> Status {
        EXPECT_LT(pair.a, pair.b);
        EXPECT_LT(last, std::pair(pair.a, pair.b));
        last = {pair.a, pair.b};
        listed.pairs[last] = pair.score;
        return {};
      });
  EXPECT_TRUE(implied);
  listed.implied = implied.value_or(0);
  return listed;
}

TEST(ClassPairs, AreAllPairsOfDocumentsOfAlikeClasses) {
  for (const ListedPairs how : {ListedPairs::kAuto, ListedPairs::kAll}) {
    TestRun run(0, [&](auto* options) { options->pairs = how; });
    for (uint64_t seed = 1; seed <= 30; ++seed) {
      SCOPED_TRACE(seed);
      SplitMix64 random(seed);
      const uint64_t documents = random.Below(40);
      const Classes classes =
          RandomClasses(&random, documents, 1 + random.Below(20));
      run.BeginAgain(documents);
      Write(classes, &run);
      const Listed listed = List(&run);
      EXPECT_EQ(listed.pairs, NaivePairs(classes));
      EXPECT_EQ(listed.implied, 0u);
    }
  }
}

TEST(ClassPairs, AreThoseOfTheListStageWhereThereIsOne) {
  TestRun run(3);
  Write({{0, 1, 2}, {{{0, 1}, .9}, {{0, 2}, .8}}}, &run);
  run.WriteRecords("listed.run", std::vector<VerifiedPair>{{0, 2, .8}});
  EXPECT_EQ(List(&run).pairs.size(), 2u);
  run.get()->counts.list.emplace();
  EXPECT_EQ(List(&run).pairs, (Pairs{{{0, 2}, .8}}));
}

// A class of n is listed as n - 1 pairs with its leader, and the rest counted.
TEST(ClassPairs, OneVeryLargeClassIsAStar) {
  constexpr uint64_t kMembers = 1500;
  constexpr uint64_t kLeader = 700;
  Classes classes;
  classes.leader.assign(kMembers, kLeader);
  TestRun run(kMembers);
  Write(classes, &run);
  const Listed listed = List(&run);
  EXPECT_EQ(listed.pairs.size(), kMembers - 1);
  for (const auto& [ends, score] : listed.pairs) {
    EXPECT_TRUE(ends.first == kLeader || ends.second == kLeader);
    EXPECT_EQ(score, 1);
  }
  EXPECT_EQ(listed.pairs.size() + listed.implied,
            kMembers * (kMembers - 1) / 2);
}

// Both leaders are paired with the whole of the other class.
TEST(ClassPairs, TwoLargeClassesAreTwoStarsAcross) {
  constexpr uint64_t kEach = 1001;  // their product is above a million
  Classes classes;
  classes.leader.assign(kEach, 1);
  classes.leader.resize(2 * kEach, kEach + 5);
  classes.verified[{1, kEach + 5}] = .75;
  TestRun run(2 * kEach);
  Write(classes, &run);
  // The pairs within each class are below the bound.
  uint64_t within = 0, across = 0, implied = 0;
  const auto result =
      ForEachResultPair(run.get(), [&](const VerifiedPair& pair) -> Status {
        const bool is_across = pair.a < kEach && pair.b >= kEach;
        across += is_across;
        within += !is_across;
        EXPECT_EQ(pair.score, is_across ? .75 : 1);
        EXPECT_TRUE(!is_across || pair.a == 1 || pair.b == kEach + 5);
        return {};
      });
  ASSERT_TRUE(result);
  implied = *result;
  EXPECT_EQ(within, 2 * (kEach * (kEach - 1) / 2));
  EXPECT_EQ(across, 2 * kEach - 1);
  EXPECT_EQ(across + implied, kEach * kEach);
}

TEST(ClassPairs, OfAStarAreMembersThatReachTheThreshold) {
  TestRun run(6, [](auto* options) {
    options->pairs = ListedPairs::kStar;
    options->method.threshold = .8;
  });
  Write({{0, 1, 2, 3, 4, 5}, {{{0, 1}, .9}}}, &run);
  run.WriteRecords("clusters.run", std::vector<ClusterRow>{{0, 4, 4, .8, .5},
                                                           {2, 4, 4, .79, .5},
                                                           {4, 4, 4, 1, .5},
                                                           {5, 4, 4, 1, .5}});
  EXPECT_EQ(List(&run).pairs, (Pairs{{{0, 4}, .8}, {{4, 5}, 1}}));
}

TEST(ClassPairs, OfMethodsThatCompareBytesAreEqual) {
  TestRun near(0, [](auto* options) { options->method.threshold = .6; });
  EXPECT_EQ(PairThreshold(near.get()->plan), .6);
  TestRun exact(0, [](auto* options) {
    options->method.name = "exact";
    options->method.level = CopyLevel::kBytes;
    options->method.threshold = .6;
  });
  EXPECT_EQ(PairThreshold(exact.get()->plan), 1);
}

TEST(ClassPairs, AnErrorOfTheReceiverIsHandedOn) {
  SplitMix64 random(3);
  TestRun run(30);
  Write(RandomClasses(&random, 30, 4), &run);
  int calls = 0;
  const auto result =
      ForEachResultPair(run.get(), [&](const VerifiedPair&) -> Status {
        if (++calls < 3) return {};
        return Fail(ErrorCode::kIo, "the disk is full");
      });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "the disk is full");
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace twinset
