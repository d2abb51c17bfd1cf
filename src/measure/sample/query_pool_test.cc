#include "sample/query_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/test_dir.h"
#include "sample/testing_corpus.h"

namespace twinset {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing_corpus::Reader;
using Words = std::vector<std::string>;

TEST(QueryPoolTest, TermsMatchByThemselves) {
  const auto pool = QueryPool::OfTerms({"a", "b", "c"});
  EXPECT_EQ(pool.size(), 3u);
  EXPECT_EQ(pool.Text(1), "b");
  EXPECT_THAT(pool.Matching({"c", "x", "a"}), ElementsAre(0, 2));
  EXPECT_THAT(pool.Matching({}), IsEmpty());
}

TEST(QueryPoolTest, IsASetOfSets) {
  const QueryPool pool({{"b", "a"}, {"a", "b"}, {}, {"a", "a"}, {"c"}}, true);
  EXPECT_EQ(pool.size(), 3u);
  EXPECT_THAT(pool.Matching({"a", "b"}), ElementsAre(0, 1));
  EXPECT_THAT(pool.Matching({"b"}), IsEmpty());
  const QueryPool any({{"b", "a"}, {"c"}}, false);
  EXPECT_THAT(any.Matching({"b"}), ElementsAre(0));
}

TEST(QueryPoolTest, DrawnQueriesAreDistinctAndRepeatable) {
  const Words terms = testing_corpus::Vocabulary(30);
  const auto pool = QueryPool::Drawn(terms, 3, true, 200, 5);
  const auto again = QueryPool::Drawn(terms, 3, true, 200, 5);
  const auto other = QueryPool::Drawn(terms, 3, true, 200, 6);
  EXPECT_EQ(pool.size(), 200u);
  std::set<std::string> texts;
  bool differs = false;
  for (uint32_t i = 0; i < pool.size(); ++i) {
    EXPECT_EQ(pool.Terms(i).size(), 3u);
    texts.insert(pool.Text(i));
    EXPECT_EQ(pool.Text(i), again.Text(i));
    differs = differs || pool.Text(i) != other.Text(i);
  }
  EXPECT_EQ(texts.size(), 200u);
  EXPECT_TRUE(differs);
  // There are only 3 pairs of 3 terms, and no query of 4.
  EXPECT_EQ(QueryPool::Drawn({"a", "b", "c"}, 2, true, 100, 1).size(), 3u);
  EXPECT_EQ(QueryPool::Drawn({"a", "b", "c"}, 4, true, 100, 1).size(), 0u);
}

TEST(QueryPoolTest, DrawsAllPairsEquallyOften) {
  const Words terms = testing_corpus::Vocabulary(6);
  std::map<std::string, int> first;
  for (uint64_t seed = 0; seed < 3000; ++seed)
    ++first[QueryPool::Drawn(terms, 2, true, 1, seed).Text(0)];
  ASSERT_EQ(first.size(), 15u);
  double chi_square = 0;  // 14 degrees of freedom: 29.1 at p = .01
  for (const auto& [text, count] : first)
    chi_square += (count - 200.0) * (count - 200.0) / 200;
  EXPECT_LT(chi_square, 29.1);
}

TEST(QueryPoolTest, MatchingIsThatOfANaiveScan) {
  for (const bool conjunctive : {true, false}) {
    const auto pool = QueryPool::Drawn(testing_corpus::Vocabulary(50), 2,
                                       conjunctive, 300, 9);
    for (const auto& document : testing_corpus::Corpus(40, 50, 3)) {
      const auto tokens = SortedDistinct(document.tokens);
      std::vector<uint32_t> expected;
      for (uint32_t i = 0; i < pool.size(); ++i)
        if (Holds(tokens, pool.Terms(i), conjunctive)) expected.push_back(i);
      EXPECT_EQ(pool.Matching(tokens), expected);
    }
  }
}

TEST(QueryLogTest, LinesAreWords) {
  const auto log = ParseQueryLog(
      "Karvel Thornber\r\n\n  \ndvi2pdf\nthornber karvel\ntea, TEA\n!!\nlast",
      Reader());
  EXPECT_THAT(
      log.queries,
      ElementsAre(ElementsAre("karvel", "thornber"), ElementsAre("dvi2pdf"),
                  ElementsAre("tea"), ElementsAre("last")));
  EXPECT_EQ(log.repeated, 1u);
  EXPECT_EQ(log.bad, 0u);
  EXPECT_GE(log.blank, 2u);
}

TEST(QueryLogTest, BadLinesAreCounted) {
  std::string many;
  for (int i = 0; i < 40; ++i) many += "word" + std::to_string(i) + " ";
  const auto log = ParseQueryLog(
      "good\n\xff\xfe bytes\n" + many + "\n" + std::string(5000, 'x') + "\n",
      Reader());
  EXPECT_THAT(log.queries, ElementsAre(ElementsAre("good")));
  EXPECT_EQ(log.bad, 3u);
}

TEST(QueryLogTest, AFileWithoutQueriesIsRefused) {
  TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "log", "\n\n").has_value());
  const auto log = ReadQueryLog(dir / "log", Reader());
  ASSERT_FALSE(log.has_value());
  EXPECT_EQ(log.error().code, ErrorCode::kUsage);
  EXPECT_EQ(ReadQueryLog(dir / "none", Reader()).error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace twinset
