// What a saved run says of its options: they make the same run again.
#include "pipeline/saved/saved_options.h"

#include <gtest/gtest.h>

#include "base/test_dir.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

using Change = std::function<void(PlanOptions*)>;

std::string ParametersOf(const Change& change) {
  TestRun run(0, change);
  return run.get()->plan.parameters_json;
}

// Options that leave their defaults one by one.
const std::vector<Change>& Changes() {
  static const std::vector<Change> changes = {
      [](auto*) {},
      [](auto* o) { o->method.threshold = .55; },
      [](auto* o) { o->method.seed = 12345678901234567890u; },
      [](auto* o) { o->features.shingle = "char:7"; },
      [](auto* o) { o->method.name = "simhash"; },
      [](auto* o) {
        o->method.name = "exact";
        o->method.level = CopyLevel::kBytes;
      },
      [](auto* o) {
        o->method.name = "minhash";
        o->method.verify = false;
      },
      [](auto* o) { o->method.measure = Measure::kDice; },
      [](auto* o) {
        o->keep = {"longest", "first"};
      },
      [](auto* o) { o->within = "source"; },
      [](auto* o) { o->across = "host"; },
      [](auto* o) { o->window = "date:3d"; },
      [](auto* o) {
        o->stats_by = {"source", "\xC3\xA9t\xC3\xA9"};
      },
      [](auto* o) { o->kinds = true; },
      [](auto* o) { o->limit = 7; },
      [](auto* o) { o->max_df = 9; },
      [](auto* o) { o->cluster = ClusterRule::kComponents; },
      [](auto* o) { o->output_format = OutputFormat::kCsv; },
      [](auto* o) { o->input.id_field = "name"; },
      [](auto* o) { o->input.text_field = "body"; },
      [](auto* o) { o->input.max_ratio = 77; }};
  return changes;
}

TEST(SavedOptions, MakeTheSameParametersAgain) {
  for (size_t i = 0; i < Changes().size(); ++i) {
    SCOPED_TRACE(i);
    const std::string parameters = ParametersOf(Changes()[i]);
    const auto options = OptionsOfParameters(Json::Parse(parameters));
    ASSERT_TRUE(options) << options.error().ToString();
    EXPECT_EQ(ParametersOf([&](PlanOptions* again) {
                PlanOptions made = *options;
                made.input.inputs = again->input.inputs;
                made.out = again->out;
                made.resources = again->resources;
                *again = made;
              }),
              parameters);
    if (i > 0) {
      EXPECT_NE(parameters, ParametersOf(Changes()[0]));
    }
  }
}

TEST(SavedOptions, AValueThatNoParameterHasIsAnError) {
  Json parameters = Json::Parse(ParametersOf([](auto*) {}));
  parameters["threshold"] = 1.5;
  EXPECT_FALSE(OptionsOfParameters(parameters));
}

TEST(CheckOutside, PlacesInTheFolderAreRefused) {
  const TestDir dir;
  const std::string folder = dir / "saved";
  std::filesystem::create_directories(folder + "/below");
  std::filesystem::create_symlink(folder, dir / "link");
  for (const std::string& inside :
       {folder, folder + "/", folder + "/below", folder + "/new",
        dir / "saved/../saved/x", dir / "link", dir / "link/x"}) {
    const Status checked =
        CheckOutside(folder, "the saved run", {dir / "fine", inside});
    ASSERT_FALSE(checked) << inside;
    EXPECT_EQ(checked.error().code, ErrorCode::kUsage);
    EXPECT_EQ(checked.error().message, "this stands in the saved run");
  }
  EXPECT_TRUE(CheckOutside(
      folder, "the saved run",
      {"", dir / "saved2", dir / "other/x", dir / "saved/../x", dir.path()}));
}

// A build that knows a parameter which the one that saved did not.
TEST(SavedParameters, WhatTheFileLacksHasItsDefault) {
  const Json all = Json::Parse(ParametersOf([](auto*) {}));
  for (const char* later : {"max_df", "template", "cluster"}) {
    ASSERT_TRUE(all.contains(later));
    const TestDir dir;
    Json run;
    for (const auto& [name, value] : all.items())
      if (name != later) run["parameters"][name] = value;
    ASSERT_TRUE(SavedRun::Write(dir.path(), run, {}));
    const auto saved = SavedRun::Open(dir.path());
    ASSERT_TRUE(saved) << saved.error().ToString();
    const auto parameters = SavedParameters(*saved);
    ASSERT_TRUE(parameters) << parameters.error().ToString();
    for (const auto& [name, value] : all.items())
      EXPECT_EQ((*parameters)[name], value) << name;
  }
}

}  // namespace
}  // namespace twinset
