#include "candidate/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>

#include "base/hash.h"
#include "candidate/join.h"
#include "candidate/tables_testing.h"

namespace twinset {
namespace {

using ::testing::Contains;

struct DesignCase {
  const char* text;
  int bits, distance;
};

std::ostream& operator<<(std::ostream& out, const DesignCase& c) {
  return out << "'" << c.text << "' of " << c.bits << " bits, distance "
             << c.distance;
}

const DesignCase kDesigns[] = {{"", 64, 3},
                               {"5", 64, 3},
                               {"6", 64, 3},
                               {"4/4", 64, 3},
                               {"manku-20", 64, 3},
                               {"manku-16", 64, 3},
                               {"manku-10", 64, 3},
                               {"manku-4", 64, 3},
                               {"", 64, 0},
                               {"3", 64, 0},
                               {"", 64, 7},
                               {"10", 64, 7},
                               {"", 32, 2},
                               {"7,1,9,15", 32, 3},
                               {"5", 32, 1},
                               {"", 128, 6},
                               {"9", 128, 5},
                               {"", 384, 12},
                               {"2/3", 128, 1},
                               {"", 8, 2},
                               {"8", 8, 7},
                               {"", 100, 4},
                               {"6,30,40,24", 100, 3},
                               {"3/2/2", 48, 1}};

int Distance(const Sketch& a, const Sketch& b) {
  int distance = 0;
  for (size_t i = 0; i < a.size(); ++i) distance += std::popcount(a[i] ^ b[i]);
  return distance;
}

void Flip(int bits, int place, Sketch* sketch) {
  const size_t bit = FingerprintBit(bits, place);
  (*sketch)[bit / 32] ^= uint32_t{1} << (bit % 32);
}

Sketch RandomFingerprint(int bits, SplitMix64* random) {
  Sketch sketch(FingerprintWords(bits));
  for (uint32_t& word : sketch) word = static_cast<uint32_t>(random->Next());
  if (bits % 32 != 0) sketch.back() &= (uint32_t{1} << (bits % 32)) - 1;
  return sketch;
}

// A copy with `count` bits flipped among places [begin, end).
Sketch Flipped(Sketch sketch, int bits, int count, int begin, int end,
               SplitMix64* random) {
  std::set<int> places;
  count = std::min(count, end - begin);
  while (static_cast<int>(places.size()) < count) {
    places.insert(begin + static_cast<int>(random->Below(
                              static_cast<uint64_t>(end - begin))));
  }
  for (const int place : places) Flip(bits, place, &sketch);
  return sketch;
}

// Random fingerprints, and copies of some at distance k and k + 1: anywhere,
// within one table's rest, within its key, and spread evenly.
std::vector<Sketch> Collection(const TableDesign& design, SplitMix64* random) {
  std::vector<Sketch> all;
  for (int i = 0; i < 60; ++i) {
    all.push_back(RandomFingerprint(design.bits, random));
  }
  const int k = design.distance;
  for (size_t i = 0; i < 40; ++i) {
    const Sketch base = all[i];
    const PermutedTable& table =
        design.tables[random->Below(design.tables.size())];
    for (const int flips : {k, std::min(k + 1, design.bits)}) {
      all.push_back(Flipped(base, design.bits, flips, 0, design.bits, random));
      for (const auto* runs : {&table.key, &table.rest}) {
        if (runs->empty()) continue;
        const BitRun run = (*runs)[random->Below(runs->size())];
        all.push_back(Flipped(base, design.bits, flips, run.begin,
                              run.begin + run.length, random));
      }
      Sketch spread = base;
      for (int f = 0; f < flips; ++f) {
        Flip(design.bits, f * design.bits / flips, &spread);
      }
      all.push_back(spread);
    }
  }
  all.push_back(all[0]);  // an equal fingerprint
  return all;
}

using Pairs = std::set<std::pair<uint64_t, uint64_t>>;

std::vector<Posting> PostingsOf(const std::vector<Sketch>& all,
                                const KeyGenerator& keys) {
  std::vector<Posting> postings;
  for (size_t i = 0; i < all.size(); ++i) {
    std::vector<uint64_t> of_document;
    keys.Keys({&all[i], 1}, 0, &of_document);
    for (const uint64_t key : of_document) {
      postings.push_back(Posting::Make(key, i, i, 1));
    }
  }
  std::sort(postings.begin(), postings.end());
  return postings;
}

class TablesTest : public ::testing::TestWithParam<DesignCase> {};
INSTANTIATE_TEST_SUITE_P(Designs, TablesTest, ::testing::ValuesIn(kDesigns));

TEST_P(TablesTest, FindExactlyWhatComparingAllFinds) {
  const DesignCase c = GetParam();
  const TableDesign design = *ParseTableDesign(c.text, c.bits, c.distance);
  SplitMix64 random(7);
  const std::vector<Sketch> all = Collection(design, &random);
  Pairs expected;
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = i + 1; j < all.size(); ++j) {
      if (Distance(all[i], all[j]) <= c.distance) expected.insert({i, j});
    }
  }
  ASSERT_GT(expected.size(), 100u);
  const auto keys = MakeTableKeys(design, 0);
  const std::vector<Posting> postings = PostingsOf(all, *keys);

  Pairs batch;
  const PairSink sink = [&](const CandidatePair& pair) -> Status {
    if (Distance(all[pair.a], all[pair.b]) <= c.distance) {
      batch.insert({pair.a, pair.b});
    }
    return {};
  };
  JoinRules rules;
  rules.bucket_limit = 0;
  BucketJoin join(rules, sink);
  for (const Posting& posting : postings) ASSERT_TRUE(join.Add(posting));
  ASSERT_TRUE(join.Finish());
  EXPECT_EQ(batch, expected);

  // One document against the stored collection, all tables.
  batch.clear();
  const StoredPostings stored(postings);
  for (const Posting& query : postings) {
    ASSERT_TRUE(ProbeBucket(query, stored.Bucket(query.key), rules, sink));
  }
  EXPECT_EQ(batch, expected);
}

TEST_P(TablesTest, TablesCoverEveryPlaceOnce) {
  const DesignCase c = GetParam();
  const TableDesign design = *ParseTableDesign(c.text, c.bits, c.distance);
  std::set<std::vector<std::pair<int, int>>> keys;
  for (const PermutedTable& table : design.tables) {
    std::vector<bool> seen(static_cast<size_t>(c.bits));
    int key_bits = 0;
    std::vector<std::pair<int, int>> key;
    for (const auto* runs : {&table.key, &table.rest}) {
      int end = -1;
      for (const BitRun& run : *runs) {
        EXPECT_GT(run.begin, end) << "runs that touch are one";
        end = run.begin + run.length;
        for (int p = run.begin; p < end; ++p) {
          EXPECT_FALSE(seen[static_cast<size_t>(p)]);
          seen[static_cast<size_t>(p)] = true;
        }
        if (runs == &table.key) {
          key_bits += run.length;
          key.push_back({run.begin, run.length});
        }
      }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), false), 0);
    EXPECT_EQ(key_bits, table.key_bits);
    EXPECT_TRUE(keys.insert(key).second) << "a table stands twice";
  }
}

TEST_P(TablesTest, PermutingGoesBack) {
  const DesignCase c = GetParam();
  if (c.bits > 64) return;
  const TableDesign design = *ParseTableDesign(c.text, c.bits, c.distance);
  SplitMix64 random(8);
  for (const PermutedTable& table : design.tables) {
    for (int i = 0; i < 20; ++i) {
      const Sketch sketch = RandomFingerprint(c.bits, &random);
      uint64_t value = sketch[0];
      if (sketch.size() > 1) value |= uint64_t{sketch[1]} << 32;
      const uint64_t permuted = Permute(table, c.bits, value);
      ASSERT_EQ(Unpermute(table, c.bits, permuted), value);
      const int rest = c.bits - table.key_bits;
      ASSERT_EQ(rest == 64 ? 0 : permuted >> rest,
                TableKey(table, c.bits, sketch));
    }
  }
}

std::vector<int> SizesOf(const TableDesign& design) {
  std::vector<int> sizes;
  for (const PermutedTable& table : design.tables) {
    sizes.push_back(table.key_bits);
  }
  return sizes;
}

TEST(TableDesignTest, BlocksAreAsEqualAsCanBeAndLargerOnesFirst) {
  EXPECT_EQ(SizesOf(*ParseTableDesign("5", 64, 4)),
            (std::vector<int>{13, 13, 13, 13, 12}));
  EXPECT_EQ(SizesOf(*ParseTableDesign("13,13,13,13,12", 64, 4)),
            (std::vector<int>{13, 13, 13, 13, 12}));
  EXPECT_EQ(SizesOf(*ParseTableDesign("4/4", 64, 3)), std::vector<int>(16, 28));
  EXPECT_EQ(ParseTableDesign("10", 64, 3)->tables.size(), 120u);
  EXPECT_EQ(ParseTableDesign("4/4", 64, 3)->min_key_bits(), 28);
  EXPECT_THAT(SizesOf(*ParseTableDesign("6", 64, 3)), Contains(33));
  EXPECT_EQ(ParseTableDesign("", 64, 3)->name, "4");
}

TEST(TableDesignTest, WrongOnesAreRefusedWithARemedy) {
  const DesignCase wrong[] = {
      {"3", 64, 3},           {"1", 64, 3},          {"0", 64, 3},
      {"65", 64, 3},          {"x", 64, 3},          {"4/", 64, 3},
      {"/4", 64, 3},          {"4,", 64, 3},         {"16,16,16", 64, 2},
      {"16,16,16,17", 64, 3}, {"16,0,16,32", 64, 3}, {"-4", 64, 3},
      {"4 ", 64, 3},          {"manku-5", 64, 3},    {"manku-20", 32, 3},
      {"manku-20", 64, 2},    {"4/3", 64, 3},        {"99999999999", 64, 3},
      {"32", 64, 16},         {"5", 4, 3},           {"4/40", 40, 3}};
  for (const DesignCase& c : wrong) {
    const auto design = ParseTableDesign(c.text, c.bits, c.distance);
    ASSERT_FALSE(design.has_value()) << c;
    EXPECT_EQ(design.error().code, ErrorCode::kUsage) << c;
    EXPECT_FALSE(design.error().remedy.empty()) << c;
  }
  for (const auto& [bits, distance] :
       {std::pair{0, 0}, {-1, 0}, {385, 3}, {64, 64}, {64, -1}, {1, 1}}) {
    EXPECT_FALSE(ParseTableDesign("", bits, distance).has_value());
  }
}

TEST(TableKeysTest, SaltedByTableAndScope) {
  const auto keys = MakeTableKeys(*ParseTableDesign("4", 64, 3), 1);
  const std::vector<Sketch> sketches = {{1}, {0, 0}};  // all blocks equal
  std::vector<uint64_t> all;
  keys->Keys(sketches, 0, &all);
  keys->Keys(sketches, 9, &all);
  EXPECT_EQ(all.size(), 8u);
  EXPECT_EQ(std::set<uint64_t>(all.begin(), all.end()).size(), 8u);
}

}  // namespace
}  // namespace twinset
