// Strong queries, lexical signatures, and whether a page is in an engine.
#include "sample/strong_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "net/page_links.h"
#include "sample/check.h"
#include "sample/lexical_signature.h"
#include "sample/testing_corpus.h"

namespace twinset {
namespace {

using testing::ElementsAre;
using testing_corpus::Asked;
using testing_corpus::Reader;
using Words = std::vector<std::string>;

const TermStatistics& Table() {
  static const TermStatistics table(1000, {{"the", 1000},
                                           {"of", 900},
                                           {"tea", 50},
                                           {"cup", 50},
                                           {"oolong", 3},
                                           {"gaiwan", 2},
                                           {"water", 200},
                                           {"pour", 30},
                                           {"leaf", 40}});
  return table;
}

TEST(StrongQueryTest, TakesTheRarestWords) {
  StrongQueryOptions options;
  options.words = 4;
  const auto made = MakeStrongQueries(
      {"the", "tea", "of", "oolong", "the", "gaiwan", "cup", "tea", "zhong"},
      Table(), options);
  // Unknown, 2, 3, then of two with 50 the first by bytes.
  ASSERT_EQ(made.queries.size(), 1u);
  EXPECT_THAT(made.queries[0], ElementsAre("zhong", "gaiwan", "oolong", "cup"));
  EXPECT_FALSE(made.short_page);
  EXPECT_FALSE(made.cut);
}

TEST(StrongQueryTest, LongerUnknownWordsComeFirst) {
  StrongQueryOptions options;
  options.words = 2;
  const auto made =
      MakeStrongQueries({"ab", "abc", "zzz", "the"}, Table(), options);
  EXPECT_THAT(made.queries[0], ElementsAre("abc", "zzz"));
}

TEST(StrongQueryTest, ShortPageEngineThatCutsAndNoWords) {
  StrongQueryOptions options;  // one query of 8
  auto made = MakeStrongQueries({"tea", "cup", "tea"}, Table(), options);
  EXPECT_TRUE(made.short_page);
  EXPECT_THAT(made.queries, ElementsAre(ElementsAre("cup", "tea")));
  options.max_terms = 1;
  made = MakeStrongQueries({"tea", "oolong"}, Table(), options);
  EXPECT_TRUE(made.cut);
  EXPECT_THAT(made.queries, ElementsAre(ElementsAre("oolong")));
  made = MakeStrongQueries({}, Table(), options);
  EXPECT_TRUE(made.queries.empty());
  EXPECT_TRUE(made.short_page);
}

TEST(StrongQueryTest, SeveralQueriesAreOfLikeStrengthAndDisjoint) {
  Words tokens;
  std::vector<std::pair<std::string, uint64_t>> frequencies;
  for (uint64_t i = 1; i <= 40; ++i) {
    tokens.push_back("t" + std::to_string(100 + i));
    frequencies.emplace_back(tokens.back(), i);
  }
  StrongQueryOptions options;
  options.queries = 5;
  options.words = 6;
  const auto made =
      MakeStrongQueries(tokens, TermStatistics(100, frequencies), options);
  ASSERT_EQ(made.queries.size(), 5u);
  EXPECT_THAT(made.queries[1],
              ElementsAre("t102", "t107", "t112", "t117", "t122", "t127"));
  std::map<std::string, int> uses;
  for (const Words& query : made.queries)
    for (const std::string& word : query) ++uses[word];
  EXPECT_EQ(uses.size(), 30u);
  // There are no 5 disjoint queries of 6 among 8 words: they share words.
  tokens.resize(8);
  const auto few =
      MakeStrongQueries(tokens, TermStatistics(100, frequencies), options);
  EXPECT_GT(few.queries.size(), 1u);
  for (const Words& query : few.queries)
    EXPECT_EQ(SortedDistinct(query).size(), 6u);
}

TEST(LexicalSignatureTest, RanksByCappedTfIdf) {
  Words tokens(20, "the");
  for (int i = 0; i < 9; ++i) tokens.push_back("tea");  // counts 5 times
  tokens.insert(tokens.end(), {"oolong", "oolong", "gaiwan", "water", "cup"});
  SignatureOptions options;
  options.terms = 3;
  auto signature = LexicalSignature(tokens, Table(), options);
  // tea 5 ln 20 = 14.98, oolong 2 ln(1000/3) = 11.62, gaiwan ln 500 = 6.21.
  ASSERT_EQ(signature.size(), 3u);
  EXPECT_EQ(signature[0].term, "tea");
  EXPECT_NEAR(signature[0].score, 14.9787, 1e-4);
  EXPECT_EQ(signature[1].term, "oolong");
  EXPECT_NEAR(signature[1].score, 11.6183, 1e-4);
  EXPECT_EQ(signature[2].term, "gaiwan");
  EXPECT_NEAR(signature[2].score, 6.2146, 1e-4);
  tokens.push_back("unheard");
  options.terms = 9;
  signature = LexicalSignature(tokens, Table(), options);
  EXPECT_EQ(signature[2].term, "unheard");  // as if one document had it
  EXPECT_EQ(signature.back().term, "the");  // idf 0
  options.skip_unknown = true;
  for (const auto& term : LexicalSignature(tokens, Table(), options))
    EXPECT_NE(term.term, "unheard");
  EXPECT_TRUE(LexicalSignature({}, Table(), options).empty());
}

// An engine whose addresses redirect, or that fails.
class OddEngine : public MemoryEngine {
 public:
  using MemoryEngine::MemoryEngine;
  Result<EngineAnswer> Query(const EngineQuery& query) override {
    ++asked;
    if (down) return Fail(ErrorCode::kUnavailable, "timed out");
    return MemoryEngine::Query(query);
  }
  Result<EnginePage> Fetch(const std::string& url) override {
    TWINSET_ASSIGN(EnginePage page, MemoryEngine::Fetch(url));
    if (const auto to = redirects.find(url); to != redirects.end())
      page.url = to->second;
    return page;
  }
  EngineInfo Info() const override {
    EngineInfo info = MemoryEngine::Info();
    info.max_terms = max_terms;
    return info;
  }
  std::map<std::string, std::string> redirects;
  bool down = false;
  uint32_t max_terms = 0;
  int asked = 0;
};

class CheckTest : public testing::Test {
 protected:
  CheckTest() : documents_(testing_corpus::Corpus(60, 400, 7)) {}

  std::unique_ptr<OddEngine> EngineOf(std::vector<EngineDocument> documents) {
    return std::make_unique<OddEngine>("odd", std::move(documents));
  }
  Questioner::Page PageOf(size_t number) {
    Questioner::Page page{documents_[number].page, documents_[number].tokens};
    return page;
  }
  Result<CheckResult> Check(Asked* target, size_t number,
                            CheckOptions options = {}) {
    return CheckPage(PageOf(number), documents_[number].page.url,
                     testing_corpus::Statistics(documents_), options,
                     &target->questioner);
  }
  std::vector<EngineDocument> documents_;
};

TEST_F(CheckTest, FindsByAddressAndTellsWhatIsNotThere) {
  std::vector<EngineDocument> half(documents_.begin(), documents_.begin() + 30);
  Asked target(EngineOf(half));
  for (size_t i = 0; i < documents_.size(); ++i) {
    const auto result = Check(&target, i);
    ASSERT_TRUE(result.has_value());
    EXPECT_TRUE(result->checked);
    EXPECT_EQ(result->match, i < 30 ? PageMatch::kUrl : PageMatch::kNone) << i;
  }
}

TEST_F(CheckTest, FindsByNormalisedAddressRedirectAndContent) {
  auto other = documents_;
  other[0].page.url = "HTTP://H0.test:80/a/../p0#top";  // the same address
  other[1].page.url = "http://h1.test/old";             // leads to it
  other[2].page.url = "http://copy.test/p2";            // a copy
  auto engine = EngineOf(other);
  engine->redirects["http://h1.test/old"] = documents_[1].page.url;
  Asked target(std::move(engine));
  EXPECT_EQ(Check(&target, 0)->match, PageMatch::kUrl);
  EXPECT_EQ(Check(&target, 1)->match, PageMatch::kRedirect);
  const auto copy = Check(&target, 2);
  EXPECT_EQ(copy->match, PageMatch::kContent);
  EXPECT_EQ(copy->resemblance, 1);
  CheckOptions addresses;
  addresses.fetches = 0;
  EXPECT_EQ(Check(&target, 0, addresses)->match, PageMatch::kUrl);
  EXPECT_EQ(Check(&target, 1, addresses)->match, PageMatch::kNone);
  EXPECT_EQ(Check(&target, 2, addresses)->match, PageMatch::kNone);
}

// Copies that stand before the page among the results do not hide it.
TEST_F(CheckTest, ThePageGoesBeforeItsCopies) {
  auto other = documents_;
  EngineDocument copy = documents_[1];
  copy.page.url = "http://copy.test/first";
  other.insert(other.begin(), copy);
  copy.page.url = "http://copy.test/last";
  other.push_back(copy);
  other[2].page.url = "http://h1.test/old";
  auto engine = EngineOf(other);
  engine->redirects["http://h1.test/old"] = documents_[1].page.url;
  Asked target(std::move(engine));
  const auto result = Check(&target, 1);
  EXPECT_EQ(result->match, PageMatch::kRedirect);
  EXPECT_EQ(result->resemblance, 0);
}

// A frameset, a page that sends on by meta refresh, or one whose canonical
// address it is: what the result's source says counts.
TEST_F(CheckTest, FindsByWhatThePageSaysOfItself) {
  TextDetails facts;
  facts.facts = true;
  const std::string own = documents_[3].page.url;
  for (const std::string& source :
       {"<frameset><frame src='/menu'><frame src='" + own + "'></frameset>",
        "<body><iframe src='" + own + "#top'></iframe>",
        "<meta http-equiv=refresh content='0; url=" + own + "'>",
        "<link rel=canonical href='" + own + "'>",
        "<base href='" + own + "'><link rel=canonical href='?'>"}) {
    auto other = documents_;
    other[3].page.url = "http://other.test/start";
    const auto read = Reader().Read({"", "text/html", source, ""}, facts);
    ASSERT_TRUE(read);
    other[3].page.text = "nothing like it";
    other[3].page.other_addresses = OtherAddressesOf(*read, other[3].page.url);
    const bool same = source.find("'?'") == std::string::npos;
    Asked target(EngineOf(other));
    EXPECT_EQ(Check(&target, 3)->match,
              same ? PageMatch::kRedirect : PageMatch::kNone)
        << source;
  }
}

TEST_F(CheckTest, NearDuplicatesDependOnTheThreshold) {
  size_t longest = 0;
  for (size_t i = 0; i < documents_.size(); ++i)
    if (documents_[i].tokens.size() > documents_[longest].tokens.size())
      longest = i;
  auto other = documents_;
  other[longest].page.url = "http://copy.test/long";
  // Words at the end that the strong query does not ask for.
  for (int i = 0; i < 8; ++i) other[longest].page.text += " w0 w1";
  Asked target(EngineOf(other));
  const auto near = Check(&target, longest);
  EXPECT_EQ(near->match, PageMatch::kContent);
  EXPECT_GT(near->resemblance, 0.9);
  EXPECT_LT(near->resemblance, 1);
  CheckOptions strict;
  strict.content_threshold = 0.99;
  EXPECT_EQ(Check(&target, longest, strict)->match, PageMatch::kNone);
}

TEST_F(CheckTest, NoAnswerAndNoWordsAreNotAbsence) {
  auto engine = EngineOf(documents_);
  engine->down = true;
  Asked down(std::move(engine));
  const auto result = Check(&down, 0);
  ASSERT_TRUE(result.has_value());
  EXPECT_FALSE(result->checked);
  Asked up(EngineOf(documents_));
  Questioner::Page blank;
  blank.page.url = "http://h.test/blank";
  const auto no_words =
      CheckPage(blank, blank.page.url, {}, {}, &up.questioner);
  EXPECT_FALSE(no_words->checked);
  EXPECT_TRUE(no_words->short_page);
  PageOverlap overlap;
  overlap.Add(*result, 1);
  overlap.Add(*no_words, 1);
  EXPECT_EQ(overlap.unchecked, 2u);
  EXPECT_EQ(overlap.checked, 0u);
  EXPECT_EQ(overlap.EffectiveSize(), 0u);
}

TEST_F(CheckTest, AnEngineThatIsDownIsNoticed) {
  auto engine = EngineOf(documents_);
  engine->down = true;
  OddEngine* odd = engine.get();
  Asked down(std::move(engine));
  Status status;
  for (size_t i = 0; i < documents_.size() && status; ++i) {
    const auto result = Check(&down, i);
    if (!result) status = tl::unexpected(result.error());
  }
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(status.error().remedy, testing::HasSubstr("--resume"));
  EXPECT_EQ(odd->asked, 20);
}

TEST(PageOverlapTest, WeightsAndEffectiveSize) {
  PageOverlap overlap;
  CheckResult in{true, PageMatch::kUrl}, out{true, PageMatch::kNone};
  overlap.Add(in, 3);
  overlap.Add(out, 1);
  EXPECT_DOUBLE_EQ(overlap.Fraction(), 0.75);
  EXPECT_EQ(overlap.EffectiveSize(), 1u);  // 16 / 10
  for (int i = 0; i < 9; ++i) overlap.Add(out, 1);
  PageOverlap even;
  for (int i = 0; i < 10; ++i) even.Add(i < 4 ? in : out, 0.3);
  EXPECT_EQ(even.EffectiveSize(), 10u);
  EXPECT_NEAR(even.Fraction(), 0.4, 1e-12);
  EXPECT_DOUBLE_EQ(even.FractionWithCopies(), even.Fraction());
}

TEST(PageOverlapTest, CopiesCountApart) {
  PageOverlap overlap;
  overlap.Add({true, PageMatch::kRedirect}, 1);
  overlap.Add({true, PageMatch::kContent}, 2);
  overlap.Add({true, PageMatch::kNone}, 1);
  EXPECT_EQ(overlap.found, 1u);
  EXPECT_EQ(overlap.by_content, 1u);
  EXPECT_DOUBLE_EQ(overlap.Fraction(), 0.25);
  EXPECT_DOUBLE_EQ(overlap.FractionWithCopies(), 0.75);
  EXPECT_FALSE(AreManyCopies(0.96, 1));
  EXPECT_TRUE(AreManyCopies(0.94, 1));
  EXPECT_FALSE(AreManyCopies(0, 0));
}

}  // namespace
}  // namespace twinset
