// A run that dies at any write can be resumed and leaves the same bytes;
// nothing already written is lost.
#include <atomic>
#include <cerrno>
#include <functional>

#include "report/corpus_writer.h"
#include "support/dedup_fixture.h"

namespace twinset::testing {
namespace {

class ResumeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Write(folder_ / "in.jsonl", SyntheticCorpus(5, 300).Jsonl());
    MustDedup(OptionsFor(folder_ / "in.jsonl", folder_ / "base"));
    expected_ = PromisedBytes(folder_ / "base");
  }
  void TearDown() override { SetFileFault({}); }
  // Fails at each of some writes, resumes, and expects `expected_`.
  void FillTheDiskAtAnyWrite(const std::function<void(DedupOptions*)>& change);
  TemporaryFolder folder_;
  std::map<std::string, std::string> expected_;
};

TEST_F(ResumeTest, AFullDiskAtAnyWriteLosesNothing) {
  FillTheDiskAtAnyWrite([](DedupOptions*) {});
}

TEST_F(ResumeTest, AFullDiskLosesNoLateFeatures) {
  const auto by_keys = [](DedupOptions* options) {
    options->method.name = "minhash";
    options->method.bucket_limit = 4;
  };
  DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "early");
  by_keys(&options);
  MustDedup(options);
  expected_ = PromisedBytes(options.out);
  FillTheDiskAtAnyWrite([&](DedupOptions* late) {
    by_keys(late);
    late->resources.late_features = true;
  });
}

TEST_F(ResumeTest, AnInputThatChangesBeforeItIsReadAgainIsToldOf) {
  DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "out");
  options.method.name = "minhash";
  options.resources.late_features = true;
  const std::string text = Read(folder_ / "in.jsonl");
  options.on_progress = [&](const Progress& progress) {
    if (progress.stage == "order") Write(folder_ / "in.jsonl", text + "\n");
  };
  const auto failed = Dedup(options);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kIo);
  EXPECT_NE(failed.error().ToString().find("in.jsonl"), std::string::npos);
}

void ResumeTest::FillTheDiskAtAnyWrite(
    const std::function<void(DedupOptions*)>& change) {
  const auto options_for = [&](const std::string& out) {
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", out);
    change(&options);
    return options;
  };
  std::atomic<int> writes = 0;
  SetFileFault([&](const std::string&, size_t) { return ++writes, 0; });
  MustDedup(options_for(folder_ / "count"));
  const int total = writes;
  ASSERT_GT(total, 20);
  for (int fail_at = 1; fail_at <= total; fail_at += std::max(1, total / 40)) {
    const std::string out = folder_ / ("out-" + std::to_string(fail_at));
    DedupOptions options = options_for(out);
    writes = 0;
    SetFileFault([&](const std::string&, size_t) {
      return ++writes >= fail_at ? ENOSPC : 0;
    });
    const auto failed = Dedup(options);
    SetFileFault({});
    ASSERT_FALSE(failed) << "write " << fail_at;
    EXPECT_EQ(failed.error().code, ErrorCode::kIo);
    EXPECT_NE(failed.error().ToString().find("No space left"),
              std::string::npos);
    EXPECT_FALSE(FileExists(out + "/summary.json"));
    options.resume = true;
    auto resumed = Dedup(options);
    if (!resumed) {
      // Only when not even the journal's first line was written is there
      // nothing to resume.
      EXPECT_NE(resumed.error().message.find("nothing to resume"),
                std::string::npos)
          << resumed.error().ToString();
      options.resume = false;
      options.overwrite = true;
      MustDedup(options);
    }
    ASSERT_EQ(PromisedBytes(out), expected_) << "write " << fail_at;
  }
}

TEST_F(ResumeTest, AStopSignalLeavesAResumableState) {
  std::atomic<bool> stop = false;
  DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "stopped");
  options.stop = &stop;
  options.on_progress = [&](const Progress& progress) {
    stop = progress.step == "sketch";
  };
  const auto stopped = Dedup(options);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
  options.stop = nullptr;
  options.on_progress = nullptr;
  options.resume = true;
  MustDedup(options);
  EXPECT_EQ(PromisedBytes(folder_ / "stopped"), expected_);
}

// The run that ends says what every one of its parts has to tell.
TEST_F(ResumeTest, InputsWithoutADocumentAreToldBehindAStop) {
  Write(folder_ / "none.jsonl", "");
  Write(folder_ / "other.jsonl", "{\"id\":\"q\",\"question\":\"x\"}\n");
  Write(folder_ / "last.jsonl", "");
  const auto run = [&](const std::string& out) {
    DedupOptions options = OptionsFor(folder_ / "none.jsonl", folder_ / out);
    for (const char* name : {"other.jsonl", "in.jsonl", "last.jsonl"})
      options.input.inputs.push_back(folder_ / name);
    options.checkpoint_seconds = 0;
    return options;
  };
  const auto whole = Dedup(run("whole"));
  ASSERT_TRUE(whole);
  ASSERT_GE(whole->warnings.size(), 3u);
  EXPECT_NE(whole->warnings[1].find("other.jsonl has no document"),
            std::string::npos);
  int number = 0;
  for (const char* where : {"read", "sketch"}) {
    std::atomic<bool> stop = false;
    DedupOptions options = run("stopped" + std::to_string(number++));
    options.stop = &stop;
    options.on_progress = [&](const Progress& progress) {
      stop = (progress.stage == where && progress.done > 10) ||
             progress.step == where;
    };
    const auto stopped = Dedup(options);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
    options.stop = nullptr;
    options.on_progress = nullptr;
    options.resume = true;
    const auto resumed = Dedup(options);
    ASSERT_TRUE(resumed) << resumed.error().ToString();
    EXPECT_EQ(resumed->warnings, whole->warnings) << where;
  }
}

// The inputs are read again then; what is read of them is not their end.
TEST_F(ResumeTest, AStopSignalWhileTheCorpusIsWrittenCutsNothing) {
  Write(folder_ / "large.jsonl", SyntheticCorpus(7, 12000).Jsonl());
  DedupOptions whole = OptionsFor(folder_ / "large.jsonl", folder_ / "whole");
  whole.write = folder_ / "whole-clean";
  MustDedup(whole);
  std::atomic<bool> stop = false;
  DedupOptions options = OptionsFor(folder_ / "large.jsonl", folder_ / "out");
  options.write = folder_ / "clean";
  options.stop = &stop;
  SetFileFault([&](const std::string& path, size_t) {
    if (path.ends_with("clean/large.jsonl.part")) stop = true;
    return 0;
  });
  const auto stopped = Dedup(options);
  SetFileFault({});
  ASSERT_TRUE(stop);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
  EXPECT_FALSE(FileExists(options.write + "/large.jsonl"));
  options.stop = nullptr;
  options.resume = true;
  EXPECT_TRUE(MustDedup(options).warnings.empty());
  EXPECT_EQ(Read(options.write + "/large.jsonl"),
            Read(whole.write + "/large.jsonl"));
}

// Stops a run in `stage` once it has told that some of it is done, and goes on
// with it.
class GoOnTest : public ResumeTest {
 protected:
  void SetUp() override {
    ResumeTest::SetUp();
    const std::string rows = SyntheticCorpus(7, 12000).Jsonl();
    const size_t middle = rows.find('\n', rows.size() / 2) + 1;
    std::filesystem::create_directory(folder_ / "in");
    Write(folder_ / "in/a.jsonl", rows.substr(0, middle));
    Write(folder_ / "in/b.jsonl.gz",
          *CompressMember(OutputCompression::kGzip, rows.substr(middle)));
    options_ = OptionsFor(folder_ / "in", folder_ / "whole");
    options_.write = folder_ / "whole-clean";
    MustDedup(options_);
    options_.out = folder_ / "out";
    options_.write = folder_ / "clean";
  }

  void StopIn(const std::string& stage, uint64_t done = 4001) {
    std::atomic<bool> stop = false;
    DedupOptions options = options_;
    options.stop = &stop;
    options.on_progress = [&](const Progress& progress) {
      if (progress.stage != stage || !progress.kept) return;
      last_ = progress;
      stop = stop || progress.done >= done;
    };
    const auto stopped = Dedup(options);
    ASSERT_FALSE(stopped);
    ASSERT_EQ(stopped.error().code, ErrorCode::kInterrupted)
        << stopped.error().ToString();
    ASSERT_LT(last_.done, 12000u);
  }

  // Where it goes on is `resumed_`.
  void GoOn() {
    DedupOptions options = options_;
    options.resume = true;
    options.on_progress = [&](const Progress& progress) {
      if (progress.resumed) resumed_.push_back(progress);
    };
    MustDedup(options);
    EXPECT_EQ(PromisedBytes(options.out), PromisedBytes(folder_ / "whole"));
    for (const char* name : {"/in/a.jsonl", "/in/b.jsonl.gz"})
      EXPECT_EQ(Read(options.write + name),
                Read(folder_ / ("whole-clean" + std::string(name))))
          << name;
  }

  DedupOptions options_;
  Progress last_;
  std::vector<Progress> resumed_;
};

TEST_F(GoOnTest, ReadGoesOnWhereItWasStopped) {
  for (const int threads : {1, 3}) {
    options_.resources.threads = threads;
    StopIn("read");
    resumed_.clear();
    GoOn();
    ASSERT_EQ(resumed_.size(), 1u);
    EXPECT_EQ(resumed_[0].stage, "read");
    EXPECT_EQ(resumed_[0].done, last_.done);
    EXPECT_GT(resumed_[0].share, 0.2);
    EXPECT_LT(resumed_[0].share, 1);
    options_.overwrite = true;
  }
}

TEST_F(GoOnTest, WriteGoesOnWhereItWasStopped) {
  for (const int threads : {1, 3}) {
    options_.resources.threads = threads;
    StopIn("write");
    resumed_.clear();
    options_.resources.threads = 4 - threads;
    GoOn();
    ASSERT_EQ(resumed_.size(), 2u);  // and at the beginning of result
    EXPECT_EQ(resumed_[1].stage, "write");
    EXPECT_GE(resumed_[1].done, last_.done);
    EXPECT_LT(resumed_[1].done, 12000u);
    EXPECT_EQ(resumed_[1].total, 12000u);
    options_.overwrite = true;
  }
}

// Between two files, neither of which is begun.
TEST_F(GoOnTest, WriteGoesOnBehindAWholeFile) {
  options_.resources.threads = 1;
  StopIn("write", 6000);
  GoOn();
  ASSERT_EQ(resumed_.size(), 2u);
  EXPECT_GE(resumed_[1].done, 6000u);
}

TEST_F(GoOnTest, StagesBetweenSayThatTheyBeginAnew) {
  std::atomic<bool> stop = false;
  DedupOptions options = options_;
  options.stop = &stop;
  options.on_progress = [&](const Progress& progress) {
    stop = progress.stage == "verify";
  };
  ASSERT_FALSE(Dedup(options));
  GoOn();
  ASSERT_EQ(resumed_.size(), 1u);
  EXPECT_EQ(resumed_[0].stage, "verify");
  EXPECT_FALSE(resumed_[0].kept);
}

// A full disk is no signal: what counts is the last checkpoint.
TEST_F(GoOnTest, ReadGoesOnBehindItsLastCheckpoint) {
  options_.checkpoint_seconds = 0;
  int writes = 0;
  SetFileFault([&](const std::string& path, size_t) {
    return path.ends_with("features.blob") && ++writes > 20 ? ENOSPC : 0;
  });
  ASSERT_FALSE(Dedup(options_));
  SetFileFault({});
  GoOn();
  ASSERT_EQ(resumed_.size(), 1u);
  EXPECT_EQ(resumed_[0].stage, "read");
  EXPECT_GT(resumed_[0].done, 0u);
}

TEST_F(GoOnTest, AFileThatWasBegunAndChangedIsMadeAnew) {
  options_.resources.threads = 1;
  StopIn("write");
  const std::string part = options_.write + "/in/a.jsonl.part";
  std::string bytes = Read(part);
  ASSERT_GT(bytes.size(), 1000u);
  bytes[500] ^= 1;
  Write(part, bytes);
  GoOn();
  ASSERT_EQ(resumed_.size(), 2u);
  EXPECT_LT(resumed_[1].done, last_.done);
}

TEST_F(GoOnTest, AFileThatIsWholeAndWasChangedIsMadeAnew) {
  for (const bool removed : {false, true}) {
    SetFileFault([](const std::string& path, size_t) {
      return path.ends_with("summary.json.part") ? ENOSPC : 0;
    });
    ASSERT_FALSE(Dedup(options_));
    SetFileFault({});
    const std::string file = options_.write + "/in/b.jsonl.gz";
    if (removed) {
      std::filesystem::remove(file);
    } else {
      Write(file, Read(file) + "x");
    }
    GoOn();
    options_.overwrite = true;
  }
}

// Killed behind the renaming of a file, before the journal says so.
TEST_F(GoOnTest, AFileThatHasItsNameAlreadyIsNotMadeAgain) {
  options_.resources.threads = 1;
  StopIn("write");
  const std::string file = options_.write + "/in/a.jsonl";
  if (FileExists(file + ".part")) std::filesystem::rename(file + ".part", file);
  GoOn();
  ASSERT_EQ(resumed_.size(), 2u);
  EXPECT_EQ(resumed_[1].done, last_.done);
}

TEST_F(ResumeTest, AChangedParameterOrInputIsRefusedWithBothShown) {
  std::atomic<bool> stop = true;
  DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "out");
  options.stop = &stop;
  ASSERT_FALSE(Dedup(options));
  options.stop = nullptr;
  options.resume = true;
  options.method.threshold = 0.7;
  auto refused = Dedup(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_NE(refused.error().message.find("threshold was 0.8 and is 0.7"),
            std::string::npos);
  options.method.threshold = 0.8;
  options.resources.threads = 2;  // not a parameter that decides results
  Write(folder_ / "in.jsonl", SyntheticCorpus(6, 300).Jsonl());
  refused = Dedup(options);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("in.jsonl was changed: it"),
            std::string::npos);
}

// The state of a run that was killed behind its last write.
TEST_F(ResumeTest, AFinishedRunIsCleanedUp) {
  for (const bool below_tmp : {false, true}) {
    for (const bool overwrite : {false, true}) {
      DedupOptions options = OptionsFor(
          folder_ / "in.jsonl",
          folder_ / ("end-" + std::to_string(below_tmp * 2 + overwrite)));
      if (below_tmp) options.resources.tmp = folder_ / "tmp";
      SetFileFault([](const std::string& path, size_t) {
        return path.ends_with("summary.json.part") ? ENOSPC : 0;
      });
      ASSERT_FALSE(Dedup(options));
      SetFileFault({});
      ASSERT_TRUE(FileExists(options.out + "/.work"));
      Write(options.out + "/summary.json", Read(folder_ / "base/summary.json"));
      options.resume = !overwrite;
      options.overwrite = overwrite;
      // --overwrite with another --tmp cleans the old one too.
      if (overwrite) options.resources.tmp.clear();
      const auto again = Dedup(options);
      EXPECT_EQ(again.has_value(), overwrite);
      if (!again) {
        EXPECT_NE(again.error().message.find("the run is finished"),
                  std::string::npos);
      }
      EXPECT_FALSE(FileExists(options.out + "/.work"));
      if (below_tmp) {
        EXPECT_TRUE(std::filesystem::is_empty(folder_ / "tmp"));
      }
      EXPECT_EQ(PromisedBytes(options.out), expected_);
    }
  }
}

TEST_F(ResumeTest, AWrittenCorpusIsNotTakenOnTrust) {
  DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "out");
  options.write = folder_ / "clean";
  SetFileFault([](const std::string& path, size_t) {
    return path.ends_with("summary.json.part") ? ENOSPC : 0;
  });
  ASSERT_FALSE(Dedup(options));
  SetFileFault({});
  const std::string written = Read(options.write + "/in.jsonl");
  ASSERT_FALSE(written.empty());
  Write(options.write + "/in.jsonl", written.substr(0, written.size() / 2));
  options.resume = true;
  MustDedup(options);
  EXPECT_EQ(Read(options.write + "/in.jsonl"), written);
}

// The files of the run's own folders are no inputs when it goes on.
TEST_F(ResumeTest, ResultsAmongTheInputsAreNoInputs) {
  std::filesystem::create_directory(folder_ / "docs");
  Write(folder_ / "docs/in.jsonl", Read(folder_ / "in.jsonl"));
  DedupOptions options = OptionsFor(folder_ / "docs", folder_ / "docs/found");
  options.write = folder_ / "docs/clean";
  options.resources.tmp = folder_ / "docs";
  SetFileFault([](const std::string& path, size_t) {
    return path.ends_with("clean/docs/in.jsonl.part") ? ENOSPC : 0;
  });
  ASSERT_FALSE(Dedup(options));
  SetFileFault({});
  ASSERT_TRUE(FileExists(options.write + "/docs/in.jsonl.part"));
  options.resume = true;
  MustDedup(options);
  EXPECT_FALSE(FileExists(options.write + "/docs/in.jsonl.part"));
  EXPECT_EQ(Read(folder_ / "docs/in.jsonl"), Read(folder_ / "in.jsonl"));
}

TEST_F(ResumeTest, ExistingResultsAreRefused) {
  DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "base");
  const auto refused = Dedup(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  options.overwrite = true;
  MustDedup(options);
  EXPECT_EQ(PromisedBytes(folder_ / "base"), expected_);
  // A folder of somebody else's is never emptied.
  std::filesystem::create_directories(folder_ / "home");
  Write(folder_ / "home/thesis.txt", "irreplaceable");
  options.out = folder_ / "home";
  EXPECT_FALSE(Dedup(options));
  EXPECT_EQ(Read(folder_ / "home/thesis.txt"), "irreplaceable");
}

}  // namespace
}  // namespace twinset::testing
