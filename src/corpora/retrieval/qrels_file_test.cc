#include "retrieval/qrels_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

struct Read {
  StudyNames names;
  LineCounts counts;
  Qrels qrels;
  Status status;
};

Read ReadText(const std::string& text, const QrelsReading& reading = {}) {
  Read read;
  read.status =
      ReadQrels({"q", text}, reading, &read.names, &read.counts, &read.qrels);
  return read;
}

TEST(QrelsFileTest, FourAndFiveColumnsMixWithTabsAndLineEnds) {
  const Read read = ReadText(
      "\xef\xbb\xbf"
      "1 0 d1 2\r\n\r\n"
      "1\t0\td2\t-2\r\n"
      "2 d1 1 0 0.25\n"
      "  2   Q0  d3   +3  ");
  ASSERT_TRUE(read.status);
  std::vector<int32_t> grades;
  for (const RelevanceJudgement& one : read.qrels.judgements)
    grades.push_back(one.grade);
  EXPECT_THAT(grades, ElementsAre(2, -2, 1, 3));
  EXPECT_EQ(read.qrels.judgements[2].line, 4u);
  EXPECT_EQ(read.names.documents[read.qrels.judgements[2].document], "d1");
  EXPECT_EQ(read.counts.lines, 5u);
  EXPECT_EQ(read.counts.used, 4u);
  EXPECT_TRUE(read.counts.left_out.empty());
}

TEST(QrelsFileTest, BadLinesAreCountedAndLocated) {
  const Read read = ReadText(
      "1 0 d1\n1 0 d1 x\n1 0 d1 1.5\n1 0 d1 1\n1 0 d1 1\n1 0 d1 0\n"
      "1 d2 1 a b\n1 0 d1 1 0 9\n1 0 d9 99999999999\n");
  ASSERT_TRUE(read.status);
  EXPECT_THAT(
      read.counts.left_out,
      ElementsAre(Pair("bad-grade", 3), Pair("bad-prels", 1),
                  Pair("conflict", 1), Pair("duplicate", 1),
                  Pair("missing-columns", 1), Pair("too-many-columns", 1)));
  EXPECT_EQ(read.counts.used, 1u);
  EXPECT_EQ(read.counts.left_out_in_all(), 8u);
  EXPECT_THAT(read.counts.problems[0], HasSubstr("q:1: 3 columns"));
  EXPECT_THAT(read.counts.problems[4],
              HasSubstr("q:6: d1 under topic 1 has grade 1"));
}

TEST(QrelsFileTest, StrictFailsAtTheFirstBadLine) {
  QrelsReading reading;
  reading.lines.strict = true;
  const Read read = ReadText("1 0 d1 1\n1 0 d1 0\n", reading);
  ASSERT_FALSE(read.status);
  EXPECT_EQ(read.status.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(read.status.error().where, "q:2");
}

TEST(QrelsFileTest, NegativeGradesAreReadAsZeroOnRequest) {
  QrelsReading reading;
  reading.negative_as_zero = true;
  const Read read = ReadText("1 0 d1 -2\n1 0 d2 1\n", reading);
  EXPECT_EQ(read.qrels.judgements[0].grade, 0);
  EXPECT_EQ(read.qrels.judgements[1].grade, 1);
}

TEST(QrelsFileTest, GradesAreCounted) {
  const Read read = ReadText("1 0 a 1\n1 0 b 2\n1 0 c -2\n2 0 a 0\n");
  const GradeCounts counts = CountGrades(read.qrels.judgements);
  EXPECT_EQ(counts.judgements, 4u);
  EXPECT_EQ(counts.documents, 3u);
  EXPECT_EQ(counts.topics, 2u);
  EXPECT_EQ(counts.topics_with_1_relevant, 1u);
  EXPECT_EQ(counts.topics_with_5_relevant, 0u);
  EXPECT_THAT(counts.by_grade,
              ElementsAre(Pair(-2, 1), Pair(0, 1), Pair(1, 1), Pair(2, 1)));
}

}  // namespace
}  // namespace twinset
