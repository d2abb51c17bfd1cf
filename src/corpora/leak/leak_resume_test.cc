// A call that is interrupted anywhere goes on and leaves the bytes of one that
// nobody disturbed.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/test_dir.h"
#include "report/corpus_writer.h"
#include "twinset/corpora/leak.h"

namespace twinset {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

std::string Words(const std::string& stem, int from, int count) {
  std::string text;
  for (int i = from; i < from + count; ++i)
    text += stem + std::to_string(i) + " ";
  return text;
}

std::string Row(const std::string& id, const std::string& text) {
  return "{\"id\":\"" + id + "\",\"text\":\"" + text + "\"}\n";
}

// Documents with items of all kinds, some of which many documents have; ids
// that come again and look like numbered ones; records that are none.
class LeakResumeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(dir_ / "in");
    std::string rows, more;
    for (int i = 0; i < 60; ++i) {
      const std::string number = std::to_string(i);
      std::string text = Words("t" + number + "x", 0, 20);
      if (i % 4 == 0) text += Words("often", 0, 14) + Words("end", i, 9);
      if (i % 7 == 0) text += Words("rare" + number + "x", 0, 20) + "and so on";
      if (i % 5 == 0) text += " forty two";
      (i < 40 ? rows : more) += Row(i % 3 == 0 ? "same" : "t" + number, text);
      if (i % 25 == 0) rows += "{\"id\":\"same#2\"}\n" + Row("same#3", "-");
    }
    Write("in/a.jsonl", rows);
    Write("in/b.jsonl.gz", *CompressMember(OutputCompression::kGzip, more));
    std::string items = Row("often", Words("often", 0, 14) + "q r s") +
                        Row("short", "forty two") + Row("none", "no such");
    for (int i = 0; i < 60; i += 14)
      items += Row("same", Words("rare" + std::to_string(i) + "x", 0, 21));
    Write("test.jsonl", items);
  }
  void TearDown() override { SetFileFault({}); }

  void Write(const std::string& name, const std::string& text) {
    EXPECT_TRUE(WriteWholeFile(dir_ / name, text));
  }
  LeakOptions Options(LeakAction action, LeakRule rule, const std::string& name,
                      bool has_out = true) {
    LeakOptions options;
    options.input.inputs = {dir_ / "in"};
    options.test = {dir_ / "test.jsonl"};
    options.resources.threads = 2;
    options.action = action;
    options.rule = rule;
    options.checkpoint_seconds = 0;
    options.write = dir_ / (name + "-written");
    if (has_out) options.out = dir_ / name;
    options.report = has_out;
    return options;
  }
  // All that is promised of it.
  static Files BytesOf(const LeakOptions& options) {
    Files files;
    for (const std::string& folder : {options.out, options.write}) {
      if (folder.empty()) continue;
      for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name =
            entry.path().string().substr(folder.size() + 1);
        if (entry.is_regular_file() && name != ".twinset")
          files[(folder == options.out ? "out/" : "written/") + name] =
              *ReadWholeFile(entry.path().string());
      }
    }
    return files;
  }
  static void Expect(const Files& files, const Files& expected,
                     const std::string& where) {
    for (const auto& [name, bytes] : expected) {
      ASSERT_TRUE(files.contains(name)) << where << ": " << name;
      EXPECT_EQ(files.at(name), bytes) << where << ": " << name;
    }
    EXPECT_EQ(files.size(), expected.size()) << where;
  }
  static void Forget(const LeakOptions& options) {
    fs::remove_all(options.write);
    if (!options.out.empty()) fs::remove_all(options.out);
  }
  // Goes on, or begins anew where there was not yet anything to go on with.
  static void GoOn(LeakOptions options, const Files& expected,
                   const std::string& where) {
    options.stop = nullptr;
    options.on_progress = nullptr;
    options.resume = true;
    auto result = FindLeaks(options);
    if (!result && result.error().ToString().find("nothing to resume") !=
                       std::string::npos) {
      options.resume = false;
      options.overwrite = true;
      result = FindLeaks(options);
    }
    ASSERT_TRUE(result) << where << ": " << result.error().ToString();
    Expect(BytesOf(options), expected, where);
  }
  void FillTheDisk(LeakAction action, LeakRule rule, bool has_out);
  void StopEverywhere(LeakAction action, LeakRule rule, bool has_out);

  TestDir dir_;
};

// The first write to each file, or with TWINSET_LONG=1 every write.
void LeakResumeTest::FillTheDisk(LeakAction action, LeakRule rule,
                                 bool has_out) {
  LeakOptions options = Options(action, rule, "full", has_out);
  std::vector<std::string> paths;
  SetFileFault([&](const std::string& path, size_t) {
    paths.push_back(path);
    return 0;
  });
  options.resources.threads = 1;
  const auto whole = FindLeaks(options);
  SetFileFault({});
  ASSERT_TRUE(whole) << whole.error().ToString();
  const Files expected = BytesOf(options);
  std::set<std::string> seen;
  size_t failures = 0;
  for (size_t at = 0; at < paths.size(); ++at) {
    const bool is_first = seen.insert(paths[at]).second;
    const bool is_ours = paths[at].find("/match/") == std::string::npos;
    if (!std::getenv("TWINSET_LONG") && !(is_first && (is_ours || at % 8 == 0)))
      continue;
    Forget(options);
    size_t writes = 0;
    SetFileFault([&](const std::string&, size_t) {
      return writes++ >= at ? ENOSPC : 0;
    });
    const auto failed = FindLeaks(options);
    SetFileFault({});
    const std::string where = "write to " + paths[at];
    ASSERT_FALSE(failed) << where;
    EXPECT_EQ(failed.error().code, ErrorCode::kIo) << where;
    EXPECT_FALSE(FileExists(dir_ / "full/summary.json")) << where;
    GoOn(options, expected, where);
    ++failures;
  }
  EXPECT_GE(failures, 10u);
}

// A stop at each stage and step, at its beginning and inside of it.
void LeakResumeTest::StopEverywhere(LeakAction action, LeakRule rule,
                                    bool has_out) {
  LeakOptions options = Options(action, rule, "stopped", has_out);
  std::vector<std::string> told;
  const auto name_of = [](const Progress& progress) {
    return progress.stage + "/" + progress.step +
           (progress.done > 0 ? "+" : "");
  };
  options.on_progress = [&](const Progress& progress) {
    if (told.empty() || told.back() != name_of(progress))
      told.push_back(name_of(progress));
  };
  const auto whole = FindLeaks(options);
  ASSERT_TRUE(whole) << whole.error().ToString();
  const Files expected = BytesOf(options);
  std::set<std::string> own;  // stages of this command
  for (const std::string& where : std::set(told.begin(), told.end())) {
    const std::string stage = where.substr(0, where.find('/'));
    own.insert(stage);
    Forget(options);
    std::atomic<bool> stop = false;
    options.stop = &stop;
    options.on_progress = [&](const Progress& progress) {
      if (name_of(progress) == where) stop = true;
    };
    const auto stopped = FindLeaks(options);
    if (stopped) continue;  // it was at its end
    EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted) << where;
    EXPECT_FALSE(FileExists(dir_ / "stopped/summary.json")) << where;
    GoOn(options, expected, where);
  }
  for (const char* stage : {"items", "training", "write", "verify"})
    EXPECT_TRUE(own.contains(stage)) << stage;
  for (const char* stage : {"ids", "frequent", "judge"})
    EXPECT_TRUE(rule != LeakRule::kGpt3 || own.contains(stage)) << stage;
}

TEST_F(LeakResumeTest, AFullDiskLosesNothingOfDrop) {
  FillTheDisk(LeakAction::kDrop, LeakRule::kShare, true);
}
TEST_F(LeakResumeTest, AFullDiskLosesNothingOfCut) {
  FillTheDisk(LeakAction::kCut, LeakRule::kGpt3, true);
}
TEST_F(LeakResumeTest, AFullDiskLosesNothingOfAnnotateAlone) {
  FillTheDisk(LeakAction::kAnnotate, LeakRule::kTulu3, false);
}
TEST_F(LeakResumeTest, AStopLosesNothingOfDropAlone) {
  StopEverywhere(LeakAction::kDrop, LeakRule::kTulu3, false);
}
TEST_F(LeakResumeTest, AStopLosesNothingOfCut) {
  StopEverywhere(LeakAction::kCut, LeakRule::kShare, true);
}
TEST_F(LeakResumeTest, AStopLosesNothingOfAnnotate) {
  StopEverywhere(LeakAction::kAnnotate, LeakRule::kGpt3, true);
}

// What was done is not done again: the match, and the pass behind the record
// that was kept. Each of these ends inside a file, with records of all kinds
// before and behind.
TEST_F(LeakResumeTest, GoesOnInsideAFile) {
  std::string rows;
  for (int i = 0; i < 1200; ++i) {
    const std::string number = std::to_string(i);
    std::string text = Words("v" + number + "x", 0, 9) + "forty two ";
    if (i % 70 == 0)
      text += Words("rare" + std::to_string(i % 60) + "x", 0, 20);
    rows += Row(i % 4 == 0 ? "same" : "t" + number, text);
    if (i % 50 == 7) rows += "{\"id\":\"no text\"}\n";
  }
  Write("in/a.jsonl", rows);
  LeakOptions options = Options(LeakAction::kDrop, LeakRule::kShare, "inside");
  const auto whole = FindLeaks(options);
  ASSERT_TRUE(whole) << whole.error().ToString();
  EXPECT_GE(whole->rows_left_out, 200u);
  const Files expected = BytesOf(options);
  const auto goes_on = [&](const std::string& stage, uint64_t done) {
    options.stop = nullptr;
    options.resume = true;
    uint64_t resumed = 0;
    options.on_progress = [&](const Progress& progress) {
      EXPECT_NE(progress.stage, "read") << stage;
      if (progress.stage == stage && progress.resumed) resumed = progress.done;
    };
    const auto result = FindLeaks(options);
    ASSERT_TRUE(result) << result.error().ToString();
    EXPECT_GE(resumed, done);
    Expect(BytesOf(options), expected, stage);
    Forget(options);
    options.resume = false;
  };
  std::atomic<bool> stop = false;
  const auto stop_at = [&](const std::string& stage, uint64_t done) {
    stop = false;
    options.stop = &stop;
    options.on_progress = [&stop, stage, done](const Progress& progress) {
      stop = progress.stage == stage && progress.done >= done;
    };
    ASSERT_FALSE(FindLeaks(options));
    goes_on(stage, done);
  };
  Forget(options);
  stop_at("verify", 0);
  stop_at("training", 512);
  options.checkpoint_seconds = 1000;
  stop_at("training", 512);
  // Killed when the rows were whole and the journal did not know it.
  options.checkpoint_seconds = 0;
  const std::string work = options.out + "/.work/";
  options.on_progress = nullptr;
  SetFileFault([&](const std::string& path, size_t) {
    return path == work + "journal.jsonl" && FileExists(work + "training.jsonl")
               ? ENOSPC
               : 0;
  });
  ASSERT_FALSE(FindLeaks(options));
  SetFileFault({});
  goes_on("training", 1000);
  // An error between the rows of a record: those before it are not kept.
  SetFileFault([&](const std::string& path, size_t) {
    return path.ends_with("documents.jsonl.part") ? ENOSPC : 0;
  });
  options.on_progress = nullptr;
  ASSERT_FALSE(FindLeaks(options));
  SetFileFault({});
  goes_on("training", 0);
}

TEST_F(LeakResumeTest, RefusesWhatIsNotTheSame) {
  const LeakOptions begun =
      Options(LeakAction::kCut, LeakRule::kShare, "refused");
  LeakOptions stopped = begun;
  std::atomic<bool> stop = false;
  stopped.stop = &stop;
  stopped.on_progress = [&](const Progress& progress) {
    stop = progress.stage == "training";
  };
  ASSERT_FALSE(FindLeaks(stopped));
  const auto refuses = [&](const std::function<void(LeakOptions*)>& change,
                           const std::string& says) {
    LeakOptions options = begun;
    options.resume = true;
    change(&options);
    const auto result = FindLeaks(options);
    ASSERT_FALSE(result) << says;
    EXPECT_EQ(result.error().code, ErrorCode::kUsage) << says;
    EXPECT_NE(result.error().ToString().find(says), std::string::npos)
        << result.error().ToString();
  };
  refuses([](auto* o) { o->threshold = 0.9; }, "parameter threshold was 0.8");
  refuses([](auto* o) { o->rule = LeakRule::kTulu3; }, "parameter rule");
  refuses([](auto* o) { o->action = LeakAction::kDrop; }, "parameter action");
  refuses([](auto* o) { o->empty_rows = EmptyRows::kDrop; },
          "parameter empty_rows");
  refuses([](auto* o) { o->split_field = "s"; }, "parameter split_field");
  refuses([](auto* o) { o->features.shingle = "word:6"; }, "parameter shingle");
  refuses([](auto* o) { o->test_input.text_field = "x"; },
          "parameter test_input");
  refuses([](auto* o) { o->overwrite = true; }, "exclude each other");
  refuses(
      [](auto* o) {
        o->out.clear(), o->write.clear(), o->report = false,
                                          o->action = LeakAction::kDrop;
      },
      "none is given");
  refuses([&](auto* o) { o->out = dir_ / "new"; }, "nothing to resume");
  for (const char* name : {"test.jsonl", "in/a.jsonl"}) {
    const std::string was = *ReadWholeFile(dir_ / name);
    const auto time = fs::last_write_time(dir_ / name);
    Write(name, was + Row("more", "of it"));
    refuses([](auto*) {}, name);
    Write(name, was);
    fs::last_write_time(dir_ / name, time);
  }
  LeakOptions options = begun;
  options.resume = true;
  ASSERT_TRUE(FindLeaks(options));
  refuses([](auto*) {}, "nothing to resume: the run is finished");
}

// A folder of --write alone shows by its work files that it is not finished.
TEST_F(LeakResumeTest, AWrittenCorpusAlone) {
  LeakOptions options =
      Options(LeakAction::kDrop, LeakRule::kShare, "alone", false);
  std::atomic<bool> stop = false;
  options.stop = &stop;
  options.on_progress = [&](const Progress& progress) {
    stop = progress.stage == "training";
  };
  ASSERT_FALSE(FindLeaks(options));
  options.stop = nullptr;
  options.on_progress = nullptr;
  const auto again = FindLeaks(options);
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().ToString().find("add --resume to go on"),
            std::string::npos);
  options.resume = true;
  ASSERT_TRUE(FindLeaks(options));
  EXPECT_FALSE(FileExists(options.write + "/.work"));
  const auto finished = FindLeaks(options);
  ASSERT_FALSE(finished);
  EXPECT_NE(finished.error().ToString().find("nothing to resume"),
            std::string::npos);
  options.resume = false;
  const auto third = FindLeaks(options);
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().ToString().find("--resume"), std::string::npos);
  // It may be read as training data.
  LeakOptions reader;
  reader.input.inputs = {options.write};
  reader.test = options.test;
  const auto read = FindLeaks(reader);
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_EQ(read->leaked(), 0u);
}

}  // namespace
}  // namespace twinset
