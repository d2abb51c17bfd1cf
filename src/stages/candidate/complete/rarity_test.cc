#include "candidate/complete/rarity.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "base/hash.h"
#include "base/parallel.h"

namespace twinset {
namespace {

struct Occurrence {
  uint64_t document, element;
  bool stored;
};

// Element e stands in e % 7 documents, some in very many.
std::vector<Occurrence> Occurrences(uint64_t elements) {
  std::vector<Occurrence> all;
  for (uint64_t e = 0; e < elements; ++e) {
    const uint64_t times = e < 5 ? 1000 * e : e % 7;
    for (uint64_t d = 0; d < times; ++d)
      all.push_back({d, Mix64(e), (d + e) % 3 == 0});
  }
  return all;
}

TEST(Rarity, IsNeverBelowTheTruth) {
  const auto all = Occurrences(20000);
  std::map<uint64_t, uint64_t> times;
  for (const Occurrence& one : all) ++times[one.element];
  for (const uint64_t memory : {8 << 20, 1 << 20, 300 << 10}) {
    for (const int threads : {1, 4}) {
      Rarity rarity;
      ASSERT_TRUE(rarity.Map({all.size(), 1, memory, false, threads}));
      ParallelFor(all.size(), 100, threads, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i)
          rarity.Count(all[i].document, all[i].element, false);
      });
      uint64_t alone = 0, seen_alone = 0;
      for (const auto& [element, truth] : times) {
        alone += truth == 1;
        seen_alone += rarity[element] == 0;
        if (truth > 1) {
          ASSERT_GE(rarity[element], truth);
        }
      }
      // With room for it nearly all that are alone are seen to be.
      EXPECT_LE(seen_alone, alone);
      if (memory == 8 << 20) {
        EXPECT_GT(seen_alone, alone * 3 / 4);
      }
      EXPECT_GT(rarity[Mix64(4)], rarity[Mix64(9)]);
    }
  }
}

TEST(Rarity, OfTwoCollectionsSharedMeansInBoth) {
  const auto all = Occurrences(5000);
  std::map<uint64_t, int> sides;
  Rarity rarity;
  ASSERT_TRUE(
      rarity.Map({all.size(), 1, Rarity::BytesFor(all.size()), true, 1}));
  for (const Occurrence& one : all) {
    rarity.Count(one.document, one.element, one.stored);
    sides[one.element] |= one.stored ? 2 : 1;
  }
  uint64_t shared = 0, seen = 0;
  for (const auto& [element, of] : sides) {
    shared += of == 3;
    seen += rarity[element] > 0;
    if (of == 3) {
      ASSERT_GT(rarity[element], 0u);
    }
  }
  EXPECT_GE(seen, shared);
  EXPECT_LT(seen - shared, (sides.size() - shared) / 4);
}

TEST(Rarity, TrailingElementsComeBehindThoseThatAreNotFrequent) {
  const auto all = Occurrences(20000);
  std::map<uint64_t, uint64_t> times;
  for (const Occurrence& one : all) ++times[one.element];
  Rarity rarity;
  ASSERT_TRUE(rarity.Map({all.size(), .25, 8 << 20, false, 1}));
  EXPECT_EQ(rarity.limit(), uint64_t{1} << 62);
  uint64_t frequent_trailing = 0;
  for (const Occurrence& one : all) {
    const bool frequent = rarity.Count(one.document, one.element, one.stored);
    frequent_trailing += frequent && one.element >= rarity.limit();
  }
  EXPECT_GT(frequent_trailing, 0u);
  uint64_t alone = 0, seen_alone = 0;
  for (const auto& [element, truth] : times) {
    if (element >= rarity.limit()) {
      ASSERT_GE(rarity[element], Rarity::kFrequent);
      continue;
    }
    alone += truth == 1;
    seen_alone += rarity[element] == 0;
    if (truth > 1) {
      ASSERT_GE(rarity[element], truth);
    }
  }
  EXPECT_LE(seen_alone, alone);
  EXPECT_GT(seen_alone, alone * 3 / 4);
}

// Where counters are far fewer than elements, some documents are counted: what
// all documents have is still the most frequent.
TEST(Rarity, ASampleTellsCommonElements) {
  constexpr uint64_t kDocuments = 200000, kOwn = 40;
  Rarity rarity;
  ASSERT_TRUE(rarity.Map({kDocuments * (kOwn + 1), 1, 1 << 20, false, 1}));
  for (uint64_t d = 0; d < kDocuments; ++d) {
    rarity.Count(d, Mix64(1), false);
    for (uint64_t i = 0; i < kOwn; ++i)
      rarity.Count(d, Mix64(2 + d * kOwn + i), false);
  }
  uint64_t rarer = 0;
  for (uint64_t i = 0; i < 1000; ++i) {
    const uint32_t own = rarity[Mix64(2 + i * 1013)];
    EXPECT_GT(own, 0u);
    rarer += own < rarity[Mix64(1)];
  }
  EXPECT_EQ(rarer, 1000u);
}

}  // namespace
}  // namespace twinset
