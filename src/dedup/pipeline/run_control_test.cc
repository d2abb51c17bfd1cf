#include "pipeline/run_control.h"

#include <gtest/gtest.h>

#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

Status MustNotRun(Run*) { return Fail(ErrorCode::kInternal, "it was run"); }

// The stage as a resumed run meets it: done, with this state in the journal.
Status Resume(TestRun* run, Stage stage, const std::string& state) {
  EXPECT_TRUE(run->get()->journal.FinishStage(stage.name, {}, state));
  stage.run = MustNotRun;
  return RunStages(run->get(), {&stage, 1});
}

Status Resume(TestRun* run, const char* name, const std::string& state) {
  return Resume(run, Stage{.name = name, .run = MustNotRun}, state);
}

TEST(RunStagesTest, AResumedRunTakesCountsFromTheJournal) {
  TestRun run(3);
  OrderCounts order;
  order.keep_missing = {1, 0};
  order.copies = 7;
  ASSERT_TRUE(Resume(&run, "order", FieldsToJson(order).dump()));
  EXPECT_EQ(run.get()->counts.order.copies, 7u);
  EXPECT_EQ(run.get()->counts.order.keep_missing, order.keep_missing);
  EXPECT_FALSE(run.get()->counts.order.corrected.has_value());
  ASSERT_TRUE(Resume(&run, "passages", "{}"));
  EXPECT_FALSE(run.get()->counts.passages.has_value());
  ASSERT_TRUE(Resume(&run, "passages", R"({"count":5})"));
  EXPECT_EQ(run.get()->counts.passages->count, 5u);
  // What stages left is read from then on.
  TemplateCounts pages;
  pages.made.tokens = 11;
  ASSERT_TRUE(Resume(&run, kTemplateStage, FieldsToJson(pages).dump()));
  EXPECT_EQ(run.get()->features_file, "features-template.blob");
  EXPECT_EQ(run.get()->counts.read.tokens, 11u);
  PruneCounts pruned;
  pruned.documents_file = "d";
  pruned.features_file = "f";
  pruned.empty = 2;
  ASSERT_TRUE(Resume(&run, kPruneStage, FieldsToJson(pruned).dump()));
  EXPECT_EQ(run.get()->features_file, "f");
  EXPECT_EQ(run.get()->counts.read.empty, 2u);
}

int runs;
Status CountRuns(Run*) {
  ++runs;
  return {};
}

// What the work files do not hold is made again, and nothing else.
TEST(RunStagesTest, AResumedRunRepeatsWhatItsRowSays) {
  for (const bool repeats : {false, true}) {
    TestRun run(3);
    EXPECT_TRUE(run.get()->journal.FinishStage("list", {}, "{}"));
    const Stage stages[] = {
        {.name = "list", .run = CountRuns, .repeats = repeats},
        {.name = "write", .run = CountRuns, .repeats = repeats}};
    runs = 0;
    ASSERT_TRUE(RunStages(run.get(), stages));
    EXPECT_EQ(runs, repeats ? 2 : 1);
    EXPECT_TRUE(run.get()->stage_seconds.contains("list"));
    EXPECT_TRUE(run.get()->stage_seconds.contains("write"));
  }
}

TEST(RunStagesTest, ASampleEndsBeforeWhatWritesBesideTheResults) {
  const Stage stages[] = {kReadStage, kResultStage, kAttributesStage,
                          kWriteStage};
  EXPECT_EQ(BeforeWriting(stages).size(), 2u);
  EXPECT_EQ(BeforeWriting(std::span(stages).first(1)).size(), 1u);
  EXPECT_EQ(BeforeWriting({}).size(), 0u);
  for (const Stage& stage : stages)
    EXPECT_EQ(stage.writes_beside, &stage >= &stages[2]) << stage.name;
}

TEST(RunStagesTest, AFailureEndsTheRunAndIsTold) {
  TestRun run(3);
  const Stage stages[] = {{.name = "order", .run = CountRuns},
                          {.name = "verify", .run = MustNotRun},
                          {.name = "write", .run = CountRuns}};
  runs = 0;
  const Status status = RunStages(run.get(), stages);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "it was run");
  EXPECT_EQ(runs, 1);
}

TEST(RunStagesTest, OtherCountsInTheJournalAreAnError) {
  TestRun run(3);
  for (const char* name :
       {"read", "template", "prune", "order", "candidate", "verify", "cluster",
        "best", "passages", "suspect", "unit", "unknown"}) {
    for (const char* state : {"", "x", "7", "[]", R"({"documents":"many"})"}) {
      const Status resumed = Resume(&run, name, state);
      ASSERT_FALSE(resumed) << name << " " << state;
      EXPECT_EQ(resumed.error().code, ErrorCode::kCorrupt) << name;
    }
  }
}

TEST(ReadStageTest, OtherCountsInACheckpointAreAnError) {
  TestRun run(0);
  ReadCounts counts;
  const auto read = [&](const Json& of_counts) {
    const Json state = {{"source", 0}, {"record", 0}, {"counts", of_counts}};
    EXPECT_TRUE(run.get()->journal.SaveProgress("read", state.dump()));
    return ReadStage(run.get());
  };
  for (const Json& wrong : {Json(), Json::object(), FieldsToJson(counts)}) {
    const Status status = read(wrong);  // the last: of a run without sources
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kCorrupt);
    EXPECT_TRUE(status.error().where.ends_with("journal.jsonl"));
  }
}

}  // namespace
}  // namespace twinset
