#include "pipeline/saved/saved_options.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "base/file.h"
#include "base/test_dir.h"
#include "pipeline/run/plan.h"

namespace twinset {
namespace {

using Change = std::function<void(PlanOptions*)>;

// A run that is planned again from its parameters has the same ones, and so the
// same hashes.
TEST(SavedOptions, MakeTheSamePlanAgain) {
  const TestDir folder;
  ASSERT_TRUE(WriteWholeFile(folder / "in.jsonl", ""));
  const auto place = [&](PlanOptions* options) {
    options->input.inputs = {folder / "in.jsonl"};
    options->out = folder / "out";
    options->resources.memory_bytes = 256 << 20;
  };
  for (const Change& change : std::vector<Change>{
           [](auto*) {},
           [](auto* o) {
             o->method.name = "minhash";
             o->method.threshold = .65;
             o->method.seed = 9;
             o->method.bucket_limit = 17;
           },
           [](auto* o) { o->method.name = "simhash"; },
           [](auto* o) { o->method.measure = Measure::kContainment; },
           [](auto* o) {
             o->features.shingle = "word:2+char:4";
             o->features.content = ContentMode::kMain;
             o->max_df = 5;
           },
           [](auto* o) {
             o->keep = {"max:score", "longest"};
             o->prefer = {"a", "b\n"};
             o->cluster = ClusterRule::kComponents;
             o->action = Action::kAnnotate;
           },
           [](auto* o) {
             o->within = "field:crawl";
             o->across = "host";
             o->window = "date:3d";
             o->stats_by = {"crawl", "n\xC3\xA4me"};
           },
           [](auto* o) {
             o->input.languages = {"de", "en"};
             o->input.statuses = {200, 203};
             o->input.mimes = {"text/html", "text/plain"};
             o->input.page_kinds = {PageKind::kNone};
             o->input.max_field_bytes = 100;
             o->input.max_ratio = 7;
             o->input.truncated = TruncatedRule::kKeep;
             o->input.text_field = "body";
           },
           [](auto* o) {
             o->kinds = true;
             o->limit = 12;
             o->output_format = OutputFormat::kCsv;
           }}) {
    PlanOptions options;
    change(&options);
    place(&options);
    const auto plan = MakePlan(options);
    ASSERT_TRUE(plan) << plan.error().ToString();
    const std::string& parameters = plan->parameters_json;
    auto again = OptionsOfParameters(Json::Parse(parameters));
    ASSERT_TRUE(again) << again.error().ToString() << parameters;
    place(&*again);
    const auto planned = MakePlan(*again);
    ASSERT_TRUE(planned) << planned.error().ToString() << parameters;
    EXPECT_EQ(planned->parameters_json, parameters);
    EXPECT_EQ(planned->hashes.all, plan->hashes.all);
  }
}

TEST(SavedOptions, NothingIsWrittenIntoASavedRun) {
  const TestDir dir;
  const std::string folder = dir / "saved";
  std::filesystem::create_directories(folder);
  std::filesystem::create_directories(dir / "saved-2");
  std::filesystem::create_directory_symlink(folder, dir / "link");
  const auto is_refused = [&](const std::string& place) {
    const Status status = CheckOutside(folder, "the saved run", {"", place});
    if (status) return false;
    EXPECT_EQ(status.error().code, ErrorCode::kUsage);
    EXPECT_NE(status.error().ToString().find("stands in the saved run"),
              std::string::npos);
    return true;
  };
  for (const char* inside : {"saved", "saved/", "saved/out", "saved/a/b",
                             "saved-2/../saved/x", "link", "link/out"})
    EXPECT_TRUE(is_refused(dir / inside)) << inside;
  for (const char* outside :
       {"", "out", "saved-2", "saved-2/out", "saved.x", "saved/../out"})
    EXPECT_FALSE(is_refused(dir / outside)) << outside;
  EXPECT_FALSE(is_refused(""));
  EXPECT_TRUE(CheckOutside(folder, "the saved run", {}));
}

}  // namespace
}  // namespace twinset
