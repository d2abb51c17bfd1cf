// Lines, numbers and memory of the small files of a study, and rows of
// features.
#include "retrieval/study_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "retrieval/feature_rows.h"
#include "transfer/assessed_pairs.h"
#include "twinset/json.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(StudyNumbersOfLinesTest, GradesAreWholeNumbers) {
  for (const auto& [text, grade] : {std::pair("0", 0),
                                    {"-2", -2},
                                    {"+3", 3},
                                    {"007", 7},
                                    {"2147483647", 2147483647},
                                    {"-2147483648", -2147483647 - 1}})
    EXPECT_EQ(ParseGrade(text), grade) << text;
  for (const char* text :
       {"", "+", "-", "1.0", "1 ", " 1", "x", "1x", "0x1", "2147483648", "--1",
        "+-1", "++1", "1e2", "\xd9\xa1"})
    EXPECT_FALSE(ParseGrade(text)) << text;
}

TEST(StudyNumbersOfLinesTest, ScoresAreFiniteNumbers) {
  for (const auto& [text, value] : {std::pair("0.5", 0.5),
                                    {"-1e3", -1000.0},
                                    {"+2", 2.0},
                                    {".5", 0.5},
                                    {"1e-320", 1e-320}})
    EXPECT_EQ(ParseFinite(text), value) << text;
  for (const char* text : {"", "nan", "inf", "-inf", "infinity", "1e999", "1,5",
                           "0x1p3", "+-1", "1 2", "-"})
    EXPECT_FALSE(ParseFinite(text)) << text;
}

TEST(StudyLinesTest, ColumnsStandBetweenAnyWhiteSpace) {
  std::vector<std::string_view> columns = {"left over"};
  SplitColumns(" \ta  b\t\tc\r", &columns);
  EXPECT_THAT(columns, ElementsAre("a", "b", "c"));
  SplitColumns(" \t ", &columns);
  EXPECT_THAT(columns, IsEmpty());
  SplitColumns("全文 x", &columns);
  EXPECT_THAT(columns, ElementsAre("全文", "x"));
}

TEST(StudyLinesTest, LinesComeTrimmedWithTheirNumbers) {
  LineCounts counts;
  LineLog log(&counts, {});
  std::vector<std::string> lines;
  ASSERT_TRUE(ForEachStudyLine(
      StudyText("x", "\n  a b \r\n\n\tc"), &log,
      [&](std::string_view line, uint64_t number) -> Status {
        lines.push_back(std::to_string(number) + std::string(line));
        ++log.counts().used;
        return {};
      }));
  EXPECT_THAT(lines, ElementsAre("2a b", "4c"));
  EXPECT_EQ(counts.lines, 4u);
  ASSERT_EQ(counts.files.size(), 1u);
  EXPECT_EQ(counts.files[0].records, 2u);
  EXPECT_EQ(counts.files[0].used, 2u);
  EXPECT_TRUE(CheckLastFile(counts, "remedy"));
  ASSERT_TRUE(ForEachStudyLine(
      StudyText("y", "z"), &log, [&](std::string_view, uint64_t) {
        return log.LeaveOut("bad", LineLog::Where("y", 1), "no z");
      }));
  EXPECT_FALSE(CheckLastFile(counts, "remedy")) << "of y nothing counts";
  EXPECT_EQ(counts.left_out_in_all(), 1u);
  EXPECT_THAT(counts.problems, ElementsAre("y:1: no z"));
}

TEST(StudyLinesTest, ProblemsAreBoundedAndAllAreCounted) {
  LineCounts counts;
  LineLog log(&counts, {});
  for (size_t i = 0; i < 100; ++i)
    ASSERT_TRUE(log.LeaveOut(i % 2 ? "odd" : "even", "x", "bad"));
  EXPECT_EQ(counts.problems.size(), kMostLineProblems);
  EXPECT_EQ(counts.left_out_in_all(), 100u);
  EXPECT_EQ(counts.left_out["odd"], 50u);
}

// The amount that is named is enough for what was read, and not far above.
TEST(StudyLinesTest, TheMemoryThatIsNamedIsEnough) {
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += "x\n";
  const auto read = [&](uint64_t memory_bytes) {
    StudyMemory memory(memory_bytes);
    LineCounts counts;
    LineLog log(&counts, {false, &memory});
    return ForEachStudyLine(
        StudyText("list", text), &log,
        [](std::string_view, uint64_t) { return Status(); });
  };
  const Status refused = read(64 << 20);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kMemory);
  EXPECT_THAT(refused.error().message, HasSubstr("into 64M"));
  const std::string& remedy = refused.error().remedy;
  const uint64_t megabytes =
      std::stoull(remedy.substr(remedy.find_first_of("0123456789")));
  EXPECT_TRUE(read(megabytes << 20)) << remedy;
  EXPECT_FALSE(read((megabytes - 2) << 20)) << remedy;
}

// ---- features ----

TEST(FeatureRowsTest, RowsOfLearningToRank) {
  StudyNames names;
  LineCounts counts;
  FeatureRows rows;
  ASSERT_TRUE(ReadFeatures(
      StudyText("f",
                "2 qid:7 1:0.5 3:-2 # docid = a\n"
                "0 qid:7 2:1e3 # docid = b inc = 1\n"
                "1 qid:7 1:9 # docid = a\n"
                "x qid:7 1:1 # docid = c\n1 7 1:1 # docid = c\n"
                "1 qid:7 0:1 # docid = c\n1 qid:7 1:x # docid = c\n"
                "1 qid:7 1:1\n"),
      {}, &names, &counts, &rows));
  EXPECT_EQ(counts.used, 2u);
  EXPECT_EQ(counts.left_out_in_all(), 6u);
  ASSERT_EQ(rows.labels.size(), 2u);
  EXPECT_EQ(rows.columns, 3u);
  EXPECT_EQ(names.documents[rows.labels[0].document], "a");
  EXPECT_EQ(rows.labels[0].grade, 2);
  EXPECT_EQ(rows.Value(0, 1), 0.5f);
  EXPECT_EQ(rows.Value(0, 2), 0.0f);
  EXPECT_EQ(rows.Value(0, 3), -2.0f);
  EXPECT_EQ(rows.Value(1, 3), 0.0f) << "a column that the row does not have";
}

// ---- samples of pairs ----

// The pairs of a sample do not depend on their order, and a smaller sample is
// the beginning of a larger one.
TEST(AssessSampleTest, ASampleIsOfThePairsAlone) {
  const TestDir dir;
  std::vector<FoundPair> pairs;
  for (int i = 0; i < 300; ++i)
    pairs.push_back({"a" + std::to_string(i), "文" + std::to_string(i % 17),
                     i / 300.0, 0.5});
  const auto drawn = [&](size_t most, uint64_t seed, bool turned) {
    AssessSample sample(most, seed);
    for (size_t i = 0; i < pairs.size(); ++i)
      sample.Add(pairs[turned ? pairs.size() - 1 - i : i]);
    EXPECT_TRUE(sample.Write(dir / "sample.jsonl"));
    return ReadWholeFile(dir / "sample.jsonl").value();
  };
  const std::string forty = drawn(40, 1, false);
  EXPECT_EQ(std::count(forty.begin(), forty.end(), '\n'), 40);
  EXPECT_EQ(drawn(40, 1, true), forty);
  EXPECT_TRUE(forty.starts_with(drawn(10, 1, false)));
  EXPECT_NE(drawn(40, 2, false), forty);
  const std::string all = drawn(1000, 1, false);
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 300);
  const Json first = Json::Parse(all.substr(0, all.find('\n')));
  EXPECT_TRUE(first["a"].is_string() && first["similarity"].is_number());
  EXPECT_EQ(first["grade"], 0.5);
}

}  // namespace
}  // namespace twinset
