#include "base/lists/number_set.h"

#include <gtest/gtest.h>

#include <set>

namespace twinset {
namespace {

TEST(NumberSet, HasWhatWasAdded) {
  SplitMix64 random(1);
  for (const size_t size : {0, 1, 2, 3, 31, 32, 33, 1000, 20000}) {
    MemoryBudget budget(64 << 20);
    NumberSet numbers(8 << 20, &budget);
    std::set<uint64_t> expected;
    for (size_t i = 0; i < size; ++i) {
      // Small ones too: keys need not look like hashes.
      const uint64_t number = i % 3 == 0 ? random.Below(1000) : random.Next();
      expected.insert(number);
      ASSERT_TRUE(numbers.Add(number));
    }
    numbers.Finish();
    for (const uint64_t number : expected) EXPECT_TRUE(numbers.Has(number));
    for (uint64_t i = 0; i < 2000; ++i) {
      const uint64_t number = i < 1000 ? i : random.Next();
      EXPECT_EQ(numbers.Has(number), expected.contains(number)) << number;
    }
  }
}

TEST(NumberSet, SaysWhenThereIsNoRoom) {
  MemoryBudget budget(64 << 20);
  NumberSet numbers(1 << 20, &budget);
  // Repeats take no room.
  for (uint64_t i = 0; i < 1 << 20; ++i) ASSERT_TRUE(numbers.Add(i % 1000));
  uint64_t added = 0;
  while (numbers.Add(1000 + added)) ++added;
  EXPECT_GT(added, 10000u);
  EXPECT_LT(added * 16, uint64_t{1} << 20);
}

}  // namespace
}  // namespace twinset
