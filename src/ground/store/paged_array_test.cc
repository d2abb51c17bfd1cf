#include "store/paged_array.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/hash.h"
#include "store/test_util.h"

namespace twinset {
namespace {

struct Odd {  // 12 bytes: does not divide a page
  uint32_t a = 0, b = 0, c = 0;
  friend bool operator==(const Odd&, const Odd&) = default;
};

template <typename T>
T FromNumber(uint64_t value) {
  return static_cast<T>(value);
}
template <>
Odd FromNumber<Odd>(uint64_t value) {
  return {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32), 1};
}

// Random reads and writes, with runs of neighbours among them, against a
// vector.
template <typename T>
void Compare(uint64_t count, uint64_t memory_bytes, bool in_memory,
             uint64_t seed) {
  TestDir dir;
  MemoryBudget budget(64 << 20);
  auto created =
      PagedArray<T>::Create(dir / "array", count, memory_bytes, &budget);
  ASSERT_TRUE(created.has_value()) << created.error().ToString();
  PagedArray<T> array = std::move(*created);
  EXPECT_EQ(array.in_memory(), in_memory);
  EXPECT_EQ(array.count(), count);
  EXPECT_EQ(FileExists(dir / "array"), !in_memory);
  std::vector<T> model(count);
  SplitMix64 random(seed);
  for (int round = 0; round < 3000; ++round) {
    const uint64_t begin = random.Below(count);
    const uint64_t length = std::min(count - begin, random.Below(50));
    const bool write = random.Below(2) == 0;
    for (uint64_t i = begin; i < begin + length; ++i) {
      if (write) {
        model[i] = FromNumber<T>(random.Next());
        ASSERT_TRUE(array.Set(i, model[i]));
      } else {
        const Result<T> value = array.Get(i);
        ASSERT_TRUE(value.has_value());
        ASSERT_TRUE(*value == model[i]) << i;
      }
    }
  }
  for (uint64_t i = 0; i < count; ++i)
    ASSERT_TRUE(array.Get(i).value() == model[i]) << i;
  EXPECT_FALSE(array.Get(count).has_value());
  EXPECT_FALSE(array.Set(~uint64_t{0}, T{}).has_value());
}

TEST(PagedArray, EqualsAVector) {
  uint64_t seed = 0;
  for (uint64_t count : {1, 5461, 5462, 40000, 300000}) {
    Compare<uint8_t>(count, 10 << 20, true, ++seed);
    Compare<uint64_t>(count, 10 << 20, true, ++seed);
    Compare<Odd>(count, 10 << 20, true, ++seed);
    const bool small = count <= 5462;
    Compare<uint64_t>(count, 0, small, ++seed);
    Compare<Odd>(count, 0, small, ++seed);
    Compare<Odd>(count, 1 << 20, count < 80000, ++seed);
  }
}

TEST(PagedArray, AnEmptyArrayHasNoElements) {
  MemoryBudget budget(0);
  auto array = PagedArray<int>::Create("unused", 0, 0, &budget);
  ASSERT_TRUE(array.has_value());
  EXPECT_FALSE(array->Get(0).has_value());
}

TEST(PagedArray, TakesWhatTheBudgetHasAndGivesItBack) {
  TestDir dir;
  MemoryBudget budget(1 << 20);
  {
    // Fits memory_bytes, but not the budget.
    auto paged =
        PagedArray<uint64_t>::Create(dir / "a", 1 << 20, 64 << 20, &budget);
    ASSERT_TRUE(paged.has_value());
    EXPECT_FALSE(paged->in_memory());
    EXPECT_EQ(budget.used_bytes(), 1u << 20);
    auto minimum =
        PagedArray<uint64_t>::Create(dir / "b", 1 << 20, 64 << 20, &budget);
    ASSERT_TRUE(minimum.has_value());
    EXPECT_FALSE(minimum->in_memory());
    EXPECT_LT(budget.used_bytes(), (1u << 20) + (5u << 16));
    EXPECT_EQ(dir.FileCount(), 2u);
  }
  EXPECT_EQ(budget.used_bytes(), 0u);
  EXPECT_EQ(dir.FileCount(), 0u);
}

TEST(PagedArray, MovesCarryFileAndContent) {
  TestDir dir;
  MemoryBudget budget(64 << 20);
  {
    auto a = RawPagedArray::Create(dir / "a", 1 << 20, 4, 0, &budget);
    ASSERT_TRUE(a.has_value());
    for (uint64_t i = 0; i < 1 << 20; i += 1000) {
      const auto at = a->At(i, true);
      ASSERT_TRUE(at.has_value());
      **at = static_cast<char>(i >> 4);
    }
    RawPagedArray b = std::move(*a);
    auto c = RawPagedArray::Create(dir / "c", 1 << 20, 4, 0, &budget);
    *c = std::move(b);
    EXPECT_TRUE(FileExists(dir / "a"));
    for (uint64_t i = 0; i < 1 << 20; i += 1000) {
      const auto at = c->At(i, false);
      ASSERT_TRUE(at.has_value());
      EXPECT_EQ(**at, static_cast<char>(i >> 4));
    }
  }
  EXPECT_EQ(dir.FileCount(), 0u);
  EXPECT_EQ(budget.used_bytes(), 0u);
}

TEST(PagedArray, UntouchedAndOnlyReadPagesCostNoDisk) {
  TestDir dir;
  MemoryBudget budget(64 << 20);
  auto array =
      PagedArray<uint64_t>::Create(dir / "a", uint64_t{1} << 32, 0, &budget);
  ASSERT_TRUE(array.has_value());
  for (uint64_t i = 1; i < uint64_t{1} << 32; i *= 3)
    EXPECT_EQ(array->Get(i).value(), 0u);
  EXPECT_EQ(std::filesystem::file_size(dir / "a"), 0u);
}

TEST(PagedArray, AFullDiskIsAnErrorAndLosesNothing) {
  TestDir dir;
  MemoryBudget budget(64 << 20);
  constexpr uint64_t kCount = 1 << 20;
  auto array = PagedArray<uint64_t>::Create(dir / "a", kCount, 0, &budget);
  ASSERT_TRUE(array.has_value());
  int failures = 0;
  for (uint64_t i = 0; i < kCount; i += 100) {
    WriteLimit limit(i % 700 == 0 ? 0 : 1 << 20);
    const Status set = array->Set(i, i + 1);
    if (set) continue;
    ++failures;
    EXPECT_EQ(set.error().code, ErrorCode::kIo);
    SetFileFault({});
    ASSERT_TRUE(array->Set(i, i + 1));
  }
  EXPECT_GT(failures, 0);
  for (uint64_t i = 0; i < kCount; i += 100)
    ASSERT_EQ(array->Get(i).value(), i + 1);
}

TEST(PagedArray, ImpossibleSizesAreRefused) {
  TestDir dir;
  MemoryBudget budget(64 << 20);
  EXPECT_FALSE(RawPagedArray::Create(dir / "a", 1, 0, 0, &budget).has_value());
  EXPECT_FALSE(
      RawPagedArray::Create(dir / "a", 1, 65537, 0, &budget).has_value());
  EXPECT_TRUE(
      RawPagedArray::Create(dir / "a", 1, 65536, 0, &budget).has_value());
  EXPECT_FALSE(RawPagedArray::Create(dir / "a", ~uint64_t{0}, 65536, 0, &budget)
                   .has_value());
}

}  // namespace
}  // namespace twinset
