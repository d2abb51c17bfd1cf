// What a run over units accepts, and which parameters decide its results.
#include "pipeline/run/unit_plan.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/file.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

using Change = std::function<void(PlanOptions*)>;

class UnitPlanTest : public ::testing::Test {
 protected:
  Result<Plan> Make(const Change& change) {
    PlanOptions options;
    options.input.inputs = {folder_ / "in.jsonl"};
    options.out = folder_ / "out";
    options.resources.memory_bytes = 256 << 20;
    options.cuts_units = true;
    EXPECT_TRUE(
        WriteWholeFile(folder_ / "in.jsonl", "{\"text\":\"a rose\"}\n"));
    change(&options);
    return MakePlan(options);
  }
  void ExpectRefused(const std::string& words, const Change& change) {
    const auto plan = Make(change);
    ASSERT_FALSE(plan) << words;
    EXPECT_EQ(plan.error().code, ErrorCode::kUsage);
    EXPECT_NE(plan.error().ToString().find(words), std::string::npos)
        << plan.error().ToString();
  }
  TestDir folder_;
};

TEST_F(UnitPlanTest, UnitsAreOfTextsWithPlaces) {
  const auto plan = Make([](auto*) {});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->features.form, FeatureForm::kUnits);
  EXPECT_TRUE(plan->features.text.keep_offsets);
  EXPECT_FALSE(plan->has_classes());
}

TEST_F(UnitPlanTest, WhatHasNoMeaningIsRefused) {
  ExpectRefused("--attributes has nothing to do with --unit-action list",
                [&](auto* o) {
                  o->attributes = folder_ / "attributes";
                  o->unit_action = UnitAction::kList;
                });
  ExpectRefused("--unit-window does not go with --unit substring", [](auto* o) {
    o->unit = UnitKind::kSubstring;
    o->unit_window = 3;
  });
  ExpectRefused("--unit-window does not go with --threshold", [](auto* o) {
    o->near_units = true;
    o->unit_window = 3;
  });
  ExpectRefused("--threshold does not go with --unit substring", [](auto* o) {
    o->unit = UnitKind::kSubstring;
    o->near_units = true;
  });
  ExpectRefused("--min-tokens of --unit substring is at most", [](auto* o) {
    o->unit = UnitKind::kSubstring;
    o->min_tokens = 10'001;
  });
  ExpectRefused("--write has nothing to do with --unit-action list",
                [&](auto* o) {
                  o->write = folder_ / "clean";
                  o->unit_action = UnitAction::kList;
                });
  ExpectRefused("cannot cut the markup of --html-field", [&](auto* o) {
    o->write = folder_ / "clean";
    o->input.html_field = "html";
  });
  ExpectRefused("several fields", [&](auto* o) {
    o->write = folder_ / "clean";
    o->input.text_field = "title,body";
  });
  ExpectRefused("cannot cut HTML", [&](auto* o) {
    o->input.inputs = {folder_ / "in.html"};
    EXPECT_TRUE(WriteWholeFile(folder_ / "in.html", "<p>a rose</p>"));
    o->write = folder_ / "clean";
  });
  const auto written = Make([&](auto* o) { o->write = folder_ / "clean"; });
  EXPECT_TRUE(written) << written.error().ToString();
}

// The hash that a resume compares is of the units alone: what says how
// documents are compared changes nothing.
TEST_F(UnitPlanTest, ParametersOfDocumentsDecideNothing) {
  const auto hash = [&](const Change& change) {
    const auto plan = Make(change);
    EXPECT_TRUE(plan);
    return plan ? plan->hashes.all : 0;
  };
  const uint64_t plain = hash([](auto*) {});
  for (const Change& change : std::vector<Change>{
           [](auto* o) { o->method.threshold = .5; },
           [](auto* o) { o->method.seed = 5; },
           [](auto* o) { o->prefer = {"a"}; },
           [](auto* o) { o->within = "host"; },
           [](auto* o) { o->cluster = ClusterRule::kComponents; }})
    EXPECT_EQ(hash(change), plain);
  for (const Change& change : std::vector<Change>{
           [](auto* o) { o->unit = UnitKind::kSentence; },
           [](auto* o) { o->min_tokens = 9; },
           [](auto* o) { o->features.tokens = TokenRule::kWhitespace; },
           [](auto* o) { o->features.content = ContentMode::kAll; }})
    EXPECT_NE(hash(change), plain);
}

}  // namespace
}  // namespace twinset
