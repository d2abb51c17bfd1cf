// The sums behind SimHash on every target of this CPU against their reference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.h"
#include "kernels/kernels.h"

namespace twinset::kernels {
namespace {

constexpr uint64_t kOnes = ~uint64_t{0};

class SimHashKernelTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(ForceTarget(GetParam()).has_value()); }
  void TearDown() override { ASSERT_TRUE(ForceTarget("").has_value()); }
};

INSTANTIATE_TEST_SUITE_P(Targets, SimHashKernelTest,
                         ::testing::ValuesIn(Targets()),
                         [](const auto& info) { return info.param; });

std::vector<uint64_t> RandomValues(SplitMix64* random, size_t count) {
  std::vector<uint64_t> values(count);
  for (uint64_t& value : values) value = random->Next();
  return values;
}

// Behind the 64 sums stands a word that must stay; the sums begin at 5, as they
// are added to.
std::vector<uint64_t> Counts(const std::vector<uint64_t>& values,
                             bool reference) {
  std::vector<uint64_t> counts(65, 5);
  (reference ? reference::BitCounts : BitCounts)(values, counts.data());
  EXPECT_EQ(counts.back(), 5u);
  return counts;
}

std::vector<uint64_t> Sums(const std::vector<uint64_t>& values,
                           const std::vector<uint32_t>& weights,
                           bool reference) {
  std::vector<uint64_t> sums(65, 5);
  (reference ? reference::BitSums : BitSums)(values, weights, sums.data());
  EXPECT_EQ(sums.back(), 5u);
  return sums;
}

TEST_P(SimHashKernelTest, EveryLengthCounts) {
  SplitMix64 random(1);
  for (size_t count = 0; count <= 300; ++count) {
    const auto values = RandomValues(&random, count);
    ASSERT_EQ(Counts(values, false), Counts(values, true)) << count;
  }
}

TEST_P(SimHashKernelTest, LongInputsCount) {
  SplitMix64 random(2);
  // Around 31 rounds of 16 vectors of 2, 4 and 8 lanes.
  for (size_t count : {991, 992, 993, 1983, 1984, 1985, 3967, 3968, 3969, 8000,
                       40000, 100001}) {
    const auto values = RandomValues(&random, count);
    ASSERT_EQ(Counts(values, false), Counts(values, true)) << count;
    const std::vector<uint64_t> ones(count, kOnes);
    ASSERT_EQ(Counts(ones, false), Counts(ones, true)) << count;
  }
}

TEST_P(SimHashKernelTest, EveryBitIsItsOwn) {
  for (int bit = 0; bit < 64; ++bit) {
    for (size_t count : {1, 15, 16, 17, 255, 256, 5000}) {
      const std::vector<uint64_t> values(count, uint64_t{1} << bit);
      std::vector<uint64_t> counts(64, 0), sums(64, 0);
      BitCounts(values, counts.data());
      BitSums(values, std::vector<uint32_t>(count, 3), sums.data());
      for (int other = 0; other < 64; ++other) {
        ASSERT_EQ(counts[other], other == bit ? count : 0u);
        ASSERT_EQ(sums[other], other == bit ? 3 * count : 0u);
      }
    }
  }
}

TEST_P(SimHashKernelTest, WeightsAddUp) {
  SplitMix64 random(3);
  for (uint64_t bound : {1ull, 2ull, 100ull, 1ull << 22, 1ull << 32}) {
    for (size_t count : {0, 1, 2, 7, 63, 64, 65, 2047, 2048, 2049, 9000}) {
      const auto values = RandomValues(&random, count);
      std::vector<uint32_t> weights(count);
      for (uint32_t& w : weights)
        w = static_cast<uint32_t>(random.Below(bound));
      ASSERT_EQ(Sums(values, weights, false), Sums(values, weights, true))
          << count << " below " << bound;
    }
  }
}

TEST_P(SimHashKernelTest, WeightsBeyond32BitsDoNotWrap) {
  const std::vector<uint64_t> values(5000, kOnes);
  const std::vector<uint32_t> weights(5000, ~uint32_t{0});
  EXPECT_EQ(Sums(values, weights, false), Sums(values, weights, true));
}

}  // namespace
}  // namespace twinset::kernels
