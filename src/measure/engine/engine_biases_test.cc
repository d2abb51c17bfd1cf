// Each bias of an index or of answers does what it says, and no more.
#include "engine/engine_biases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/biased_engine.h"
#include "engine/test_engines.h"

namespace twinset {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

EngineDocument Document(const std::string& url,
                        std::vector<std::string> tokens = {"x"}) {
  EngineDocument document;
  document.page.url = url;
  document.tokens = std::move(tokens);
  return document;
}

IndexFilter::Verdict Judge(const IndexBiases& biases, EngineDocument document) {
  return IndexFilter(biases).Judge(&document);
}

TEST(IndexFilter, TakesEverythingWithoutBiases) {
  EngineDocument document = Document("http://a/b/c/d", {"x", "y", "z"});
  document.page.fields = {{"spam", "true"}};
  EXPECT_EQ(IndexFilter({}).Judge(&document), IndexFilter::kTaken);
  EXPECT_EQ(document.tokens.size(), 3u);
}

TEST(IndexFilter, CutsToTheFirstWords) {
  IndexBiases biases;
  biases.first_words = 2;
  EngineDocument document = Document("http://a/", {"x", "y", "z"});
  EXPECT_EQ(IndexFilter(biases).Judge(&document), IndexFilter::kTaken);
  EXPECT_THAT(document.tokens, ElementsAre("x", "y"));
}

TEST(IndexFilter, DropsByField) {
  IndexBiases biases;
  biases.drop_fields = {"spam", "kind=calendar"};
  const auto with = [](const std::string& name, const std::string& value) {
    EngineDocument document = Document("http://a/");
    document.page.fields = {{"other", "true"}, {name, value}};
    return document;
  };
  for (const char* yes : {"true", "1", "0.5", "\"true\"", "\"yes\"", "\"1\""})
    EXPECT_EQ(Judge(biases, with("spam", yes)), IndexFilter::kDropped) << yes;
  for (const char* no :
       {"false", "0", "null", "\"false\"", "\"\"", "[1]", "{not json"})
    EXPECT_EQ(Judge(biases, with("spam", no)), IndexFilter::kTaken) << no;
  EXPECT_EQ(Judge(biases, with("kind", "\"calendar\"")), IndexFilter::kDropped);
  EXPECT_EQ(Judge(biases, with("kind", "\"page\"")), IndexFilter::kTaken);
  EXPECT_EQ(Judge(biases, Document("http://a/")), IndexFilter::kTaken);
}

TEST(IndexFilter, LimitsDepth) {
  IndexBiases biases;
  biases.max_depth = 1;
  EXPECT_EQ(Judge(biases, Document("http://a/")), IndexFilter::kTaken);
  EXPECT_EQ(Judge(biases, Document("http://a/b?c/d")), IndexFilter::kTaken);
  EXPECT_EQ(Judge(biases, Document("http://a/b/c")), IndexFilter::kTooDeep);
  biases.max_depth = 0;
  EXPECT_EQ(Judge(biases, Document("http://a/b")), IndexFilter::kTooDeep);
}

TEST(IndexFilter, CapsHostsByWhatGotIn) {
  IndexBiases biases;
  biases.host_cap = 2;
  IndexFilter filter(biases);
  EngineDocument document = Document("http://a/1");
  for (int i = 0; i < 5; ++i)  // judged, but not stored
    EXPECT_EQ(filter.Judge(&document), IndexFilter::kTaken);
  filter.Count("http://a/1");
  filter.Count("http://A:80/2");
  EXPECT_EQ(filter.Judge(&document), IndexFilter::kBeyondHostCap);
  EXPECT_EQ(filter.JudgeUnfetched(&document), IndexFilter::kBeyondHostCap);
  document = Document("http://b/1");
  EXPECT_EQ(filter.Judge(&document), IndexFilter::kTaken);
}

// 4000 addresses; a count is within 5 standard deviations of its expectation.
TEST(IndexFilter, SharesOverlapAsIfDrawnIndependently) {
  constexpr int kCount = 4000;
  int a = 0, b = 0, both = 0, same = 0;
  for (int i = 0; i < kCount; ++i) {
    const std::string url = "http://a/" + std::to_string(i);
    IndexBiases of_a, of_b;
    of_a.share = 0.5, of_a.seed = 1;
    of_b.share = 0.3, of_b.seed = 2;
    const bool in_a = Judge(of_a, Document(url)) == IndexFilter::kTaken;
    const bool in_b = Judge(of_b, Document(url)) == IndexFilter::kTaken;
    of_b.seed = 1;  // the same seed: the smaller share is inside the larger
    same += Judge(of_b, Document(url)) == IndexFilter::kTaken && !in_a;
    a += in_a, b += in_b, both += in_a && in_b;
  }
  EXPECT_NEAR(a, kCount * 0.5, 160);
  EXPECT_NEAR(b, kCount * 0.3, 145);
  EXPECT_NEAR(both, kCount * 0.15, 113);
  EXPECT_EQ(same, 0);
}

TEST(Biases, RefuseWhatIsOutOfRange) {
  IndexBiases index;
  index.share = 0;
  EXPECT_FALSE(CheckIndexBiases(index));
  index.share = 1.5;
  EXPECT_FALSE(CheckIndexBiases(index));
  index.share = 1;
  index.drop_fields = {"=x"};
  EXPECT_FALSE(CheckIndexBiases(index));
  for (const char* text :
       {R"({"timeouts":1.1})", R"({"timeouts":-0.1})", R"({"timeouts":"x"})",
        R"({"hit_factor":-1})", R"({"duplicates":2})", R"({"max_terms":-1})",
        R"({"sabotage_share":9})", R"({"max_results":5000000000})",
        R"({"unknown":1})", "[]"}) {
    EXPECT_FALSE(ParseAnswerBiases(Json::Parse(text))) << text;
  }
}

TEST(Biases, AreReadAsWritten) {
  AnswerBiases biases;
  biases.max_terms = 3, biases.timeouts = 0.1, biases.sabotage_terms = 2;
  biases.sabotage_share = 0.3, biases.duplicates = 0.25;
  biases.max_results = 10, biases.hit_factor = 1.5;
  biases.seed = UINT64_MAX;
  const auto read = ParseAnswerBiases(AnswerBiasesJson(biases));
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_EQ(*read, biases);
  EXPECT_EQ(AnswerBiasesJson(AnswerBiases()).dump(), "{}");
  AnswerBiases seed_alone;
  seed_alone.seed = 9;
  EXPECT_EQ(AnswerBiasesJson(seed_alone).dump(), "{}");
}

class BiasedEngineTest : public testing::Test {
 protected:
  BiasedEngineTest() : exact_("m", RandomDocuments(1, 400, 20)) {}
  std::unique_ptr<Engine> With(const AnswerBiases& biases) {
    return MakeBiased(std::make_unique<FakeEngine>(&exact_), biases);
  }
  EngineAnswer Exact(const EngineQuery& query) { return *exact_.Query(query); }
  MemoryEngine exact_;
};

TEST_F(BiasedEngineTest, IsTheEngineItselfWithoutBiases) {
  auto inner = std::make_unique<FakeEngine>(&exact_);
  const Engine* address = inner.get();
  AnswerBiases none;
  none.seed = 77;
  EXPECT_EQ(MakeBiased(std::move(inner), none).get(), address);
}

TEST_F(BiasedEngineTest, LimitsResultsAndKeepsTheCount) {
  AnswerBiases biases;
  biases.max_results = 5;
  const auto engine = With(biases);
  EXPECT_EQ(engine->Info().max_results, 5u);
  const EngineAnswer exact = Exact({{"w1"}, true, 1000});
  ASSERT_GT(exact.hits, 20u);
  const auto answer = engine->Query({{"w1"}, true, 1000});
  EXPECT_EQ(answer->hits, exact.hits);
  EXPECT_EQ(answer->urls, std::vector<std::string>(exact.urls.begin(),
                                                   exact.urls.begin() + 5));
  EXPECT_EQ(engine->Query({{"w1"}, true, 2})->urls.size(), 2u);
}

TEST_F(BiasedEngineTest, CutsQueries) {
  AnswerBiases biases;
  biases.max_terms = 2;
  const auto engine = With(biases);
  EXPECT_EQ(engine->Info().max_terms, 2u);
  EXPECT_EQ(*engine->Query({{"w1", "w2", "nowhere"}, true, 1000}),
            Exact({{"w1", "w2"}, true, 1000}));
}

TEST_F(BiasedEngineTest, TimesOutOnAShareOfQueries) {
  AnswerBiases biases;
  biases.timeouts = 0.3;
  const auto engine = With(biases);
  int failed = 0;
  for (int i = 0; i < 1000; ++i) {
    const EngineQuery query = {{"t" + std::to_string(i)}, true, 10};
    const auto answer = engine->Query(query);
    if (!answer) {
      EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
    }
    failed += !answer;
    // The same question, the same fate.
    EXPECT_EQ(engine->Query({query.terms, true, 20}).has_value(),
              answer.has_value());
  }
  EXPECT_NEAR(failed, 300, 73);  // 5 standard deviations
}

TEST_F(BiasedEngineTest, FalsifiesCounts) {
  AnswerBiases biases;
  biases.hit_factor = 2.5;
  const EngineQuery query = {{"w1"}, true, 1000};
  const auto answer = With(biases)->Query(query);
  EXPECT_EQ(answer->hits, Exact(query).hits * 5 / 2);
  EXPECT_EQ(answer->urls, Exact(query).urls);
}

TEST_F(BiasedEngineTest, SabotagesStrongQueriesOnly) {
  AnswerBiases biases;
  biases.sabotage_terms = 2;
  const auto engine = With(biases);
  const EngineQuery strong = {{"w1", "w2"}, true, 1000};
  const EngineQuery weak = {{"w1"}, true, 1000};
  const EngineQuery any = {{"w1", "w2"}, false, 1000};
  ASSERT_GT(Exact(strong).hits, 20u);
  EXPECT_THAT(engine->Query(strong)->urls, IsEmpty());
  EXPECT_EQ(engine->Query(strong)->hits, 0u);
  EXPECT_EQ(*engine->Query(weak), Exact(weak));
  EXPECT_EQ(*engine->Query(any), Exact(any));
  biases.sabotage_share = 0.5;
  const auto some = With(biases)->Query(strong);
  EXPECT_GT(some->urls.size(), 0u);
  EXPECT_LT(some->urls.size(), Exact(strong).urls.size());
  EXPECT_EQ(some->hits, Exact(strong).hits / 2);
}

TEST_F(BiasedEngineTest, RepeatsResults) {
  AnswerBiases biases;
  biases.duplicates = 1;
  const EngineQuery query = {{"w1"}, true, 6};
  const auto answer = With(biases)->Query(query);
  const EngineAnswer exact = Exact(query);
  EXPECT_THAT(answer->urls,
              ElementsAre(exact.urls[0], exact.urls[0], exact.urls[1],
                          exact.urls[1], exact.urls[2], exact.urls[2]));
}

TEST_F(BiasedEngineTest, FetchesAsBefore) {
  AnswerBiases biases;
  biases.timeouts = 1;
  const auto engine = With(biases);
  EXPECT_FALSE(engine->Query({{"w1"}, true, 1}));
  EXPECT_EQ(engine->Fetch("http://h0/0")->title, "Page 0");
}

}  // namespace
}  // namespace twinset
