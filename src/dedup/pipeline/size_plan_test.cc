// Plans: the arithmetic against known answers, and a plan against a run of the
// size that it is of.
#include "twinset/size_plan.h"

#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "base/file.h"
#include "base/test_dir.h"
#include "pipeline/made_up_texts.h"
#include "pipeline/size_plan_parts.h"

namespace twinset {
namespace {

TEST(SizePlanTest, RatiosGoThroughThePointsAndGrowSlowlyBeyond) {
  const std::vector<SizePoint> points = {{1e4, 1, 0}, {1e5, 2, 0}, {1e6, 4, 0}};
  EXPECT_DOUBLE_EQ(RatioAt({}, 1e9), 1);
  EXPECT_DOUBLE_EQ(RatioAt({{1e4, 3, 0}}, 1e9), 3);
  EXPECT_DOUBLE_EQ(RatioAt(points, 10), 1);
  EXPECT_DOUBLE_EQ(RatioAt(points, 1e5), 2);
  EXPECT_NEAR(RatioAt(points, std::sqrt(1e9)), std::sqrt(2), 1e-9);
  EXPECT_NEAR(RatioAt(points, 1e7), 4 * std::pow(10, .1), 1e-9);
  // What got cheaper for each document is not taken to go on so.
  EXPECT_DOUBLE_EQ(RatioAt({{1e4, 2, 0}, {1e5, 1, 0}}, 1e8), 1);
}

Json Asked(double seconds, double work) {
  return {{"documents", 1'000'000},
          {"bytes", 1e9},
          {"seconds", {{"least", .75 * seconds}, {"most", 1.25 * seconds}}},
          {"work_bytes", work},
          {"result_bytes", 0}};
}

TEST(SizePlanTest, SaysWhatToUse) {
  const StageShares shares = {
      .read = .5, .order = .02, .pairs = .4, .rest = .08};
  Json plan = Asked(3600, 1e9);
  bool on_spark = false;
  const auto use = [&](double hours, double disk) {
    Decide(shares, on_spark, hours, disk, &plan);
    return plan["use"].get<std::string>();
  };
  EXPECT_EQ(use(24, 2e9), "One machine does it");
  EXPECT_EQ(plan["shards"]["count"], Json(4));
  // A half of reading is an eighth, and a gigabyte is copied.
  EXPECT_NEAR(plan["shards"]["seconds"].get<double>(), 3600 * .625 + 5, 1e-6);
  EXPECT_EQ(plan["shards"]["parts"], Json(14));
  EXPECT_NEAR(plan["shards"]["seconds_in_parts"].get<double>(),
              3600 * (.125 + .04 + .4 / 14 + .08) + 5, 1e-6);
  EXPECT_EQ(plan["spark"], Json());
  EXPECT_EQ(use(.7, 2e9), "Shards do it in time");
  EXPECT_EQ(use(.5, 2e9), "Shards and a merge in parts do it in time");
  EXPECT_EQ(use(.2, 2e9), "Nothing here does it in 12 min 0 s");
  EXPECT_EQ(use(24, 5e8), "One machine needs more disk");
  on_spark = true;
  EXPECT_EQ(use(.7, 2e9), "Shards do it in time");
  EXPECT_EQ(use(.01, 2e9), "Spark does it");
  EXPECT_EQ(plan["spark"]["cores"], Json(7));  // 250 s in 36
  EXPECT_EQ(plan["spark"]["shuffled_bytes"], Json(1'100'000'000));
  EXPECT_EQ(use(24, 5e8), "Spark does it");
  EXPECT_EQ(plan["spark"]["cores"], Json(1));
}

TEST(SizePlanTest, StagesAreWhatPartsDivideOrNot) {
  Json stages;
  for (const auto& [stage, seconds] :
       {std::pair("read", 5.), std::pair("order", 1.), std::pair("prune", 1.),
        std::pair("candidate", 6.), std::pair("verify", 2.),
        std::pair("result", 5.)})
    stages[stage] = {{"least", seconds}, {"most", 2 * seconds}};
  const StageShares by_keys = SharesOf(stages, true);
  EXPECT_DOUBLE_EQ(by_keys.read, .25);
  EXPECT_DOUBLE_EQ(by_keys.order, .1);
  EXPECT_DOUBLE_EQ(by_keys.pairs, .3);
  EXPECT_DOUBLE_EQ(by_keys.rest, .35);
  const StageShares whole = SharesOf(stages, false);
  EXPECT_DOUBLE_EQ(whole.pairs, .1);
  EXPECT_DOUBLE_EQ(whole.rest, .55);
}

TEST(SizePlanTest, TextsAreAsLongAsAskedAndHalfOfThemCopies) {
  const TestDir dir;
  ASSERT_TRUE(WriteMadeUpTexts(dir / "x.jsonl", 4000, 1400));
  ASSERT_TRUE(WriteMadeUpTexts(dir / "y.jsonl", 4000, 1400));
  const std::string text = *ReadWholeFile(dir / "x.jsonl");
  EXPECT_EQ(text, ReadWholeFile(dir / "y.jsonl").value_or("none"));
  EXPECT_NEAR(static_cast<double>(text.size()) / 4000, 1420, 140);
  DedupOptions options;
  options.input.inputs = {dir / "x.jsonl"};
  options.out = dir / "out";
  const auto done = Dedup(options);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->documents, 4000u);
  EXPECT_GT(done->dropped, 200u);
  EXPECT_LT(done->dropped, 1500u);
}

TEST(SizePlanTest, APlanIsTheForecastOfThatManyDocuments) {
  const TestDir dir;
  ASSERT_TRUE(WriteMadeUpTexts(dir / "x.jsonl", 2000, 700));
  DedupOptions run;
  run.input.inputs = {dir / "x.jsonl"};
  run.method.name = "minhash";
  const auto small = ForecastDedup(run);
  const auto large = ForecastDedup(run, {.documents = 2'000'000});
  run.resources.late_features = true;
  const auto late = ForecastDedup(run, {.documents = 2'000'000});
  run.resources.late_features = false;
  ASSERT_TRUE(small && large);
  EXPECT_EQ(large->documents, 2'000'000u);
  ASSERT_TRUE(late);
  EXPECT_LT(late->work_bytes, large->work_bytes / 4 * 3);
  EXPECT_NEAR(static_cast<double>(large->work_bytes),
              1000 * static_cast<double>(small->work_bytes),
              10 * static_cast<double>(small->work_bytes));
  SizePlanOptions options;
  options.run = run;
  options.price_per_core_hour = 2;
  EXPECT_EQ(PlanSize(options).error().code, ErrorCode::kUsage);
  options.corpus.documents = 2'000'000;
  const auto plan = PlanSize(options);
  ASSERT_TRUE(plan) << plan.error().ToString();
  const Json& json = plan->json;
  EXPECT_EQ(json["work_bytes"], Json(large->work_bytes));
  EXPECT_NEAR(json["price"].get<double>(), 2 * json["core_hours"].get<double>(),
              1e-9);
  EXPECT_NEAR(json["recall_at_threshold"].get<double>(), .9923, .001);
  EXPECT_NEAR(json["seconds"]["most"].get<double>(),
              5. / 3 * json["seconds"]["least"].get<double>(), 1e-6);
  EXPECT_TRUE(plan->warnings.empty());
  EXPECT_GT(json["spark"]["core_hours"].get<double>(), 0);
  options.run.method.name = "complete";
  const auto complete = PlanSize(options);
  options.run = run;
  ASSERT_TRUE(complete);
  EXPECT_TRUE(complete->json["spark"].is_null());
  // More than the memory, and than ten times what was measured.
  options.corpus.documents = 2'000'000'000;
  const auto large_plan = PlanSize(options);
  ASSERT_TRUE(large_plan);
  EXPECT_EQ(large_plan->warnings.size(), 2u);
  EXPECT_NEAR(large_plan->json["seconds"]["most"].get<double>(),
              4 * large_plan->json["seconds"]["least"].get<double>(), 1e-3);
}

}  // namespace
}  // namespace twinset
