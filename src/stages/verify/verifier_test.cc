#include "verify/verifier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"

namespace twinset {
namespace {

std::string Blob(const std::set<uint64_t>& values) {
  std::string blob;
  for (const uint64_t value : values) AppendLE(&blob, value);
  return blob;
}

// 8-byte aligned storage of a blob.
std::vector<uint64_t> Aligned(const std::set<uint64_t>& values) {
  return {values.begin(), values.end()};
}

std::string_view View(const std::vector<uint64_t>& values) {
  return {reinterpret_cast<const char*>(values.data()),
          values.size() * sizeof(uint64_t)};
}

TEST(SetVerifier, AgreesWithStdSetOnRandomPairs) {
  SplitMix64 random(21);
  for (int round = 0; round < 500; ++round) {
    std::set<uint64_t> a, b;
    const uint64_t universe = 1 + random.Below(300);
    for (uint64_t n = random.Below(200); n > 0; --n) {
      a.insert(Mix64(random.Below(universe)));
    }
    for (uint64_t n = random.Below(200); n > 0; --n) {
      b.insert(Mix64(random.Below(universe)));
    }
    std::vector<uint64_t> common;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                          std::back_inserter(common));
    const Overlap expected{a.size(), b.size(), common.size()};
    for (const Measure measure :
         {Measure::kJaccard, Measure::kContainment, Measure::kDice,
          Measure::kCosine, Measure::kS3}) {
      const auto verifier = MakeSetVerifier(measure, 0.5);
      const auto full =
          verifier->CompareFully(View(Aligned(a)), View(Aligned(b)));
      EXPECT_EQ(full.overlap, expected);
      if (!a.empty() && !b.empty()) {
        EXPECT_EQ(full.shared, SharedOf(expected));
      }
      EXPECT_EQ(full.score, Score(measure, expected));
      EXPECT_EQ(full.accepted, !a.empty() && !b.empty() && full.score >= 0.5);
      const auto verdict =
          verifier->Compare(View(Aligned(a)), View(Aligned(b)));
      EXPECT_EQ(verdict.accepted, full.accepted);
      if (verdict.accepted) {
        EXPECT_EQ(verdict.overlap, expected);
        EXPECT_EQ(verdict.shared, full.shared);
        EXPECT_EQ(verdict.score, full.score);
        EXPECT_TRUE(verifier->CanReach(a.size(), b.size()));
      } else {
        EXPECT_LT(verdict.score, 0.5);
      }
    }
  }
}

TEST(SharedFeatures, WhatIsLostStandsAtTheLimitExactly) {
  for (uint32_t size = 1; size <= 200; ++size) {
    for (uint32_t lost = 0; lost <= size; ++lost) {
      const SharedFeatures shared = {size, 500, size - lost};
      EXPECT_EQ(shared.Contained(), static_cast<double>(size - lost) / size);
      for (const uint32_t percent : {0u, 1u, 5u, 7u, 10u, 29u, 30u, 57u, 90u})
        EXPECT_EQ(shared.LosesAtMost(percent / 100.0),
                  100 * lost <= percent * size)
            << lost << " of " << size;
      EXPECT_TRUE(shared.LosesAtMost(1));
      EXPECT_EQ(shared.Swapped().Swapped(), shared);
    }
  }
  const SharedFeatures unknown;
  EXPECT_EQ(unknown.Contained(), 0);
  EXPECT_FALSE(unknown.LosesAtMost(.5));
  EXPECT_TRUE(unknown.LosesAtMost(1));
}

TEST(SetVerifier, MisalignedBlobsAndThresholdZero) {
  const std::string a = "x" + Blob({1, 2, 3}), b = "xyz" + Blob({2, 3, 4});
  const auto verifier = MakeSetVerifier(Measure::kJaccard, 0.5);
  const auto verdict = verifier->Compare(std::string_view(a).substr(1),
                                         std::string_view(b).substr(3));
  EXPECT_EQ(verdict.overlap, (Overlap{3, 3, 2}));
  EXPECT_TRUE(verdict.accepted);  // exactly at the threshold
  const auto zero = MakeSetVerifier(Measure::kJaccard, 0.0);
  EXPECT_FALSE(zero->Compare("", "").accepted);
  EXPECT_FALSE(zero->CanReach(0, 0));
}

TEST(BytesVerifier, EqualBytesOnly) {
  const auto verifier = MakeBytesVerifier();
  const auto same = verifier->Compare("abc", "abc");
  EXPECT_TRUE(same.accepted);
  EXPECT_EQ(same.score, 1.0);
  EXPECT_EQ(same.overlap, (Overlap{3, 3, 3}));
  EXPECT_EQ(same.shared, (SharedFeatures{3, 3, 3}));
  const auto other = verifier->Compare("abc", "abd");
  EXPECT_FALSE(other.accepted);
  EXPECT_EQ(other.score, 0.0);
  EXPECT_FALSE(verifier->CanReach(3, 4));
  EXPECT_TRUE(verifier->CanReach(3, 3));
}

}  // namespace
}  // namespace twinset
