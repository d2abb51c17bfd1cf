// The worked examples 3.4 and 3.5 of Grassegger's thesis (Weimar 2014), tables
// recomputed with the errata, and the published table designs.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "candidate/join.h"
#include "candidate/tables.h"
#include "candidate/tables_testing.h"

namespace twinset {
namespace {

using Content = std::map<std::string, std::set<int>>;

// Documents d1 to d8. The thesis's tables 2, 4 and 6 fit 11111010 for d2, its
// list of hashes has 11110110.
std::vector<uint32_t> Documents(uint32_t d2) {
  return {0b10101010, d2,         0b10101011, 0b10100000,
          0b10011100, 0b00010110, 0b11110000, 0b00011100};
}
constexpr uint32_t kAsListed = 0b11110110, kAsInTables = 0b11111010;

std::string Binary(uint64_t value, int digits) {
  std::string text;
  while (digits-- > 0) text += (value >> digits & 1) != 0 ? '1' : '0';
  return text;
}

Content TableContent(const TableDesign& design, size_t table,
                     const std::vector<uint32_t>& documents) {
  Content content;
  const PermutedTable& t = design.tables[table];
  for (size_t i = 0; i < documents.size(); ++i) {
    const uint64_t key = TableKey(t, design.bits, Sketch{documents[i]});
    content[Binary(key, t.key_bits)].insert(static_cast<int>(i) + 1);
  }
  return content;
}

TableDesign ExampleDesign() { return *ParseTableDesign("4", 8, 2); }

TEST(TablesGoldenTest, Example34) {
  const TableDesign design = ExampleDesign();
  ASSERT_EQ(design.tables.size(), 6u);  // the text says four
  const auto documents = Documents(kAsListed);
  const Content expected[] = {
      {{"0001", {6, 8}}, {"1001", {5}}, {"1010", {1, 3, 4}}, {"1111", {2, 7}}},
      {{"0001", {6}},
       {"0011", {8}},
       {"1000", {4}},
       {"1010", {1, 3}},
       {"1011", {5}},
       {"1100", {7}},
       {"1101", {2}}},
      {{"0000", {8}},
       {"0010", {6}},
       {"1000", {4, 5}},
       {"1010", {1}},
       {"1011", {3}},
       {"1100", {7}},
       {"1110", {2}}},
      {{"0101", {6}},
       {"0111", {5, 8}},
       {"1000", {4}},
       {"1010", {1, 3}},
       {"1100", {7}},
       {"1101", {2}}},
      {{"0100", {5, 8}},
       {"0110", {6}},
       {"1000", {4}},
       {"1010", {1}},
       {"1011", {3}},
       {"1100", {7}},
       {"1110", {2}}},
      {{"0000", {4, 7}},
       {"0110", {2, 6}},
       {"1010", {1}},
       {"1011", {3}},
       {"1100", {5, 8}}}};
  for (size_t table = 0; table < 6; ++table) {
    EXPECT_EQ(TableContent(design, table, documents), expected[table])
        << "t" << table + 1;
  }
}

TEST(TablesGoldenTest, Example34AsPrinted) {
  const TableDesign design = ExampleDesign();
  const auto documents = Documents(kAsInTables);
  for (const size_t table : {1, 3}) {
    EXPECT_TRUE(TableContent(design, table, documents).at("1110").contains(2));
  }
  const Content t6 = {{"0000", {4, 7}},
                      {"0110", {6}},
                      {"1010", {1, 2}},
                      {"1011", {3}},
                      {"1100", {5, 8}}};
  EXPECT_EQ(TableContent(design, 5, documents), t6);
}

std::vector<Posting> Postings(const std::vector<uint32_t>& documents) {
  const auto keys = MakeTableKeys(ExampleDesign(), 0);
  std::vector<Posting> postings;
  for (size_t i = 0; i < documents.size(); ++i) {
    std::vector<uint64_t> of_document;
    keys->Keys(std::vector<Sketch>{{documents[i]}}, 0, &of_document);
    for (const uint64_t key : of_document) {
      postings.push_back(Posting::Make(key, i + 1, i + 1, 1));
    }
  }
  return postings;
}

// Documents that share a key with `query`: one document against a collection.
std::set<int> Candidates(uint32_t query, const StoredPostings& stored) {
  const auto keys = MakeTableKeys(ExampleDesign(), 0);
  std::vector<uint64_t> of_query;
  keys->Keys(std::vector<Sketch>{{query}}, 0, &of_query);
  std::set<int> found;
  for (const uint64_t key : of_query) {
    const Status status =
        ProbeBucket(Posting::Make(key, 0, 0, 1), stored.Bucket(key), {},
                    [&](const CandidatePair& pair) -> Status {
                      found.insert(static_cast<int>(std::max(pair.a, pair.b)));
                      return {};
                    });
    EXPECT_TRUE(status.has_value());
  }
  return found;
}

std::set<int> Near(uint32_t query, const std::vector<uint32_t>& documents,
                   const std::set<int>& among) {
  std::set<int> near;
  for (const int d : among) {
    if (std::popcount(query ^ documents[static_cast<size_t>(d) - 1]) <= 2) {
      near.insert(d);
    }
  }
  return near;
}

TEST(TablesGoldenTest, SelfJoinOfExample34) {
  for (const uint32_t d2 : {kAsListed, kAsInTables}) {
    const auto documents = Documents(d2);
    const StoredPostings stored(Postings(documents));
    std::set<std::pair<int, int>> pairs;
    for (int i = 1; i <= 8; ++i) {
      const uint32_t query = documents[static_cast<size_t>(i) - 1];
      for (const int j : Near(query, documents, Candidates(query, stored))) {
        if (i < j) pairs.insert({i, j});
      }
    }
    std::set<std::pair<int, int>> expected = {{1, 3}, {1, 4}, {2, 7},
                                              {4, 7}, {5, 8}, {6, 8}};
    if (d2 == kAsInTables) expected.insert({1, 2});
    EXPECT_EQ(pairs, expected);
  }
}

TEST(TablesGoldenTest, Example35) {
  const auto documents = Documents(kAsListed);
  const StoredPostings stored(Postings(documents));
  // d10, whose hash was in a lost figure: the one query with these candidates
  // of which only d4 is near.
  EXPECT_EQ(Candidates(0b10000000, stored), (std::set<int>{4, 5, 7}));
  EXPECT_EQ(Near(0b10000000, documents, {4, 5, 7}), std::set<int>{4});
  int like_d10 = 0;
  for (uint32_t query = 0; query < 256; ++query) {
    const std::set<int> found = Candidates(query, stored);
    like_d10 += found == std::set<int>{4, 5, 7} &&
                Near(query, documents, found) == std::set<int>{4};
  }
  EXPECT_EQ(like_d10, 1);
  // In the place of d9, for which no hash fits the text.
  EXPECT_EQ(Candidates(0b11100110, stored), (std::set<int>{1, 2, 6}));
  EXPECT_EQ(Near(0b11100110, documents, {1, 2, 6}), std::set<int>{2});
}

TEST(TablesGoldenTest, NoHashFitsD9) {
  const std::set<int> wanted = {1, 2, 5, 6};
  for (const uint32_t d2 : {kAsListed, kAsInTables}) {
    const auto documents = Documents(d2);
    const StoredPostings stored(Postings(documents));
    std::vector<uint32_t> queries;
    for (uint32_t query = 0; query < 256; ++query) {
      if (Candidates(query, stored) == wanted) queries.push_back(query);
    }
    if (d2 == kAsInTables) {
      EXPECT_TRUE(queries.empty());
    } else {
      EXPECT_EQ(queries, std::vector<uint32_t>{0b10010110});
      EXPECT_EQ(Near(0b10010110, documents, wanted), (std::set<int>{2, 5, 6}));
    }
  }
}

TEST(TablesGoldenTest, MeanCandidatesOfExample35) {
  const StoredPostings stored(Postings(Documents(kAsListed)));
  size_t total = 0;
  for (uint32_t query = 0; query < 256; ++query) {
    total += Candidates(query, stored).size();
  }
  EXPECT_EQ(static_cast<double>(total) / 256, 2.09375);
}

TEST(TablesGoldenTest, PublishedDesigns) {
  struct Row {
    const char* name;
    size_t tables;
    std::set<int> key_bits;
    double most;  // candidates a table and look-up, 2^34 fingerprints
  };
  const Row rows[] = {{"manku-20", 20, {31, 32, 33}, 8},
                      {"manku-16", 16, {28}, 64},
                      {"manku-10", 10, {25, 26}, 512},
                      {"manku-4", 4, {16}, 262144}};
  for (const Row& row : rows) {
    const TableDesign design = *ParseTableDesign(row.name, 64, 3);
    std::set<int> key_bits;
    for (const PermutedTable& table : design.tables) {
      key_bits.insert(table.key_bits);
    }
    EXPECT_EQ(design.tables.size(), row.tables) << row.name;
    EXPECT_EQ(key_bits, row.key_bits) << row.name;
    const int shortest = design.min_key_bits();
    EXPECT_EQ(static_cast<double>(uint64_t{1} << 34 >> shortest), row.most);
    EXPECT_LE(ExpectedCandidates(design, uint64_t{1} << 34),
              row.most * static_cast<double>(row.tables));
  }
}

// Section 5 of the thesis: 4 blocks of 16 bits among 155,419 fingerprints.
TEST(TablesGoldenTest, ExpectedCandidatesOfTheThesis) {
  const TableDesign design = *ParseTableDesign("", 64, 3);
  EXPECT_EQ(design.tables.size(), 4u);
  EXPECT_EQ(ExpectedCandidates(design, 155419), 4 * 155419.0 / 65536);
  EXPECT_NEAR(ExpectedCandidates(design, 155419), 9.486, 0.0005);
}

}  // namespace
}  // namespace twinset
