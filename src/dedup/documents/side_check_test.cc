#include "documents/side_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/file.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

SideRead Side(uint64_t records, uint64_t used, uint64_t quarantined) {
  SideRead side{"test set", "te.jsonl"};
  side.records = records;
  side.used = used;
  side.quarantined = quarantined;
  side.problem = quarantined > 0 ? "no-text-field (no field \"text\")" : "";
  return side;
}

TEST(SideCheck, OnlyASideWithSomethingToUsePasses) {
  EXPECT_TRUE(CheckSide(Side(3, 1, 2)));
  const Status none = CheckSide(Side(0, 0, 0), "remedy");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(none.error().ToString(),
            "test set te.jsonl has no document: there is no record to read");
  EXPECT_EQ(CheckSide(Side(2, 0, 2), "say which").error().ToString(),
            "test set te.jsonl has no document: 2 records were quarantined, "
            "the first because of no-text-field (no field \"text\") (say "
            "which)");
  SideRead marks = Side(3, 2, 1);
  marks.wordless = 1;
  EXPECT_TRUE(CheckSide(marks));
  marks.wordless = 2;
  EXPECT_EQ(CheckSide(marks).error().message,
            "test set te.jsonl has nothing to compare: none of its 2 documents "
            "has a word that counts");
  SideRead lines = Side(3, 0, 3);
  lines.unit = "judgement";
  lines.problem = "te.jsonl:1: 2 columns";
  EXPECT_EQ(CheckSide(lines).error().message,
            "test set te.jsonl has no judgement: none of its 3 lines is one; "
            "te.jsonl:1: 2 columns");
}

TEST(SideCheck, InputsThatEndTooEarlyAreToldByReason) {
  EXPECT_TRUE(CutOffWarnings({{"no-text-field", 2}}, "list").empty());
  EXPECT_EQ(CutOffWarnings({{"truncated", 2}, {"tar-truncated", 1}}, ""),
            (std::vector<std::string>{
                "2 records break off because the input ends too early; what "
                "should follow is missing (truncated)",
                "1 record breaks off because the input ends too early; what "
                "should follow is missing (tar-truncated)"}));
}

TEST(SideCheck, AFieldThatNoRowHasIsWhatTheSideLacks) {
  const Status field = Fail(ErrorCode::kUsage, "no record has a text");
  EXPECT_EQ(CheckSideAfter(field, Side(2, 0, 2)).error().code,
            ErrorCode::kCorrupt);
  // Before anything was read the options were wrong.
  EXPECT_EQ(CheckSideAfter(field, Side(0, 0, 0)).error().code,
            ErrorCode::kUsage);
  const Status disk = Fail(ErrorCode::kIo, "broken");
  EXPECT_EQ(CheckSideAfter(disk, Side(2, 0, 2)).error().code, ErrorCode::kIo);
}

TEST(SideCheck, WhatIsSaidOfSides) {
  SideRead list = Side(1, 1, 0);
  list.side = "A";
  list.unit = "address";
  EXPECT_EQ(SidesText({Side(3, 1, 2), list}),
            "test set te.jsonl: 1 document of 3 records, 2 quarantined; A "
            "te.jsonl: 1 address of 1 record");
  EXPECT_EQ(SidesJson({list}).dump(),
            "[{\"side\":\"A\",\"input\":\"te.jsonl\",\"records\":1,"
            "\"addresses\":1,\"quarantined\":0}]");
}

TEST(SideCheck, StrangersShowOneIdOfEach) {
  const Status strangers = NothingInCommon("the runs", "x1", "the pairs", "");
  EXPECT_EQ(strangers.error().message,
            "the runs and the pairs have no id in common: 'x1' of the runs, "
            "none of the pairs");
}

// In one pass, by argument: a folder is one side.
TEST(SideCheck, CountsByArgument) {
  const TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "one.jsonl", "x"));
  ASSERT_TRUE(MakeDirectories(dir / "two"));
  ASSERT_TRUE(WriteWholeFile(dir / "two/a.jsonl", "x"));
  ASSERT_TRUE(WriteWholeFile(dir / "two/b.jsonl", "x"));
  auto counter =
      SideCounter::Make("test set", {dir / "one.jsonl", dir / "two"});
  ASSERT_TRUE(counter) << counter.error().ToString();
  counter->Document("two/a.jsonl", true);
  counter->Document("two/b.jsonl", false);
  RejectedRecord bad;
  bad.source = "one.jsonl";
  bad.reason = "bad-json";
  bad.quarantined = true;
  counter->Rejected(bad);
  ASSERT_EQ(counter->sides().size(), 2u);
  EXPECT_THAT(CheckSide(counter->sides()[0]).error().message,
              HasSubstr("bad-json"));
  EXPECT_EQ(counter->sides()[1].used, 2u);
  EXPECT_TRUE(CheckSide(counter->sides()[1]));
  counter->Document("one.jsonl", true);
  EXPECT_FALSE(CheckSide(counter->sides()[0]));
}

}  // namespace
}  // namespace twinset
