// Whole runs: files, resuming, replaying, and intervals that hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/test_dir.h"
#include "estimate/relative_size.h"
#include "estimate/uniformity_testing.h"
#include "sample/check.h"
#include "sample/pool_sampler.h"
#include "sample/sample_rows.h"
#include "sample/testing_corpus.h"
#include "twinset/lexicon.h"
#include "twinset/measure/engine.h"
#include "twinset/measure/sample.h"

namespace twinset {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

class SampleRunTest : public testing::Test {
 protected:
  SampleRunTest() : documents_(testing_corpus::Corpus(120, 500, 11)) {
    std::string rows;
    for (const EngineDocument& document : documents_) {
      rows += Json({{"id", document.page.url},
                    {"url", document.page.url},
                    {"text", document.page.text},
                    {"spam", document.tokens.size() > 100}})
                  .dump() +
              "\n";
    }
    EXPECT_TRUE(WriteWholeFile(dir_ / "pages.jsonl", rows).has_value());
    LexiconOptions lexicon;
    lexicon.input.inputs = {dir_ / "pages.jsonl"};
    lexicon.rules = {1, 0, 0};
    lexicon.out = dir_ / "words";
    EXPECT_TRUE(BuildLexicon(lexicon, [](const RejectedRecord&) {}));
    Build("a", 0.8, 1);
    Build("b", 0.5, 2);
  }

  void Build(const std::string& name, double share, uint64_t seed) {
    EngineBuildOptions options;
    options.input.inputs = {dir_ / "pages.jsonl"};
    options.out = dir_ / name;
    options.keep_fields = {"spam"};
    options.index.share = share;
    options.index.seed = seed;
    const auto built = BuildEngine(options);
    ASSERT_TRUE(built.has_value()) << built.error().ToString();
    documents_of_[name] = built->documents;
  }

  SampleOptions Options(const std::string& out) {
    SampleOptions options;
    options.engines = {dir_ / "a", dir_ / "b"};
    options.sampler.lexicon = dir_ / "words";
    options.sampler.size = 40;
    options.sampler.limit = 30;
    options.checking.check = true;
    options.out = dir_ / out;
    return options;
  }

  std::string Bytes(const std::string& name) {
    const auto bytes = ReadWholeFile(dir_ / name);
    EXPECT_TRUE(bytes.has_value()) << name;
    return bytes ? *bytes : "";
  }

  TestDir dir_;
  std::vector<EngineDocument> documents_;
  std::map<std::string, uint64_t> documents_of_;
};

TEST_F(SampleRunTest, WritesRowsOverlapsAndSummary) {
  auto options = Options("s");
  options.report = true;
  const auto summary = DrawSample(options);
  ASSERT_TRUE(summary.has_value()) << summary.error().ToString();
  EXPECT_EQ(summary->rows, 80u);
  uint64_t rows = 0, both = 0;
  const auto header =
      ReadSample(dir_ / "s/sample.jsonl", [&](const SampleRow& row) -> Status {
        EXPECT_EQ(row.weight, 1);
        EXPECT_EQ(row.draw, rows++);
        const std::string engines = testing_corpus::FieldOf(row, "engines");
        both += engines == R"(["a","b"])" || engines == R"(["b","a"])";
        for (const char* field : {"host", "depth", "words", "language", "title",
                                  "degree", "query", "engine", "spam"}) {
          EXPECT_NE(testing_corpus::FieldOf(row, field), "") << field;
        }
        return {};
      });
  ASSERT_TRUE(header.has_value());
  EXPECT_EQ(header->weights, "uniform");
  EXPECT_EQ(header->engine, "a,b");
  EXPECT_EQ(rows, 80u);
  ASSERT_EQ(summary->overlaps.size(), 2u);
  EXPECT_EQ(summary->overlaps[0].found + summary->overlaps[1].found, both);
  EXPECT_THAT(Bytes("s/overlaps.csv"),
              HasSubstr("x,y,fraction_of_x_in_y,fraction_with_copies,n\na,b,"));
  const auto json = Json::parse(Bytes("s/summary.json"));
  EXPECT_EQ(json["rows"], 80);
  EXPECT_GT(json["engines"][0]["pool"]["valid"], 0);
  // The result has what the file has.
  EXPECT_EQ(Bytes("s/summary.json"), SummaryJson(*summary).dump(2) + "\n");
  ASSERT_TRUE(summary->engines[0].pool && summary->parameters.pool);
  EXPECT_EQ(json["engines"][0]["pool"]["valid"],
            summary->engines[0].pool->valid);
  EXPECT_EQ(json["parameters"]["pool"], *summary->parameters.pool);
  EXPECT_EQ(json["overlaps"][0]["n"], summary->overlaps[0].n);
  EXPECT_THAT(Bytes("s/report.html"), HasSubstr("Length of the pages drawn"));
}

TEST_F(SampleRunTest, EverySamplerIsRepeatableAndReplayable) {
  ASSERT_TRUE(WriteWholeFile(dir_ / "log", "w3 w9\nw200\nw1\nw250 w8\nw400\n"));
  for (const SamplerInfo& sampler : Samplers()) {
    auto options = Options(sampler.name);
    options.sampler.name = sampler.name;
    options.sampler.burn_in = options.sampler.thin = 20;
    if (TWINSET_SLOW_BUILD) options.sampler.size = 12;
    options.report = true;
    if (sampler.name == "random-searches") {
      options.sampler.queries = dir_ / "log";
      options.checking.check = false;
    }
    if (sampler.name == "pool-queries") {
      options.engines.pop_back();
      options.checking.check = false;
    }
    const auto first = DrawSample(options);
    ASSERT_TRUE(first.has_value()) << first.error().ToString();
    EXPECT_GT(first->rows, 0u) << sampler.name;
    const std::string rows = Bytes(sampler.name + "/sample.jsonl"),
                      report = Bytes(sampler.name + "/report.html");
    options.replay = true;
    const auto again = DrawSample(options);
    ASSERT_TRUE(again.has_value()) << again.error().ToString();
    EXPECT_EQ(SummaryJson(*again), SummaryJson(*first));
    EXPECT_EQ(Bytes(sampler.name + "/sample.jsonl"), rows);
    EXPECT_EQ(Bytes(sampler.name + "/report.html"), report);
    options.sampler.seed = 99;
    options.replay = false;
    options.overwrite = true;
    const auto other = DrawSample(options);
    ASSERT_TRUE(other.has_value()) << other.error().ToString();
    if (sampler.name != "random-searches") {
      EXPECT_NE(Bytes(sampler.name + "/sample.jsonl"), rows) << sampler.name;
    }
  }
}

// Stops after so many questions, keeps them, and goes on to the same bytes.
TEST_F(SampleRunTest, MaxRequestsStopsAndGoesOn) {
  ASSERT_TRUE(DrawSample(Options("whole")));
  auto options = Options("parts");
  options.fetching.max_requests = 150;
  size_t before = 0;
  int parts = 0;
  for (;; ++parts) {
    const auto part = DrawSample(options);
    size_t answers = 0;
    for (const char* name :
         {"parts/answers-1.jsonl", "parts/answers-2.jsonl"}) {
      if (!FileExists(dir_ / name)) continue;
      const std::string bytes = Bytes(name);
      answers +=
          static_cast<size_t>(std::count(bytes.begin(), bytes.end(), '\n') - 1);
    }
    ASSERT_LE(answers, before + 150);
    if (part) break;
    ASSERT_EQ(part.error().code, ErrorCode::kInterrupted);
    EXPECT_THAT(part.error().ToString(), HasSubstr("--max-requests"));
    ASSERT_EQ(answers, before + 150);
    before = answers;
    options.resume = true;
  }
  EXPECT_GT(parts, 1);
  EXPECT_EQ(Bytes("parts/sample.jsonl"), Bytes("whole/sample.jsonl"));
}

// What is told before the first question is about what is asked for.
TEST_F(SampleRunTest, ForecastsWhatItWillAsk) {
  for (const char* sampler : {"pool-rejection", "pool-importance"}) {
    for (const bool probe : {false, true}) {
      for (const uint64_t size : {10u, 40u}) {
        if (TWINSET_SLOW_BUILD && size == 40) continue;
        auto options = Options("s");
        options.overwrite = true;
        options.engines.pop_back();
        options.checking.check = false;
        options.sampler.name = sampler;
        options.sampler.size = size;
        options.sampler.probe_degrees = probe;
        SampleForecast forecast;
        options.on_forecast = [&](const SampleForecast& told) {
          forecast = told;
        };
        const auto summary = DrawSample(options);
        ASSERT_TRUE(summary) << summary.error().ToString();
        const SampledEngine& engine = summary->engines[0];
        const auto asked = static_cast<double>(engine.counts.asked),
                   fetched = static_cast<double>(engine.counts.fetched);
        const auto where = std::string(sampler) + (probe ? " probed " : " ") +
                           std::to_string(size);
        EXPECT_LT(forecast.queries, 2 * asked) << where << " " << asked;
        EXPECT_GT(forecast.queries, asked / 2) << where << " " << asked;
        EXPECT_LT(forecast.fetches, 2.5 * fetched) << where << " " << fetched;
        EXPECT_GT(forecast.fetches, fetched / 2.5) << where << " " << fetched;
      }
    }
  }
}

// The first queries of a log are of one day or one mind: any may be asked.
TEST_F(SampleRunTest, QueriesOfALogAreDrawnAtRandom) {
  std::string log;
  for (int i = 60; i < 120; ++i) log += "w" + std::to_string(i) + "\n";
  ASSERT_TRUE(WriteWholeFile(dir_ / "log", log));
  const auto asked = [&](uint64_t seed, uint64_t size) {
    auto options = Options("s");
    options.overwrite = true;
    options.sampler.name = "random-searches";
    options.sampler.limit = 1000;  // of any number of results
    options.sampler.queries = dir_ / "log";
    options.sampler.size = size;
    options.sampler.seed = seed;
    options.checking.check = false;
    EXPECT_TRUE(DrawSample(options));
    std::vector<std::string> queries;
    std::istringstream rows(Bytes("s/queries.jsonl"));
    for (std::string row; std::getline(rows, row);)
      queries.push_back(Json::parse(row)["query"]);
    return queries;
  };
  std::set<std::string> all;
  int late = 0;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    const auto queries = asked(seed, 20);
    EXPECT_EQ(queries.size(), 20u);
    if (seed == 1) {
      EXPECT_EQ(queries, asked(seed, 20));
    }
    for (const std::string& query : queries) late += query >= "w90";
    all.insert(queries.begin(), queries.end());
  }
  EXPECT_GT(all.size(), 45u);
  EXPECT_GT(late, 0);
  // All of them stay in their order.
  const auto whole = asked(1, 0);
  EXPECT_EQ(whole.size(), 60u);
  EXPECT_EQ(whole.front(), "w60");
}

TEST_F(SampleRunTest, GoesOnWhereItWasInterrupted) {
  ASSERT_TRUE(DrawSample(Options("whole")).has_value());
  auto options = Options("parts");
  std::atomic<bool> stop = false;
  options.stop = &stop;
  int asked = 0;
  options.on_progress = [&](const Progress&) { stop = ++asked == 100; };
  const auto interrupted = DrawSample(options);
  ASSERT_FALSE(interrupted.has_value());
  EXPECT_EQ(interrupted.error().code, ErrorCode::kInterrupted);
  EXPECT_FALSE(FileExists(options.out + "/summary.json"));
  options.stop = nullptr;
  const auto refused = DrawSample(options);
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().remedy, HasSubstr("--resume"));
  options.resume = true;
  ASSERT_TRUE(DrawSample(options).has_value());
  for (const char* name :
       {"/sample.jsonl", "/overlaps.csv", "/summary.json", "/answers-1.jsonl"})
    EXPECT_EQ(Bytes("parts" + std::string(name)),
              Bytes("whole" + std::string(name)));
}

TEST_F(SampleRunTest, BadOptionsAreRefusedBeforeAnythingIsAsked) {
  const auto code = [&](const std::function<void(SampleOptions*)>& change) {
    auto options = Options("bad");
    change(&options);
    const auto summary = DrawSample(options);
    EXPECT_FALSE(summary.has_value());
    EXPECT_FALSE(FileExists(dir_ / "bad"));
    return summary ? ErrorCode::kInternal : summary.error().code;
  };
  EXPECT_EQ(code([](auto* o) { o->engines.clear(); }), ErrorCode::kUsage);
  EXPECT_EQ(code([](auto* o) { o->out = ""; }), ErrorCode::kUsage);
  EXPECT_EQ(code([](auto* o) { o->sampler.name = "?"; }), ErrorCode::kUsage);
  EXPECT_EQ(code([](auto* o) { o->sampler.size = 0; }), ErrorCode::kUsage);
  EXPECT_EQ(code([](auto* o) { o->sampler.lexicon = ""; }), ErrorCode::kUsage);
  EXPECT_EQ(code([](auto* o) { o->sampler.min_df = 1000; }), ErrorCode::kUsage);
  EXPECT_EQ(code([](auto* o) { o->engines.pop_back(); }), ErrorCode::kUsage);
  EXPECT_EQ(code([](auto* o) { o->resume = true; }), ErrorCode::kUsage);
  code([](auto* o) { o->engines[1] += ".not-there"; });
}

TEST_F(SampleRunTest, AnotherLanguageAndTwoStrangers) {
  auto options = Options("foreign");
  ASSERT_TRUE(WriteWholeFile(dir_ / "mots", "bonjour\nmerci\n"));
  options.sampler.lexicon = "";
  options.sampler.queries = dir_ / "mots";
  const auto foreign = DrawSample(options);
  ASSERT_FALSE(foreign.has_value());
  EXPECT_EQ(foreign.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(foreign.error().remedy, HasSubstr("language"));
}

// A copy of a page that was drawn here stands at another address.
TEST(CheckPageTest, FindsCopiesAtOtherAddresses) {
  auto documents = testing_corpus::Corpus(40, 500, 22);
  EngineDocument copy = documents[3];
  copy.page.url += "?copy";
  documents.push_back(copy);
  const auto statistics = testing_corpus::Statistics(documents);
  testing_corpus::Asked asked(documents);
  CheckOptions options;
  options.elsewhere = true;
  for (const size_t number : {3u, 4u, 40u}) {
    SCOPED_TRACE(number);
    const std::string& url = documents[number].page.url;
    const auto page = asked.questioner.Fetch(url);
    ASSERT_TRUE(page.has_value() && page->has_value());
    const auto result =
        CheckPage(**page, url, statistics, options, &asked.questioner);
    ASSERT_TRUE(result.has_value());
    EXPECT_TRUE(result->checked);
    EXPECT_EQ(result->match,
              number == 4 ? PageMatch::kNone : PageMatch::kContent);
  }
}

// The whole chain: uniform samples of two engines, each page looked up in the
// other by a strong query, the ratio of their sizes with its interval.
TEST(RelativeSizeTest, IntervalsOfCheckedSamplesHold) {
  constexpr uint64_t kPages = 90, kSample = 60;
  constexpr int kRuns = TWINSET_SLOW_BUILD ? 100 : 400;
  const auto documents = testing_corpus::Corpus(kPages, 500, 21);
  // 70 pages and 50, of which 30 are common.
  testing_corpus::Asked a(
      std::vector<EngineDocument>(documents.begin(), documents.begin() + 70)),
      b(std::vector<EngineDocument>(documents.begin() + 40, documents.end()));
  const auto pool = QueryPool::OfTerms(testing_corpus::Vocabulary(500));
  const auto statistics = testing_corpus::Statistics(documents);
  std::map<std::pair<uint64_t, Engine*>, bool> known;  // what a check says
  PoolGraph in_a(&pool, &a.questioner, {20, 1}),
      in_b(&pool, &b.questioner, {20, 1});
  const auto sample = [&](PoolGraph* graph, testing_corpus::Asked* other,
                          uint64_t seed) {
    Found found{0, kSample};
    PoolSamplerOptions options;
    options.size = kSample;
    options.seed = seed;
    PoolReach reach;
    const auto on_draw = [&](const Questioner::Page& page,
                             const SampleRow& row) -> Status {
      const auto key =
          std::make_pair(testing_corpus::NumberOf(row), other->engine.get());
      if (!known.contains(key)) {
        const auto checked =
            CheckPage(page, row.url, statistics, {}, &other->questioner);
        known[key] = checked->match != PageMatch::kNone;
      }
      found.found += known[key];
      return {};
    };
    EXPECT_TRUE(SampleByRejection(options, graph, on_draw, &reach));
    return found;
  };
  uint64_t covered = 0;
  double mean = 0;
  for (int run = 0; run < kRuns; ++run) {
    const auto estimate = RelativeSizeOfTwo(sample(&in_a, &b, 2 * run + 1),
                                            sample(&in_b, &a, 2 * run + 2));
    ASSERT_TRUE(estimate.has_value());
    mean += std::log(estimate->value) / kRuns;
    covered += estimate->interval.low <= 1.4 && 1.4 <= estimate->interval.high;
  }
  EXPECT_NEAR(mean, std::log(1.4), 0.03);
  EXPECT_GT(BinomialTest(covered, kRuns, 0.95).low, 0.01) << covered;
  // A page is said to be where it is, and nowhere else.
  for (const auto& [key, there] : known) {
    const bool is_there =
        key.second == a.engine.get() ? key.first < 70 : key.first >= 40;
    EXPECT_EQ(there, is_there) << key.first;
  }
}

}  // namespace
}  // namespace twinset
