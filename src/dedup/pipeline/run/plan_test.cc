// What a plan accepts and refuses, with its words, and what it makes of
// options.
#include "pipeline/run/plan.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "base/file.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

using Change = std::function<void(PlanOptions*)>;

class PlanTest : public ::testing::Test {
 protected:
  PlanOptions Options(const Change& change = {}) {
    EXPECT_TRUE(WriteWholeFile(folder_ / "in.jsonl", ""));
    PlanOptions options;
    options.input.inputs = {folder_ / "in.jsonl"};
    options.out = folder_ / "out";
    options.resources.memory_bytes = 256 << 20;
    if (change) change(&options);
    return options;
  }
  Result<Plan> Make(const Change& change) { return MakePlan(Options(change)); }
  // The plan's refusal; empty when there is none.
  std::string Refusal(const Change& change) {
    const auto plan = Make(change);
    if (plan) return "";
    EXPECT_EQ(plan.error().code, ErrorCode::kUsage);
    return plan.error().ToString();
  }
  TestDir folder_;
};

TEST_F(PlanTest, WhatContradictsItselfIsRefusedWithTheReason) {
  const auto refused = [&](const std::string& words, const Change& change) {
    const std::string message = Refusal(change);
    EXPECT_NE(message.find(words), std::string::npos)
        << words << "\n  but: " << message;
  };
  EXPECT_EQ(Refusal({}), "");
  refused("no result folder was given", [](auto* o) { o->out = ""; });
  refused("--near says what is written: add --write",
          [](auto* o) { o->near = NearRule::kKeep; });
  refused("--write has nothing to do with --action report", [&](auto* o) {
    o->write = folder_ / "clean";
    o->action = Action::kReport;
  });
  refused("standard input cannot be resumed", [](auto* o) {
    o->input.inputs = {"-"};
    o->resume = true;
  });
  refused("--write needs inputs that can be read twice", [&](auto* o) {
    o->input.inputs = {"-"};
    o->write = folder_ / "clean";
  });
  refused("--site says where --template drop counts blocks", [](auto* o) {
    o->features.site = "host";
    o->features.template_blocks = TemplateRule::kKeep;
  });
  refused("nothing asks for a field of --fields",
          [&](auto* o) { o->fields = {folder_ / "in.jsonl"}; });
  refused("--mime '*' only goes with methods that compare bytes",
          [](auto* o) { o->input.mimes = {"*"}; });
  refused("no method is called 'minhesh'",
          [](auto* o) { o->method.name = "minhesh"; });
  refused("--memory is too small for --max-document 1073741824",
          [](auto* o) { o->input.max_document_bytes = 1 << 30; });
  refused("--keep does not know 'best'", [](auto* o) { o->keep = {"best"}; });
}

TEST_F(PlanTest, WhatComparesNoShinglesTakesNothingThatIsOfShingles) {
  const auto exact = [](const Change& change) {
    return [=](PlanOptions* options) {
      options->method.name = "exact";
      change(options);
    };
  };
  EXPECT_EQ(Refusal(exact([](auto*) {})), "");
  EXPECT_EQ(Refusal([](auto* o) { o->max_df = 3; }), "");
  for (const auto& [flag, change] : std::vector<std::pair<std::string, Change>>{
           {"--max-df", [](auto* o) { o->max_df = 3; }},
           {"--ignore", [&](auto* o) { o->ignore = {folder_ / "in.jsonl"}; }},
           {"--verify none", [](auto* o) { o->method.verify = false; }}}) {
    EXPECT_NE(Refusal(exact(change)).find(flag), std::string::npos) << flag;
  }
}

TEST_F(PlanTest, WrittenFilesDoNotMeet) {
  const auto written = [&](const std::vector<std::string>& names) {
    return Refusal([&](PlanOptions* options) {
      options->input.inputs.clear();
      for (const std::string& name : names) {
        const std::string path = folder_ / name;
        std::filesystem::create_directories(
            std::filesystem::path(path).parent_path());
        std::ofstream file(path);  // by itself, not as NAME.part first
        EXPECT_TRUE(file.good()) << path;
        options->input.inputs.push_back(path);
      }
      options->write = folder_ / "clean";
    });
  };
  EXPECT_EQ(written({"x/a.jsonl", "x/b.jsonl"}), "");
  EXPECT_NE(written({"x/a.jsonl", "x/a.jsonl"})
                .find("--write would write two inputs to"),
            std::string::npos);
  EXPECT_NE(written({"x/a.jsonl", "y/a.jsonl.part"}).find(".part"),
            std::string::npos);
  const std::string longest(250, 'n');  // NAME.part: 255 bytes
  EXPECT_EQ(written({longest}), "");
  EXPECT_NE(written({longest + "n"}).find("longer than 255 bytes"),
            std::string::npos);
}

// What decides a result byte is in the hash that a resume compares; nothing
// else is.
TEST_F(PlanTest, TheHashIsOfWhatDecidesTheResult) {
  const auto hash = [&](const Change& change) {
    const auto plan = Make(change);
    EXPECT_TRUE(plan);
    return plan ? plan->hashes.all : 0;
  };
  const uint64_t plain = hash({});
  for (const Change& change : std::vector<Change>{
           [](auto* o) { o->resources.threads = 3; },
           [](auto* o) { o->resources.memory_bytes = 128 << 20; },
           [&](auto* o) { o->resources.tmp = folder_ / "tmp"; },
           [&](auto* o) { o->out = folder_ / "elsewhere"; },
           [](auto* o) { o->resume = true; },
           [](auto* o) { o->method.name = "complete"; }}) {
    EXPECT_EQ(hash(change), plain);
  }
  std::set<uint64_t> seen = {plain};
  for (const Change& change : std::vector<Change>{
           [](auto* o) { o->method.threshold = .7; },
           [](auto* o) { o->method.seed = 2; },
           [](auto* o) { o->method.name = "simhash"; },
           [](auto* o) { o->method.name = "minhash"; },
           [](auto* o) { o->features.shingle = "word:4"; },
           [](auto* o) { o->features.content = ContentMode::kAll; },
           [](auto* o) { o->keep = {"shortest"}; },
           [](auto* o) { o->prefer = {"a"}; },
           [](auto* o) { o->cluster = ClusterRule::kComponents; },
           [](auto* o) { o->pairs = ListedPairs::kAll; },
           [](auto* o) { o->action = Action::kReport; },
           [](auto* o) { o->within = "host"; },
           [](auto* o) { o->across = "host"; },
           [](auto* o) { o->window = "date:1d"; },
           [](auto* o) { o->max_df = 9; },
           [](auto* o) { o->cuts_units = true; },
           [](auto* o) {
             o->input.statuses = {200, 203};
           },
           [](auto* o) { o->input.max_field_bytes = 100; },
           [](auto* o) { o->input.languages = {"de"}; },
           [](auto* o) { o->output_format = OutputFormat::kCsv; },
           [&](auto* o) { o->write = folder_ / "clean"; }}) {
    EXPECT_TRUE(seen.insert(hash(change)).second) << seen.size();
  }
}

}  // namespace
}  // namespace twinset
