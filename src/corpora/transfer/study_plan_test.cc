#include "transfer/study_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kLeast[] =
    "[a]\ninputs = \"a.warc\"\nqrels = \"q\"\n[b]\ninputs = [\"b\", \"/c\"]\n";

TEST(StudyPlan, WhatIsNotSaidIsTheDefault) {
  const auto plan = ParseStudyPlan(kLeast, "S.toml", "dir/");
  ASSERT_TRUE(plan) << plan.error().ToString();
  EXPECT_THAT(plan->a.inputs, ElementsAre("dir/a.warc"));
  EXPECT_THAT(plan->b.inputs, ElementsAre("dir/b", "/c"));
  EXPECT_THAT(plan->qrels, ElementsAre("dir/q"));
  EXPECT_EQ(plan->candidates.mixes.size(), 5u);
  EXPECT_EQ(plan->candidates.distance, 3);
  EXPECT_EQ(plan->threshold, .9);
  EXPECT_THAT(plan->content,
              ElementsAre(ContentMode::kAll, ContentMode::kMain));
}

TEST(StudyPlan, ThePresetComesFirstWhereverItStands) {
  const auto plan = ParseStudyPlan(
      std::string("content = [\"main\"]\npreset = \"grassegger14\"\n") + kLeast,
      "S.toml", "");
  ASSERT_TRUE(plan) << plan.error().ToString();
  EXPECT_THAT(plan->content, ElementsAre(ContentMode::kMain));
  EXPECT_EQ(plan->candidates.tables, "4");
  EXPECT_EQ(plan->candidates.feature_hash, FeatureHash::kMd5);
}

TEST(StudyPlan, BIsWrittenAsAUnlessItSaysOtherwise) {
  const auto plan = ParseStudyPlan(
      "[a]\ninputs='a'\nqrels='q'\nhtml_field='h'\nid_field='x'\n"
      "[b]\ninputs='b'\nid_field='y'\n[control]\ninputs='c'\n",
      "S.toml", "");
  ASSERT_TRUE(plan) << plan.error().ToString();
  EXPECT_EQ(plan->b.html_field, "h");
  EXPECT_EQ(plan->b.id_field, "y");
  EXPECT_EQ(plan->control.id_field, "x");
  EXPECT_THAT(plan->control.inputs, ElementsAre("c"));
}

TEST(StudyPlan, MistakesAreNamedWithTheirLines) {
  const std::string least = kLeast;  // five lines
  const std::pair<std::string, const char*> cases[] = {
      {"", "names no inputs of A"},
      {"[a\n", "S.toml:1"},
      {"[=b]\n", "S.toml:1"},
      {"a = 1\nb = \xef\xbb\xb7\n", "S.toml:2: a character"},
      {"a = 1\n", "'a': a table is wanted"},
      {least + "segment_patern = 'x'\n",
       "S.toml:6: there is no key 'b.segment_patern' (did you mean "
       "'segment_pattern'?)"},
      {"treshold = 1\n" + least, "did you mean 'threshold'?"},
      {"threshold = 2\n" + least, "S.toml:1: 'threshold': a number above 0"},
      {"threshold = nan\n" + least, "a number above 0"},
      {"seed = -1\n" + least, "'seed': a whole number"},
      {"content = [\"all\", \"all\"]\n" + least, "stands twice"},
      {"content = [\"raw\"]\n" + least, "all or main"},
      {"content = [\"most\"]\n" + least, "there is no 'most'"},
      {"measure = \"word:0\"\n" + least, "S.toml"},
      {"preset = \"thesis\"\n" + least, "grassegger14"},
      {least + "[candidates]\nmixes = []\n", "a list of texts"},
      {least + "[candidates]\nmixes = [\"word:2\", \"word:2\"]\n",
       "stands twice"},
      {least + "[retrieval]\ntopics = 't'\npairs = 'word:9'\n", "is no mix"},
      {least + "[candidates]\ncomplete = false\n[retrieval]\ntopics = 't'\n",
       "is off"},
      {least + "[retrieval]\nshares = [0]\n", "above 0"},
  };
  for (const auto& one : cases) {
    const auto plan = ParseStudyPlan(one.first, "S.toml", "");
    ASSERT_FALSE(plan) << one.first;
    EXPECT_EQ(plan.error().code, ErrorCode::kUsage);
    EXPECT_THAT(plan.error().ToString(), HasSubstr(one.second)) << one.first;
  }
}

TEST(StudyPlan, FileWordsKeepMixesApart) {
  EXPECT_EQ(FileWord("word:2+word:3"), "word2+word3");
}

}  // namespace
}  // namespace twinset
