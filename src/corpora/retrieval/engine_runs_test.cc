#include "retrieval/engine_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace twinset {
namespace {

using ::testing::ElementsAre;

TEST(EngineRunsTest, EachConfigurationAsksInItsOwnWay) {
  std::multiset<std::string> questions;
  const AskEngine ask =
      [&](const std::vector<std::string>& terms,
          bool conjunctive) -> Result<std::vector<std::string>> {
    std::string question = conjunctive ? "&" : "|";
    for (const std::string& term : terms) question += " " + term;
    questions.insert(question);
    if (question == "& to do harbours") return std::vector<std::string>{"x"};
    if (question == "| to do harbours")
      return std::vector<std::string>{"y", "x", "z"};
    if (question == "& to") return std::vector<std::string>{"y", "z"};
    if (question == "& do") return std::vector<std::string>{"z"};
    return std::vector<std::string>{question};
  };
  const auto ranked = RankConfigurations({"to", "do", "harbours"}, 3, ask);
  ASSERT_TRUE(ranked);
  ASSERT_EQ(ranked->size(), kConfigurations);
  EXPECT_THAT((*ranked)[0], ElementsAre("x"));
  EXPECT_THAT((*ranked)[2], ElementsAre("x", "y", "z"));
  EXPECT_THAT((*ranked)[3], ElementsAre("| to do"));
  EXPECT_THAT((*ranked)[4], ElementsAre("| harbours to"));
  EXPECT_THAT((*ranked)[5], ElementsAre("| harbours"));
  // z: 1/62 + 1/61 beats y and the lone one: 1/61 each.
  EXPECT_THAT((*ranked)[6], ElementsAre("z", "y", "& harbours"));
  EXPECT_EQ((*ranked)[7].size(), 3u);
  EXPECT_EQ(questions.count("| to do harbours"), 1u);
  const auto one = RankConfigurations({"to"}, 3, ask);
  EXPECT_THAT((*one)[6], ElementsAre("y", "z"));
}

TEST(EngineRunsTest, AFailedQuestionIsTheError) {
  const AskEngine ask = [](const std::vector<std::string>&,
                           bool) -> Result<std::vector<std::string>> {
    return Fail(ErrorCode::kUnavailable, "no answer");
  };
  EXPECT_FALSE(RankConfigurations({"a"}, 3, ask).has_value());
}

}  // namespace
}  // namespace twinset
