#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample/memory_engine.h"
#include "sample/rescue_page.h"
#include "sample/testing_corpus.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing_corpus::Asked;
using testing_corpus::Corpus;
using testing_corpus::Reader;
using testing_corpus::Statistics;

using Words = std::vector<std::string>;

TEST(ShorterQueries, RunsOfNeighboursRarestFirst) {
  EXPECT_THAT(ShorterQueries({"a", "b", "c", "d"}, 3),
              ElementsAre(Words{"a", "b", "c", "d"}, Words{"a", "b", "c"},
                          Words{"b", "c", "d"}));
  EXPECT_EQ(ShorterQueries({"a", "b", "c", "d", "e"}, 2).size(), 10u);
  EXPECT_THAT(ShorterQueries({"a"}, 2), IsEmpty());
}

EngineDocument Moved(EngineDocument document, const std::string& url) {
  document.page.url = url;
  return document;
}

class RescueTest : public ::testing::Test {
 protected:
  RescueTest() : corpus_(Corpus(300, 3000, 7)) {
    statistics_ = Statistics(corpus_);
  }
  RescuedPage Find(size_t dead, std::vector<EngineDocument> web,
                   RescueRules rules = {}) {
    Asked asked(std::move(web));
    auto page = RescuePage(corpus_[dead].page.url, corpus_[dead].page.text,
                           statistics_, rules, &asked.questioner);
    EXPECT_TRUE(page) << page.error().ToString();
    return *std::move(page);
  }
  // All but `dead`.
  std::vector<EngineDocument> Without(size_t dead) const {
    auto web = corpus_;
    web.erase(web.begin() + static_cast<ptrdiff_t>(dead));
    return web;
  }
  std::vector<EngineDocument> corpus_;
  TermStatistics statistics_;
};

TEST_F(RescueTest, MovedPagesAreFoundAndRemovedOnesAreNot) {
  int found = 0, tried = 0;
  for (size_t dead = 0; dead < 60; ++dead) {
    auto web = Without(dead);
    EXPECT_NE(Find(dead, web).status, "found");
    web.push_back(Moved(corpus_[dead], "http://new.test/here"));
    const RescuedPage page = Find(dead, web);
    ++tried;
    if (page.status != "found") continue;
    ++found;
    EXPECT_EQ(page.found, "http://new.test/here");
    EXPECT_EQ(page.similarity, 1);
    EXPECT_GE(page.rank, 1u);
  }
  EXPECT_GE(found, tried * 9 / 10);
}

TEST_F(RescueTest, TheIndexedDeadPageItselfDoesNotCount) {
  EXPECT_EQ(Find(3, corpus_).status, "not-found");
}

TEST_F(RescueTest, SimilarityThenHostThenRankDecide) {
  auto web = Without(5);
  EngineDocument changed = Moved(corpus_[5], "http://a.test/changed");
  changed.page.text += " something new at the end";
  for (const char* word : {"something", "new", "at", "the", "end"})
    changed.tokens.push_back(word);
  const std::string host = "http://h5.test/";
  web.insert(web.begin(), changed);
  web.insert(web.begin(), Moved(corpus_[5], "http://b.test/other-host"));
  web.insert(web.begin(), changed);
  auto same_host = web;
  RescueRules rules;
  rules.threshold = 0.3;
  EXPECT_EQ(Find(5, web, rules).found, "http://b.test/other-host");
  same_host.push_back(Moved(corpus_[5], host + "moved"));
  EXPECT_EQ(Find(5, same_host, rules).found, host + "moved");
}

TEST_F(RescueTest, PagesOfFewWordsAreTooShort) {
  Asked asked(corpus_);
  for (const char* text : {"", "word", "...", "word word"}) {
    const auto page =
        RescuePage("http://x.test/", text, statistics_, {}, &asked.questioner);
    ASSERT_TRUE(page);
    EXPECT_EQ(page->status, "too-short") << text;
    EXPECT_EQ(page->queries, 0u);
  }
}

// A term that the page lost makes the whole signature fail: fewer terms do not.
TEST_F(RescueTest, BackOffFindsChangedPages) {
  const size_t dead = 11;
  RescueRules all;
  all.least_terms = all.terms;
  all.threshold = 0.3;
  const RescuedPage before = Find(dead, Without(dead), all);
  ASSERT_EQ(before.signature.size(), 5u);
  EngineDocument changed = Moved(corpus_[dead], "http://new.test/");
  std::erase(changed.tokens, before.signature[0]);
  changed.page.text.clear();
  for (const std::string& token : changed.tokens)
    changed.page.text += token + " ";
  auto web = Without(dead);
  web.push_back(changed);
  EXPECT_EQ(Find(dead, web, all).status, "not-found");
  RescueRules shorter = all;
  shorter.least_terms = 2;
  const RescuedPage page = Find(dead, web, shorter);
  EXPECT_EQ(page.status, "found");
  EXPECT_LT(page.query_terms, 5u);
  EXPECT_LT(page.similarity, 1);
}

}  // namespace
}  // namespace twinset
