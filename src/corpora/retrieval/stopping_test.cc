// Judgements and runs tell how far they are, and what is stopped leaves
// nothing behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/test_dir.h"
#include "twinset/corpora/qrels.h"
#include "twinset/corpora/runs.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;

class StoppingTest : public ::testing::Test {
 protected:
  StoppingTest() {
    std::string qrels, run;
    for (int i = 0; i < 600; ++i) {
      const std::string id = "d" + std::to_string(i);
      qrels += "1 0 " + id + " " + std::to_string(i % 2) + "\n";
      run += "1 Q0 " + id + " 1 " + std::to_string(600 - i) + " s\n";
    }
    const std::string pair = "{\"a\":\"d1\",\"b\":\"d2\",\"similarity\":1}\n";
    for (const auto& [name, text] :
         {std::pair("q", qrels), {"a.run", run}, {"b.run", run}, {"p", pair}})
      EXPECT_TRUE(WriteWholeFile(dir_ / name, text));
    runs_.runs = {dir_ / "a.run", dir_ / "b.run"};
    runs_.qrels = qrels_.qrels = {dir_ / "q"};
    runs_.pairs = runs_.evaluation.duplicates = {dir_ / "p"};
    runs_.out = dir_ / "out";
    runs_.on_progress = qrels_.on_progress = [this](const Progress& now) {
      if (steps_.empty() || steps_.back() != now.step)
        steps_.push_back(now.step);
      EXPECT_EQ(now.unit, now.step == "map" ? "pairs" : "lines");
      if (now.step == stop_at_ && now.done > 0) stop_ = true;
    };
    runs_.stop = qrels_.stop = &stop_;
  }

  TestDir dir_;
  QrelsOptions qrels_;
  RunsOptions runs_;
  std::vector<std::string> steps_;
  std::string stop_at_;
  std::atomic<bool> stop_ = false;
};

TEST_F(StoppingTest, EachFileIsTold) {
  ASSERT_TRUE(CountQrels(qrels_));
  EXPECT_THAT(steps_, ElementsAre("q"));
  steps_.clear();
  ASSERT_TRUE(EvaluateRuns(runs_));
  EXPECT_THAT(steps_, ElementsAre("q", "p", "a.run", "b.run"));
  steps_.clear();
  runs_.evaluation.measures = {"map"};
  ASSERT_TRUE(CompareRuns(runs_));
  EXPECT_THAT(steps_,
              ElementsAre("q", "p", "a.run", "b.run", "a.run", "b.run", "map"));
}

TEST_F(StoppingTest, WhatIsStoppedIsNoResult) {
  stop_at_ = "q";
  const auto counted = CountQrels(qrels_);
  ASSERT_FALSE(counted);
  EXPECT_EQ(counted.error().code, ErrorCode::kInterrupted);
  stop_ = false;
  const auto evaluated = EvaluateRuns(runs_);
  ASSERT_FALSE(evaluated);
  EXPECT_EQ(evaluated.error().code, ErrorCode::kInterrupted);
}

// Stopped at the second run, when the first one is written.
TEST_F(StoppingTest, AFolderWithSomeOfTheRunsGoesAgain) {
  stop_at_ = "b.run";
  for (const bool collapses : {false, true}) {
    stop_ = false;
    if (collapses) {
      const auto collapsed = CollapseRuns(runs_);
      ASSERT_FALSE(collapsed);
      EXPECT_EQ(collapsed.error().code, ErrorCode::kInterrupted);
    } else {
      const auto moved = TransferRuns(runs_);
      ASSERT_FALSE(moved);
      EXPECT_EQ(moved.error().code, ErrorCode::kInterrupted);
    }
    EXPECT_FALSE(FileExists(dir_ / "out"));
  }
  stop_at_.clear();
  stop_ = false;
  ASSERT_TRUE(CollapseRuns(runs_));
  EXPECT_TRUE(FileExists(dir_ / "out/summary.json"));
}

}  // namespace
}  // namespace twinset
