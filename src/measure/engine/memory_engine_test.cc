#include "engine/memory_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/hash.h"

namespace twinset {
namespace {

EngineDocument Page(const std::string& url, std::vector<std::string> tokens) {
  EngineDocument document;
  document.page.url = url;
  for (const std::string& token : tokens) document.page.text += token + " ";
  document.tokens = std::move(tokens);
  return document;
}

TEST(MemoryEngine, RanksByTermsThenStaticRankThenOrder) {
  MemoryEngine engine("m",
                      {Page("a", {"x"}), Page("b", {"x", "y"}),
                       Page("c", {"x", "x"}), Page("a", {"y"})},
                      {1, 1, 2, 9});
  EXPECT_EQ(engine.documents(), 3u);  // the address "a" stands once
  const auto any = engine.Query({{"x", "y"}, /*conjunctive=*/false, 10});
  ASSERT_TRUE(any);
  EXPECT_EQ(any->urls, (std::vector<std::string>{"b", "c", "a"}));
  const auto all = engine.Query({{"x", "y", "x"}, /*conjunctive=*/true, 10});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->urls, std::vector<std::string>{"b"});
  const auto first = engine.Query({{"x"}, true, 1});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->hits, 3u);
  EXPECT_EQ(first->urls, std::vector<std::string>{"c"});
}

TEST(MemoryEngine, FetchesWhatItHas) {
  MemoryEngine engine("m", {Page("a", {"x"})});
  EXPECT_EQ(engine.Fetch("a")->text, "x ");
  const auto missing = engine.Fetch("b");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
}

// Against a scan of all documents.
TEST(MemoryEngine, FindsWhatAScanFinds) {
  SplitMix64 random(7);
  std::vector<EngineDocument> documents;
  std::vector<std::set<std::string>> words;
  for (int i = 0; i < 60; ++i) {
    std::vector<std::string> tokens;
    for (uint64_t n = random.Below(8); n > 0; --n)
      tokens.push_back(
          std::string(1, static_cast<char>('a' + random.Below(6))));
    words.emplace_back(tokens.begin(), tokens.end());
    documents.push_back(Page(std::to_string(i), tokens));
  }
  MemoryEngine engine("m", documents);
  for (int round = 0; round < 200; ++round) {
    EngineQuery query;
    query.limit = 1000;
    query.conjunctive = random.Below(2) == 0;
    for (uint64_t n = 1 + random.Below(3); n > 0; --n) {
      query.terms.emplace_back(1, static_cast<char>('a' + random.Below(7)));
    }
    std::set<std::string> expected;
    for (size_t i = 0; i < words.size(); ++i) {
      const auto has = [&](const std::string& t) {
        return words[i].contains(t);
      };
      if (query.conjunctive
              ? std::all_of(query.terms.begin(), query.terms.end(), has)
              : std::any_of(query.terms.begin(), query.terms.end(), has))
        expected.insert(std::to_string(i));
    }
    const auto answer = engine.Query(query);
    ASSERT_TRUE(answer);
    EXPECT_EQ(std::set<std::string>(answer->urls.begin(), answer->urls.end()),
              expected);
    EXPECT_EQ(answer->hits, expected.size());
  }
}

}  // namespace
}  // namespace twinset
