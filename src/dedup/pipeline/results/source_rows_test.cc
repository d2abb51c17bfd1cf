// What stays of each source, in the file and in a summary.
#include "pipeline/results/source_rows.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

using Parsed = nlohmann::json;

// A run over so many files, of each of which something was kept and lost.
class SourceRowsTest : public ::testing::Test {
 protected:
  std::unique_ptr<TestRun> Begin(size_t sources, uint64_t most_lost,
                                 size_t first_side = 0) {
    const std::string folder = dir_ / "many";
    std::filesystem::create_directories(folder);
    for (size_t i = 0; i < sources; ++i)
      std::ofstream(folder + "/" + std::to_string(1000 + i) + ".jsonl");
    auto run = std::make_unique<TestRun>(
        0, [&](auto* options) { options->input.inputs = {folder}; },
        [&](Plan* plan) { plan->inputs.first_side = first_side; });
    RunCounts& counts = run->get()->counts;
    for (size_t i = 0; i < sources; ++i) {
      kept_.push_back(random_.Below(1000));
      dropped_.push_back(random_.Below(most_lost + 1));
    }
    if (first_side > 0) {
      counts.match_result.kept_by_source = kept_;
      counts.match_result.dropped_by_source = dropped_;
      counts.match_result.dropped_text = TextOf(dropped_);
    } else {
      counts.result.kept_by_source = kept_;
      counts.result.dropped_by_source = dropped_;
      counts.result.dropped_text = TextOf(dropped_);
    }
    return run;
  }
  // 60 bytes and 10 tokens for each document.
  static DroppedText TextOf(const std::vector<uint64_t>& documents) {
    DroppedText text;
    for (const uint64_t count : documents) {
      text.bytes.push_back(60 * count);
      text.tokens.push_back(10 * count);
    }
    return text;
  }
  static std::string NameOf(const TestRun&, size_t i) {
    return "many/" + std::to_string(1000 + i) + ".jsonl";
  }

  TestDir dir_;
  SplitMix64 random_{1};
  std::vector<uint64_t> kept_, dropped_;
};

TEST_F(SourceRowsTest, FewAreAllInTheSummary) {
  const auto run = Begin(100, 50);
  Json summary = Json::object();
  AddSourceRows(*run->get(), &summary);
  ASSERT_EQ(summary["sources"].size(), 100u);
  EXPECT_FALSE(summary.contains("other_sources"));
  for (size_t i = 0; i < 100; ++i) {
    const Json& row = summary["sources"][i];
    EXPECT_EQ(row["source"], NameOf(*run, i));
    EXPECT_EQ(row["kept"].get<uint64_t>(), kept_[i]);
    EXPECT_EQ(row["dropped"].get<uint64_t>(), dropped_[i]);
  }
}

// Those of many are named that lose most, and of equals the first. The others
// are summed, so that the summary has every document once.
TEST_F(SourceRowsTest, OfManyThoseThatLoseMostAreNamed) {
  const auto run = Begin(137, 5);  // many ties
  Json summary = Json::object();
  AddSourceRows(*run->get(), &summary);
  std::vector<std::pair<uint64_t, size_t>> order;
  for (size_t i = 0; i < 137; ++i) order.emplace_back(~dropped_[i], i);
  std::sort(order.begin(), order.end());
  std::vector<size_t> named;
  uint64_t kept = 0, dropped = 0;
  for (size_t n = 0; n < order.size(); ++n) {
    if (n < kMostNamedSources) {
      named.push_back(order[n].second);
    } else {
      kept += kept_[order[n].second];
      dropped += dropped_[order[n].second];
    }
  }
  std::sort(named.begin(), named.end());
  ASSERT_EQ(summary["sources"].size(), named.size());
  for (size_t n = 0; n < named.size(); ++n)
    EXPECT_EQ(summary["sources"][n]["source"], NameOf(*run, named[n]));
  const Json& others = summary["other_sources"];
  EXPECT_EQ(others["sources"].get<uint64_t>(), 37u);
  EXPECT_EQ(others["kept"].get<uint64_t>(), kept);
  EXPECT_EQ(others["dropped"].get<uint64_t>(), dropped);
}

TEST_F(SourceRowsTest, TheFileHasEverySourceInOrder) {
  for (const size_t first_side : {0u, 40u}) {
    kept_.clear();
    dropped_.clear();
    const auto run = Begin(110, 9, first_side);
    ASSERT_TRUE(WriteSourceRows(*run->get()));
    const std::string text = *ReadWholeFile(run->out() + "/sources.jsonl");
    size_t at = 0;
    for (size_t i = 0; i < 110; ++i) {
      const size_t end = text.find('\n', at);
      ASSERT_NE(end, text.npos);
      const Parsed row = Parsed::parse(text.substr(at, end - at));
      EXPECT_EQ(row["source"], NameOf(*run, i));
      EXPECT_EQ(row["kept"], kept_[i]);
      EXPECT_EQ(row["dropped"], dropped_[i]);
      if (first_side == 0) {
        EXPECT_FALSE(row.contains("side"));
      } else {
        EXPECT_EQ(row["side"], i < first_side ? "a" : "b");
      }
      at = end + 1;
    }
    EXPECT_EQ(at, text.size());
  }
}

}  // namespace
}  // namespace twinset
