// Commands over several runs: means, ranks and swaps of systems, carried and
// collapsed runs, by the definitions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "twinset/corpora/runs.h"
#include "twinset/json.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Topic(uint64_t n) { return "t" + std::to_string(n); }
std::string Doc(uint64_t n) { return "d" + std::to_string(n); }

// Judgements of 20 documents for 8 topics by a seed, as a file.
std::string WriteQrels(const TestDir& dir, const std::string& name,
                       uint64_t seed) {
  SplitMix64 random(seed);
  std::string text;
  for (uint64_t t = 0; t < 8; ++t)
    for (uint64_t d = 0; d < 20; ++d)
      text += Topic(t) + " 0 " + Doc(d) + " " +
              std::to_string(random.Below(3) == 0) + "\n";
  EXPECT_TRUE(WriteWholeFile(dir / name, text));
  return dir / name;
}

// A run that ranks all documents at random; the order by topic goes to *lists.
using Lists = std::map<std::string, std::vector<std::string>>;
std::string WriteRanked(const TestDir& dir, const std::string& name,
                        uint64_t seed, Lists* lists = nullptr) {
  SplitMix64 random(seed);
  std::string text;
  for (uint64_t t = 0; t < 8; ++t) {
    std::vector<uint64_t> order(20);
    for (uint64_t d = 0; d < 20; ++d) order[d] = d;
    for (uint64_t d = 19; d > 0; --d)
      std::swap(order[d], order[random.Below(d + 1)]);
    for (size_t i = 0; i < order.size(); ++i) {
      text += Topic(t) + " Q0 " + Doc(order[i]) + " " + std::to_string(i + 1) +
              " " + std::to_string(100 - i) + " tag\n";
      if (lists != nullptr) (*lists)[Topic(t)].push_back(Doc(order[i]));
    }
  }
  EXPECT_TRUE(WriteWholeFile(dir / name, text));
  return dir / name;
}

TEST(RunSystemsTest, MeansAreThoseOfTheTopics) {
  const TestDir dir;
  RunsOptions options;
  options.qrels = {WriteQrels(dir, "qrels", 1)};
  for (uint64_t s = 0; s < 4; ++s)
    options.runs.push_back(
        WriteRanked(dir, "s" + std::to_string(s) + ".run", s));
  const auto result = EvaluateRuns(options);
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_EQ(result->measures, DefaultMeasures());
  ASSERT_EQ(result->runs.size(), 4u);
  for (const EvaluatedRun& run : result->runs) {
    EXPECT_EQ(run.topics, 8u);
    for (size_t m = 0; m < run.means.size(); ++m) {
      double sum = 0;
      for (const auto& topic : run.by_topic) sum += topic.values[m];
      EXPECT_NEAR(run.means[m], sum / 8, 1e-12);
      EXPECT_GE(run.means[m], 0);
      EXPECT_LE(run.means[m], 1);
    }
  }
  // Counts are sums, not means.
  options.evaluation.measures = {"num_ret", "num_rel"};
  const auto counts = EvaluateRuns(options);
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->runs[0].means[0], 160);
}

TEST(RunSystemsTest, RanksAndSwapsFollowFromTheMeans) {
  const TestDir dir;
  // Many means of P_5 are equal, though sums of differences are rounded.
  for (uint64_t seed = 0; seed < 4; ++seed) {
    RunsOptions options;
    options.qrels = {WriteQrels(dir, "first", 2 * seed)};
    options.against_qrels = {WriteQrels(dir, "second", 2 * seed + 1)};
    for (uint64_t s = 0; s < 6; ++s)
      options.runs.push_back(
          WriteRanked(dir, "s" + std::to_string(s) + ".run", 10 * seed + s));
    options.evaluation.measures = {"map", "P_5"};
    options.permutations = 50;
    const auto result = CompareRuns(options);
    ASSERT_TRUE(result) << result.error().ToString();
    EXPECT_EQ(result->first_topics, 8u);
    EXPECT_TRUE(result->unmatched.empty());
    RunsOptions one_side = options;
    one_side.against_qrels.clear();
    const auto first = EvaluateRuns(one_side);
    one_side.qrels = options.against_qrels;
    const auto second = EvaluateRuns(one_side);
    ASSERT_TRUE(first && second);
    for (size_t m = 0; m < 2; ++m) {
      const ComparedMeasure& measure = result->measures[m];
      ASSERT_EQ(measure.systems.size(), 6u);
      ASSERT_EQ(measure.pairs.size(), 15u);
      std::map<std::string, const ComparedSystem*> by_name;
      double concordant = 0, ties_first = 0, ties_second = 0;
      for (size_t i = 0; i < 6; ++i) {
        const ComparedSystem& system = measure.systems[i];
        by_name[system.name] = &system;
        EXPECT_NEAR(system.first, first->runs[i].means[m], 1e-12);
        EXPECT_NEAR(system.second, second->runs[i].means[m], 1e-12);
        uint64_t better = 0;
        for (const ComparedSystem& other : measure.systems)
          better += other.first > system.first;
        EXPECT_EQ(system.first_rank, 1 + better);
      }
      uint64_t swapped = 0, tied = 0, t_kinds = 0;
      for (const ComparedPair& pair : measure.pairs) {
        const double x = by_name[pair.a]->first - by_name[pair.b]->first;
        const double y = by_name[pair.a]->second - by_name[pair.b]->second;
        EXPECT_NEAR(pair.first_difference, x, 1e-12);
        EXPECT_NEAR(pair.second_difference, y, 1e-12);
        EXPECT_EQ(pair.swapped, x * y < 0);
        swapped += pair.swapped;
        tied += x == 0 || y == 0;
        concordant += x * y > 0 ? 1 : x * y < 0 ? -1 : 0;
        ties_first += x == 0;
        ties_second += y == 0;
        for (const double p : {pair.first_p, pair.second_p, pair.first_random_p,
                               pair.second_random_p}) {
          EXPECT_GE(p, 0);
          EXPECT_LE(p, 1);
        }
        const bool at_first = pair.first_p < 0.05,
                   at_second = pair.second_p < 0.05;
        const SwapKind kind =
            at_first && at_second
                ? (x * y > 0 ? SwapKind::kBothSame : SwapKind::kBothOpposite)
            : at_first  ? SwapKind::kOnlyFirst
            : at_second ? SwapKind::kOnlySecond
                        : SwapKind::kNeither;
        EXPECT_EQ(pair.t_kind, kind);
      }
      for (const uint64_t count : measure.t_kinds) t_kinds += count;
      EXPECT_EQ(measure.swapped, swapped);
      EXPECT_EQ(measure.tied, tied);
      EXPECT_EQ(t_kinds, 15u);
      // Kendall's tau-b of the means.
      ASSERT_TRUE(measure.tau_b);
      EXPECT_NEAR(
          *measure.tau_b,
          concordant / std::sqrt((15 - ties_first) * (15 - ties_second)),
          1e-12);
    }
  }
}

// Against itself nothing changes, and the sides may be turned.
TEST(RunSystemsTest, ComparisonsAreSymmetric) {
  const TestDir dir;
  RunsOptions options;
  options.qrels = {WriteQrels(dir, "first", 5)};
  options.against_qrels = options.qrels;
  for (uint64_t s = 0; s < 4; ++s)
    options.runs.push_back(
        WriteRanked(dir, "s" + std::to_string(s) + ".run", s));
  options.evaluation.measures = {"map"};
  options.permutations = 50;
  const auto same = CompareRuns(options);
  ASSERT_TRUE(same);
  EXPECT_DOUBLE_EQ(*same->measures[0].tau_b, 1);
  EXPECT_EQ(same->measures[0].swapped, 0u);
  EXPECT_NEAR(*same->measures[0].overlap, 1, 1e-9);
  options.against_qrels = {WriteQrels(dir, "second", 6)};
  const auto there = CompareRuns(options);
  std::swap(options.qrels, options.against_qrels);
  const auto back = CompareRuns(options);
  ASSERT_TRUE(there && back);
  EXPECT_NEAR(*there->measures[0].tau_b, *back->measures[0].tau_b, 1e-12);
  EXPECT_EQ(there->measures[0].swapped, back->measures[0].swapped);
  for (size_t i = 0; i < there->measures[0].pairs.size(); ++i) {
    EXPECT_EQ(there->measures[0].pairs[i].first_p,
              back->measures[0].pairs[i].second_p);
    EXPECT_EQ(there->measures[0].pairs[i].first_random_p,
              back->measures[0].pairs[i].second_random_p);
  }
}

TEST(RunSystemsTest, RunsOfOneSideStandApart) {
  const TestDir dir;
  std::filesystem::create_directories(dir / "x");
  RunsOptions options;
  options.qrels = {WriteQrels(dir, "q", 1)};
  for (const char* name : {"a.run", "b.run", "only.run"})
    options.runs.push_back(WriteRanked(dir, name, Hash64(name)));
  for (const char* name : {"x/b.run", "x/a.run", "x/new.run"})
    options.against.push_back(WriteRanked(dir, name, Hash64(name)));
  options.evaluation.measures = {"map"};
  options.permutations = 10;
  const auto result = CompareRuns(options);
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_THAT(result->unmatched, ElementsAre("only", "new"));
  ASSERT_EQ(result->measures[0].systems.size(), 2u);
  EXPECT_EQ(result->measures[0].systems[0].name, "a");
  // Two files of one name are one system twice.
  options.against.push_back(options.runs[0]);
  options.against[0] = options.runs[0];
  const auto twice = CompareRuns(options);
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().code, ErrorCode::kUsage);
}

// ---- carried runs ----

Lists ReadLists(const std::string& path) {
  Lists lists;
  const std::string text = ReadWholeFile(path).value();
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    const size_t topic = line.find(' '), document = line.find(' ', topic + 4);
    lists[line.substr(0, topic)].push_back(
        line.substr(topic + 4, document - topic - 4));
    at = end + 1;
  }
  return lists;
}

TEST(RunSystemsTest, CarriedRunsHaveTheMostSimilarPartners) {
  SplitMix64 random(4);
  for (int trial = 0; trial < 5; ++trial) {
    const TestDir dir;
    Lists lists;
    RunsOptions options;
    options.runs = {
        WriteRanked(dir, "s.run", static_cast<uint64_t>(trial) + 10, &lists)};
    std::string pairs;
    std::map<std::string, std::pair<double, std::string>> best;
    for (int i = 0; i < 25; ++i) {
      const std::string a = Doc(random.Below(20));
      const std::string b = "b" + std::to_string(random.Below(12));
      const double similarity =
          static_cast<double>(random.Below(1000) * 100 + i) / 1e5;
      pairs +=
          Json({{"a", a}, {"b", b}, {"similarity", similarity}}).dump() + "\n";
      auto& of = best[a];
      if (of.second.empty() || similarity > of.first) of = {similarity, b};
    }
    ASSERT_TRUE(WriteWholeFile(dir / "pairs.jsonl", pairs));
    options.pairs = {dir / "pairs.jsonl"};
    options.out = dir / "out.run";
    const auto result = TransferRuns(options);
    ASSERT_TRUE(result) << result.error().ToString();
    Lists expected;
    uint64_t mapped = 0, without = 0, merged = 0;
    for (const auto& [topic, documents] : lists) {
      std::set<std::string> seen;
      for (const std::string& document : documents) {
        const auto partner = best.find(document);
        if (partner == best.end()) {
          ++without;
        } else if (!seen.insert(partner->second.second).second) {
          ++merged;
        } else {
          ++mapped;
          expected[topic].push_back(partner->second.second);
        }
      }
    }
    EXPECT_EQ(ReadLists(dir / "out.run"), expected);
    EXPECT_EQ(result->runs[0].mapped, mapped);
    EXPECT_EQ(result->runs[0].without_pair, without);
    EXPECT_EQ(result->runs[0].merged, merged);
    EXPECT_EQ(mapped + without + merged, 160u);
  }
}

TEST(RunSystemsTest, CollapsedRunsAreWrittenWithTheirLog) {
  const TestDir dir;
  Lists lists;
  RunsOptions options;
  options.runs = {WriteRanked(dir, "s.run", 3, &lists)};
  ASSERT_TRUE(
      WriteWholeFile(dir / "pairs.csv", "a,b\nd0,d1\nd2,d3\nd4,gone\n"));
  options.evaluation.duplicates = {dir / "pairs.csv"};
  options.out = dir / "out.run";
  options.log = dir / "log.csv";
  const auto result = CollapseRuns(options);
  ASSERT_TRUE(result) << result.error().ToString();
  const Lists collapsed = ReadLists(dir / "out.run");
  uint64_t gone = 0;
  for (const auto& [topic, documents] : lists) {
    std::vector<std::string> expected;
    std::set<std::string> seen;
    for (const std::string& document : documents) {
      static const std::map<std::string, std::string> kTwins = {
          {"d0", "d1"}, {"d1", "d0"}, {"d2", "d3"}, {"d3", "d2"}};
      const auto twin = kTwins.find(document);
      if (twin != kTwins.end() && seen.contains(twin->second)) {
        ++gone;
        continue;
      }
      seen.insert(document);
      expected.push_back(document);
    }
    EXPECT_EQ(collapsed.at(topic), expected);
  }
  EXPECT_EQ(gone, 16u) << "one of each pair in each of eight topics";
  EXPECT_EQ(result->runs[0].collapsed, gone);
  EXPECT_EQ(result->runs[0].topics, 8u);
  const std::string log = ReadWholeFile(dir / "log.csv").value();
  EXPECT_EQ(static_cast<uint64_t>(std::count(log.begin(), log.end(), '\n')),
            gone + 1);
  EXPECT_THAT(log, HasSubstr("run,topic,rank,document,duplicate_of\n"));
  // Marked runs keep all, and name the twin in place of the tag.
  options.evaluation.action = CollapseAction::kMark;
  options.overwrite = true;
  ASSERT_TRUE(CollapseRuns(options));
  const std::string marked = ReadWholeFile(dir / "out.run").value();
  EXPECT_EQ(ReadLists(dir / "out.run"), lists);
  size_t marks = 0;
  for (size_t at = 0;
       (at = marked.find("duplicate-of:", at)) != std::string::npos; ++at)
    ++marks;
  EXPECT_EQ(marks, gone);
}

TEST(RunSystemsTest, WhatDoesNotGoTogetherIsRefused) {
  const TestDir dir;
  RunsOptions options;
  options.runs = {WriteRanked(dir, "s.run", 1)};
  options.out = dir / "out.run";
  const auto none = CollapseRuns(options);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "no duplicates are given");
  ASSERT_TRUE(WriteWholeFile(dir / "pairs.csv", "a,b\nx,y\n"));
  options.evaluation.duplicates = {dir / "pairs.csv"};
  const auto strangers = CollapseRuns(options);
  ASSERT_FALSE(strangers);
  EXPECT_THAT(strangers.error().message, HasSubstr("no id in common"));
  EXPECT_FALSE(std::filesystem::exists(dir / "out.run"));
  options = {};
  options.runs = {dir / "s.run"};
  ASSERT_TRUE(WriteWholeFile(dir / "q", "other 0 d1 1\n"));
  options.qrels = {dir / "q"};
  EXPECT_FALSE(EvaluateRuns(options));
  options.evaluation.measures = {"mapp"};
  const auto measure = EvaluateRuns(options);
  ASSERT_FALSE(measure);
  EXPECT_THAT(measure.error().remedy, HasSubstr("'map'"));
}

}  // namespace
}  // namespace twinset
