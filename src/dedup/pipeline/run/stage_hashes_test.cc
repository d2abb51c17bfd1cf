#include "pipeline/run/stage_hashes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "twinset/methods.h"

namespace twinset {
namespace {

// The links that differ between two chains, by their first letters.
std::string Changed(const StageHashes& x, const StageHashes& y) {
  std::string changed;
  if (x.read != y.read) changed += 'r';
  if (x.order != y.order) changed += 'o';
  if (x.sketch != y.sketch) changed += 's';
  if (x.pairs != y.pairs) changed += 'p';
  if (x.all != y.all) changed += 'a';
  return changed;
}

std::string ChangedBy(const std::string& name) {
  Json before = {{"tokens", "unicode"}, {name, "x"}};
  Json after = {{"tokens", "unicode"}, {name, "y"}};
  return Changed(ChainOf(before, "f"), ChainOf(after, "f"));
}

TEST(StageHashesTest, AParameterChangesItsLinkAndThoseAfterIt) {
  EXPECT_EQ(ChangedBy("tokens"), "rospa");
  EXPECT_EQ(ChangedBy("keep"), "opa");
  EXPECT_EQ(ChangedBy("prefer"), "opa");
  EXPECT_EQ(ChangedBy("permutations"), "spa");
  EXPECT_EQ(ChangedBy("seed"), "spa");
  EXPECT_EQ(ChangedBy("threshold"), "pa");
  EXPECT_EQ(ChangedBy("bands"), "pa");
  EXPECT_EQ(ChangedBy("cluster"), "a");
  EXPECT_EQ(ChangedBy("action"), "a");
}

TEST(StageHashesTest, WhatNobodyKnowsBelongsToReading) {
  EXPECT_EQ(ChangedBy("a_parameter_of_tomorrow"), "rospa");
  EXPECT_EQ(Changed(ChainOf({}, "f"), ChainOf({}, "g")), "rospa");
}

TEST(StageHashesTest, EveryParameterBelongsToOneLink) {
  for (const Parameter& parameter : Parameters()) {
    std::string name(parameter.name);
    std::replace(name.begin(), name.end(), '-', '_');
    const int links = DecidesOrder(name) + DecidesSketch(name) +
                      DecidesPairs(name) + DecidesRows(name);
    EXPECT_LE(links, 1) << name;
    const std::set<std::string> chains = {"rospa", "opa", "spa", "pa", "a"};
    EXPECT_TRUE(chains.contains(ChangedBy(name))) << name;
  }
}

TEST(StageHashesTest, FilesRestOnTheirStage) {
  const StageHashes hashes = {1, 2, 3, 4, 5};
  EXPECT_EQ(hashes.Of("documents.blob"), 1u);
  EXPECT_EQ(hashes.Of("documents-pruned-0.blob"), 1u);
  EXPECT_EQ(hashes.Of("clean-texts.blob"), 1u);
  EXPECT_EQ(hashes.Of("ranks.run"), 2u);
  EXPECT_EQ(hashes.Of("copies-by-document.run"), 2u);
  EXPECT_EQ(hashes.Of("views-template.blob"), 3u);
  EXPECT_EQ(hashes.Of("model.blob"), 3u);
  EXPECT_EQ(hashes.Of("verified.run"), 4u);
  EXPECT_EQ(hashes.Of("clusters.run"), 5u);
}

}  // namespace
}  // namespace twinset
