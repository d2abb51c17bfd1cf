// What is said of a cost before it is paid.
#include "pipeline/pairs/stage_costs.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

StageCost Cost(double steps, double seconds) {
  StageCost cost;
  cost.stage = "candidate";
  cost.steps = steps;
  cost.unit = "look-ups";
  cost.seconds = seconds;
  return cost;
}

TEST(StageCosts, AreOneLine) {
  EXPECT_EQ(CostText(Cost(8'749'000, 720)),
            "candidate: 8,749,000 look-ups, about 12 min 0 s");
  StageCost cost = Cost(3, 2);
  cost.remedy = "--probes 8 asks less";
  EXPECT_EQ(CostText(cost),
            "candidate: 3 look-ups, about 2.00 s; --probes 8 asks less");
  // Numbers that no machine counts to are told as such.
  EXPECT_EQ(
      CostText(Cost(1e300, 1)),
      "candidate: more than 1,000,000,000,000,000,000 look-ups, about 1.00 s");
}

TEST(StageCosts, ThreadsShareTheStepsWhereTheyCan) {
  CandidateWork work;
  EXPECT_FALSE(CandidateCost(work, {1e6, 1e6}, false, 4));
  work.steps = [](double asking, double others, bool two) {
    return two ? asking * others : asking * others / 2;
  };
  work.unit = "pairs";
  work.step_seconds = 0.5;
  work.remedy = "less";
  for (const int threads : {1, 4}) {
    for (const bool shares : {false, true}) {
      work.uses_threads = shares;
      const auto one = CandidateCost(work, {10, 10}, false, threads),
                 two = CandidateCost(work, {10, 30}, true, threads);
      ASSERT_TRUE(one && two);
      EXPECT_EQ(one->steps, 50);
      EXPECT_EQ(two->steps, 300);
      EXPECT_EQ(two->seconds, 150.0 / (shares ? threads : 1));
      EXPECT_EQ(CostText(*one).substr(0, 20), "candidate: 50 pairs,");
    }
  }
}

// Those that equal others or are empty ask for no partners; in a match the
// first side asks the second.
TEST(StageCosts, OnlyTheFirstOfEqualDocumentsAsks) {
  using Pair = std::pair<double, double>;
  const auto seekers = [](size_t first_side, uint64_t copies) {
    TestRun test(1000, {},
                 [&](Plan* plan) { plan->inputs.first_side = first_side; });
    Pair asked;
    auto* const run = test.get();
    run->parts.work.steps = [&](double asking, double others, bool) {
      asked = {asking, others};
      return asking * others;
    };
    run->counts.read.empty = 100;
    run->counts.order.copies = copies;
    run->counts.read.sides[0].outcome.documents = 250;
    EXPECT_TRUE(CandidateCost(*run));
    return asked;
  };
  EXPECT_EQ(seekers(0, 400), Pair(500, 500));
  EXPECT_EQ(seekers(1, 400), Pair(125, 375));
  EXPECT_EQ(seekers(0, 5000), Pair(0, 0));  // more than there are
}

TEST(StageCosts, SlowMeasuresHaveFasterOnes) {
  PlanOptions options;
  options.method.measure = Measure::kEdit;
  const StageCost edit = VerifyCost(options, 1e6, 100);
  EXPECT_EQ(edit.unit, "pairs compared by edit");
  EXPECT_NE(edit.remedy.find("--measure jaccard"), std::string::npos);
  options.method.measure = Measure::kJaccard;
  const StageCost sets = VerifyCost(options, 1e6, 100);
  EXPECT_NE(sets.remedy.find("--threshold"), std::string::npos);
  EXPECT_EQ(
      CostText(sets).find("verify: 1,000,000 pairs compared by jaccard, "), 0u);
}

TEST(StageCosts, AreToldFromTheSecondsOnThatAreAskedFor) {
  std::vector<std::string> told;
  TestRun test(1, [&](PlanOptions* options) {
    options->notice_seconds = 60;
    options->on_notice = [&](const std::string& text) { told.push_back(text); };
  });
  TellCost(*test.get(), std::nullopt);
  TellCost(*test.get(), Cost(1, 59.9));
  EXPECT_TRUE(told.empty());
  TellCost(*test.get(), Cost(1, 60));
  EXPECT_EQ(told, std::vector<std::string>{CostText(Cost(1, 60))});
}

}  // namespace
}  // namespace twinset
