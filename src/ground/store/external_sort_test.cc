#include "store/external_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <vector>

#include "base/for_each.h"
#include "base/hash.h"
#include "store/test_util.h"

namespace twinset {
namespace {

// Ordered by all of its fields; 24 bytes do not divide a block.
struct Record {
  uint64_t key;
  uint32_t a;
  uint32_t b;
  uint64_t padding;
  friend bool operator<(const Record& x, const Record& y) {
    return std::tie(x.key, x.a, x.b, x.padding) <
           std::tie(y.key, y.a, y.b, y.padding);
  }
  friend bool operator==(const Record&, const Record&) = default;
};

Record MakeRecord(uint64_t value) {
  return {value >> 3, static_cast<uint32_t>(value & 1),
          static_cast<uint32_t>(value >> 1 & 3), value};
}

// As large as a block takes few of: tiny buffers hold some dozens of them.
struct Large {
  uint64_t key;
  char rest[4088];
  friend bool operator<(const Large& x, const Large& y) {
    return x.key < y.key;
  }
  friend bool operator==(const Large& x, const Large& y) {
    return x.key == y.key;
  }
};

template <typename T>
struct Maker;
template <>
struct Maker<uint32_t> {
  static uint32_t Make(uint64_t value) { return static_cast<uint32_t>(value); }
};
template <>
struct Maker<Record> {
  static Record Make(uint64_t value) { return MakeRecord(value); }
};
template <>
struct Maker<Large> {
  static Large Make(uint64_t value) {
    Large large;
    large.key = value;
    std::fill(std::begin(large.rest), std::end(large.rest),
              static_cast<char>(value));
    return large;
  }
};

template <typename T>
Result<std::vector<T>> SortedBy(ExternalSorter<T>* sorter,
                                const std::vector<T>& records) {
  for (const T& record : records) TWINSET_TRY(sorter->Add(record));
  TWINSET_TRY(sorter->Finish());
  std::vector<T> sorted;
  TWINSET_TRY(
      ForEach<T>(sorter, [&](const T& record) { sorted.push_back(record); }));
  return sorted;
}

struct Case {
  uint64_t count;
  uint64_t memory_bytes;
  uint64_t distinct;  // values
  bool unique;
  int threads;
};

// Sorts `c.count` random records and compares with std::sort; returns the runs
// it created.
template <typename T>
void Compare(const Case& c, uint64_t seed) {
  TestDir dir;
  SplitMix64 random(seed);
  std::vector<T> records;
  for (uint64_t i = 0; i < c.count; ++i) {
    records.push_back(Maker<T>::Make(random.Below(c.distinct)));
  }
  MemoryBudget budget(c.memory_bytes);
  {
    ExternalSortOptions options;
    options.directory = dir.path();
    options.name = "test";
    options.memory_bytes = c.memory_bytes;
    options.parameters_hash = seed;
    options.unique = c.unique;
    options.threads = c.threads;
    ExternalSorter<T> sorter(options, &budget);
    const Result<std::vector<T>> sorted = SortedBy(&sorter, records);
    ASSERT_TRUE(sorted.has_value()) << sorted.error().ToString();
    EXPECT_EQ(sorter.added(), c.count);
    std::sort(records.begin(), records.end());
    if (c.unique) {
      const auto equal = [](const T& a, const T& b) {
        return !(a < b) && !(b < a);
      };
      records.erase(std::unique(records.begin(), records.end(), equal),
                    records.end());
    }
    ASSERT_EQ(sorted->size(), records.size());
    ASSERT_TRUE(*sorted == records);
    T record;
    EXPECT_FALSE(sorter.Next(&record).value());
    EXPECT_EQ(dir.FileCount(), 0u) << "runs are left after the last record";
    EXPECT_EQ(budget.used_bytes(), 0u)
        << "memory is kept after the last record";
  }
  EXPECT_EQ(dir.FileCount(), 0u);
}

TEST(ExternalSort, EqualsStdSort) {
  constexpr uint64_t kKB = 1 << 10;
  uint64_t seed = 0;
  for (bool unique : {false, true}) {
    for (int threads : {1, 4}) {
      for (uint64_t memory : {1 * kKB, 300 * kKB, 1024 * kKB}) {
        for (uint64_t count :
             {0, 1, 2, 3, 100, 8191, 8192, 8193, 50000, 120000}) {
          for (uint64_t distinct :
               {uint64_t{1}, uint64_t{1000}, ~uint64_t{0}}) {
            if (distinct == 1 && count > 10000) continue;
            if (TWINSET_SLOW_BUILD && (count > 50000 || distinct > 1000 ||
                                       (count == 50000 && threads == 1)))
              continue;
            if (threads > 1 && count < 50000) continue;  // sorted by one anyway
            Compare<Record>({count, memory, distinct, unique, threads}, ++seed);
          }
        }
      }
    }
  }
}

// 48 records a buffer and merges of two or three: up to a dozen passes.
TEST(ExternalSort, ManyMergePasses) {
  uint64_t seed = 100;
  for (bool unique : {false, true}) {
    for (uint64_t count :
         {48, 49, 96, 97, 144, 145, 192, 193, 500, 1000, 5000}) {
      Compare<Large>({count, 1, unique ? count / 3 : ~uint64_t{0}, unique, 1},
                     ++seed);
    }
  }
}

TEST(ExternalSort, ExactlyFullBuffersAndRandomSizes) {
  // 256 KB less the block of the writer, in 4-byte records.
  constexpr uint64_t kCapacity = ((256 << 10) - kRunBlockBytes) / 4;
  uint64_t seed = 200;
  for (uint64_t count : {kCapacity - 1, kCapacity, kCapacity + 1, 2 * kCapacity,
                         2 * kCapacity + 1, 7 * kCapacity}) {
    Compare<uint32_t>({count, 1, ~uint64_t{0}, false, 2}, ++seed);
  }
  SplitMix64 random(9);
  for (int round = 0; round < (TWINSET_SLOW_BUILD ? 5 : 20); ++round) {
    Compare<uint32_t>(
        {random.Below(300000), random.Below(2 << 20), 1 + random.Below(1 << 20),
         random.Below(2) == 0, static_cast<int>(1 + random.Below(4))},
        ++seed);
  }
}

ExternalSortOptions Options(const TestDir& dir, uint64_t memory = 1) {
  ExternalSortOptions options;
  options.directory = dir.path();
  options.name = "s";
  options.memory_bytes = memory;
  return options;
}

TEST(ExternalSort, WhatFitsStaysInMemory) {
  TestDir dir;
  MemoryBudget budget(10 << 20);
  ExternalSorter<uint64_t> sorter(Options(dir, 1 << 20), &budget);
  EXPECT_EQ(budget.used_bytes(), 1u << 20);
  const uint64_t capacity = ((1 << 20) - kRunBlockBytes) / 8;
  for (uint64_t i = 0; i < capacity; ++i) ASSERT_TRUE(sorter.Add(Mix64(i)));
  ASSERT_TRUE(sorter.Finish());
  EXPECT_EQ(dir.FileCount(), 0u);
}

// Many more records than fit, of which few are distinct.
TEST(ExternalSort, EqualRecordsAreThinnedOutInMemory) {
  TestDir dir;
  MemoryBudget budget(10 << 20);
  ExternalSortOptions options = Options(dir, 1 << 20);
  options.unique = true;
  ExternalSorter<uint64_t> sorter(options, &budget);
  const uint64_t capacity = ((1 << 20) - kRunBlockBytes) / 8;
  const uint64_t distinct = capacity / 2;
  constexpr uint64_t kTimes = TWINSET_SLOW_BUILD ? 4 : 10;
  for (uint64_t i = 0; i < kTimes * capacity; ++i) {
    ASSERT_TRUE(sorter.Add(Mix64(i % distinct)));
    ASSERT_EQ(dir.FileCount(), 0u);
  }
  ASSERT_TRUE(sorter.Finish());
  uint64_t record, previous = 0, count = 0;
  while (sorter.Next(&record).value()) {
    ASSERT_TRUE(count == 0 || previous < record);
    previous = record;
    ++count;
  }
  EXPECT_EQ(count, distinct);
  EXPECT_EQ(sorter.added(), kTimes * capacity);
}

TEST(ExternalSort, MovedFromSortersDeleteNothing) {
  TestDir dir;
  MemoryBudget budget(1 << 20);
  std::vector<uint64_t> sorted;
  {
    auto first =
        std::make_unique<ExternalSorter<uint64_t>>(Options(dir), &budget);
    for (uint64_t i = 0; i < 100000; ++i) ASSERT_TRUE(first->Add(Mix64(i)));
    EXPECT_GT(dir.FileCount(), 0u);
    ExternalSorter<uint64_t> second(std::move(*first));
    first.reset();
    EXPECT_GT(dir.FileCount(), 0u);
    ASSERT_TRUE(second.Finish());
    uint64_t record;
    ASSERT_TRUE(second.Next(&record).value());
    sorted.push_back(record);
    ExternalSorter<uint64_t> third(std::move(second));
    while (third.Next(&record).value()) sorted.push_back(record);
  }
  EXPECT_EQ(sorted.size(), 100000u);
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
  EXPECT_EQ(dir.FileCount(), 0u);
  EXPECT_EQ(budget.used_bytes(), 0u);
}

TEST(ExternalSort, DestructionMidwayRemovesTheRuns) {
  TestDir dir;
  MemoryBudget budget(1 << 20);
  for (int read : {0, 1, 5000}) {
    ExternalSorter<uint64_t> sorter(Options(dir), &budget);
    for (uint64_t i = 0; i < 100000; ++i) ASSERT_TRUE(sorter.Add(Mix64(i)));
    if (read > 0) {
      ASSERT_TRUE(sorter.Finish());
    }
    uint64_t record;
    for (int i = 0; i < read; ++i) ASSERT_TRUE(sorter.Next(&record).value());
    EXPECT_GT(dir.FileCount(), 0u);
  }
  EXPECT_EQ(dir.FileCount(), 0u);
  EXPECT_EQ(budget.used_bytes(), 0u);
}

TEST(ExternalSort, MisuseIsAnError) {
  TestDir dir;
  MemoryBudget budget(1 << 20);
  ExternalSorter<uint64_t> sorter(Options(dir), &budget);
  uint64_t record = 0;
  EXPECT_FALSE(sorter.Next(&record).has_value());
  ASSERT_TRUE(sorter.Add(1));
  ASSERT_TRUE(sorter.Finish());
  EXPECT_FALSE(sorter.Finish().has_value());
  EXPECT_FALSE(sorter.Add(2).has_value());
  EXPECT_TRUE(sorter.Next(&record).value());
  EXPECT_FALSE(sorter.Next(&record).value());
  EXPECT_FALSE(sorter.Add(2).has_value());
}

// Whenever the disk is full, the sorter says so, keeps every record and goes on
// once there is room again.
TEST(ExternalSort, SurvivesAFullDisk) {
  constexpr uint64_t kCount = 150000;
  for (uint64_t room :
       {uint64_t{0}, uint64_t{100}, uint64_t{200000}, uint64_t{700000},
        uint64_t{1300000}, uint64_t{1900000}, uint64_t{2500000}}) {
    TestDir dir;
    MemoryBudget budget(1 << 20);
    ExternalSorter<uint64_t> sorter(Options(dir), &budget);
    int failures = 0;
    {
      WriteLimit limit(room);
      for (uint64_t i = 0; i < kCount; ++i) {
        Status added = sorter.Add(Mix64(i));
        if (added) continue;
        ++failures;
        EXPECT_EQ(added.error().code, ErrorCode::kIo);
        SetFileFault({});
        ASSERT_TRUE(sorter.Add(Mix64(i)).has_value());
      }
      Status finished = sorter.Finish();
      if (!finished) {
        ++failures;
        SetFileFault({});
        ASSERT_TRUE(sorter.Finish().has_value());
      }
    }
    EXPECT_EQ(failures, room < 1900000 ? 1 : failures) << room;
    uint64_t previous = 0, record = 0, count = 0;
    while (sorter.Next(&record).value()) {
      ASSERT_LE(previous, record);
      previous = record;
      ++count;
    }
    EXPECT_EQ(count, kCount);
    EXPECT_EQ(dir.FileCount(), 0u);
  }
}

TEST(ExternalSort, ADamagedRunIsAnErrorNeverAWrongOrder) {
  TestDir dir;
  MemoryBudget budget(1 << 20);
  ExternalSorter<uint64_t> sorter(Options(dir), &budget);
  for (uint64_t i = 0; i < 60000; ++i) ASSERT_TRUE(sorter.Add(Mix64(i)));
  std::string bytes = ReadAll(dir / "s-1.run");
  bytes[100000] = static_cast<char>(bytes[100000] ^ 4);
  WriteAll(dir / "s-1.run", bytes);
  Status status = sorter.Finish();
  uint64_t record;
  while (status) {
    const Result<bool> more = sorter.Next(&record);
    if (!more) {
      status = tl::unexpected(more.error());
    } else {
      ASSERT_TRUE(*more) << "the damage went unnoticed";
    }
  }
  ExpectDamageError(status.error(), dir / "s-1.run", "one bit");
}

TEST(ExternalSort, TellsHowManyRecordsItMerged) {
  TestDir dir;
  MemoryBudget budget(1 << 20);
  ExternalSortOptions options = Options(dir);
  std::vector<uint64_t> merged;
  uint64_t records = 0;
  options.told = [&](uint64_t done, uint64_t all) {
    merged.push_back(done);
    records = all;
  };
  ExternalSorter<uint64_t> sorter(options, &budget);
  constexpr uint64_t kRecords = 200'000;
  for (uint64_t i = 0; i < kRecords; ++i) ASSERT_TRUE(sorter.Add(Mix64(i)));
  ASSERT_TRUE(sorter.Finish());
  EXPECT_EQ(records, kRecords);
  ASSERT_GE(merged.size(), 2u);  // at the beginning, and in a pass
  EXPECT_EQ(merged[0], 0u);
  EXPECT_TRUE(std::is_sorted(merged.begin(), merged.end()));
}

}  // namespace
}  // namespace twinset
