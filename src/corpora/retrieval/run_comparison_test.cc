#include <gtest/gtest.h>

#include <string>

#include "base/file.h"
#include "base/test_dir.h"
#include "twinset/corpora/runs.h"

namespace twinset {
namespace {

// No relevant document on the second side: all systems have 0 there, so there
// is no order, no correlation of any kind, and every pair is tied.
TEST(RunComparison, OneScoreForAllIsNoOrder) {
  const TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "x.run", "1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n"));
  ASSERT_TRUE(WriteWholeFile(dir / "y.run", "1 Q0 b 1 2 y\n1 Q0 a 2 1 y\n"));
  ASSERT_TRUE(WriteWholeFile(dir / "q", "1 0 a 1\n1 0 b 0\n"));
  ASSERT_TRUE(WriteWholeFile(dir / "none", "1 0 a 0\n1 0 b 0\n"));
  RunsOptions options;
  options.runs = {dir / "x.run", dir / "y.run"};
  options.qrels = {dir / "q"};
  options.against_qrels = {dir / "none"};
  options.evaluation.measures = {"map"};
  options.permutations = 10;
  const auto result = CompareRuns(options);
  ASSERT_TRUE(result) << result.error().ToString();
  const ComparedMeasure& measure = result->measures.front();
  EXPECT_FALSE(measure.tau_b);
  EXPECT_FALSE(measure.tau_ap);
  EXPECT_FALSE(measure.overlap);
  EXPECT_EQ(measure.undefined, "all systems have one score on the second side");
  EXPECT_EQ(measure.swapped, 0u);
  EXPECT_EQ(measure.tied, 1u);
  options.against_qrels = {dir / "q"};
  const auto same = CompareRuns(options);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->measures.front().tau_b, 1);
  EXPECT_EQ(same->measures.front().undefined, "");
  EXPECT_EQ(same->measures.front().tied, 0u);
}

}  // namespace
}  // namespace twinset
