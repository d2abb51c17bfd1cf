#include "base/narrow_modes.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(NarrowModes, ThePlaceWithTheLongestNameCounts) {
  NarrowModes("out/", 0600);
  NarrowModes("out/clean", 0644);
  NarrowFileMode("page.html", 0640);
  EXPECT_EQ(NarrowMode("out/pairs.jsonl.part", 0644), 0600u);
  EXPECT_EQ(NarrowMode("out//.work/documents.run", 0644), 0600u);
  EXPECT_EQ(NarrowMode("out/clean/a.jsonl", 0644), 0644u);
  EXPECT_EQ(NarrowMode("out/clean/a.jsonl", 0600), 0600u);
  EXPECT_EQ(NarrowMode("out/cleaner", 0644), 0600u);
  EXPECT_EQ(NarrowMode("output/pairs.jsonl", 0644), 0644u);
  EXPECT_EQ(NarrowMode("page.html", 0644), 0640u);
  EXPECT_EQ(NarrowMode("page.html.part", 0644), 0640u);
  EXPECT_EQ(NarrowMode("page.html5", 0644), 0644u);
  ForgetModes("out");
  EXPECT_EQ(NarrowMode("out/pairs.jsonl", 0644), 0644u);
  ForgetModes("out/clean");
  ForgetModes("page.html");
}

// Runs of one process come one after the other, into the same folder too.
TEST(NarrowModes, AFolderForgetsWhatWasSaidOfItsFiles) {
  NarrowFileMode("out/report.html", 0644);
  NarrowFileMode("outer.html", 0600);
  EXPECT_EQ(NarrowMode("out/report.html.part", 0644), 0644u);
  NarrowModes("out", 0600);
  EXPECT_EQ(NarrowMode("out/report.html.part", 0644), 0600u);
  EXPECT_EQ(NarrowMode("outer.html.part", 0644), 0600u);
  // A file is told of before it is made, also in a folder that is open.
  NarrowFileMode("out/page.html", 0640);
  EXPECT_EQ(NarrowMode("out/page.html", 0644), 0640u);
  ForgetModes("out");
  ForgetModes("outer.html");
  ForgetModes("out/page.html");
}

}  // namespace
}  // namespace twinset
