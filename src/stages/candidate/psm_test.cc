#include "candidate/psm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/hash.h"

namespace twinset {
namespace {

TEST(FlipOrderTest, EverySetOnceByCost) {
  SplitMix64 random(1);
  for (const int bits : {1, 5, 9}) {
    for (const int distance : {0, 1, 3, 9}) {
      std::vector<uint32_t> volatility(static_cast<size_t>(bits));
      for (auto& v : volatility) v = static_cast<uint32_t>(random.Below(6));
      FlipOrder order(volatility, distance);
      std::set<uint64_t> seen;
      uint64_t last_cost = 0;
      Wide flips = 1;
      for (size_t n = 0; order.Next(&flips); ++n) {
        EXPECT_EQ(n == 0, flips == 0);
        const auto set = static_cast<uint64_t>(flips);
        EXPECT_TRUE(seen.insert(set).second);
        EXPECT_LE(std::popcount(set), distance);
        uint64_t cost = 0;
        for (size_t i = 0; i < volatility.size(); ++i)
          if (set >> i & 1) cost += uint64_t{volatility[i]} * volatility[i];
        EXPECT_GE(cost, last_cost);
        last_cost = cost;
      }
      EXPECT_EQ(seen.size(), FlipSets(bits, distance));
    }
  }
}

TEST(FlipOrderTest, CountsOfThePaper) {
  EXPECT_EQ(FlipSets(64, 3), 43745u);
  EXPECT_EQ(FlipSets(64, 0), 1u);
  EXPECT_EQ(FlipSets(8, 8), 256u);
  EXPECT_EQ(FlipSets(128, 64), ~uint64_t{0});
  // Large costs do not overflow, and 64 bits of equal cost end too.
  FlipOrder order(std::vector<uint32_t>(64, ~uint32_t{0}), 3);
  Wide flips = 0;
  size_t count = 0;
  while (order.Next(&flips)) ++count;
  EXPECT_EQ(count, 43745u);
}

TEST(ExactTableTest, FindsWhatItHolds) {
  SplitMix64 random(2);
  std::vector<Wide> values;
  for (int i = 0; i < 5000; ++i)
    values.push_back(Wide{i % 2 == 0 ? 0 : random.Next()} << 64 |
                     random.Below(3000));
  const ExactTable table(values);
  for (const Wide value : values) {
    const uint32_t found = table.Find(value);
    ASSERT_NE(found, ExactTable::kNone);
    EXPECT_TRUE(table.values()[found] == value);
  }
  for (uint64_t i = 3000; i < 9000; ++i)
    EXPECT_EQ(table.Find(i), ExactTable::kNone);
  EXPECT_EQ(ExactTable({}).Find(0), ExactTable::kNone);
}

// ---- the join ---------------------------------------------------------------

// Documents as votes: near ones come of a base by noise that is small beside
// most votes, so that bits with small votes flip.
struct Votes {
  std::vector<Sketch> sketches;
  std::vector<Wide> values;
};

Votes MakeVotes(size_t bits, size_t count, uint64_t seed) {
  SplitMix64 random(seed);
  const auto noise = [&](int64_t most) {
    int64_t sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += static_cast<int64_t>(random.Below(2 * most + 1)) - most;
    return sum;
  };
  Votes votes;
  std::vector<int64_t> base(bits);
  for (size_t d = 0; d < count; ++d) {
    if (d % 4 == 0)
      for (int64_t& vote : base) vote = noise(500);
    Sketch sketch((bits + 31) / 32);
    Wide value = 0;
    for (size_t i = 0; i < bits; ++i) {
      const int64_t vote = base[i] + noise(20);
      if (vote > 0) {
        sketch[i / 32] |= 1u << i % 32;
        value |= Wide{1} << i;
      }
      sketch.push_back(static_cast<uint32_t>(std::abs(vote)));
    }
    votes.sketches.push_back(std::move(sketch));
    votes.values.push_back(value);
  }
  return votes;
}

using Pairs = std::set<std::pair<uint64_t, uint64_t>>;

Result<Pairs> Psm(const Votes& votes, size_t bits, int distance,
                  uint64_t probes, int threads = 1, bool two = false,
                  uint64_t memory = 64 << 20) {
  MemoryBudget budget(uint64_t{1} << 30);
  CollectionJoinContext context;
  context.budget = &budget;
  context.memory_bytes = memory;
  context.threads = threads;
  context.two_collections = two;
  TWINSET_ASSIGN(auto join, MakePsmJoinFactory(0, static_cast<int>(bits),
                                               distance, probes)(context));
  for (size_t i = 0; i < votes.sketches.size(); ++i) {
    JoinMember member;
    member.document = i;
    member.stored = i % 2 == 1;
    member.sketches = {&votes.sketches[i], 1};
    TWINSET_TRY(join->Add(member));
  }
  Pairs pairs;
  TWINSET_TRY(join->Join([&](const CandidatePair& pair) -> Status {
    pairs.emplace(pair.a, pair.b);
    return {};
  }));
  return pairs;
}

Pairs Brute(const Votes& votes, int distance, bool two = false) {
  Pairs pairs;
  for (size_t a = 0; a < votes.values.size(); ++a)
    for (size_t b = a + 1; b < votes.values.size(); ++b)
      if (DifferingBits(votes.values[a], votes.values[b]) <= distance &&
          (!two || a % 2 != b % 2))
        pairs.emplace(a, b);
  return pairs;
}

TEST(PsmTest, AllProbesAreComplete) {
  for (const size_t bits : {32, 64, 100, 128}) {
    const Votes votes = MakeVotes(bits, 240, bits);
    for (const int distance : {0, 1, 2}) {
      for (const bool two : {false, true}) {
        const Pairs expected = Brute(votes, distance, two);
        EXPECT_EQ(*Psm(votes, bits, distance, 0, 2, two), expected);
        // As many probes as there are, by the heap.
        EXPECT_EQ(*Psm(votes, bits, distance,
                       FlipSets(static_cast<int>(bits), distance)),
                  Brute(votes, distance));
        EXPECT_TRUE(distance < 2 || expected.size() > 20);
      }
    }
  }
  const Votes votes = MakeVotes(64, 120, 7);
  EXPECT_EQ(*Psm(votes, 64, 3, 0, 2), Brute(votes, 3));
}

TEST(PsmTest, RecallGrowsWithTheBudget) {
  const Votes votes = MakeVotes(64, 160, 3);
  const Pairs all = Brute(votes, 3);
  ASSERT_GT(all.size(), 80u);
  Pairs last;
  for (const uint64_t probes : {1, 2, 5, 20, 100, 1000, 10000, 43744}) {
    if (TWINSET_SLOW_BUILD && probes % 100 == 0) continue;
    const Pairs found = *Psm(votes, 64, 3, probes);
    EXPECT_TRUE(
        std::includes(found.begin(), found.end(), last.begin(), last.end()))
        << probes;
    EXPECT_TRUE(
        std::includes(all.begin(), all.end(), found.begin(), found.end()));
    EXPECT_EQ(*Psm(votes, 64, 3, probes, 3), found);
    last = found;
  }
  // One probe finds copies only; all but one find nearly everything.
  EXPECT_EQ(*Psm(votes, 64, 3, 1), Brute(votes, 0));
  EXPECT_GT(last.size() * 100, all.size() * 99);
}

TEST(PsmTest, VolatileOrderBeatsRandomOrder) {
  const Votes votes = MakeVotes(64, 800, 4);
  Votes shuffled = votes;  // margins that say nothing
  SplitMix64 random(5);
  for (Sketch& sketch : shuffled.sketches)
    for (size_t i = 2; i < sketch.size(); ++i)
      sketch[i] = static_cast<uint32_t>(random.Below(1000));
  for (const uint64_t probes : {10, 100, 1000}) {
    const size_t by_votes = Psm(votes, 64, 3, probes)->size();
    const size_t at_random = Psm(shuffled, 64, 3, probes)->size();
    EXPECT_GT(2 * by_votes, (probes < 1000 ? 4 : 3) * at_random) << probes;
  }
}

TEST(PsmTest, RefusesWhatCannotBe) {
  const Votes votes = MakeVotes(64, 10, 1);
  EXPECT_EQ(Psm(votes, 129, 3, 0).error().code, ErrorCode::kUsage);
  EXPECT_EQ(Psm(votes, 64, 65, 0).error().code, ErrorCode::kUsage);
  EXPECT_EQ(Psm(votes, 64, 3, 9, 1, false, 1000).error().code,
            ErrorCode::kMemory);
  EXPECT_EQ(Psm(votes, 32, 3, 0).error().code, ErrorCode::kInternal);
}

}  // namespace
}  // namespace twinset
