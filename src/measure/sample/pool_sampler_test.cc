// Samplers against corpora whose truth is known: who is uniform and who is not.
#include "sample/pool_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "estimate/uniformity_testing.h"
#include "sample/bharat_broder.h"
#include "sample/random_searches.h"
#include "sample/testing_corpus.h"

namespace twinset {
namespace {

using testing::HasSubstr;
using testing_corpus::Asked;
using testing_corpus::Corpus;
using testing_corpus::Document;

constexpr uint64_t kPages = 50, kWords = 300;
constexpr uint64_t kDraws = TWINSET_SLOW_BUILD ? 500 : 1500;

struct Drawn {
  std::vector<uint64_t> counts = std::vector<uint64_t>(kPages);
  std::vector<double> weights, words;  // one a draw
  std::vector<SampleRow> rows;
  Status status;
  PoolReach reach;

  OnDraw Sink() {
    return [this](const Questioner::Page& page, SampleRow row) -> Status {
      const uint64_t number = testing_corpus::NumberOf(row);
      if (number < counts.size()) ++counts[number];
      weights.push_back(row.weight);
      words.push_back(static_cast<double>(page.tokens.size()));
      rows.push_back(std::move(row));
      return {};
    };
  }
};

struct PoolTask {
  uint32_t limit = 15;
  PoolSamplerOptions options;
};

using Sampler = Status (*)(const PoolSamplerOptions&, PoolGraph*, const OnDraw&,
                           PoolReach*);

Drawn Draw(Sampler sampler, Asked* asked, const QueryPool& pool,
           const PoolTask& task) {
  Drawn drawn;
  PoolGraphOptions graph_options;
  graph_options.limit = task.limit;
  PoolGraph graph(&pool, &asked->questioner, graph_options);
  drawn.status = sampler(task.options, &graph, drawn.Sink(), &drawn.reach);
  return drawn;
}

PoolTask TaskOf(uint64_t seed) {
  PoolTask task;
  task.options.size = kDraws;
  task.options.seed = seed;
  task.options.thin = 200;
  return task;
}

// How many standard errors the weighted mean length is from the true one.
double LengthTrend(const Drawn& drawn,
                   const std::vector<EngineDocument>& documents) {
  double truth = 0;
  for (const auto& document : documents)
    truth += static_cast<double>(document.tokens.size());
  truth /= static_cast<double>(documents.size());
  double weight = 0, mean = 0, square = 0;
  for (size_t i = 0; i < drawn.words.size(); ++i) {
    weight += drawn.weights[i];
    mean += drawn.weights[i] * drawn.words[i];
  }
  mean /= weight;
  for (size_t i = 0; i < drawn.words.size(); ++i) {
    const double off = drawn.weights[i] * (drawn.words[i] - mean);
    square += off * off;
  }
  return (mean - truth) / (std::sqrt(square) / weight);
}

double UniformP(const Drawn& drawn) {
  const auto test = ChiSquareUniform(drawn.counts);
  EXPECT_TRUE(test.has_value());
  return test ? test->p : 0;
}

const std::vector<uint64_t> kSeeds = TWINSET_SLOW_BUILD
                                         ? std::vector<uint64_t>{1}
                                         : std::vector<uint64_t>{1, 2, 3};

class UniformTest : public testing::TestWithParam<Sampler> {};

TEST_P(UniformTest, PassesChiSquareAndHasNoLengthTrend) {
  const auto pool = QueryPool::OfTerms(testing_corpus::Vocabulary(kWords));
  for (const uint64_t seed : kSeeds) {
    const auto documents = Corpus(kPages, kWords, seed);
    Asked asked(documents);
    const auto drawn = Draw(GetParam(), &asked, pool, TaskOf(seed));
    ASSERT_TRUE(drawn.status.has_value()) << drawn.status.error().ToString();
    EXPECT_EQ(drawn.rows.size(), kDraws);
    EXPECT_GT(UniformP(drawn), 0.01) << seed;
    EXPECT_LT(std::abs(LengthTrend(drawn, documents)), 3) << seed;
    EXPECT_GT(asked.questioner.counts().overflowing, 0u);
    EXPECT_GT(drawn.reach.highest_degree, 5 * drawn.reach.lowest_degree);
  }
}

INSTANTIATE_TEST_SUITE_P(Samplers, UniformTest,
                         testing::Values(&SampleByRejection,
                                         &SampleByMetropolisWalk,
                                         &SampleByMaximumDegreeWalk));

TEST(BharatBroderTest, IsNotUniformAndPrefersLongPages) {
  for (const bool conjunctive : {true, false}) {
    const auto documents = Corpus(kPages, kWords, 1);
    Asked asked(documents);
    BharatBroderOptions options;
    options.size = kDraws;
    options.conjunctive = conjunctive;
    options.terms = conjunctive ? 2 : 4;
    Drawn drawn;
    drawn.status =
        SampleByRandomQueries(testing_corpus::Vocabulary(kWords), options,
                              &asked.questioner, drawn.Sink());
    ASSERT_TRUE(drawn.status.has_value());
    EXPECT_LT(UniformP(drawn), 1e-6);
    EXPECT_GT(LengthTrend(drawn, documents), 10);
    // A pair of words is found in long pages alone.
    if (conjunctive) {
      EXPECT_GT(asked.questioner.counts().empty, 0u);
    }
    EXPECT_THAT(testing_corpus::FieldOf(drawn.rows[0], "query"),
                HasSubstr(" "));
  }
}

// Without its last step the rejection sampler is as biased as the degree, and
// the weights repair it.
TEST(ImportanceTest, WeightsCorrectWhatRawDrawsGetWrong) {
  const auto pool = QueryPool::OfTerms(testing_corpus::Vocabulary(kWords));
  for (const uint64_t seed : kSeeds) {
    const auto documents = Corpus(kPages, kWords, seed);
    Asked asked(documents);
    auto drawn = Draw(SampleByImportance, &asked, pool, TaskOf(seed));
    ASSERT_TRUE(drawn.status.has_value());
    EXPECT_LT(std::abs(LengthTrend(drawn, documents)), 3) << seed;
    EXPECT_LT(UniformP(drawn), 1e-6);
    // counts proportional to 1 / weight.
    std::vector<double> shares(kPages);
    for (size_t i = 0; i < drawn.rows.size(); ++i) {
      shares[testing_corpus::NumberOf(drawn.rows[i])] = 1 / drawn.weights[i];
    }
    std::vector<uint64_t> counts;
    std::vector<double> seen;
    for (uint64_t i = 0; i < kPages; ++i) {
      if (shares[i] == 0) continue;
      counts.push_back(drawn.counts[i]);
      seen.push_back(shares[i]);
    }
    const auto cells = JoinSmallCells(counts, seen);
    EXPECT_GT(ChiSquareTest(cells.counts, cells.shares)->p, 0.01) << seed;
    for (double& weight : drawn.weights) weight = 1;
    EXPECT_GT(LengthTrend(drawn, documents), 10) << seed;
  }
}

// The numbers of the pages that some valid query finds, by asking each.
std::set<uint64_t> Reachable(Engine* engine,
                             const std::vector<EngineDocument>& documents,
                             const QueryPool& pool, uint32_t limit) {
  std::set<uint64_t> reachable;
  for (uint64_t i = 0; i < documents.size(); ++i) {
    for (const uint32_t query :
         pool.Matching(SortedDistinct(documents[i].tokens))) {
      const EngineQuery all{pool.Terms(query), pool.conjunctive(), 1000};
      if (engine->Query(all)->hits <= limit) reachable.insert(i);
    }
  }
  return reachable;
}

// The draws of the reachable pages; the others have none.
std::vector<uint64_t> CountsOf(const Drawn& drawn,
                               const std::set<uint64_t>& reachable) {
  std::vector<uint64_t> counts;
  for (uint64_t i = 0; i < kPages; ++i) {
    if (reachable.contains(i)) {
      counts.push_back(drawn.counts[i]);
    } else {
      EXPECT_EQ(drawn.counts[i], 0u);
    }
  }
  return counts;
}

TEST(PoolSamplerTest, ConjunctivePoolsAreUniformOverWhatTheyReach) {
  const auto documents = Corpus(kPages, 60, 4);
  const auto pool =
      QueryPool::Drawn(testing_corpus::Vocabulary(60), 2, true, 900, 4);
  Asked asked(documents);
  const auto drawn = Draw(SampleByRejection, &asked, pool, TaskOf(4));
  ASSERT_TRUE(drawn.status.has_value());
  const auto reachable =
      Reachable(asked.engine.get(), documents, pool, TaskOf(4).limit);
  EXPECT_GT(ChiSquareUniform(CountsOf(drawn, reachable))->p, 0.01);
}

TEST(PoolSamplerTest, UnreachablePagesAreNeverDrawnAndTold) {
  // Ten pages of nothing but words that every page has.
  std::vector<EngineDocument> documents;
  for (uint64_t i = 0; i < kPages; ++i) {
    auto tokens = testing_corpus::Vocabulary(10);
    if (i >= 10) {
      tokens.push_back(testing_corpus::Word(10 + i));
      tokens.push_back(testing_corpus::Word(11 + i));
    }
    documents.push_back(Document(i, std::move(tokens)));
  }
  Asked asked(documents);
  const auto pool = QueryPool::OfTerms(testing_corpus::Vocabulary(kWords));
  const auto drawn = Draw(SampleByRejection, &asked, pool, TaskOf(1));
  ASSERT_TRUE(drawn.status.has_value());
  for (int i = 0; i < 10; ++i) EXPECT_EQ(drawn.counts[i], 0u);
  std::vector<uint64_t> others(drawn.counts.begin() + 10, drawn.counts.end());
  EXPECT_GT(ChiSquareUniform(others)->p, 0.01);
  EXPECT_EQ(asked.questioner.counts().overflowing, 10u);
  EXPECT_EQ(drawn.reach.probed, 10u);
  // The engine shows the first pages first.
  EXPECT_GT(drawn.reach.unreachable, 0u);
}

TEST(PoolSamplerTest, LeastDegreeAboveOneIsFasterAndTold) {
  const auto documents = Corpus(kPages, kWords, 2);
  const auto pool = QueryPool::OfTerms(testing_corpus::Vocabulary(kWords));
  Asked exact_asked(documents), fast_asked(documents);
  auto task = TaskOf(2);
  task.options.size = 300;
  const auto exact = Draw(SampleByRejection, &exact_asked, pool, task);
  task.options.least_degree = 20;
  const auto fast = Draw(SampleByRejection, &fast_asked, pool, task);
  EXPECT_EQ(exact.reach.below_least, 0u);
  EXPECT_GT(fast.reach.below_least, 0u);
  EXPECT_LT(fast.reach.trials * 5, exact.reach.trials);
}

// ---- Corpus size (Broder et al. 2006) ----

TEST(CorpusSizeTest, GoldenExample) {
  // q1 = {1,2}, q2 = {2,3}, q3 = {3}, q4 finds nothing: degrees 1, 2, 2.
  const std::vector<EngineDocument> documents = {Document(1, {"q1"}),
                                                 Document(2, {"q1", "q2"}),
                                                 Document(3, {"q2", "q3"})};
  Asked asked(documents);
  const auto pool = QueryPool::OfTerms({"q1", "q2", "q3", "q4"});
  PoolGraph graph(&pool, &asked.questioner, {});
  PoolSamplerOptions options;
  options.size = 400;
  std::map<std::string, double> sums;
  double total = 0;
  Drawn drawn;
  const auto on_query = [&](const QueryTotal& query) -> Status {
    const auto [at, is_new] =
        sums.emplace(query.query, query.sum_inverse_degree);
    EXPECT_EQ(at->second, query.sum_inverse_degree);
    total += query.sum_inverse_degree;
    return {};
  };
  ASSERT_TRUE(SampleQueries(options, &graph, nullptr, on_query, drawn.Sink(),
                            &drawn.reach));
  EXPECT_EQ(sums["q1"], 1.5);
  EXPECT_EQ(sums["q2"], 1);
  EXPECT_EQ(sums["q3"], 0.5);
  EXPECT_EQ(sums["q4"], 0);
  EXPECT_EQ(4 * (sums["q1"] + sums["q2"] + sums["q3"] + sums["q4"]) / 4, 3);
  EXPECT_NEAR(4 * total / 400, 3, 0.35);
}

TEST(CorpusSizeTest, IsUnbiasedAndTwoPoolsSeeAll) {
  const auto documents = Corpus(kPages, kWords, 5);
  std::vector<std::string> even, odd;
  for (uint64_t i = 0; i < kWords; ++i)
    (i % 2 == 0 ? even : odd).push_back(testing_corpus::Word(i));
  const auto a = QueryPool::OfTerms(even), b = QueryPool::OfTerms(odd);
  Asked asked(documents);
  PoolGraphOptions graph_options;
  graph_options.limit = 15;
  PoolGraph in_a(&a, &asked.questioner, graph_options),
      in_b(&b, &asked.questioner, graph_options);
  uint64_t reached_a = 0, reached_both = 0;
  for (uint64_t i = 0; i < kPages; ++i) {
    const std::string url = testing_corpus::Url(i);
    const bool a_has = (*in_a.DegreeOf(in_a.NumberOf(url)))->degree > 0;
    const bool b_has = (*in_b.DegreeOf(in_b.NumberOf(url)))->degree > 0;
    reached_a += a_has;
    reached_both += a_has && b_has;
  }
  PoolSamplerOptions options;
  options.size = 2000;
  double sum = 0, square = 0, both = 0;
  Drawn drawn;
  const auto on_query = [&](const QueryTotal& query) -> Status {
    const double x = a.size() * query.sum_inverse_degree;
    sum += x;
    square += x * x;
    both += a.size() * query.sum_inverse_degree_both;
    return {};
  };
  ASSERT_TRUE(SampleQueries(options, &in_a, &in_b, on_query, drawn.Sink(),
                            &drawn.reach));
  const double mean = sum / 2000;
  const double error = std::sqrt((square / 2000 - mean * mean) / 2000);
  EXPECT_NEAR(mean, static_cast<double>(reached_a), 4 * error);
  EXPECT_NEAR(both / 2000, static_cast<double>(reached_both), 4 * error);
  // Its rows are a weighted sample: as good as the importance sampler's.
  EXPECT_LT(std::abs(LengthTrend(drawn, documents)), 3);
}

// ---- Engines that misbehave ----

class BadEngine : public MemoryEngine {
 public:
  enum Kind { kLies, kRepeats, kTimesOut, kShowsFew, kGarbage };
  BadEngine(Kind kind, std::vector<EngineDocument> documents)
      : MemoryEngine("bad", std::move(documents)), kind_(kind) {}
  EngineInfo Info() const override {
    EngineInfo info = MemoryEngine::Info();
    if (kind_ == kShowsFew) info.max_results = 10;
    return info;
  }
  Result<EngineAnswer> Query(const EngineQuery& query) override {
    ++asked_;
    if (kind_ == kTimesOut && asked_ % 5 == 0)
      return Fail(ErrorCode::kUnavailable, "timed out");
    EngineQuery cut = query;
    if (kind_ == kShowsFew) cut.limit = std::min(query.limit, 10u);
    TWINSET_ASSIGN(EngineAnswer answer, MemoryEngine::Query(cut));
    if (kind_ == kLies) {
      // Any page, whatever was asked, and millions of hits.
      answer.urls = {testing_corpus::Url(asked_ % kPages)};
      answer.hits = 9'000'000'000;
    }
    if (kind_ == kRepeats) {
      const auto urls = answer.urls;
      answer.urls.insert(answer.urls.end(), urls.begin(), urls.end());
    }
    if (kind_ == kGarbage)
      answer.urls.insert(answer.urls.begin(), {"\x01\xff", "", "javascript:0"});
    return answer;
  }

 private:
  Kind kind_;
  uint64_t asked_ = 0;
};

TEST(BadEngineTest, WhatIsNotTrueIsNotCounted) {
  const auto documents = Corpus(kPages, kWords, 1);
  const auto pool = QueryPool::OfTerms(testing_corpus::Vocabulary(kWords));
  for (const auto kind :
       {BadEngine::kRepeats, BadEngine::kShowsFew, BadEngine::kGarbage}) {
    Asked asked(std::make_unique<BadEngine>(kind, documents));
    auto task = TaskOf(1);
    if (kind == BadEngine::kRepeats) task.limit = 30;  // of each page two
    // Three addresses that are none take places among the results.
    if (kind == BadEngine::kGarbage) task.limit = 18;
    const auto drawn = Draw(SampleByRejection, &asked, pool, task);
    ASSERT_TRUE(drawn.status.has_value()) << kind;
    MemoryEngine honest("honest", documents);
    const auto reachable = Reachable(&honest, documents, pool,
                                     kind == BadEngine::kShowsFew ? 9 : 15);
    EXPECT_GT(ChiSquareUniform(CountsOf(drawn, reachable))->p, 0.01) << kind;
    const SampleCounts& counts = asked.questioner.counts();
    EXPECT_EQ(counts.duplicates > 0, kind == BadEngine::kRepeats);
    EXPECT_EQ(counts.fetch_failed > 0, kind == BadEngine::kGarbage);
  }
}

TEST(BadEngineTest, ALiarIsUnverifiedAndASlowOneIsTold) {
  const auto documents = Corpus(kPages, kWords, 1);
  const auto pool = QueryPool::OfTerms(testing_corpus::Vocabulary(kWords));
  Asked liar(std::make_unique<BadEngine>(BadEngine::kLies, documents));
  auto task = TaskOf(1);
  task.options.size = 50;
  const auto drawn = Draw(SampleByRejection, &liar, pool, task);
  EXPECT_GT(liar.questioner.counts().unverified, 0u);
  for (const SampleRow& row : drawn.rows) {
    const auto& tokens = documents[testing_corpus::NumberOf(row)].tokens;
    const std::string query = testing_corpus::FieldOf(row, "query");
    EXPECT_THAT(tokens, testing::Contains(query.substr(1, query.size() - 2)));
  }
  Asked slow(std::make_unique<BadEngine>(BadEngine::kTimesOut, documents));
  const auto late = Draw(SampleByRejection, &slow, pool, task);
  EXPECT_TRUE(late.status.has_value());
  EXPECT_GT(slow.questioner.counts().failed, 0u);
}

TEST(BadEngineTest, AnotherLanguageIsAnErrorWithARemedy) {
  Asked asked(Corpus(kPages, kWords, 1));
  std::vector<std::string> words;
  for (int i = 0; i < 200; ++i) words.push_back("mot" + std::to_string(i));
  Drawn drawn;
  BharatBroderOptions options;
  options.most_barren = 300;
  const auto random =
      SampleByRandomQueries(words, options, &asked.questioner, drawn.Sink());
  ASSERT_FALSE(random.has_value());
  EXPECT_EQ(random.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(random.error().remedy, HasSubstr("language"));
  const auto pool = QueryPool::OfTerms(words);
  for (const Sampler sampler : {&SampleByRejection, &SampleByMetropolisWalk}) {
    const auto none = Draw(sampler, &asked, pool, TaskOf(1));
    ASSERT_FALSE(none.status.has_value());
    EXPECT_EQ(none.status.error().code, ErrorCode::kNotFound);
  }
}

// ---- Random searches (Lawrence and Giles) ----

TEST(RandomSearchesTest, CountsVerifiedPagesOnce) {
  const std::vector<EngineDocument> all = {
      Document(0, {"tea"}), Document(1, {"tea", "cup"}),
      Document(2, {"tea", "cup"}), Document(3, {"cup"})};
  Asked first(std::vector<EngineDocument>(all.begin(), all.begin() + 3)),
      second(std::vector<EngineDocument>(all.begin() + 1, all.end()));
  std::vector<SearchCount> counts;
  SearchTotals totals;
  Drawn drawn;
  const auto status = SearchAll(
      {{"tea"}, {"cup", "tea"}, {"absent"}}, {},
      {&first.questioner, &second.questioner},
      [&](const SearchCount& count) -> Status {
        counts.push_back(count);
        return {};
      },
      drawn.Sink(), &totals);
  ASSERT_TRUE(status.has_value());
  ASSERT_EQ(counts.size(), 3u);
  EXPECT_THAT(counts[0].counts, testing::ElementsAre(3, 2));
  EXPECT_THAT(counts[0].overlaps, testing::ElementsAre(2));
  EXPECT_THAT(counts[1].counts, testing::ElementsAre(2, 2));
  EXPECT_EQ(counts[1].in_all, 2u);
  EXPECT_EQ(counts[2].in_any, 0u);
  EXPECT_EQ(totals.nothing, 1u);
  EXPECT_EQ(drawn.rows.size(), 3u);  // each page once
}

TEST(RandomSearchesTest, QueriesWithTooManyResultsDoNotCount) {
  const auto documents = Corpus(kPages, kWords, 1);
  Asked asked(documents);
  RandomSearchOptions options;
  options.most_results = 20;
  SearchTotals totals;
  Drawn drawn;
  uint64_t counted = 0;
  std::vector<std::vector<std::string>> queries;
  for (const auto& word : testing_corpus::Vocabulary(kWords))
    queries.push_back({word});
  ASSERT_TRUE(SearchAll(
      queries, options, {&asked.questioner},
      [&](const SearchCount& count) -> Status {
        counted += count.counts[0];
        EXPECT_LT(count.counts[0], 20u);
        return {};
      },
      drawn.Sink(), &totals));
  EXPECT_GT(totals.too_many, 0u);
  EXPECT_GT(counted, 0u);
  EXPECT_EQ(totals.queries + totals.too_many, kWords);
}

// Degrees that are right on average give the same law for fewer questions.
TEST(ProbedDegrees, AreRightOnAverageAndAskForLess) {
  const auto documents = Corpus(kPages, kWords, 1);
  const auto pool = QueryPool::OfTerms(testing_corpus::Vocabulary(kWords));
  Asked asked(documents);
  PoolGraphOptions options;
  options.limit = 15;
  PoolGraph exact(&pool, &asked.questioner, options),
      probed(&pool, &asked.questioner, options);
  SplitMix64 random(4);
  int checked = 0;
  for (uint32_t i = 0; i < kPages; i += 7) {
    const uint32_t page = exact.NumberOf(documents[i].page.url);
    const auto degree = exact.DegreeOf(page);
    ASSERT_TRUE(degree);
    if ((*degree)->queries.empty()) continue;
    ++checked;
    const uint32_t own = probed.NumberOf(documents[i].page.url);
    const auto nobody = probed.ProbeDegree(own, PoolGraph::kNoQuery, &random);
    ASSERT_TRUE(nobody);
    EXPECT_GT((*nobody)->degree, 0);
    const int rounds = 4000;
    double sum = 0, squares = 0;
    for (int round = 0; round < rounds; ++round) {
      const auto joined =
          (*degree)
              ->queries[static_cast<size_t>(round) % (*degree)->queries.size()];
      const double inverse =
          1 / (*probed.ProbeDegree(own, joined, &random))->degree;
      EXPECT_LE(inverse, 1);
      sum += inverse;
      squares += inverse * inverse;
    }
    const double mean = sum / rounds,
                 error = std::sqrt((squares / rounds - mean * mean) / rounds);
    EXPECT_NEAR(mean, 1 / (*degree)->degree, 5 * error + 1e-9) << i;
  }
  EXPECT_GT(checked, 5);
}

TEST(ProbedDegrees, RejectionStaysUniformAndCheaper) {
  const auto pool = QueryPool::OfTerms(testing_corpus::Vocabulary(kWords));
  const auto documents = Corpus(kPages, kWords, 2);
  PoolTask task = TaskOf(2);
  Asked asked(documents);
  task.options.probe_degrees = true;
  const Drawn drawn = Draw(SampleByRejection, &asked, pool, task);
  ASSERT_TRUE(drawn.status);
  EXPECT_GT(UniformP(drawn), 1e-3);
  EXPECT_LT(std::abs(LengthTrend(drawn, documents)), 4);
  const Drawn weighted = Draw(SampleByImportance, &asked, pool, task);
  EXPECT_LT(std::abs(LengthTrend(weighted, documents)), 4);
  // A few draws with weights: far from all of the pool is asked.
  task.options.size = 10;
  Asked plain(documents), probing(documents);
  ASSERT_TRUE(Draw(SampleByImportance, &probing, pool, task).status);
  task.options.probe_degrees = false;
  ASSERT_TRUE(Draw(SampleByImportance, &plain, pool, task).status);
  EXPECT_LT(probing.questioner.counts().asked, plain.questioner.counts().asked);
}

}  // namespace
}  // namespace twinset
