#include "base/sort_records.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "base/hash.h"

namespace twinset {
namespace {

// All of its order is words.
struct Words {
  uint64_t high = 0, low = 0, rest = 0;
  std::array<uint64_t, 2> SortWords() const { return {high, low}; }
};

// Equal words are told apart by what is no word.
struct Tail {
  uint64_t word = 0;
  int32_t tail = 0;
  char filling[44] = {};
  std::array<uint64_t, 1> SortWords() const { return {word}; }
  friend bool operator<(const Tail& x, const Tail& y) {
    return std::tie(x.word, x.tail) < std::tie(y.word, y.tail);
  }
};

struct NoWords {
  int64_t value = 0;
  friend bool operator<(const NoWords& x, const NoWords& y) {
    return x.value < y.value;
  }
};

// Two of them in a scratch.
struct Large {
  uint64_t word = 0;
  char filling[(20 << 10) - 8] = {};
  std::array<uint64_t, 1> SortWords() const { return {word}; }
};

template <typename T>
T MakeRecord(uint64_t high, uint64_t low);
template <>
Words MakeRecord(uint64_t high, uint64_t low) {
  return {high, low, high * 31 + low};
}
template <>
Tail MakeRecord(uint64_t high, uint64_t low) {
  return {high, static_cast<int32_t>(low % 2048) - 1024, {}};
}
template <>
NoWords MakeRecord(uint64_t high, uint64_t low) {
  return {static_cast<int64_t>(high ^ low)};
}
template <>
Large MakeRecord(uint64_t high, uint64_t low) {
  return {high ^ low, {}};
}
template <>
uint64_t MakeRecord(uint64_t high, uint64_t low) {
  return high ^ low;
}
template <>
uint32_t MakeRecord(uint64_t high, uint64_t low) {
  return static_cast<uint32_t>(high ^ low);
}

using KeyMaker = std::function<std::pair<uint64_t, uint64_t>(uint64_t)>;
struct Distribution {
  std::string name;
  KeyMaker key;  // of record i
};

// What sorts meet and what a radix sort may trip over.
std::vector<Distribution> Distributions(uint64_t count, SplitMix64* random) {
  return {
      {"random",
       [=](uint64_t) {
         return std::pair{random->Next(), random->Next()};
       }},
      {"sorted",
       [](uint64_t i) {
         return std::pair{i / 3, i};
       }},
      {"descending",
       [=](uint64_t i) {
         return std::pair{count - i, count - i};
       }},
      {"all but the last sorted",
       [=](uint64_t i) {
         return std::pair{i + 1 == count ? 0 : i + 1, uint64_t{0}};
       }},
      {"all equal",
       [](uint64_t) {
         return std::pair{~0ull, 7ull};
       }},
      {"few values",
       [=](uint64_t) {
         return std::pair{random->Below(3), random->Below(5)};
       }},
      {"one first word",
       [=](uint64_t) {
         return std::pair{uint64_t{9}, random->Next()};
       }},
      {"most in one bucket",
       [=](uint64_t) {
         return std::pair{random->Below(50) == 0 ? random->Next() : 12345,
                          random->Below(1000)};
       }},
      {"exponents",
       [=](uint64_t) {
         return std::pair{uint64_t{1} << random->Below(64), random->Below(9)};
       }},
      {"highest and lowest bit",
       [=](uint64_t) {
         return std::pair{random->Below(2) << 63 | random->Below(2),
                          random->Below(2) << 63};
       }},
      {"document numbers", [=](uint64_t) {
         return std::pair{random->Below(count + 1), random->Below(count + 1)};
       }}};
}

template <typename T>
void CompareWithStdSort(uint64_t count, int threads, SplitMix64* random) {
  for (const Distribution& distribution : Distributions(count, random)) {
    std::vector<T> records;
    for (uint64_t i = 0; i < count; ++i) {
      const auto [high, low] = distribution.key(i);
      records.push_back(MakeRecord<T>(high, low));
    }
    std::vector<T> expected = records;
    // Namespace std alone would not find the operator of all records.
    std::sort(expected.begin(), expected.end(),
              [](const T& x, const T& y) { return x < y; });
    SortRecords(records.data(), records.size(), threads);
    for (uint64_t i = 0; i < count; ++i) {
      ASSERT_TRUE(!(records[i] < expected[i]) && !(expected[i] < records[i]))
          << distribution.name << ", " << count << " records, " << threads
          << " threads, at " << i;
    }
  }
}

// Around the lengths where the sort changes its way: insertion, scratch, in
// place, threads.
TEST(SortRecords, EqualsStdSort) {
  SplitMix64 random(1);
  for (const uint64_t count : {0, 1, 2, 3, 23, 24, 25, 26, 100, 2729, 2730,
                               2731, 2732, 8191, 8192, 8193, 20000}) {
    if (TWINSET_SLOW_BUILD && count > 2730 && count != 8193) continue;
    CompareWithStdSort<Words>(count, 1, &random);
    CompareWithStdSort<Tail>(count, 1, &random);
    CompareWithStdSort<NoWords>(count, 1, &random);
    CompareWithStdSort<uint64_t>(count, 1, &random);
    CompareWithStdSort<uint32_t>(count, 1, &random);
  }
  for (const uint64_t count : {1, 3, 4, 24, 25, 60})
    CompareWithStdSort<Large>(count, 1, &random);
}

TEST(SortRecords, EqualsStdSortOnThreads) {
  SplitMix64 random(2);
  for (const uint64_t count : {100, 32767, 32768, 32769, 70000, 150000}) {
    if (TWINSET_SLOW_BUILD && count > 100 && count != 32769) continue;
    for (const int threads : {2, 3, 8}) {
      if (TWINSET_SLOW_BUILD && threads < 8) continue;
      CompareWithStdSort<Words>(count, threads, &random);
      CompareWithStdSort<NoWords>(count, threads, &random);
      CompareWithStdSort<uint64_t>(count, threads, &random);
    }
  }
}

TEST(SortRecords, KeepsWhatIsNoWord) {
  SplitMix64 random(3);
  std::vector<Words> records;
  for (int i = 0; i < 50000; ++i)
    records.push_back(MakeRecord<Words>(random.Below(1000), random.Next()));
  SortRecords(records.data(), records.size(), 4);
  for (const Words& record : records)
    ASSERT_EQ(record.rest, record.high * 31 + record.low);
}

}  // namespace
}  // namespace twinset
