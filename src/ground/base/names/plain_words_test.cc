#include "twinset/plain_words.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(PlainWordsTest, Counts) {
  EXPECT_EQ(CountText(0, "pair"), "0 pairs");
  EXPECT_EQ(CountText(1, "pair"), "1 pair");
  EXPECT_EQ(CountText(1234, "copy", "copies"), "1,234 copies");
}

TEST(PlainWordsTest, Numbers) {
  EXPECT_EQ(NumberText(0), "0");
  EXPECT_EQ(NumberText(999), "999");
  EXPECT_EQ(NumberText(1'000), "1,000");
  EXPECT_EQ(NumberText(UINT64_MAX), "18,446,744,073,709,551,615");
  EXPECT_EQ(FixedText(.94736, 4), "0.9474");
  EXPECT_EQ(FixedText(1. / 0., 4), "\xE2\x80\x93");
  EXPECT_EQ(ShareText(687, 1416), "48.5 %");
  EXPECT_EQ(ShareText(1, 0), "\xE2\x80\x93");
  EXPECT_EQ(ShareText(1999, 2000), "99.9 %") << "not all";
  EXPECT_EQ(ShareText(UINT64_MAX, UINT64_MAX), "100.0 %");
  EXPECT_EQ(Capitalised("ab c"), "Ab c");
  EXPECT_EQ(Capitalised("\xC3\xA4"), "\xC3\xA4");
  EXPECT_EQ(WordFor(1, "is", "are"), "is");
  EXPECT_EQ(WordFor(0, "is", "are"), "are");
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
  EXPECT_EQ(ShareInWords(499, 1000), "About half");
  EXPECT_EQ(ShareInWords(5, 100), "About a twentieth");
  EXPECT_EQ(ShareInWords(76, 1000), "About a twelfth");
  EXPECT_EQ(ShareInWords(1, 3), "About a third");
  EXPECT_EQ(ShareInWords(999, 1000), "Almost all");
}

TEST(PlainWordsTest, Units) {
  EXPECT_EQ(PercentText(.8), "80 %");
  EXPECT_EQ(PercentText(.9985), "99.85 %");
  EXPECT_EQ(PercentText(1), "100 %");
  EXPECT_EQ(PercentText(.999999), "99.99 %") << "not all";
  EXPECT_EQ(BytesText(999), "999 bytes");
  EXPECT_EQ(BytesText(5'242'880), "5.2 MB");
  EXPECT_EQ(BytesText(999'900), "1.0 MB");
  EXPECT_EQ(SecondsText(.214), "0.21 s");
  EXPECT_EQ(BytesText(12'345'678), "12 MB");
  EXPECT_EQ(SecondsText(9.96), "10 s");
  EXPECT_EQ(SecondsText(59.6), "1 min 0 s");
  EXPECT_EQ(SecondsText(3725), "1 h 2 min");
  EXPECT_EQ(SecondsText(1e300), "277777777 h 46 min");
}

}  // namespace
}  // namespace twinset
