#include "pipeline/report/report_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace twinset {
namespace {

TEST(ReportCountsTest, SizeClassesCoverAllSizes) {
  uint64_t next = 1;
  for (uint64_t low = 1; low < 1 << 20; low = SizeClassHigh(low) + 1) {
    ASSERT_EQ(low, next);
    const uint64_t high = SizeClassHigh(low);
    ASSERT_GE(high, low);
    ASSERT_EQ(SizeClassLow(high), low);
    ASSERT_EQ(SizeClassLow(low), low);
    if (low < 32) {
      ASSERT_EQ(high, low);
    } else {
      ASSERT_LE((high - low + 1) * 8, low);
    }
    next = high + 1;
  }
  EXPECT_EQ(SizeClassHigh(~uint64_t{0}), ~uint64_t{0});
}

TEST(ReportCountsTest, BinsAreThoseTheirBoundsSay) {
  ReportCounts counts;
  uint64_t naive[100] = {}, equal = 0;
  const auto add = [&](double s) {
    counts.AddPair(s);
    if (s >= 1) {
      ++equal;
      return;
    }
    for (int n = 0; n < 100; ++n)
      naive[n] += n / 100.0 <= s && s < (n + 1) / 100.0;
  };
  for (int n = 0; n <= 100; ++n) add(n / 100.0);
  for (uint64_t u = 1; u < 300; ++u)
    for (uint64_t k = 0; k <= u; ++k)
      add(static_cast<double>(k) / static_cast<double>(u));
  counts.AddCluster(2);
  counts.AddCluster(33);
  counts.AddCluster(2);
  EXPECT_EQ(counts.equal, equal);
  EXPECT_THAT(counts.similarities, ::testing::ElementsAreArray(naive));
  using Row = std::array<uint64_t, 3>;
  EXPECT_THAT(counts.sizes,
              ::testing::ElementsAre(Row{2, 2, 2}, Row{32, 35, 1}));
}

}  // namespace
}  // namespace twinset
