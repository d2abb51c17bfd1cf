#include "candidate/complete/leading_counts.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "base/hash.h"
#include "base/test_dir.h"
#include "candidate/complete/prefix_join_testing.h"

namespace twinset {
namespace {

constexpr int kLowBits = 16;

struct Document {
  Values elements;  // ascending
  uint64_t scope = 0;
  bool stored = false;
};

// Elements of `kinds`, the low ones far more often; some repeated, as in bags.
std::vector<Document> Draw(uint64_t seed, size_t documents, uint64_t kinds,
                           double leading) {
  SplitMix64 random(seed);
  std::vector<Document> all(documents);
  for (Document& document : all) {
    for (uint64_t i = random.Below(150); i > 0; --i) {
      const uint64_t element = Mix64(1 + random.Below(1 + random.Below(kinds)));
      if (static_cast<double>(element) >= leading * 0x1p64) continue;
      document.elements.insert(document.elements.end(), 1 + i % 7 / 6, element);
    }
    std::sort(document.elements.begin(), document.elements.end());
    document.scope = random.Below(3) * 0x123456789ab;
    document.stored = random.Below(4) == 0;
  }
  return all;
}

std::set<uint64_t> FoldsOf(const Document& document) {
  std::set<uint64_t> folds;
  for (const uint64_t element : document.elements)
    folds.insert(element >> kLowBits);
  return folds;
}

// What is read of each document.
std::vector<std::vector<uint8_t>> Counted(
    const std::vector<Document>& documents, LeadingCounts::Options options) {
  const TestDir folder;
  options.directory = folder.path();
  std::vector<std::vector<uint8_t>> all;
  {
    LeadingCounts counts;
    EXPECT_TRUE(counts.Create(options));
    for (const Document& document : documents) {
      EXPECT_TRUE(
          counts.Append(document.elements, document.scope, document.stored));
    }
    EXPECT_TRUE(counts.Count(nullptr));
    for (const Document& document : documents) {
      all.emplace_back(7, uint8_t{9});
      EXPECT_TRUE(counts.Read(document.elements, document.scope, &all.back()));
    }
  }
  EXPECT_EQ(folder.FileCount(), 0u);
  return all;
}

TEST(LeadingCounts, AreNeverBelowTheTruth) {
  for (const double leading : {1., 5 / 16.}) {
    const auto documents =
        Draw(1, TWINSET_SLOW_BUILD ? 1000 : 2000, 300'000, leading);
    std::map<uint64_t, uint32_t> truth;  // by scoped fold
    uint64_t elements = 0;
    for (const Document& document : documents) {
      elements += document.elements.size();
      for (const uint64_t fold : FoldsOf(document))
        ++truth[fold ^ document.scope];
    }
    // With 2^40 claimed there are as many files as memory has blocks for.
    for (const uint64_t claimed : {elements, uint64_t{1} << 40}) {
      for (const int threads : {1, 4}) {
        LeadingCounts::Options options;
        options.elements = claimed;
        options.leading = leading;
        options.memory_bytes = 20 << 20;
        options.threads = threads;
        const auto counted = Counted(documents, options);
        std::map<uint64_t, uint8_t> seen;
        uint64_t exact = 0;
        for (size_t d = 0; d < documents.size(); ++d) {
          const auto folds = FoldsOf(documents[d]);
          ASSERT_EQ(counted[d].size(), folds.size());
          size_t i = 0;
          for (const uint64_t fold : folds) {
            const uint64_t scoped = fold ^ documents[d].scope;
            const uint8_t count = counted[d][i++];
            // The same wherever it stands.
            ASSERT_EQ(seen.emplace(scoped, count).first->second, count);
            const uint32_t real = truth[scoped];
            ASSERT_GE(count,
                      real == 1 ? 0 : ShortCount<LeadingCounts::kBits>(real));
            exact += (real == 1 ? 0 : real) == count;
          }
        }
        EXPECT_GT(exact, elements / 2);
      }
    }
  }
}

TEST(LeadingCounts, OfTwoCollectionsSharedMeansInBoth) {
  const auto documents = Draw(2, 3000, 20'000, 1);
  std::map<uint64_t, int> sides;
  for (const Document& document : documents) {
    for (const uint64_t fold : FoldsOf(document))
      sides[fold ^ document.scope] |= document.stored ? 2 : 1;
  }
  LeadingCounts::Options options;
  options.elements = 100'000;
  options.memory_bytes = 8 << 20;
  options.two_collections = true;
  const auto counted = Counted(documents, options);
  uint64_t one_side = 0, told = 0;
  for (size_t d = 0; d < documents.size(); ++d) {
    size_t i = 0;
    for (const uint64_t fold : FoldsOf(documents[d])) {
      const uint8_t count = counted[d][i++];
      if (sides[fold ^ documents[d].scope] == 3) {
        ASSERT_GT(count, 0);
      } else {
        ++one_side;
        told += count == 0;
      }
    }
  }
  EXPECT_GT(one_side, 10'000u);
  EXPECT_GT(told, one_side / 2);
}

// Hashes that are no hashes: one file has all, and more than can be counted.
TEST(LeadingCounts, WhatIsSharedIsSeenWhenEverythingCollides) {
  std::vector<Document> documents(300);
  for (uint64_t d = 0; d < documents.size(); ++d) {
    for (uint64_t i = 0; i < 40'000; ++i)
      documents[d].elements.push_back((d / 2 * 40'000 + i) << kLowBits);
  }
  LeadingCounts::Options options;
  options.elements = 1000;
  options.memory_bytes = 3 << 20;
  for (const auto& counts : Counted(documents, options)) {
    ASSERT_EQ(counts.size(), 40'000u);
    for (const uint8_t count : counts) ASSERT_GT(count, 0);
  }
}

TEST(LeadingCounts, StopEndsTheCount) {
  const TestDir folder;
  LeadingCounts::Options options;
  options.directory = folder.path();
  options.elements = 10;
  options.memory_bytes = 3 << 20;
  LeadingCounts counts;
  ASSERT_TRUE(counts.Create(options));
  ASSERT_TRUE(counts.Append(Values{Mix64(1)}, 0, false));
  const std::atomic<bool> stop{true};
  const Status status = counts.Count(&stop);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace twinset
