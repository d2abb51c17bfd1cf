#include "pipeline/run/plan_inputs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/file.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

InputList Named(int count) {
  InputList files;
  for (int i = 0; i < count; ++i) {
    const std::string name = "documents-" + std::to_string(i);
    files.Add(name, "", name);
  }
  return files;
}

TEST(PlanInputs, SidesAreTakenByPlace) {
  PlanInputs inputs;
  inputs.files = Named(5);
  inputs.read.fields = {"a"};
  inputs.read_against.fields = {"b"};
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(inputs.SideOf(i), 0u);
  inputs.first_side = 2;
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(inputs.SideOf(i), i < 2 ? 0u : 1u);
    EXPECT_EQ(inputs.ReadOf(i).fields[0], i < 2 ? "a" : "b");
  }
}

TEST(PlanInputs, SavedRunsStandBeforeOwnInputsOrAreAsked) {
  PlanInputs inputs;
  inputs.files = Named(6);
  EXPECT_EQ(inputs.first_own(), 0u);
  EXPECT_EQ(inputs.asked(), nullptr);
  EXPECT_FALSE(inputs.IsStored(0));
  // Two saved runs that are added to: inputs 0 to 1 and 2 to 4.
  inputs.stored.resize(2);
  inputs.stored[0].end = 2;
  inputs.stored[1].begin = 2;
  inputs.stored[1].end = 5;
  EXPECT_EQ(inputs.first_own(), 5u);
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(inputs.IsStored(i), i < 5) << i;
  // One that is the second side of a match.
  inputs.stored.resize(1);
  inputs.stored[0].begin = 4;
  inputs.stored[0].end = 6;
  inputs.stored[0].asked = true;
  EXPECT_EQ(inputs.first_own(), 0u);
  EXPECT_EQ(inputs.asked(), &inputs.stored[0]);
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(inputs.IsStored(i), i >= 4) << i;
}

TEST(PlanInputs, PayloadsAreKeptAsStoredWhereTheyMayBeWritten) {
  PlanOptions options;
  const auto keeps = [&] {
    const auto read = MakeRead(options, {"x", "y"});
    EXPECT_TRUE(read);
    EXPECT_EQ(read->fields, (std::vector<std::string>{"x", "y"}));
    return read->keep_stored;
  };
  EXPECT_FALSE(keeps());
  options.save = "saved";
  EXPECT_TRUE(keeps());
  options.save.clear();
  options.write = "clean";
  EXPECT_TRUE(keeps());
}

TEST(PlanInputs, FilesThatAreGivenAreNotLookedFor) {
  PlanOptions options;
  options.out = "out";
  options.input.inputs = {"no such file"};
  options.ignore = {"no such list"};
  const auto given = MakeInputs(options, {}, Named(3));
  ASSERT_TRUE(given);
  EXPECT_EQ(given->files.size(), 3u);
  EXPECT_EQ(given->ignored.size(), 0u);
  const auto looked_for = MakeInputs(options, {}, {});
  ASSERT_FALSE(looked_for);
  EXPECT_EQ(looked_for.error().code, ErrorCode::kIo);
}

TEST(PlanInputs, EveryListOfFilesIsLookedFor) {
  const TestDir folder;
  ASSERT_TRUE(WriteWholeFile(folder / "a.jsonl", ""));
  const auto missing = [&](const std::function<void(PlanOptions*)>& change) {
    PlanOptions options;
    options.out = folder / "out";
    options.input.inputs = {folder / "a.jsonl"};
    change(&options);
    const auto made = MakeInputs(options, {}, {});
    return made ? std::string() : made.error().ToString();
  };
  EXPECT_EQ(missing([](auto*) {}), "");
  const std::string gone = folder / "gone";
  for (const auto& change : std::vector<std::function<void(PlanOptions*)>>{
           [&](auto* o) { o->input.inputs.push_back(gone); },
           [&](auto* o) { o->ignore = {gone}; },
           [&](auto* o) { o->fields = {gone}; },
           [&](auto* o) { o->method.lexicon = gone; },
           [&](auto* o) { o->method.short_lexicon = gone; },
           [&](auto* o) { o->features.stop_words = gone; }}) {
    EXPECT_NE(missing(change).find("gone"), std::string::npos);
  }
  // A run that is added to has kept the shingles that it ignores.
  EXPECT_EQ(missing([&](auto* o) {
              o->ignore = {gone};
              o->add = {"run"};
            }),
            "");
}

}  // namespace
}  // namespace twinset
