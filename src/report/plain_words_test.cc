#include "report/plain_words.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(PlainWordsTest, Counts) {
  EXPECT_EQ(CountText(0, "pair"), "0 pairs");
  EXPECT_EQ(CountText(1, "pair"), "1 pair");
  EXPECT_EQ(CountText(1234, "copy", "copies"), "1,234 copies");
}

TEST(PlainWordsTest, FilesHaveTheirLastName) {
  EXPECT_EQ(FileName("/data/a.warc.gz"), "a.warc.gz");
  EXPECT_EQ(FileName("a b"), "a b");
  EXPECT_EQ(FileName("x/"), "");
}

TEST(PlainWordsTest, Shares) {
  EXPECT_EQ(ShareInWords(0, 10), "None");
  EXPECT_EQ(ShareInWords(0, 0), "None");
  EXPECT_EQ(ShareInWords(10, 10), "All");
  EXPECT_EQ(ShareInWords(1, 1000), "Very few");
  EXPECT_EQ(ShareInWords(687, 1416), "Nearly half");
  EXPECT_EQ(ShareInWords(1, 2), "Half");
  EXPECT_EQ(ShareInWords(1, 3), "About a third");
  EXPECT_EQ(ShareInWords(999, 1000), "Almost all");
}

TEST(PlainWordsTest, Units) {
  EXPECT_EQ(PercentText(.8), "80 %");
  EXPECT_EQ(PercentText(.9985), "99.85 %");
  EXPECT_EQ(PercentText(1), "100 %");
  EXPECT_EQ(BytesText(999), "999 bytes");
  EXPECT_EQ(BytesText(5'242'880), "5.2 MB");
  EXPECT_EQ(BytesText(999'900), "1.0 MB");
  EXPECT_EQ(SecondsText(.214), "0.21 s");
  EXPECT_EQ(SecondsText(3725), "1 h 2 min");
}

}  // namespace
}  // namespace twinset
