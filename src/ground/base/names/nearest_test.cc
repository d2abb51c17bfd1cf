#include <gtest/gtest.h>

#include "twinset/plain_words.h"

namespace twinset {
namespace {

TEST(NearestName, IsWithinTwoEditsOrAStart) {
  const std::vector<std::string_view> names = {
      "--threads", "--threshold", "--text-field", "jaccard", "cosine", "raw"};
  EXPECT_EQ(NearestName("--treshold", names), "--threshold");
  EXPECT_EQ(NearestName("--thraeds", names), "--threads");
  EXPECT_EQ(NearestName("--tex", names), "--text-field");
  EXPECT_EQ(NearestName("--text_field", names), "--text-field");
  EXPECT_EQ(NearestName("jac", names), "jaccard");
  EXPECT_EQ(NearestName("JACARD", names), "jaccard");
  EXPECT_EQ(NearestName("csine", names), "cosine");
  EXPECT_EQ(NearestName("csn", names), "");
  EXPECT_EQ(NearestName("rwa", names), "raw");
  EXPECT_EQ(NearestName("row", names), "raw");
  EXPECT_EQ(NearestName("rubber", names), "");
  EXPECT_EQ(NearestName("--colour-of-the-sky", names), "");
  EXPECT_EQ(NearestName("x", names), "");
  EXPECT_EQ(NearestName("", names), "");
  EXPECT_EQ(NearestName(std::string(1 << 20, 'x'), names), "");
}

// Two neighbours swapped are one edit, so the nearer name wins.
TEST(NearestName, TakesTheNearest) {
  const std::vector<std::string_view> names = {"build", "bulk", "built"};
  EXPECT_EQ(NearestName("biuld", names), "build");
  EXPECT_EQ(NearestName("bult", names), "bulk");  // the first of equals
}

TEST(DidYouMean, IsAQuestionOrNothing) {
  const std::vector<std::string> names = {"star", "components"};
  EXPECT_EQ(DidYouMean("stra", names), "did you mean 'star'?");
  EXPECT_EQ(DidYouMean("rubber", names), "");
}

}  // namespace
}  // namespace twinset
