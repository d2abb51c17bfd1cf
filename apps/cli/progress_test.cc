// What is said of a run's progress, in which form and how often.
#include "progress.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "twinset/json.h"

namespace twinset::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Progress Sketched(uint64_t done) {
  Progress progress;
  progress.stage = "candidate";
  progress.step = "sketch";
  progress.done = done;
  progress.total = 100'000;
  progress.share = static_cast<double>(done) / 100'000;
  return progress;
}

TEST(ProgressText, SaysWhatIsKnown) {
  Progress progress;
  progress.stage = "read";
  EXPECT_EQ(ProgressText(progress, {}, "  "), "read");
  progress.done = 12345;
  EXPECT_EQ(ProgressText(progress, {}, ", "), "read, 12,345 documents");
  progress.share = 0.409;
  EXPECT_EQ(ProgressText(progress, {4, 5.78, 10e6}, "  "),
            "read  12,345 documents  40 %  10 MB/s  5.78 s left");
  EXPECT_EQ(
      ProgressText(Sketched(50'000), {1, 1, {}}, "  "),
      "candidate: sketch  50,000 of 100,000 documents  50 %  1.00 s left");
  progress.unit = "pairs";
  EXPECT_EQ(ProgressText(progress, {}, ", "), "read, 12,345 pairs, 40 %");
}

TEST(ProgressText, ResumedRunsSayWhereTheyGoOn) {
  Progress progress;
  progress.stage = "read";
  progress.done = 1'204'311;
  progress.kept = true;
  progress.share = 0.455;
  EXPECT_EQ(ResumedText(progress),
            "resuming: read stands at 1,204,311 documents, 45 % of its inputs");
  progress.stage = "write";
  progress.total = 2'000'000;
  EXPECT_EQ(ResumedText(progress),
            "resuming: write stands at 1,204,311 of 2,000,000 documents");
  progress.kept = false;
  progress.stage = "verify";
  EXPECT_EQ(ResumedText(progress), "resuming: at the beginning of verify");
}

TEST(ProgressJson, SaysNullForWhatIsNotKnown) {
  const Json known = Json::Parse(ProgressJson(Sketched(25'000), {3, 9, {}}));
  EXPECT_EQ(known["stage"], "candidate");
  EXPECT_EQ(known["step"], "sketch");
  EXPECT_EQ(known["unit"], "documents");
  EXPECT_EQ(known["done"], 25'000);
  EXPECT_EQ(known["total"], 100'000);
  EXPECT_EQ(known["share"], 0.25);
  EXPECT_EQ(known["seconds"], 3.0);
  EXPECT_EQ(known["left_seconds"], 9.0);
  Progress progress;
  progress.stage = "read";
  const Json unknown = Json::Parse(ProgressJson(progress, {}));
  for (const char* name : {"total", "share", "left_seconds"})
    EXPECT_EQ(unknown[name].dump(), "null") << name;
}

class ProgressTellerTest : public ::testing::Test {
 protected:
  // What is written when `progress` comes after so much time.
  std::string After(ProgressTeller* teller, milliseconds since,
                    const Progress& progress) {
    written_.clear();
    teller->Update(progress, begin_ + since);
    return written_;
  }
  std::unique_ptr<ProgressTeller> Teller(ProgressForm form, size_t width = 80) {
    return std::make_unique<ProgressTeller>(
        "dedup", form, width,
        [this](std::string_view text) { written_ += text; });
  }
  std::string written_;
  const ProgressTeller::Clock::time_point begin_{};
};

TEST_F(ProgressTellerTest, PlainLinesComeEveryThirtySeconds) {
  const auto teller = Teller(ProgressForm::kPlain);
  EXPECT_EQ(After(&*teller, seconds(0), Sketched(0)), "");
  EXPECT_EQ(After(&*teller, seconds(29), Sketched(10'000)), "");
  EXPECT_EQ(After(&*teller, seconds(30), Sketched(20'000)),
            "twinset dedup: candidate: sketch, 20,000 of 100,000 documents, "
            "20 %, 2 min 0 s left\n");
  EXPECT_EQ(After(&*teller, seconds(59), Sketched(30'000)), "");
  EXPECT_NE(After(&*teller, seconds(60), Sketched(40'000)), "");
}

TEST_F(ProgressTellerTest, ABarIsDrawnAgainAndRemoved) {
  const auto teller = Teller(ProgressForm::kBar);
  EXPECT_EQ(After(&*teller, seconds(0), Sketched(0)),
            "\r\x1b[Kcandidate: sketch");
  EXPECT_EQ(After(&*teller, milliseconds(199), Sketched(1)), "");
  EXPECT_EQ(After(&*teller, milliseconds(200), Sketched(10'000)),
            "\r\x1b[Kcandidate: sketch  10,000 of 100,000 documents  10 %");
  Progress next;
  next.stage = "verify";
  EXPECT_EQ(After(&*teller, milliseconds(201), next), "\r\x1b[Kverify");
  written_.clear();
  teller->Clear();
  EXPECT_EQ(written_, "\r\x1b[K");
  written_.clear();
  teller->Clear();
  EXPECT_EQ(written_, "");
}

TEST_F(ProgressTellerTest, ABarFitsTheTerminal) {
  EXPECT_EQ(After(&*Teller(ProgressForm::kBar, 8), seconds(0), Sketched(1)),
            "\r\x1b[Kcandida");
  EXPECT_EQ(After(&*Teller(ProgressForm::kBar, 0), seconds(0), Sketched(1)),
            "\r\x1b[K");
}

TEST_F(ProgressTellerTest, JsonIsALineForEachStepAndSecond) {
  const auto teller = Teller(ProgressForm::kJson);
  const std::string first = After(&*teller, seconds(0), Sketched(0));
  EXPECT_TRUE(first.starts_with("{\"stage\":\"candidate\"") &&
              first.ends_with("}\n"))
      << first;
  EXPECT_EQ(After(&*teller, milliseconds(999), Sketched(1)), "");
  EXPECT_NE(After(&*teller, seconds(1), Sketched(2)), "");
  Progress next = Sketched(0);
  next.step = "join";
  EXPECT_NE(After(&*teller, milliseconds(1001), next), "");
}

// What a former run has done says nothing of the speed of this one.
TEST_F(ProgressTellerTest, TimeLeftCountsFromWhereTheStepBegan) {
  const auto teller = Teller(ProgressForm::kPlain);
  Progress progress = Sketched(60'000);
  progress.resumed = progress.kept = true;
  progress.bytes = 600'000'000;
  EXPECT_EQ(After(&*teller, seconds(0), progress),
            "twinset dedup: resuming: candidate: sketch stands at 60,000 of "
            "100,000 documents\n");
  progress = Sketched(80'000);
  progress.bytes = 900'000'000;
  EXPECT_EQ(After(&*teller, seconds(30), progress),
            "twinset dedup: candidate: sketch, 80,000 of 100,000 documents, "
            "80 %, 10 MB/s, 30 s left\n");
  EXPECT_EQ(teller->bytes(), 900'000'000u);
}

TEST_F(ProgressTellerTest, SilenceRemembers) {
  const auto teller = Teller(ProgressForm::kNone);
  Progress progress = Sketched(5);
  progress.resumed = progress.kept = true;
  EXPECT_EQ(After(&*teller, seconds(100), progress), "");
  EXPECT_EQ(teller->last().done, 5u);
}

TEST(ProgressForm, IsWhatTheFlagsAskFor) {
  Request request;
  EXPECT_EQ(FormOf(request, true), ProgressForm::kBar);
  EXPECT_EQ(FormOf(request, false), ProgressForm::kPlain);
  request.quiet = true;
  EXPECT_EQ(FormOf(request, true), ProgressForm::kNone);
  request.progress = "json";
  EXPECT_EQ(FormOf(request, true), ProgressForm::kJson);
  request.progress = "none";
  request.quiet = false;
  EXPECT_EQ(FormOf(request, true), ProgressForm::kNone);
}

}  // namespace
}  // namespace twinset::cli
