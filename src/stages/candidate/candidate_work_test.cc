#include "candidate/candidate_work.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

// All subsets of at most `distance` bits, one by one.
uint64_t CountSets(int bits, int distance) {
  uint64_t sets = 0;
  for (uint64_t set = 0; set < uint64_t{1} << bits; ++set)
    sets += __builtin_popcountll(set) <= distance;
  return sets;
}

TEST(CandidateWork, PsmLooksUpEverySetOfFlips) {
  for (int bits = 1; bits <= 12; ++bits) {
    for (int distance = 0; distance <= bits; ++distance) {
      const auto sets = static_cast<double>(CountSets(bits, distance));
      const CandidateWork work = PsmWork(bits, distance, 0);
      EXPECT_EQ(work.steps(7, 100, true), 7 * sets);
      EXPECT_EQ(PsmWork(bits, distance, 1).steps(7, 7, false), 7);
      // More probes than there are sets.
      EXPECT_EQ(PsmWork(bits, distance, 1 << 20).steps(7, 7, false), 7 * sets);
    }
  }
  EXPECT_EQ(PsmWork(64, 5, 0).steps(1, 1, false), 8303633);
  EXPECT_NE(PsmWork(64, 5, 0).remedy.find("--probes"), std::string::npos);
}

std::vector<uint64_t> Fingerprints(size_t count, uint64_t mask) {
  SplitMix64 random(11);
  std::vector<uint64_t> values(count);
  for (uint64_t& value : values) value = random.Next() & mask;
  return values;
}

TEST(CandidateWork, KeysOfTablesMeetAsOftenAsAllPairsSay) {
  constexpr size_t kCount = 2000;
  const auto design = ParseTableDesign("", 32, 3);
  ASSERT_TRUE(design);
  const auto values = Fingerprints(kCount, 0xffffffff);
  double met = 0;
  for (const PermutedTable& table : design->tables) {
    const int rest = 32 - table.key_bits;
    for (size_t a = 0; a < kCount; ++a)
      for (size_t b = a + 1; b < kCount; ++b)
        met += (Permute(table, 32, values[a]) >> rest) ==
               (Permute(table, 32, values[b]) >> rest);
  }
  const double expected = TableWork(*design, 0).steps(kCount, kCount, false);
  EXPECT_NEAR(expected / met, 1, .1);
  EXPECT_NEAR(HammingJoinWork(32, 3).steps(kCount, kCount, false) / met, 1, .1);
}

TEST(CandidateWork, BucketsAreNotLargerThanTheirLimit) {
  const auto design = ParseTableDesign("", 8, 3);  // keys of two bits
  ASSERT_TRUE(design);
  const double tables = static_cast<double>(design->tables.size());
  EXPECT_EQ(TableWork(*design, 100).steps(1e6, 1e6, true), 1e6 * 100 * tables);
  EXPECT_EQ(TableWork(*design, 0).steps(1e6, 1e6, true), 1e12 / 4 * tables);
}

TEST(CandidateWork, ShortBlocksAreAllPairs) {
  EXPECT_EQ(HammingJoinWork(8, 7).steps(1000, 1000, false), 1000 * 999 / 2);
  EXPECT_EQ(HammingJoinWork(8, 7).steps(10, 1000, true), 10 * 1000);
}

}  // namespace
}  // namespace twinset
