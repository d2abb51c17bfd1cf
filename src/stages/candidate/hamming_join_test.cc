#include "candidate/hamming_join.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <map>
#include <tuple>

#include "base/hash.h"
#include "candidate/pair_filter.h"
#include "kernels/kernels.h"
#include "store/test_util.h"

namespace twinset {
namespace {

struct Print {
  uint64_t low = 0, high = 0;
};
using Prints = std::vector<Print>;
using Found = std::vector<std::tuple<uint64_t, uint64_t, int>>;

constexpr uint64_t kPlenty = uint64_t{1} << 30;

int Distance(const Print& a, const Print& b, int bits) {
  Wide mask = ~Wide{0} >> (128 - bits);
  return DifferingBits(((Wide{a.high} << 64) | a.low) & mask,
                       ((Wide{b.high} << 64) | b.low) & mask);
}

Found Brute(const Prints& x, const Prints* y, int bits, int distance) {
  Found found;
  for (size_t a = 0; a < x.size(); ++a) {
    for (size_t b = y ? 0 : a + 1; b < (y ? y->size() : x.size()); ++b) {
      const int d = Distance(x[a], y ? (*y)[b] : x[b], bits);
      if (d <= distance) found.emplace_back(a, b, d);
    }
  }
  return found;
}

Result<Found> Join(const Prints& x, const Prints* y, int bits, int distance,
                   int threads = 1, uint64_t memory = kPlenty,
                   const std::string& scratch = {},
                   const std::atomic<bool>* stop = nullptr) {
  MemoryBudget budget(memory);
  HammingJoinOptions options;
  options.bits = bits;
  options.distance = distance;
  options.threads = threads;
  options.two_sets = y != nullptr;
  options.budget = &budget;
  options.stop = stop;
  if (!scratch.empty()) {
    options.make_scratch = [&]() -> Result<std::string> {
      TWINSET_TRY(MakeDirectories(scratch));
      return scratch;
    };
  }
  Found found;
  {
    TWINSET_ASSIGN(auto join, HammingJoin::Make(options));
    for (const Print& p : x) TWINSET_TRY(join->Add(p.low, p.high, false));
    if (y)
      for (const Print& p : *y) TWINSET_TRY(join->Add(p.low, p.high, true));
    TWINSET_TRY(join->Join([&](uint64_t a, uint64_t b, int d) -> Status {
      found.emplace_back(a, b, d);
      return {};
    }));
  }
  EXPECT_EQ(budget.used_bytes(), 0u);
  EXPECT_LE(budget.peak_bytes(), memory);
  return found;
}

Found MustJoin(const Prints& x, const Prints* y, int bits, int distance,
               int threads = 1) {
  auto found = Join(x, y, bits, distance, threads);
  EXPECT_TRUE(found) << found.error().ToString();
  return found ? *found : Found();
}

Prints Random(size_t count, uint64_t seed, uint64_t mask = ~uint64_t{0}) {
  SplitMix64 random(seed);
  Prints prints(count);
  for (Print& p : prints) p = {random.Next() & mask, random.Next() & mask};
  return prints;
}

void Flip(Print* print, int bit) {
  (bit < 64 ? print->low : print->high) ^= uint64_t{1} << bit % 64;
}

// Appends copies of some rows with `distance` and `distance` + 1 flipped bits:
// anywhere, all in one block of `bits` / 4, and one in each block.
void Plant(Prints* prints, int bits, int distance, uint64_t seed) {
  SplitMix64 random(seed);
  const size_t count = prints->size();
  const int block = bits / 4;
  for (size_t i = 0; i < 60; ++i) {
    Print copy = (*prints)[random.Below(count)];
    const int flips = distance + static_cast<int>(i % 2);
    uint64_t chosen = 0;
    std::vector<int> places;
    const int start = static_cast<int>(random.Below(4)) * block;
    while (static_cast<int>(places.size()) < flips) {
      int place = static_cast<int>(random.Below(static_cast<uint64_t>(bits)));
      if (i % 3 == 1 && flips <= block) place = start + place % block;
      if (i % 3 == 2)
        place = (static_cast<int>(places.size()) % 4 * block + place % block) %
                bits;
      if (std::find(places.begin(), places.end(), place) == places.end())
        places.push_back(place);
    }
    for (const int place : places) Flip(&copy, place);
    (void)chosen;
    prints->push_back(copy);
  }
}

TEST(HammingJoinTest, EveryFingerprintOfFewBits) {
  // All values of 8 bits, spread over the word in ways that fill some blocks
  // and leave others empty; some of them twice.
  for (const int stride : {1, 8, 7}) {
    Prints prints;
    for (unsigned value = 0; value < 256; ++value) {
      Print print;
      for (int bit = 0; bit < 8; ++bit)
        if (value >> bit & 1) Flip(&print, bit * stride);
      prints.push_back(print);
      if (value % 5 == 0) prints.push_back(print);
    }
    for (const int distance : {0, 1, 2, 3, 4, 8})
      EXPECT_EQ(MustJoin(prints, nullptr, 64, distance),
                Brute(prints, nullptr, 64, distance))
          << stride << " " << distance;
  }
}

TEST(HammingJoinTest, PlantedAmongRandom) {
  for (const int bits : {1, 20, 32, 64, 100, 128}) {
    for (const int distance : {0, 1, 2, 3, 5, 9}) {
      if (distance + 1 > bits / 4 && bits < 32) continue;
      Prints x = Random(900, 3), y = Random(500, 4);
      Plant(&x, bits, distance, 5);
      y.insert(y.end(), x.begin() + 300, x.begin() + 400);
      Plant(&y, bits, distance, 6);
      EXPECT_EQ(MustJoin(x, nullptr, bits, distance),
                Brute(x, nullptr, bits, distance));
      EXPECT_EQ(MustJoin(x, &y, bits, distance), Brute(x, &y, bits, distance));
    }
  }
}

// Sizes beyond the general way: designs by blocks, with one byte of most values
// fixed so that groups are heavy.
TEST(HammingJoinTest, BlockDesignsUnderSkew) {
  const uint64_t masks[] = {~uint64_t{0}, 0x00ffffffffffffffull,
                            0xff00000000000fffull};
  for (const uint64_t mask : masks) {
    Prints x = Random(5000, 11, mask), y = Random(1000, 12, mask);
    Plant(&x, 64, 3, 13);
    y.insert(y.end(), x.end() - 50, x.end());
    Found expected = Brute(x, nullptr, 64, 3);
    EXPECT_EQ(MustJoin(x, nullptr, 64, 3), expected);
    EXPECT_EQ(MustJoin(x, nullptr, 64, 3, 3), expected);
    EXPECT_EQ(MustJoin(x, &y, 64, 3, 2), Brute(x, &y, 64, 3));
    expected.erase(
        std::remove_if(expected.begin(), expected.end(),
                       [](const auto& pair) { return std::get<2>(pair) > 1; }),
        expected.end());
    EXPECT_EQ(MustJoin(x, nullptr, 64, 1), expected);
  }
}

// Each design on the same values: every pair of values once.
TEST(HammingJoinTest, DesignsAgree) {
  MemoryBudget budget(kPlenty);
  SplitMix64 random(5);
  ValueColumn<uint64_t> x(&budget), y(&budget);
  std::vector<uint64_t> values;
  for (size_t i = 0; i < 40000; ++i) {
    uint64_t value = random.Next();
    if (i % 3 == 1) value &= 0xffff00ff00000000ull;  // heavy at each level
    if (i % 3 == 2) value = value >> 40 << 40 | 0x1234567;
    for (size_t copy = 0; copy < 1 + i % 2; ++copy) {
      values.push_back(value);
      if (copy > 0) value ^= random.Next() & random.Next() & 0x1111;
    }
    if (i % 1000 == 7)  // one bit in each block but one, in turn
      for (int spared = 0; spared < 4; ++spared) {
        uint64_t near = value;
        for (int block = 0; block < 4; ++block)
          if (block != spared)
            near ^= uint64_t{1} << (16 * block + random.Below(16));
        values.push_back(near);
      }
  }
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_TRUE(x.Append(values[i]));
    if (i % 7 == 0) {
      ASSERT_TRUE(y.Append(values[i] ^ (i % 4 * 0x101)));
    }
  }
  for (const bool two : {false, true}) {
    for (const int distance : {0, 2, 3}) {
      std::vector<std::pair<uint64_t, uint64_t>> first;
      for (const NearDesign design :
           {NearDesign::kBlocks, NearDesign::kBytes, NearDesign::kAnyBlocks}) {
        NearList<uint64_t> found(&budget);
        ASSERT_TRUE(FindNearValues(x, two ? &y : nullptr, distance, 2, &budget,
                                   &found, design));
        std::vector<std::pair<uint64_t, uint64_t>> pairs;
        found.ForEach([&](const NearValues<uint64_t>& pair) {
          pairs.emplace_back(pair.x, pair.y);
        });
        std::sort(pairs.begin(), pairs.end());
        EXPECT_EQ(std::adjacent_find(pairs.begin(), pairs.end()), pairs.end());
        if (first.empty()) first = pairs;
        EXPECT_EQ(pairs, first) << two << distance << static_cast<int>(design);
      }
      EXPECT_GT(first.size(), 100u);
    }
  }
}

// What Brute cannot do: planted pairs are found, and nothing that is none.
TEST(HammingJoinTest, ManyValuesWithHeavyGroups) {
  for (const int distance : {2, 3, 5}) {
    if (TWINSET_SLOW_BUILD && distance != 3) continue;
    Prints x = Random(150000, 21);
    SplitMix64 random(22);
    // A third of the rows share 24 or 40 bits; another part is one value.
    for (size_t i = 0; i < 50000; ++i)
      x[i].low = (x[i].low & (i % 2 ? 0xffffffffffull : 0xffffffull)) |
                 0xabcdef0000000000ull;
    for (size_t i = 50000; i < 50300; ++i) x[i].low = 42;
    std::map<std::pair<uint64_t, uint64_t>, int> planted;
    for (size_t i = 0; i < 3000; ++i) {
      const size_t from = random.Below(149000), to = 149000 + i % 1000;
      x[to] = x[from];
      const int flips = static_cast<int>(i % 7);
      for (int f = 0; f < flips; ++f)
        Flip(&x[to], static_cast<int>(random.Below(64)));
    }
    const Found found = MustJoin(x, nullptr, 64, distance, 2);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
    for (const auto& [a, b, d] : found) {
      ASSERT_LT(a, b);
      ASSERT_EQ(Distance(x[a], x[b], 64), d);
      ASSERT_LE(d, distance);
    }
    // Some rows behind 149000 against all: by brute force.
    constexpr size_t kEach = TWINSET_SLOW_BUILD ? 15 : 3;
    size_t expected = 0, got = 0;
    for (size_t b = 149000; b < x.size(); b += kEach)
      for (size_t a = 0; a < b; ++a)
        expected += Distance(x[a], x[b], 64) <= distance;
    for (const auto& pair : found) {
      const size_t b = std::get<1>(pair);
      got += b >= 149000 && (b - 149000) % kEach == 0;
    }
    EXPECT_EQ(got, expected);
    EXPECT_GT(expected, 300u / kEach);
    EXPECT_GE(found.size(), 300u * 299 / 2);
    EXPECT_EQ(MustJoin(x, nullptr, 64, distance, 1), found);
  }
}

TEST(HammingJoinTest, CopiesAreExpandedOnce) {
  Prints x(700, Print{7, 9});
  for (size_t i = 0; i < 300; ++i) x.push_back({6, 9});
  const Found found = MustJoin(x, nullptr, 128, 1);
  EXPECT_EQ(found.size(), 1000u * 999 / 2);
  EXPECT_EQ(found, Brute(x, nullptr, 128, 1));
  EXPECT_EQ(MustJoin(x, nullptr, 128, 0).size(),
            700u * 699 / 2 + 300u * 299 / 2);
}

TEST(HammingJoinTest, EmptySetsAndAllDistances) {
  EXPECT_TRUE(MustJoin({}, nullptr, 64, 3).empty());
  const Prints none, some = Random(30, 1);
  EXPECT_TRUE(MustJoin(some, &none, 64, 3).empty());
  EXPECT_TRUE(MustJoin(none, &some, 64, 3).empty());
  EXPECT_EQ(MustJoin(some, nullptr, 64, 64).size(), 30u * 29 / 2);
  EXPECT_EQ(MustJoin(some, &some, 128, 128).size(), 900u);
}

TEST(HammingJoinTest, RefusesWhatCannotBe) {
  EXPECT_EQ(Join({}, nullptr, 0, 0).error().code, ErrorCode::kUsage);
  EXPECT_EQ(Join({}, nullptr, 129, 3).error().code, ErrorCode::kUsage);
  EXPECT_EQ(Join({}, nullptr, 64, 65).error().code, ErrorCode::kUsage);
  EXPECT_EQ(Join({}, nullptr, 64, -1).error().code, ErrorCode::kUsage);
}

TEST(HammingJoinTest, MemoryIsKeptOrRefused) {
  const Prints many = Random(200000, 1), copies(5000);
  for (const uint64_t memory : {100 << 10, 3 << 20, 5 << 20}) {
    const auto found = Join(many, nullptr, 64, 3, 1, memory);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::kMemory);
  }
  EXPECT_TRUE(
      Join(many, nullptr, 64, 3, 1, HammingJoinBytes(many.size(), 64, 1)));
  // 5000 copies of a value are few values, however many pairs of rows.
  EXPECT_EQ(Join(copies, nullptr, 64, 3, 1, 8 << 20)->size(), 5000u * 4999 / 2);
  // Dense values have too many pairs: the error says what would do.
  const Prints dense = Random(20000, 1, 0xffff);
  const auto refused = Join(dense, nullptr, 64, 3, 1, 16 << 20);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kMemory);
  const std::string& remedy = refused.error().remedy;
  ASSERT_EQ(remedy.rfind("--memory ", 0), 0u) << remedy;
  EXPECT_TRUE(
      Join(dense, nullptr, 64, 3, 1, std::stoull(remedy.substr(9)) << 20));
}

TEST(HammingJoinTest, EveryTargetFindsTheSame) {
  Prints x = Random(9000, 31, 0x0f0f0f0f0f0f0f0full);
  Plant(&x, 64, 3, 32);
  Found first;
  for (const std::string& target : kernels::Targets()) {
    ASSERT_TRUE(kernels::ForceTarget(target));
    const Found found = MustJoin(x, nullptr, 64, 3);
    if (first.empty()) first = found;
    EXPECT_EQ(found, first) << target;
  }
  ASSERT_TRUE(kernels::ForceTarget(""));
  EXPECT_FALSE(first.empty());
}

// ---- as a collection join ---------------------------------------------------

class CollectionTest : public ::testing::Test {
 protected:
  Result<std::vector<CandidatePair>> Pairs(const std::vector<Sketch>& sketches,
                                           int bits, int distance,
                                           bool two_collections,
                                           uint64_t memory = 64 << 20) {
    MemoryBudget budget(kPlenty);
    CollectionJoinContext context;
    context.budget = &budget;
    context.memory_bytes = memory;
    context.two_collections = two_collections;
    TWINSET_ASSIGN(auto join,
                   MakeHammingJoinFactory(1, bits, distance)(context));
    for (size_t i = 0; i < sketches.size(); ++i) {
      const Sketch both[] = {{1, 2}, sketches[i]};
      JoinMember member;
      member.document = 10 * i + 3;
      member.stored = i % 2 == 1;
      member.sketches = both;
      TWINSET_TRY(join->Add(member));
    }
    std::vector<CandidatePair> pairs;
    TWINSET_TRY(join->Join([&](const CandidatePair& pair) -> Status {
      pairs.push_back(pair);
      return {};
    }));
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }
};

TEST_F(CollectionTest, FindsThePairsOfTheFilter) {
  SplitMix64 random(1);
  for (const int bits : {32, 64, 96, 128}) {
    std::vector<Sketch> sketches(300, Sketch(6));
    for (size_t i = 0; i < sketches.size(); ++i) {
      for (uint32_t& word : sketches[i])
        word = static_cast<uint32_t>(random.Next());
      if (i > 100) {
        sketches[i] = sketches[i - 99];
        sketches[i][i % 4] ^= 1u << i % 32;  // may lie behind the bits
        sketches[i][5] = 0;                  // votes and the like do not count
      }
    }
    const auto filter = MakeHammingFilter(1, bits, 2);
    for (const bool two : {false, true}) {
      std::vector<CandidatePair> expected;
      for (size_t a = 0; a < sketches.size(); ++a) {
        for (size_t b = a + 1; b < sketches.size(); ++b) {
          if (two && a % 2 == b % 2) continue;
          const SketchView x[] = {{}, sketches[a]}, y[] = {{}, sketches[b]};
          if (filter->Passes(x, y))
            expected.push_back({10 * a + 3, 10 * b + 3});
        }
      }
      const auto pairs = Pairs(sketches, bits, 2, two);
      ASSERT_TRUE(pairs);
      EXPECT_EQ(*pairs, expected) << bits;
      EXPECT_GT(expected.size(), two ? 0u : 200u);
    }
  }
}

// ---- beyond memory ----------------------------------------------------------

class OnDiskTest : public ::testing::Test {
 protected:
  // Near copies at every distance to k + 1, their differences spread or all in
  // one block, and copies; `skewed`: few values of a block.
  static Prints Planted(size_t count, uint64_t seed, bool skewed,
                        size_t every = 7) {
    Prints prints =
        Random(count, seed, skewed ? 0x3f07ffff3fff1fff : ~uint64_t{0});
    SplitMix64 random(seed + 1);
    for (size_t i = 10; i < count; i += every) {
      Print& print = prints[i];
      print = prints[i - 1 - random.Below(10)];
      const int block = static_cast<int>(random.Below(4)) * 16;
      for (uint64_t flips = random.Below(5); flips > 0; --flips)
        Flip(&print, i % 2 == 0 ? static_cast<int>(random.Below(64))
                                : block + static_cast<int>(random.Below(16)));
    }
    return prints;
  }
  // The same pairs as in memory, through files that are there.
  void ExpectSame(const Prints& x, const Prints* y, int distance, int threads,
                  uint64_t memory) {
    const std::string scratch = dir_ / "scratch";
    const auto small = Join(x, y, 64, distance, threads, memory, scratch);
    ASSERT_TRUE(small) << small.error().ToString();
    EXPECT_TRUE(FileExists(scratch + "/first.values.parts"));
    EXPECT_EQ(FileExists(scratch + "/second.values.parts"), y != nullptr);
    const Found all = MustJoin(x, y, 64, distance, threads);
    EXPECT_GT(all.size(), x.size() / 60);
    EXPECT_TRUE(*small == all) << small->size() << " of " << all.size();
    ASSERT_TRUE(RemoveTree(scratch));
  }

  static constexpr uint64_t kLittle = 16 << 20;
  const TestDir dir_;
};

TEST_F(OnDiskTest, FindsThePairsOfTheJoinInMemory) {
  // They do not fit once they are joined, or while they are read.
  ExpectSame(Planted(500'000, 1, false), nullptr, 3, 2, kLittle);
  if (!TWINSET_SLOW_BUILD)
    ExpectSame(Planted(2'200'000, 2, false, 40), nullptr, 3, 2, 24 << 20);
  ExpectSame(Planted(500'000, 3, true), nullptr, 2, 1, kLittle);
  ExpectSame(Planted(500'000, 4, true), nullptr, 0, 3, kLittle);
}

TEST_F(OnDiskTest, FindsThePairsOfTwoSets) {
  const Prints x = Planted(500'000, 5, false);
  Prints y = Planted(400'000, 6, true);
  for (size_t i = 0; i < y.size(); i += 5) {
    y[i] = x[i + i / 4];
    if (i % 2 == 0) Flip(&y[i], static_cast<int>(i % 64));
  }
  ExpectSame(x, &y, 3, 2, kLittle);
}

TEST_F(OnDiskTest, RefusesWhatItCannotJoinThere) {
  const Prints prints = Planted(1'000'000, 7, false);
  for (const auto& [bits, distance] :
       std::vector<std::pair<int, int>>{{128, 3}, {64, 4}}) {
    const auto refused =
        Join(prints, nullptr, bits, distance, 1, 12 << 20, dir_ / "scratch");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kMemory);
  }
  // All in one part.
  const auto refused = Join(Random(3'000'000, 1, 0xff), nullptr, 64, 3, 1,
                            12 << 20, dir_ / "scratch");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kMemory);
  EXPECT_NE(refused.error().ToString().find("--memory"), std::string::npos);
}

TEST_F(OnDiskTest, EndsWhenItIsStopped) {
  const Prints prints = Planted(500'000, 9, false);
  const std::atomic<bool> stop = true;
  for (const uint64_t memory : {kLittle, kPlenty}) {
    const auto ended =
        Join(prints, nullptr, 64, 3, 2, memory, dir_ / "scratch", &stop);
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().code, ErrorCode::kInterrupted);
  }
}

TEST_F(OnDiskTest, TellsOfADiskThatFills) {
  const Prints prints = Planted(400'000, 8, false);
  size_t writes = 0;
  SetFileFault([&](const std::string&, size_t) { return ++writes, 0; });
  ASSERT_TRUE(Join(prints, nullptr, 64, 3, 2, kLittle, dir_ / "whole"));
  const size_t all = writes;
  ASSERT_GT(all, 20u);
  for (size_t at = 0; at < all; at += all / 9) {
    writes = 0;
    SetFileFault([&](const std::string&, size_t) {
      return writes++ == at ? ENOSPC : 0;
    });
    const auto failed =
        Join(prints, nullptr, 64, 3, 2, kLittle, dir_ / std::to_string(at));
    ASSERT_FALSE(failed) << at;
    EXPECT_EQ(failed.error().code, ErrorCode::kIo) << at;
  }
  SetFileFault({});
}

TEST_F(CollectionTest, SaysEarlyThatItDoesNotFit) {
  const auto refused =
      Pairs(std::vector<Sketch>(10, Sketch(2)), 64, 3, false, 1 << 20);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kMemory);
}

}  // namespace
}  // namespace twinset
