#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/memory_engine.h"
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
    EXPECT_NE(Find(dead, web).status, RescueStatus::kFound);
    web.push_back(Moved(corpus_[dead], "http://new.test/here"));
    const RescuedPage page = Find(dead, web);
    ++tried;
    if (page.status != RescueStatus::kFound) continue;
    ++found;
    EXPECT_EQ(page.found, "http://new.test/here");
    EXPECT_EQ(page.similarity, 1);
    EXPECT_GE(page.rank, 1u);
  }
  EXPECT_GE(found, tried * 9 / 10);
}

TEST_F(RescueTest, TheIndexedDeadPageItselfDoesNotCount) {
  EXPECT_EQ(Find(3, corpus_).status, RescueStatus::kNotFound);
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
    EXPECT_EQ(page->status, RescueStatus::kTooShort) << text;
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
  EXPECT_EQ(Find(dead, web, all).status, RescueStatus::kNotFound);
  RescueRules shorter = all;
  shorter.least_terms = 2;
  const RescuedPage page = Find(dead, web, shorter);
  EXPECT_EQ(page.status, RescueStatus::kFound);
  EXPECT_LT(page.query_terms, 5u);
  EXPECT_LT(page.similarity, 1);
}

// Pages of one template differ in a name; a page that is gone has no successor
// although its sisters are near-duplicates of it.
TEST(RescueSisters, PagesThatStoodInTheOldCopyAreNoSuccessors) {
  std::vector<EngineDocument> site;
  for (uint64_t i = 0; i < 40; ++i) {
    std::vector<std::string> tokens;
    for (uint64_t k = 0; k < 120; ++k)
      tokens.push_back("t" + std::to_string(k));
    tokens[60] = "name" + std::to_string(i);
    tokens[5] = "group" + std::to_string(i / 2);
    site.push_back(testing_corpus::Document(i, tokens));
  }
  const TermStatistics statistics = Statistics(site);
  OldPages old;
  for (const EngineDocument& page : site)
    old.Keep(page.page.url, 0, Reader().Shingles(page.page.text));
  RescueRules rules;
  rules.least_terms = 1;
  int sisters = 0;
  for (size_t dead = 0; dead < site.size(); ++dead) {
    auto web = site;
    web.erase(web.begin() + static_cast<ptrdiff_t>(dead));
    const auto find = [&](std::vector<EngineDocument> pages,
                          const OldPages* known) {
      Asked asked(std::move(pages));
      return *RescuePage(site[dead].page.url, site[dead].page.text, statistics,
                         rules, &asked.questioner, known);
    };
    EXPECT_EQ(find(web, nullptr).status, RescueStatus::kFound);
    const RescuedPage gone = find(web, &old);
    EXPECT_EQ(gone.status, RescueStatus::kNotFound);
    sisters += gone.sisters > 0;
    // Its successor elsewhere is one, also in the place of another page.
    for (const std::string& url :
         {std::string("http://new.test/"), site[(dead + 7) % 40].page.url}) {
      auto moved = web;
      std::erase_if(moved, [&](const EngineDocument& page) {
        return page.page.url == url;
      });
      moved.push_back(Moved(site[dead], url));
      EXPECT_EQ(find(moved, &old).found, url);
    }
  }
  EXPECT_EQ(sisters, 40);
}

TEST(OldPages, CopiesAreNoSistersAndTheLatestCounts) {
  const auto shingles = [](const std::string& text) {
    return Reader().Shingles(text);
  };
  const std::string one = "a b c d e f g h i j k l m n o p";
  const std::string two = "a b c d e f g h i j k l m n o q";
  OldPages old;
  EXPECT_FALSE(old.IsSister("http://x/", shingles(one), shingles(one)));
  old.Keep("http://x/", 5, shingles(two));
  EXPECT_TRUE(old.IsSister("HTTP://x:80/", shingles(two), shingles(one)));
  EXPECT_FALSE(old.IsSister("http://x/", shingles(one), shingles(one)));
  // Changed a little since then, it is still itself; made the page, it is that.
  EXPECT_TRUE(old.IsSister("http://x/", shingles("new " + two), shingles(one)));
  EXPECT_FALSE(
      old.IsSister("http://x/", shingles("new " + one), shingles(one)));
  old.Keep("http://x/", 4, shingles("something else that stood here before"));
  EXPECT_TRUE(old.IsSister("http://x/", shingles(two), shingles(one)));
  old.Keep("http://x/", 5, shingles(one));  // a copy of it
  EXPECT_FALSE(old.IsSister("http://x/", shingles(two), shingles(one)));
}

TEST(SignPage, RobustLinks) {
  const auto words = [](const std::string& url,
                        const std::vector<std::string>& tokens) {
    return SignPage(url, tokens, TermStatistics(10, {{"common", 10}}), {});
  };
  const RescuedPage page =
      words("http://a.test/x#top", {"na\xC3\xAFve", "o'neill", "common"});
  EXPECT_EQ(page.status, RescueStatus::kSignature);
  EXPECT_EQ(page.robust_link,
            "http://a.test/x?lexical-signature=na%C3%AFve+o%27neill+common");
  EXPECT_EQ(words("http://a.test/x?y=1", {"b", "c"}).robust_link,
            "http://a.test/x?y=1&lexical-signature=b+c");
  EXPECT_EQ(words("http://a.test/", {"one"}).status, RescueStatus::kTooShort);
  EXPECT_EQ(words("http://a.test/", {"one"}).robust_link, "");
}

}  // namespace
}  // namespace twinset
