#include "store/counts/frequency_counter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

ExternalSortOptions Options(const TestDir& dir, uint64_t memory) {
  ExternalSortOptions options;
  options.directory = dir.path();
  options.name = "frequencies";
  options.memory_bytes = memory;
  return options;
}

TEST(FrequencyCounter, CountsDocumentsNotOccurrences) {
  TestDir dir;
  MemoryBudget budget(1 << 20);
  FrequencyCounter counter(Options(dir, 1 << 18), &budget);
  ASSERT_TRUE(counter.Add(std::vector<uint64_t>{0, 1, 1, 1, 9}));
  ASSERT_TRUE(counter.Add(std::vector<uint64_t>{0, 9}));
  ASSERT_TRUE(counter.Add(std::vector<uint64_t>{}));
  ASSERT_TRUE(counter.Add(std::vector<uint64_t>{0, ~uint64_t{0}}));
  const Result<FrequencyTable> table = counter.Finish();
  ASSERT_TRUE(table.has_value());
  EXPECT_EQ(table->documents(), 4u);
  EXPECT_EQ(table->features(), (std::vector<uint64_t>{0, 9}));
  EXPECT_EQ(table->frequencies(), (std::vector<uint32_t>{3, 2}));
}

TEST(FrequencyCounter, NothingToCount) {
  TestDir dir;
  MemoryBudget budget(1 << 20);
  FrequencyCounter counter(Options(dir, 1 << 18), &budget);
  const Result<FrequencyTable> table = counter.Finish();
  ASSERT_TRUE(table.has_value());
  EXPECT_EQ(table->documents(), 0u);
  EXPECT_TRUE(table->features().empty());
}

// Random documents against a map; small memory sorts through runs on disk.
TEST(FrequencyCounter, EqualsAMapAtAnyMemory) {
  for (const uint64_t memory : {1 << 18, 1 << 22}) {
    TestDir dir;
    MemoryBudget budget(1 << 23);
    FrequencyCounter counter(Options(dir, memory), &budget);
    std::map<uint64_t, uint32_t> expected;
    SplitMix64 random(3);
    for (int document = 0; document < 2000; ++document) {
      std::set<uint64_t> features;
      for (int i = 0; i < 100; ++i)
        features.insert(Mix64(random.Below(1 + random.Below(60000))));
      for (const uint64_t feature : features) ++expected[feature];
      ASSERT_TRUE(
          counter.Add(std::vector<uint64_t>(features.begin(), features.end())));
    }
    std::erase_if(expected, [](const auto& entry) { return entry.second < 2; });
    const Result<FrequencyTable> table = counter.Finish();
    ASSERT_TRUE(table.has_value());
    ASSERT_EQ(table->features().size(), expected.size());
    size_t i = 0;
    for (const auto& [feature, frequency] : expected) {
      ASSERT_EQ(table->features()[i], feature);
      ASSERT_EQ(table->frequencies()[i], frequency);
      ++i;
    }
  }
}

// More features than a table holds: the most frequent stay, all of one
// frequency or none, so that hashes decide nothing.
TEST(FrequencyCounter, KeepsTheMostFrequent) {
  TestDir dir;
  MemoryBudget budget(uint64_t{1} << 28);
  FrequencyCounter counter(Options(dir, 1 << 27), &budget);
  constexpr uint64_t kOver = FrequencyTable::kMaxFeatures + 1000;
  std::vector<uint64_t> all(kOver), frequent;
  for (uint64_t i = 0; i < kOver; ++i) all[i] = i;
  for (uint64_t i = kOver - 400; i < kOver; ++i) frequent.push_back(i);
  for (const std::vector<uint64_t>& document : {all, all, frequent})
    ASSERT_TRUE(counter.Add(document));
  const Result<FrequencyTable> table = counter.Finish();
  ASSERT_TRUE(table.has_value());
  ASSERT_EQ(table->features().size(), 400u);
  EXPECT_EQ(table->Frequency(kOver - 1), 3u);
  EXPECT_EQ(table->Frequency(kOver - 400), 3u);
  EXPECT_EQ(table->Frequency(kOver - 401), 1u);
  EXPECT_EQ(table->Frequency(0), 1u);
}

}  // namespace
}  // namespace twinset
