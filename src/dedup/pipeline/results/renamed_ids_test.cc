#include "pipeline/results/renamed_ids.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

// Documents 0 and 2 have ids with a line end; the second is of input 1.
void WriteDocuments(TestRun* run) {
  std::vector<DocumentInfo> infos(3);
  infos[0].original_id = "a\nb";
  infos[2].original_id = "c\r";
  infos[2].provenance.source = 1;
  run->WriteInfos(infos);
  run->WriteBlobs("ids.blob", {"in:1", "plain", "in:3"});
}

TEST(RenamedIds, AreListedWithTheIdThatWasRead) {
  TestRun run(3);
  WriteDocuments(&run);
  run.get()->counts.renamed_ids = 7;  // of an earlier try
  ASSERT_TRUE(WriteRenamedIds(run.get()));
  EXPECT_EQ(run.get()->counts.renamed_ids, 2u);
  EXPECT_EQ(*ReadWholeFile(run.out() + "/renamed.jsonl"),
            "{\"id\":\"in:1\",\"original\":\"a\\nb\"}\n"
            "{\"id\":\"in:3\",\"original\":\"c\\r\"}\n");
  ASSERT_EQ(run.get()->warnings.size(), 1u);
  EXPECT_TRUE(run.get()->warnings[0].starts_with("2 ids hold line ends"))
      << run.get()->warnings[0];
}

TEST(RenamedIds, OfAMatchHaveTheirSide) {
  TestRun run(3, {}, [](Plan* plan) { plan->inputs.first_side = 1; });
  WriteDocuments(&run);
  ASSERT_TRUE(WriteRenamedIds(run.get()));
  EXPECT_EQ(*ReadWholeFile(run.out() + "/renamed.jsonl"),
            "{\"id\":\"in:1\",\"original\":\"a\\nb\",\"side\":\"a\"}\n"
            "{\"id\":\"in:3\",\"original\":\"c\\r\",\"side\":\"b\"}\n");
}

TEST(RenamedIds, WithoutOneThereIsNoFileAndNoWarning) {
  TestRun run(1);
  run.WriteInfos({DocumentInfo()});
  run.WriteBlobs("ids.blob", {"plain"});
  ASSERT_TRUE(WriteRenamedIds(run.get()));
  EXPECT_EQ(run.get()->counts.renamed_ids, 0u);
  EXPECT_TRUE(run.get()->warnings.empty());
  EXPECT_FALSE(FileExists(run.out() + "/renamed.jsonl"));
  const TestDir to;
  ASSERT_TRUE(CopyResultFile(kRenamedIds, run.out(), to.path()));
  EXPECT_FALSE(FileExists(to / "renamed.jsonl"));
}

TEST(RenamedIds, AreCopiedWhole) {
  const TestDir from, to;
  const std::string rows(200'000, 'x');  // more than one piece
  ASSERT_TRUE(WriteWholeFile(from / "renamed.jsonl", rows));
  ASSERT_TRUE(CopyResultFile(kRenamedIds, from.path(), to.path()));
  EXPECT_EQ(*ReadWholeFile(to / "renamed.jsonl"), rows);
}

}  // namespace
}  // namespace twinset
