#include "retrieval/retrieval_measures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/hash.h"
#include "retrieval/collapse.h"
#include "retrieval/ranking.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;

constexpr int32_t kNone = kUnjudgedGrade;
using Grades = std::vector<int32_t>;

double Value(const std::string& name, const Grades& ranked, const Grades& all,
             int level = 1) {
  return MeasureRanking(*ParseMeasure(name), ranked, GradesOfTopic(all, level),
                        level, 0.8);
}

TEST(RetrievalMeasuresTest, KnownValues) {
  const Grades ranked = {0, 2, kNone, 1}, all = {2, 1, 1, 0, 0};
  EXPECT_DOUBLE_EQ(Value("map", ranked, all), (1.0 / 2 + 2.0 / 4) / 3);
  EXPECT_DOUBLE_EQ(Value("recip_rank", ranked, all), 0.5);
  EXPECT_DOUBLE_EQ(Value("P_3", ranked, all), 1.0 / 3);
  EXPECT_DOUBLE_EQ(Value("P_10", ranked, all), 0.2);
  EXPECT_NEAR(Value("ndcg_cut_2", ranked, all),
              (2 / std::log2(3.0)) / (2 + 1 / std::log2(3.0)), 1e-12);
  EXPECT_DOUBLE_EQ(Value("bpref", ranked, all), (0.5 + 0.5) / 3);
  EXPECT_NEAR(Value("rbp", ranked, all), 0.2 * (0.8 + 0.8 * 0.8 * 0.8), 1e-15);
  EXPECT_DOUBLE_EQ(Value("unjudged_3", ranked, all), 1.0 / 3);
  EXPECT_DOUBLE_EQ(Value("num_rel_ret", ranked, all), 2);
}

TEST(RetrievalMeasuresTest, NothingRelevantOrRankedIsZero) {
  for (const std::string& name : DefaultMeasures()) {
    EXPECT_EQ(Value(name, {}, {1, 0}), 0) << name;
    EXPECT_EQ(Value(name, {0, -2}, {0, -2}), 0) << name;
  }
}

TEST(RetrievalMeasuresTest, NamesAreThoseOfTrecEval) {
  for (const std::string& name : DefaultMeasures())
    EXPECT_EQ(MeasureName(*ParseMeasure(name)), name);
  for (const char* name : {"P", "P_", "P_0", "P_x", "ndcg_cut", "MAP", ""})
    EXPECT_FALSE(ParseMeasure(name).has_value()) << name;
}

// The formulas of the papers, without trec_eval's way of computing them.
double NaiveNdcg(const Grades& ranked, Grades all, size_t depth) {
  const auto gain = [&](const Grades& grades) {
    long double sum = 0;
    for (size_t i = 0; i < std::min(depth, grades.size()); ++i)
      if (grades[i] > 0) sum += grades[i] / std::log2l(i + 2.0L);
    return sum;
  };
  std::sort(all.begin(), all.end(), std::greater<>());
  return gain(all) == 0 ? 0 : static_cast<double>(gain(ranked) / gain(all));
}

double NaiveAveragePrecision(const Grades& ranked, const Grades& all) {
  const auto relevant = [](int32_t grade) {
    return grade != kNone && grade >= 1;
  };
  double sum = 0;
  for (size_t i = 0; i < ranked.size(); ++i)
    if (relevant(ranked[i]))
      sum +=
          static_cast<double>(std::count_if(
              ranked.begin(),
              ranked.begin() + static_cast<std::ptrdiff_t>(i) + 1, relevant)) /
          static_cast<double>(i + 1);
  const auto count = std::count_if(all.begin(), all.end(), relevant);
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

TEST(RetrievalMeasuresTest, EqualTheirFormulasOnRandomLists) {
  SplitMix64 random(11);
  for (int round = 0; round < 300; ++round) {
    Grades all, ranked;
    for (uint64_t i = random.Below(30); i > 0; --i)
      all.push_back(static_cast<int32_t>(random.Below(6)) - 2);
    Grades pool = all;
    while (!pool.empty() || random.Below(3) > 0) {
      if (pool.empty() || random.Below(4) == 0) {
        ranked.push_back(kNone);
        continue;
      }
      const auto at = static_cast<std::ptrdiff_t>(random.Below(pool.size()));
      ranked.push_back(pool[static_cast<size_t>(at)]);
      pool.erase(pool.begin() + at);
    }
    EXPECT_NEAR(Value("ndcg", ranked, all),
                NaiveNdcg(ranked, all, ranked.size() + all.size()), 1e-12);
    EXPECT_NEAR(Value("ndcg_cut_5", ranked, all), NaiveNdcg(ranked, all, 5),
                1e-12);
    EXPECT_NEAR(Value("map", ranked, all), NaiveAveragePrecision(ranked, all),
                1e-12);
  }
}

TEST(RankingTest, TiesAreOfThirtyTwoBitsAndGoByDescendingId) {
  StudyNames names;
  const auto ranking = ReadRanking(
      {"dir/sys.run",
       "1 Q0 a 1 0.1 x\n1 Q0 b 2 0.10000000001 x\n1\tQ0\tc\t3\t7\tx\r\n"
       "1 Q0 a 4 9 x\n1 Q0 d 5 nan x\n1 Q0 e 6\n1 Q0 f 7 1e999 x\n"
       "1 Q0 g 8 1e300 x\n"},
      {}, &names);
  ASSERT_TRUE(ranking);
  std::vector<std::string> order;
  for (const RankedDocument& one : ranking->topics[0].documents)
    order.push_back(names.documents[one.document]);
  EXPECT_THAT(order, ElementsAre("g", "c", "b", "a"));
  EXPECT_EQ(ranking->facts.name, "sys");
  EXPECT_EQ(ranking->facts.lines.left_out.at("repeated-id"), 1u);
  EXPECT_EQ(ranking->facts.lines.left_out.at("bad-score"), 2u);
  EXPECT_EQ(ranking->facts.lines.left_out.at("missing-columns"), 1u);
  EXPECT_DOUBLE_EQ(ranking->facts.tied_share, 0.25);
  EXPECT_FALSE(ReadRanking({"x", "nothing\n"}, {}, &names).has_value());
}

TEST(CollapseTest, OnlyWhatIsLinkedToAKeptOneAboveIsADuplicate) {
  // b is like a, c like b alone: b goes, so c stays. d and e are a group.
  DuplicateList list;
  list.links = {{0, 1, .9}, {1, 2, .8}};
  list.groups = {{3, 4}};
  const DuplicateGraph graph(list, 5);
  std::vector<RankedDocument> ranked = {{0, 5}, {1, 4}, {2, 3}, {4, 2}, {3, 1}};
  auto above = FindDuplicatesAbove(graph, 0, ranked);
  EXPECT_THAT(above, ElementsAre(kNoDocument, 0, kNoDocument, kNoDocument, 4));
  EXPECT_EQ(FindDuplicatesAbove(graph, .95, ranked)[1], kNoDocument);
  auto demoted = ranked;
  auto follows = above;
  CollapseRanking(CollapseAction::kDemote, &demoted, &follows);
  std::vector<uint32_t> order;
  std::vector<float> scores;
  for (const RankedDocument& one : demoted) {
    order.push_back(one.document);
    scores.push_back(one.score);
  }
  EXPECT_THAT(order, ElementsAre(0, 2, 4, 1, 3));
  EXPECT_THAT(scores, ElementsAre(5, 4, 3, 2, 1));
  EXPECT_EQ(follows[3], 0u);
  CollapseRanking(CollapseAction::kRemove, &ranked, &above);
  EXPECT_EQ(ranked.size(), 3u);
}

}  // namespace
}  // namespace twinset
