#include "candidate/compressed_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "base/hash.h"
#include "base/test_dir.h"
#include "candidate/pair_filter.h"
#include "candidate/sketch_lookup.h"

namespace twinset {
namespace {

constexpr uint64_t kAll = std::numeric_limits<uint64_t>::max();

std::vector<uint64_t> Sorted(size_t count, uint64_t mask, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<uint64_t> values(count);
  for (uint64_t& value : values) value = random.Next() & mask;
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<uint64_t> Scanned(const CompressedTable& table) {
  std::vector<uint64_t> values;
  const Status status =
      table.Scan([&](uint64_t value) { values.push_back(value); });
  EXPECT_TRUE(status) << status.error().ToString();
  return values;
}

std::vector<uint64_t> Range(const CompressedTable& table, uint64_t low,
                            uint64_t high, std::vector<uint64_t>* ranks) {
  std::vector<uint64_t> values;
  EXPECT_TRUE(table.ForEach(low, high, [&](uint64_t value, uint64_t rank) {
    values.push_back(value);
    ranks->push_back(rank);
  }));
  return values;
}

TEST(DifferenceCodeTest, IsAPrefixCodeWithinItsLimit) {
  std::array<uint64_t, DifferenceCode::kSymbols> counts{};
  // Fibonacci frequencies ask for the longest codes there are.
  uint64_t a = 1, b = 1;
  for (uint64_t& count : counts) {
    count = a;
    b = std::exchange(a, std::min(a + b, uint64_t{1} << 50));
  }
  const DifferenceCode code = DifferenceCode::Of(counts);
  EXPECT_TRUE(DifferenceCode::FromLengths(code.lengths()));
  char bytes[600] = {};
  BitWriter writer(bytes, sizeof bytes);
  for (int symbol = 0; symbol < DifferenceCode::kSymbols; ++symbol) {
    const int length = code.lengths()[static_cast<size_t>(symbol)];
    ASSERT_GT(length, 0);
    ASSERT_LE(length, DifferenceCode::kMaxBits);
    writer.Write(code.code(symbol), length);
    writer.Write(0x123456789abcdef0ull, symbol % 65);
  }
  BitReader reader({bytes, sizeof bytes});
  for (int symbol = 0; symbol < DifferenceCode::kSymbols; ++symbol) {
    EXPECT_EQ(code.Read(&reader), symbol);
    const int bits = symbol % 65;
    EXPECT_EQ(
        reader.Read(bits),
        bits == 0 ? 0 : 0x123456789abcdef0ull << (64 - bits) >> (64 - bits));
  }
}

TEST(DifferenceCodeTest, RefusesLengthsOfNoCode) {
  DifferenceCode::Lengths lengths{};
  EXPECT_TRUE(DifferenceCode::FromLengths(lengths));
  lengths[3] = 1;
  EXPECT_TRUE(DifferenceCode::FromLengths(lengths));
  lengths[4] = 2;  // incomplete
  EXPECT_FALSE(DifferenceCode::FromLengths(lengths));
  lengths[5] = 2;
  EXPECT_TRUE(DifferenceCode::FromLengths(lengths));
  lengths[6] = 2;  // too many
  EXPECT_FALSE(DifferenceCode::FromLengths(lengths));
  lengths[6] = 25;
  EXPECT_FALSE(DifferenceCode::FromLengths(lengths));
}

TEST(CompressedTableTest, RoundTripAndSeekEqualScan) {
  std::vector<std::vector<uint64_t>> sets = {
      {},
      {0},
      {kAll},
      {5, 5, 5},
      {0, kAll},
      std::vector<uint64_t>(20000, 77),  // more than one block of equal values
      Sorted(3000, kAll, 1),
      Sorted(3000, 0xff00000000000000ull, 2),  // many repeats
      Sorted(5000, 0xfffff, 3)};
  // Alternating far and near neighbours.
  for (uint64_t i = 0; i < 500; ++i) {
    sets.back().push_back(i << 50);
    sets.back().push_back((i << 50) + 1);
  }
  std::sort(sets.back().begin(), sets.back().end());
  SplitMix64 random(4);
  for (const std::vector<uint64_t>& values : sets) {
    const CompressedTable table = CompressedTable::Build(values);
    EXPECT_EQ(table.count(), values.size());
    EXPECT_EQ(Scanned(table), values);
    for (int i = 0; i < 300; ++i) {
      uint64_t low = random.Next(), high = low;
      if (i % 3 != 0 && !values.empty())
        low = high = values[random.Below(values.size())];
      if (i % 2 == 0) high = low | ((uint64_t{1} << random.Below(64)) - 1);
      if (i == 1) low = 0, high = kAll;
      std::vector<uint64_t> ranks;
      const auto found = Range(table, low, high, &ranks);
      const auto begin = std::lower_bound(values.begin(), values.end(), low);
      const auto end = std::upper_bound(values.begin(), values.end(), high);
      ASSERT_EQ(found, std::vector<uint64_t>(begin, std::max(begin, end)));
      for (size_t r = 0; r < ranks.size(); ++r)
        ASSERT_EQ(ranks[r], static_cast<uint64_t>(begin - values.begin()) + r);
    }
  }
}

// Neighbours of n uniform values differ from bit 64 - log2 n on: that many
// bits, a code of about three and 3 % for blocks and index.
TEST(CompressedTableTest, SizeOfUniformValues) {
  const size_t count = size_t{1} << 20;
  const CompressedTable table = CompressedTable::Build(Sorted(count, kAll, 6));
  const double bits =
      static_cast<double>(table.bytes()) * 8 / static_cast<double>(count);
  EXPECT_GT(bits, 64 - 20);
  EXPECT_LT(bits, 64 - 20 + 5);
}

TEST(CompressedTableTest, AsAFile) {
  TestDir dir;
  const std::string path = dir.path() + "/table";
  const auto values = Sorted(4000, 0xffffffffffull, 7);
  const CompressedTable table = CompressedTable::Build(values);
  ASSERT_TRUE(table.Write(path, 9));
  auto opened = CompressedTable::Open(path, 9);
  ASSERT_TRUE(opened) << opened.error().ToString();
  EXPECT_EQ(opened->bytes(), table.bytes());
  EXPECT_EQ(Scanned(*opened), values);
  std::vector<uint64_t> ranks;
  EXPECT_EQ(Range(*opened, values[70], values[70], &ranks).size(), 1u);
  // And once more, from the opened one.
  ASSERT_TRUE(opened->Write(path + "2", 9));
  EXPECT_EQ(*ReadWholeFile(path), *ReadWholeFile(path + "2"));
  EXPECT_EQ(CompressedTable::Open(path, 8).error().code,
            ErrorCode::kUnsupported);
  const CompressedTable none = CompressedTable::Build({});
  ASSERT_TRUE(none.Write(path, 1));
  EXPECT_EQ(CompressedTable::Open(path, 1)->count(), 0u);
}

// Any one changed byte and any cut is refused on opening or reading; nothing is
// read wrongly.
TEST(CompressedTableTest, DamageIsFound) {
  TestDir dir;
  const std::string path = dir.path() + "/table";
  const auto values = Sorted(300, 0xffffffffffull, 8);
  ASSERT_TRUE(CompressedTable::Build(values).Write(path, 9));
  const std::string bytes = *ReadWholeFile(path);
  const auto refused = [&](const std::string& damaged) {
    {
      auto file = File::Create(path);  // unsynced: there are many
      EXPECT_TRUE(file && file->Write(damaged));
    }
    const auto table = CompressedTable::Open(path, 9);
    return !table || !table->Scan([](uint64_t) {});
  };
  EXPECT_FALSE(refused(bytes));
  for (size_t at = 0; at < bytes.size(); at += TWINSET_SLOW_BUILD ? 7 : 1) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    EXPECT_TRUE(refused(damaged)) << at;
  }
  for (size_t cut = 0; cut < bytes.size(); cut += 61)
    EXPECT_TRUE(refused(bytes.substr(0, cut))) << cut;
  EXPECT_TRUE(refused(bytes + "x"));
  // Blocks that changed places.
  std::string swapped = bytes;
  std::swap_ranges(swapped.begin() + 144, swapped.begin() + 144 + 1024,
                   swapped.begin() + 144 + 1024);
  EXPECT_TRUE(refused(swapped));
}

TEST(CompressedTablesTest, FindEqualsBruteForce) {
  MemoryBudget budget(64 << 20);
  for (const char* text : {"4", "5", "6", "4/4"}) {
    for (const int bits : {64, 32, 41}) {
      const auto design = ParseTableDesign(text, bits, 3);
      ASSERT_TRUE(design);
      const uint64_t mask = kAll >> (64 - bits);
      SplitMix64 random(10);
      std::vector<uint64_t> rows(600);
      for (uint64_t& row : rows) row = random.Next() & mask;
      for (size_t i = 300; i < rows.size(); ++i) {
        rows[i] = rows[i - 300];
        for (size_t flips = i % 6; flips > 0; --flips)
          rows[i] ^= uint64_t{1} << random.Below(static_cast<uint64_t>(bits));
      }
      const auto tables = CompressedTables::Build(*design, rows, &budget);
      ASSERT_TRUE(tables) << tables.error().ToString();
      for (size_t q = 0; q < 400; ++q) {
        uint64_t query = rows[random.Below(rows.size())];
        if (q % 2 == 1)
          query ^= uint64_t{1} << random.Below(static_cast<uint64_t>(bits));
        std::vector<CompressedTables::Near> expected;
        for (size_t row = 0; row < rows.size(); ++row) {
          const int distance = std::popcount(rows[row] ^ query);
          if (distance <= 3) expected.push_back({row, distance});
        }
        ASSERT_EQ(*tables->Find(query), expected);
      }
    }
  }
  EXPECT_EQ(budget.used_bytes(), 0u);
  MemoryBudget small(1000);
  EXPECT_EQ(CompressedTables::Build(*ParseTableDesign("4", 64, 3),
                                    Sorted(1000, kAll, 1), &small)
                .error()
                .code,
            ErrorCode::kMemory);
}

// Rows are documents by number, some of which have no sketch.
TEST(CompressedLookupTest, FindsTheDocumentsThatTheFilterPasses) {
  for (const int bits : {64, 32, 24}) {
    MemoryBudget budget(4 << 20);
    const auto design = ParseTableDesign("", bits, 3);
    ASSERT_TRUE(design);
    const auto filter = MakeHammingFilter(1, bits, 3);
    const auto lookup = MakeCompressedLookup(*design, 1)(&budget);
    SplitMix64 random(3);
    std::vector<std::vector<Sketch>> stored;
    constexpr uint64_t kDocuments = TWINSET_SLOW_BUILD ? 600 : 3000;
    for (uint64_t document = 0; document < kDocuments; ++document) {
      const uint64_t value = random.Next() & (kAll >> (64 - bits));
      Sketch sketch = {static_cast<uint32_t>(value)};
      if (bits > 32) sketch.push_back(static_cast<uint32_t>(value >> 32));
      if (document % 3 == 1) sketch = stored[document - 1][1];
      if (document % 3 == 1) sketch[0] ^= 1u << random.Below(24);
      stored.push_back({{}, sketch});
      if (document % 7 == 0) continue;
      ASSERT_TRUE(lookup->Add(document, stored.back()));
    }
    ASSERT_TRUE(lookup->Build());
    size_t met = 0;
    for (const std::vector<Sketch>& asked : stored) {
      std::vector<uint64_t> found, expected;
      ASSERT_TRUE(lookup->Find(asked, &found));
      const std::vector<SketchView> a(asked.begin(), asked.end());
      for (uint64_t document = 0; document < stored.size(); ++document) {
        const std::vector<SketchView> b(stored[document].begin(),
                                        stored[document].end());
        if (document % 7 != 0 && filter->Passes(a, b))
          expected.push_back(document);
      }
      ASSERT_EQ(found, expected);
      met += found.size() > 1;
    }
    EXPECT_GT(met, kDocuments / 3);
  }
}

TEST(CompressedLookupTest, SaysWhenItsMemoryIsSpent) {
  MemoryBudget budget(100 << 10);
  const auto lookup =
      MakeCompressedLookup(*ParseTableDesign("", 64, 3), 0)(&budget);
  const std::vector<Sketch> sketches = {{1, 2}};
  Status added;
  for (uint64_t document = 0; added && document < 10000; ++document)
    added = lookup->Add(document, sketches);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::kMemory);
  EXPECT_LE(budget.peak_bytes(), budget.limit_bytes());
}

}  // namespace
}  // namespace twinset
