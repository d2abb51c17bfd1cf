// What is stored of a text does not depend on how long it is.
#include "pipeline/read/ingest.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "pipeline/read/view_store.h"

namespace twinset {
namespace {

class IngestTest : public ::testing::Test {
 protected:
  Plan PlanOf(const std::function<void(PlanOptions*)>& set) {
    EXPECT_TRUE(WriteWholeFile(folder_ / "in.jsonl", ""));
    PlanOptions options;
    options.input.inputs = {folder_ / "in.jsonl"};
    options.out = folder_ / "out";
    options.resources.memory_bytes = 256 << 20;
    set(&options);
    auto plan = MakePlan(options);
    EXPECT_TRUE(plan) << plan.error().ToString();
    return *std::move(plan);
  }
  static std::string TextOf(size_t bytes) {
    SplitMix64 random(bytes);
    std::string text;
    while (text.size() < bytes)
      text += std::string(1 + random.Below(3), 'a' + random.Below(26)) + " ";
    return text;
  }
  TestDir folder_;
};

// Around the sizes from which views are not made in one pass, and features stay
// where they were made. Each view against that of buffers nobody has used.
TEST_F(IngestTest, EveryViewIsThatOfTheText) {
  const std::function<void(PlanOptions*)> kinds[] = {
      [](auto*) {},
      [](auto* o) { o->features.shingle = "word:2+char:4"; },
      [](auto* o) { o->max_df = 5; },
      [](auto* o) {
        o->method.name = "minhash";
        o->max_df = 5;
      },
      [](auto* o) { o->method.measure = Measure::kCosineTf; },
      [](auto* o) { o->method.measure = Measure::kEdit; },
      [](auto* o) { o->method.measure = Measure::kEditChars; },
      [](auto* o) { o->method.verify_text = true; }};
  for (const auto& set : kinds) {
    const Plan plan = PlanOf(set);
    ASSERT_EQ(plan.features.sketching, nullptr);
    IngestScratch scratch;
    for (const size_t bytes :
         {size_t{40}, size_t{70} << 10, (size_t{1} << 20) + 9, size_t{300}}) {
      const std::string text = TextOf(bytes);
      Ingested made;
      TakeText(plan, {}, text, &scratch, &made);
      IngestScratch fresh;
      EXPECT_EQ(made.FeatureBytes(), MakeView(plan, 0, text, &fresh)) << bytes;
      EXPECT_EQ(made.info.feature_count, made.FeatureBytes().size() / 8);
      EXPECT_EQ(made.text, plan.checks_texts() ? text : "");
      std::vector<std::string_view> views;
      ASSERT_TRUE(
          DecodeViews(made.views, plan.features.views.size() - 1, &views));
      for (size_t i = 1; i < plan.features.views.size(); ++i) {
        IngestScratch other;
        EXPECT_EQ(views[i - 1], MakeView(plan, i, text, &other)) << i;
      }
      // What it holds at the end, beside the payload.
      EXPECT_GE(
          IngestCost(plan, text.size()),
          2 * text.size() + made.FeatureBytes().size() + made.views.size());
    }
  }
}

}  // namespace
}  // namespace twinset
