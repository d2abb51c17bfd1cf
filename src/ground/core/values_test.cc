// The plain values of the stages against their definitions.
#include "core/values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "base/hash.h"
#include "core/fingerprint.h"
#include "core/one_plus_idf.h"

namespace twinset {
namespace {

TEST(Values, PostingsKeepDocumentAndSize) {
  SplitMix64 random(1);
  std::vector<Posting> postings;
  for (int i = 0; i < 1000; ++i) {
    const uint64_t document = random.Next() >> 24,
                   size = random.Next() >> random.Below(64);
    const Posting posting =
        Posting::Make(random.Below(4), random.Below(100), document, size);
    EXPECT_EQ(posting.document(), document);
    EXPECT_EQ(posting.size(), std::min<uint64_t>(size, (1 << 24) - 1));
    postings.push_back(posting);
  }
  // By key, then from the best document to the worst.
  std::sort(postings.begin(), postings.end());
  for (size_t i = 1; i < postings.size(); ++i) {
    const Posting &x = postings[i - 1], &y = postings[i];
    EXPECT_TRUE(x.key < y.key || (x.key == y.key && x.rank <= y.rank));
  }
}

TEST(Values, APairIsTheSameFromBothSides) {
  SplitMix64 random(2);
  for (int i = 0; i < 1000; ++i) {
    const uint64_t x = random.Below(50), y = 50 + random.Below(50);
    const SharedFeatures shared = {static_cast<uint32_t>(10 + random.Below(9)),
                                   static_cast<uint32_t>(10 + random.Below(9)),
                                   random.Below(10)};
    const auto one = VerifiedPair::Of(x, y, 0.5, shared),
               other = VerifiedPair::Of(y, x, 0.5, shared.Swapped());
    EXPECT_EQ(one.a, x);
    EXPECT_EQ(other.a, x);
    EXPECT_EQ(other.b, y);
    EXPECT_EQ(one.shared, other.shared);
    EXPECT_EQ(one.From(x), shared);
    EXPECT_EQ(one.From(y), shared.Swapped());
    EXPECT_EQ(shared.Swapped().Swapped(), shared);
    EXPECT_EQ(CandidatePair::Of(x, y), CandidatePair::Of(y, x));
  }
}

// For whole numbers of percent, the share that is lost is compared exactly.
TEST(Values, WhatIsLostIsComparedExactly) {
  for (uint32_t features = 0; features <= 200; ++features) {
    for (uint32_t common = 0; common <= features; ++common) {
      const SharedFeatures shared = {features, 500, common};
      for (uint32_t percent = 0; percent <= 100; ++percent) {
        // What has nothing loses all of it.
        const bool loses_at_most =
            features == 0 ? percent == 100
                          : 100 * (features - common) <= percent * features;
        ASSERT_EQ(shared.LosesAtMost(percent / 100.0), loses_at_most)
            << common << " of " << features << " at " << percent;
      }
      ASSERT_EQ(shared.Contained(),
                features == 0 ? 0 : static_cast<double>(common) / features);
    }
  }
}

TEST(Fingerprint, PlacesAndBitsAreThoseOfTheWrittenForm) {
  SplitMix64 random(3);
  for (int bits = 1; bits <= kMaxFingerprintBits; ++bits) {
    Sketch sketch(FingerprintWords(bits));
    ASSERT_EQ(sketch.size(), static_cast<size_t>(bits + 31) / 32);
    std::string digits;  // of two, from place 0 on
    std::vector<bool> taken(sketch.size() * 32);
    for (int place = 0; place < bits; ++place) {
      const size_t bit = FingerprintBit(bits, place);
      ASSERT_LT(bit, static_cast<size_t>(bits));
      ASSERT_FALSE(taken[bit]);
      taken[bit] = true;
      ASSERT_EQ(FingerprintBit(bits, static_cast<int>(bit)),
                static_cast<size_t>(place));
      digits += static_cast<char>('0' + random.Below(2));
      sketch[bit / 32] |= static_cast<uint32_t>(digits.back() - '0')
                          << bit % 32;
    }
    // Each 64 places are a number of their own.
    std::string hex;
    for (size_t begin = 0; begin < digits.size(); begin += 64) {
      std::string number = digits.substr(begin, 64);
      number.insert(0, (4 - number.size() % 4) % 4, '0');
      for (size_t at = 0; at < number.size(); at += 4)
        hex += "0123456789abcdef"[std::stoi(number.substr(at, 4), nullptr, 2)];
    }
    ASSERT_EQ(FingerprintToHex(sketch, bits), hex) << bits;
  }
}

TEST(OnePlusIdfTest, WeighsAsTheTableSays) {
  constexpr uint32_t kOne = 1 << 16;
  SplitMix64 random(4);
  for (int round = 0; round < 60; ++round) {
    // Hashes that fall into one bucket, into neighbours, and at both ends.
    std::vector<uint64_t> features;
    for (uint64_t k = random.Below(40); k > 0; --k)
      features.push_back(random.Next() >> (round % 3 == 0 ? 40 : 0));
    if (round % 4 == 0) features.insert(features.end(), {0, ~uint64_t{0}});
    std::sort(features.begin(), features.end());
    features.erase(std::unique(features.begin(), features.end()),
                   features.end());
    const uint64_t documents = random.Below(1000) + 1;
    std::vector<uint32_t> frequencies;
    for (size_t i = 0; i < features.size(); ++i)
      frequencies.push_back(static_cast<uint32_t>(1 + random.Below(documents)));
    const FrequencyTable table(documents, features, frequencies);
    const OnePlusIdf weight(table);
    for (const uint64_t feature : features) {
      EXPECT_EQ(weight(feature), kOne + table.Idf(feature));
      for (const uint64_t other : {feature + 1, feature - 1, random.Next()}) {
        EXPECT_EQ(weight(other), kOne + table.Idf(other));
      }
    }
    // A feature that the table does not hold is as rare as any.
    EXPECT_EQ(weight(0x1234567), kOne + table.Idf(0x1234567));
  }
  EXPECT_EQ(OnePlusIdf(FrequencyTable())(7), kOne);
}

}  // namespace
}  // namespace twinset
