#include "pipeline/run/output_names.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset {
namespace {

InputFile Input(const std::string& path, const std::string& source) {
  InputFile input;
  input.path = path;
  input.source = source;
  return input;
}

TEST(OutputNames, AreThoseOfTheInputs) {
  PlanOptions options;
  options.write = "w";
  options.attributes = "a";
  const auto names = [&](const char* path, const char* source) {
    const InputFile input = Input(path, source);
    return WrittenPath(options, input) + " " + AttributesPath(options, input);
  };
  EXPECT_EQ(names("/x/in/b.jsonl", "in/b.jsonl"), "w/in/b.jsonl a/in/b.jsonl");
  EXPECT_EQ(names("/x/b.jsonl.gz", "b.jsonl"), "w/b.jsonl.gz a/b.jsonl.gz");
  EXPECT_EQ(names("/x/b.csv.zst", "b.csv"), "w/b.csv.zst a/b.csv.zst.jsonl");
  EXPECT_EQ(names("/x/b.html", "b.html"), "w/b.html a/b.html.jsonl");
}

TEST(OutputNames, SayWhetherAttributesAreOneFile) {
  for (const char* file : {"x.jsonl", "d/x.jsonl.gz", ".jsonl.zst"})
    EXPECT_TRUE(IsAttributeFile(file)) << file;
  for (const char* folder : {"x", "x.json", "jsonl", "x.jsonl/", "x.gz", ""})
    EXPECT_FALSE(IsAttributeFile(folder)) << folder;
}

}  // namespace
}  // namespace twinset
