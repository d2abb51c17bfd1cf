#include "sketch/text_profile.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset {
namespace {

std::string Repeated(const std::string& token, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += token + " ";
  return text;
}

std::string HexOf(const std::string& tokens) {
  Sketch sketch;
  const auto sketcher = MakeTextProfileSketcher();
  sketcher->Compute(tokens, &sketch);
  return sketcher->Written(sketch);
}

TEST(TextProfileTest, TokensThatStandOnceCountOnlyWhereNoneRepeats) {
  EXPECT_EQ(TextProfile("rose rose thorn"), "rose 2");
  EXPECT_EQ(TextProfile("thorn rose"), "rose 1\nthorn 1");
  EXPECT_EQ(TextProfile("rose rose rose thorn thorn"), "rose 2\nthorn 2");
}

TEST(TextProfileTest, ShortTokensDoNotCount) {
  EXPECT_EQ(TextProfile("is is is a a a of the the"), "the 2");
  EXPECT_EQ(TextProfile("is a of"), "");
  EXPECT_EQ(TextProfile(""), "");
  // Characters, not bytes.
  EXPECT_EQ(TextProfile("\u00e4\u00f6 \u00e4\u00f6\u00fc"),
            "\u00e4\u00f6\u00fc 1");
}

TEST(TextProfileTest, FrequenciesAreRoundedToOnePercentOfTheGreatest) {
  const auto profile = [](int most, int other) {
    return TextProfile(Repeated("rose", most) + Repeated("thorn", other));
  };
  EXPECT_EQ(profile(249, 5), "rose 248\nthorn 4");      // in steps of 2
  EXPECT_EQ(profile(250, 5), "rose 249\nthorn 3");      // of 3
  EXPECT_EQ(profile(1000, 25), "rose 1000\nthorn 20");  // of 10
  EXPECT_EQ(profile(1000, 9), "rose 1000");
}

TEST(TextProfileTest, OrderOfTheTextDoesNotMatterAndTiesAreByBytes) {
  EXPECT_EQ(TextProfile("bbb aaa bbb aaa ccc ccc ccc ccc"),
            "ccc 4\naaa 2\nbbb 2");
  EXPECT_EQ(HexOf("bbb aaa bbb aaa"), HexOf("aaa aaa bbb bbb"));
}

TEST(TextProfileTest, SignatureIsTheMd5OfTheProfile) {
  // md5("rose 2")
  EXPECT_EQ(HexOf("rose rose thorn"), "fa6cae955cc29045a69b5fb308e79d82");
  EXPECT_EQ(HexOf("rose thorn rose briar"), HexOf("rose rose"));
  EXPECT_NE(HexOf("rose rose thorn"), HexOf("thorn thorn rose"));
  // Without a profile, only the same tokens agree.
  EXPECT_NE(HexOf("is a of"), HexOf("is a to"));
  EXPECT_EQ(HexOf("is a of"), HexOf("is a of"));
}

TEST(TextProfileTest, EstimatesEquality) {
  const auto sketcher = MakeTextProfileSketcher();
  const Sketch a = {1, 2, 3, 4}, b = {1, 2, 3, 5};
  EXPECT_EQ(sketcher->Estimate(a, a), 1.0);
  EXPECT_EQ(sketcher->Estimate(a, b), 0.0);
}

}  // namespace
}  // namespace twinset
