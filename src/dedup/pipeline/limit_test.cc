// --limit: the first documents, whatever the threads, and through resume, saved
// runs and matches.
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "twinset/dedup.h"
#include "twinset/json.h"
#include "twinset/saved_run.h"

namespace twinset {
namespace {

constexpr uint64_t kLimit = 430;

// Rows [first, end), each seventh a copy, each ninth damaged.
std::string Rows(uint64_t first, uint64_t end) {
  std::string rows;
  for (uint64_t i = first; i < end; ++i) {
    SplitMix64 random(i % 7 == 0 ? 1 : i);
    std::string text;
    for (int word = 0; word < 20; ++word)
      text += "w" + std::to_string(random.Below(900)) + " ";
    if (i % 9 == 4) rows += "damage\n";
    rows += R"({"id":")" + std::to_string(i) + R"(","text":")" + text + "\"}\n";
  }
  return rows;
}

class LimitTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(WriteWholeFile(dir_ / "a.jsonl", Rows(0, 300)));
    ASSERT_TRUE(WriteWholeFile(dir_ / "b.jsonl", Rows(300, 600)));
    ASSERT_TRUE(WriteWholeFile(dir_ / "c.jsonl", Rows(600, 650)));
    ASSERT_TRUE(WriteWholeFile(dir_ / "head.jsonl", Rows(0, kLimit)));
  }
  DedupOptions OptionsFor(const std::string& out, int threads = 2) {
    DedupOptions options;
    options.input.inputs = {dir_ / "a.jsonl", dir_ / "b.jsonl",
                            dir_ / "c.jsonl"};
    options.input.max_document_bytes = 1 << 20;
    options.out = dir_ / out;
    options.limit = kLimit;
    options.resources.threads = threads;
    options.resources.memory_bytes = 64 << 20;
    return options;
  }
  std::string Lists(const std::string& out) {
    std::string all;
    for (const char* file : {"/keep.txt", "/drop.txt"})
      all += ReadWholeFile((dir_ / out) + file).value_or("none") + "--\n";
    return all;
  }
  Json Summary(const std::string& out) {
    return Json::Parse(ReadWholeFile(dir_ / (out + "/summary.json")).value());
  }
  // Returns the results of a run over a file that ends where the limit does.
  std::string Wanted() {
    DedupOptions options = OptionsFor("wanted");
    options.input.inputs = {dir_ / "head.jsonl"};
    options.limit = 0;
    EXPECT_TRUE(Dedup(options));
    return Lists("wanted");
  }

  TestDir dir_;
};

TEST_F(LimitTest, ItIsTheSameOnAnyThreads) {
  const std::string wanted = Wanted();
  for (const int threads : {1, 2, 8}) {
    const std::string out = "threads" + std::to_string(threads);
    const auto summary = Dedup(OptionsFor(out, threads));
    ASSERT_TRUE(summary) << summary.error().ToString();
    EXPECT_EQ(summary->documents, kLimit);
    EXPECT_EQ(summary->quarantined, (kLimit - 4 + 8) / 9);
    EXPECT_EQ(Lists(out), wanted) << threads;
    const Json json = Summary(out);
    EXPECT_TRUE(json["limit"]["reached"] == true);
    EXPECT_TRUE(json["complete"] == true);
  }
}

TEST_F(LimitTest, AStoppedRunGoesOnToIt) {
  const std::string wanted = Wanted();
  for (const uint64_t stop_at : {1, 420}) {
    const std::string out = "stopped" + std::to_string(stop_at);
    DedupOptions options = OptionsFor(out);
    options.checkpoint_seconds = 0;
    std::atomic<bool> stop = false;
    options.stop = &stop;
    options.on_progress = [&](const Progress& progress) {
      stop = progress.stage == "read" && progress.done >= stop_at;
    };
    const auto stopped = Dedup(options);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
    options.stop = nullptr;
    options.on_progress = nullptr;
    options.checkpoint_seconds = 20;
    options.resume = true;
    options.limit = kLimit + 1;
    EXPECT_FALSE(Dedup(options)) << "another limit";
    options.limit = kLimit;
    const auto resumed = Dedup(options);
    ASSERT_TRUE(resumed) << resumed.error().ToString();
    EXPECT_EQ(Lists(out), wanted) << stop_at;
  }
}

TEST_F(LimitTest, ASavedRunKeepsItAndWhoJoinsHasAnother) {
  DedupOptions options = OptionsFor("first");
  options.input.inputs.pop_back();
  options.save = dir_ / "saved";
  ASSERT_TRUE(Dedup(options));
  RecutOptions recut;
  recut.saved = dir_ / "saved";
  recut.out = dir_ / "recut";
  const auto again = Recut(recut);
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_EQ(Lists("recut"), Lists("first"));
  EXPECT_TRUE(Summary("recut")["limit"]["reached"] == true);
  const auto begun = OptionsOfSavedRun(dir_ / "saved");
  ASSERT_TRUE(begun);
  EXPECT_EQ(begun->limit, 0u);
  DedupOptions added = OptionsFor("added");
  added.input.inputs = {dir_ / "c.jsonl"};
  added.add = {(dir_ / "saved")};
  added.limit = 20;
  const auto both = Dedup(added);
  ASSERT_TRUE(both) << both.error().ToString();
  EXPECT_EQ(both->documents, kLimit + 20);
}

TEST_F(LimitTest, AMatchHasItOnEachSide) {
  for (const int threads : {1, 4}) {
    MatchOptions options;
    options.input.inputs = {dir_ / "a.jsonl", dir_ / "c.jsonl"};
    options.against = {dir_ / "b.jsonl", dir_ / "c.jsonl"};
    options.out = dir_ / ("match" + std::to_string(threads));
    options.resources.threads = threads;
    options.limit = 320;
    const auto summary = Match(options);
    ASSERT_TRUE(summary) << summary.error().ToString();
    EXPECT_EQ(summary->documents_a, 320u);
    EXPECT_EQ(summary->documents_b, 320u);
  }
}

TEST_F(LimitTest, NothingIsWrittenOfAPart) {
  DedupOptions options = OptionsFor("written");
  options.write = dir_ / "corpus";
  const auto refused = Dedup(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace twinset
