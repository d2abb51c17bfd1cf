#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <string>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "pipeline/forecast_inputs.h"
#include "pipeline/forecast_sample.h"
#include "twinset/dedup.h"
#include "twinset/json.h"

namespace twinset {
namespace {

std::string Rows(uint64_t first, uint64_t count, size_t words) {
  std::string rows;
  for (uint64_t i = first; i < first + count; ++i) {
    SplitMix64 random(i % 7 == 0 ? 1 : i);  // each seventh is a copy
    rows += R"({"id":")" + std::to_string(i) + R"(","text":")";
    for (size_t word = 0; word < words; ++word)
      rows += "w" + std::to_string(random.Below(5000)) + " ";
    rows += "\"}\n";
  }
  return rows;
}

DedupOptions OptionsFor(const std::string& input) {
  DedupOptions options;
  options.input.inputs = {input};
  options.input.max_document_bytes = 1 << 20;
  options.resources.memory_bytes = 256 << 20;
  options.resources.threads = 2;
  return options;
}

TEST(Forecast, OfLittleIsAMeasurement) {
  const TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "in.jsonl", Rows(0, 70, 30)));
  DedupOptions options = OptionsFor(dir / "in.jsonl");
  options.out = dir / "out";
  const auto forecast = ForecastDedup(options);
  ASSERT_TRUE(forecast) << forecast.error().ToString();
  EXPECT_TRUE(forecast->has_sample);
  EXPECT_EQ(forecast->documents, 70u);
  const Json json = forecast->json;
  EXPECT_TRUE(json["sample"]["is_all"] == true);
  EXPECT_FALSE(std::filesystem::exists(dir / "out"));
  EXPECT_TRUE(forecast->costs.empty());
  EXPECT_LE(forecast->least_seconds, forecast->most_seconds);
}

// A cluster that becomes large lists its documents alone, which the sample has
// to tell although the cluster is small there. Long words keep the documents
// of the sample few: where comparing them takes seconds, the sample is cut.
TEST(Forecast, KnowsWhichClustersBecomeLarge) {
  const TestDir dir;
  const std::string shared = Rows(0, 1, 400);  // the words of all
  std::string rows;
  constexpr uint64_t kDocuments = 6000;
  static_assert(kDocuments > kLargeCluster);
  for (uint64_t i = 0; i < kDocuments; ++i) {
    rows += shared.substr(0, shared.size() - 3);
    const std::string own = std::string(23, 'v') + std::to_string(i) + "x";
    for (int word = 0; word < 200; ++word)
      rows += own + std::to_string(word) + " ";
    rows += "\"}\n";
  }
  ASSERT_TRUE(WriteWholeFile(dir / "in.jsonl", rows));
  DedupOptions options = OptionsFor(dir / "in.jsonl");
  options.method.threshold = .4;
  const auto forecast = ForecastDedup(options);
  ASSERT_TRUE(forecast) << forecast.error().ToString();
  const Json expected = forecast->json["expected"];
  EXPECT_GE(expected["pairs"]["most"].get<double>(), kDocuments - 1);
  EXPECT_LE(expected["pairs"]["most"].get<double>(), 2 * (kDocuments - 1));
  double most = 0;
  for (const auto& [stage, span] : expected["stage_seconds"].items())
    most += span["most"].get<double>();
  EXPECT_LE(expected["seconds"]["most"].get<double>(), 1.3 * most);
}

TEST(Forecast, ALimitCutsItOff) {
  const TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "in.jsonl", Rows(0, 70, 30)));
  DedupOptions options = OptionsFor(dir / "in.jsonl");
  options.limit = 20;
  const auto forecast = ForecastDedup(options);
  ASSERT_TRUE(forecast) << forecast.error().ToString();
  EXPECT_EQ(forecast->documents, 20u);
}

// Half of a sample of pieces of many files tells how many documents there are.
TEST(Forecast, OfMuchScalesASample) {
  const TestDir dir;
  std::filesystem::create_directories(dir / "in");
  uint64_t documents = 0;
  for (int i = 0; i < 24; ++i) {
    const uint64_t count = 40 + 20 * static_cast<uint64_t>(i % 5);
    ASSERT_TRUE(WriteWholeFile(dir / ("in/" + std::to_string(i) + ".jsonl"),
                               Rows(documents, count, 60)));
    documents += count;
  }
  DedupOptions options = OptionsFor(dir / "in");
  options.out = dir / "out";
  auto plan_options = PlanOptions(options);
  auto plan = MakePlan(plan_options);
  ASSERT_TRUE(plan);
  std::vector<uint32_t> pages;
  EXPECT_FALSE(TakePieces(200 << 10, &*plan, &pages));
  EXPECT_EQ(plan->inputs.sample_bytes, uint64_t{64} << 10);
  EXPECT_GE(plan->inputs.files.size(), 12u);
  EXPECT_LE(plan->inputs.files.size(), 24u);
  auto all = MakePlan(plan_options);
  ASSERT_TRUE(all);
  EXPECT_TRUE(TakePieces(64 << 20, &*all, &pages));
  EXPECT_EQ(all->inputs.files.size(), 24u);
  const auto inputs = LookAtInputs(*all, options.input.inputs);
  ASSERT_TRUE(inputs);
  EXPECT_EQ(inputs->bytes[0], inputs->json["bytes"].get<uint64_t>());
}

// Pages of very different sizes, the large ones first or last in the folder:
// each 25th has many words. The i-th and the one half of them further on differ
// in a word for each i below `copies`.
void WritePages(const std::string& folder, uint64_t count, uint64_t copies,
                bool large_first) {
  std::filesystem::create_directories(folder);
  for (uint64_t i = 0; i < count; ++i) {
    const bool is_copy = i >= count / 2 && i < count / 2 + copies;
    SplitMix64 random(is_copy ? i - count / 2 : i);
    const bool is_large = !is_copy && i >= copies && i % 25 == 0;
    std::string page = "<html><body><p>";
    for (size_t word = 0; word < (is_large ? 1500u : 60u); ++word)
      page += "w" + std::to_string(random.Below(1 << 20)) + " ";
    page += is_copy ? "copy" : "page";
    const std::string name = (is_large == large_first ? "a" : "b") +
                             std::to_string(100'000 + i) + ".html";
    ASSERT_TRUE(WriteWholeFile(folder + "/" + name, page + "</p></body>"));
  }
}

// The files of a folder of pages are counted, whatever their sizes.
TEST(Forecast, OfAFolderOfPagesCountsThem) {
  constexpr uint64_t kPages = 1500, kCopies = 120;
  for (const bool large_first : {true, false}) {
    const TestDir dir;
    WritePages(dir / "in", kPages, kCopies, large_first);
    DedupOptions options = OptionsFor(dir / "in");
    options.features.content = ContentMode::kAll;
    const auto forecast = ForecastDedup(options);
    ASSERT_TRUE(forecast) << forecast.error().ToString();
    const Json json = forecast->json;
    EXPECT_TRUE(json["sample"]["is_all"] == false);
    EXPECT_NEAR(static_cast<double>(forecast->documents), kPages, kPages / 20);
    const Json& pairs = json["expected"]["pairs"];
    EXPECT_LE(pairs["least"].get<uint64_t>(), kCopies);
    EXPECT_GE(pairs["most"].get<uint64_t>(), kCopies);
  }
}

// Beside them stand rows, which go by bytes.
TEST(Forecast, OfAMixedFolderCountsThePagesOnly) {
  constexpr uint64_t kPages = 1200;
  const TestDir dir;
  WritePages(dir / "in", kPages, 0, false);
  uint64_t rows = 0;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(WriteWholeFile(dir / ("in/" + std::to_string(i) + ".jsonl"),
                               Rows(rows, 300, 60)));
    rows += 300;
  }
  DedupOptions options = OptionsFor(dir / "in");
  options.out = dir / "out";
  options.features.content = ContentMode::kAll;
  std::vector<uint32_t> pages;
  {
    auto plan = MakePlan(PlanOptions(options));
    ASSERT_TRUE(plan) << plan.error().ToString();
    auto inputs = LookAtInputs(*plan, options.input.inputs);
    ASSERT_TRUE(inputs);
    EXPECT_EQ(inputs->files[0].count, kPages);
    pages = inputs->pages;
    EXPECT_FALSE(TakePieces(1 << 20, &*plan, &pages));
    EXPECT_EQ(pages.size(), plan->inputs.files.size());
  }
  const auto forecast = ForecastDedup(options);
  ASSERT_TRUE(forecast) << forecast.error().ToString();
  EXPECT_NEAR(static_cast<double>(forecast->documents),
              static_cast<double>(kPages + rows),
              static_cast<double>(kPages + rows) / 10);
}

// Small files leave room to a large one.
TEST(Forecast, ASampleIsTheSameOnAnyThreads) {
  const TestDir dir;
  std::filesystem::create_directories(dir / "in");
  ASSERT_TRUE(WriteWholeFile(dir / "in/large.jsonl", Rows(0, 4000, 100)));
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(WriteWholeFile(dir / ("in/" + std::to_string(i) + ".jsonl"),
                               Rows(5000, 100, 3)));
  }
  std::vector<uint64_t> documents;
  for (const int threads : {1, 4}) {
    DedupOptions options = OptionsFor(dir / "in");
    options.resources.threads = threads;
    const auto sample =
        RunSampled(DedupForecastJob(options), 400 << 10, SampledSink());
    ASSERT_TRUE(sample) << sample.error().ToString();
    EXPECT_FALSE(sample->is_whole);
    EXPECT_EQ(sample->pieces, 6u);
    EXPECT_GT(sample->documents[0], 700u);
    EXPECT_LT(sample->documents[0], 1500u);
    documents.push_back(sample->documents[0]);
  }
  EXPECT_EQ(documents[0], documents[1]);
}

// Pairs at hot elements are known only while they are compared.
TEST(Forecast, ASampleThatTakesLongIsCut) {
  const TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "in.jsonl", Rows(0, 4000, 100)));
  std::atomic<bool> stop = false;
  DedupOptions options = OptionsFor(dir / "in.jsonl");
  options.stop = &stop;
  const ForecastJob job = DedupForecastJob(options);
  const auto sample_in = [&](double seconds) {
    return RunSampled(job, 400 << 10, SampledSink(), seconds);
  };
  const auto all = sample_in(1000), cut = sample_in(0);
  ASSERT_TRUE(all) << all.error().ToString();
  ASSERT_TRUE(cut) << cut.error().ToString();
  EXPECT_FALSE(all->was_slow);
  EXPECT_EQ(all->asked_bytes, 400u << 10);
  EXPECT_TRUE(cut->was_slow);
  EXPECT_LT(cut->asked_bytes, 16u << 10);
  EXPECT_GT(cut->documents[0], 10u);
  EXPECT_LT(cut->documents[0], all->documents[0] / 4);
  // Who asks for a stop gets it.
  stop = true;
  const auto stopped = sample_in(1000);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
}

TEST(Forecast, SaysWhatCostsMuchAndDoesNotPayIt) {
  const TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "in.jsonl", Rows(0, 3000, 30)));
  DedupOptions options = OptionsFor(dir / "in.jsonl");
  options.method.name = "simhash";
  options.method.generator = "psm";
  options.method.distance = 6;
  options.method.given = {"generator", "distance"};
  options.notice_seconds = 60;
  const auto forecast = ForecastDedup(options);
  ASSERT_TRUE(forecast) << forecast.error().ToString();
  ASSERT_FALSE(forecast->costs.empty());
  EXPECT_NE(forecast->costs[0].find("--probes"), std::string::npos);
  const Json json = forecast->json;
  EXPECT_EQ(json["sample"]["stopped_before"].get<std::string>(), "candidate");
  EXPECT_GT(forecast->most_seconds, 60);
}

TEST(Forecast, MatchHasTwoSides) {
  const TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "a.jsonl", Rows(0, 30, 30)));
  ASSERT_TRUE(WriteWholeFile(dir / "b.jsonl", Rows(0, 50, 30)));
  MatchOptions options;
  options.input.inputs = {dir / "a.jsonl"};
  options.against = {dir / "b.jsonl"};
  const auto forecast = ForecastMatch(options);
  ASSERT_TRUE(forecast) << forecast.error().ToString();
  EXPECT_EQ(forecast->documents, 80u);
}

TEST(Forecast, RefusesWhatTheRunRefuses) {
  const TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "in.jsonl", "{\"id\":1,\"body\":\"x\"}\n"));
  const auto forecast = ForecastDedup(OptionsFor(dir / "in.jsonl"));
  ASSERT_FALSE(forecast);
  EXPECT_EQ(forecast.error().code, ErrorCode::kUsage);
  DedupOptions nowhere = OptionsFor(dir / "no such file");
  EXPECT_FALSE(ForecastDedup(nowhere));
}

}  // namespace
}  // namespace twinset
