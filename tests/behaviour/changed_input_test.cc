// Inputs that are changed while a run is going: what is read twice is proven to
// be the same, or the run ends without a result.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <thread>

#include "support/dedup_fixture.h"
#include "twinset/evaluate.h"
#include "twinset/inspect.h"

namespace twinset::testing {
namespace {

using ::testing::HasSubstr;

class ChangedInputTest : public ::testing::Test {
 protected:
  ChangedInputTest() {
    Write(input_, Rows("a", "fox"));
    options_ = OptionsFor(input_, folder_ / "out");
    options_.method.name = "minhash";
    options_.write = folder_ / "clean";
  }

  // Three documents, two of them equal; `word` is of three letters.
  static std::string Rows(const std::string& prefix, const std::string& word) {
    std::string rows;
    for (const char* tail : {"hill", "hill", "lake"}) {
      rows += "{\"id\":\"" + prefix + std::to_string(rows.size()) +
              "\",\"text\":\"the quick brown " + word + " jumps over the " +
              tail + " and runs away\"}\n";
    }
    return rows;
  }

  // Runs `change` once, when the documents have been read.
  auto Once(std::function<void()> change) {
    return [this, change](const Progress& progress) {
      if (progress.stage != "read" || progress.done == 0 || changed_) return;
      changed_ = true;
      change();
    };
  }

  // The run must fail because of `place`, and must not look finished.
  void MustFail(const std::string& place) { MustFail(place, Dedup(options_)); }
  template <typename Summary>
  void MustFail(const std::string& place, const Result<Summary>& summary) {
    ASSERT_TRUE(changed_);
    ASSERT_FALSE(summary);
    EXPECT_EQ(summary.error().code, ErrorCode::kIo);
    EXPECT_THAT(summary.error().ToString(), HasSubstr(place));
    EXPECT_FALSE(FileExists(options_.out + "/summary.json"));
    EXPECT_FALSE(FileExists(options_.write + "/in.jsonl"));
  }

  // Other bytes of the same length in the same file, with the same time.
  void Forge(const std::string& rows) {
    struct stat before;
    ASSERT_EQ(stat(input_.c_str(), &before), 0);
    auto file = File::OpenReadWrite(input_);
    ASSERT_TRUE(file && file->WriteAt(0, rows) && file->Close());
    const timespec times[] = {before.st_atim, before.st_mtim};
    ASSERT_EQ(utimensat(AT_FDCWD, input_.c_str(), times, 0), 0);
  }

  TemporaryFolder folder_;
  const std::string input_ = folder_ / "in.jsonl";
  DedupOptions options_;
  bool changed_ = false;
};

TEST_F(ChangedInputTest, UnchangedInputsAreWritten) {
  options_.on_progress = Once([] {});
  MustDedup(options_);
  EXPECT_TRUE(FileExists(options_.write + "/in.jsonl"));
}

TEST_F(ChangedInputTest, AFileInItsPlaceIsNoticed) {
  options_.on_progress =
      Once([this] { Write(input_, Rows("b", "fox")); });  // renames
  MustFail("in.jsonl: the file was replaced");
}

TEST_F(ChangedInputTest, AFileThatGrowsIsNoticed) {
  options_.on_progress = Once([this] {
    auto file = File::OpenReadWrite(input_);
    ASSERT_TRUE(file && file->WriteAt(*file->Size(), Rows("c", "cat")));
  });
  MustFail("in.jsonl: the file was written");
}

// Nothing is read twice, and still what was found is not that of one file.
TEST_F(ChangedInputTest, AFileThatGrowsWhileItIsReadIsIncomplete) {
  std::string rows;
  for (int n = 0; rows.size() < 4 << 20; ++n) {
    const std::string word = std::to_string(n);
    rows += "{\"id\":\"r" + word + "\",\"text\":\"";
    for (int i = 0; i < 500; ++i) rows += word + " ";
    rows += "\"}\n";
  }
  Write(input_, rows);
  options_.write.clear();
  options_.on_progress = Once([this] {
    auto file = File::OpenReadWrite(input_);
    ASSERT_TRUE(file && file->WriteAt(*file->Size(), Rows("c", "cat")));
  });
  const DedupSummary summary = MustDedup(options_);
  ASSERT_TRUE(changed_);
  EXPECT_FALSE(summary.complete);
  ASSERT_FALSE(summary.warnings.empty());
  EXPECT_THAT(summary.warnings[0], HasSubstr("in.jsonl"));
}

TEST_F(ChangedInputTest, ADocumentThatDiffersIsNamed) {
  options_.on_progress = Once([this] { Forge(Rows("a", "dog")); });
  MustFail("document \"a0\"");
}

TEST_F(ChangedInputTest, ADocumentThatIsGoneIsNamed) {
  const std::string rows = Rows("a", "fox");
  const size_t last = rows.find("{\"id\":\"a1", rows.size() / 2);
  options_.on_progress = Once([this, rows, last] {
    Forge(rows.substr(0, last) + std::string(rows.size() - last - 1, ' ') +
          "\n");
  });
  MustFail("document \"a1");
}

TEST_F(ChangedInputTest, UnitsAreWrittenOfTheSameDocumentsOnly) {
  CutOptions options;
  CopyParts<RunOptions>(options_, &options);
  options.unit = UnitKind::kLine;
  options.min_tokens = 1;
  options.on_progress = Once([this] { Forge(Rows("a", "dog")); });
  MustFail("document \"a0\"", Cut(options));
}

TEST_F(ChangedInputTest, ListsAreReadAsTheyWereDescribed) {
  // The first list is a pipe: while it is being read, the second one changes.
  const std::string pipe = folder_ / "pipe", list = folder_ / "list.txt";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  Write(list, "words that do not count");
  options_.ignore = {pipe, list};
  std::thread writer([&] {
    const int fd = open(pipe.c_str(), O_WRONLY);  // waits for the reader
    Write(list, "other words that do not count");
    changed_ = true;
    EXPECT_EQ(write(fd, "nothing\n", 8), 8);
    close(fd);
  });
  const auto summary = Dedup(options_);
  writer.join();
  ASSERT_FALSE(summary);
  EXPECT_THAT(summary.error().ToString(), HasSubstr("list.txt: the file was"));
}

// What a method learns and what it sketches is one corpus.
TEST_F(ChangedInputTest, SketchesAreOfTheCorpusThatWasLearnt) {
  InputOptions input;
  input.inputs = {input_};
  MethodOptions method;
  method.name = "i-match";
  const auto status = ForEachSketch(
      input, {}, method,
      [&](const SketchRow&) {
        auto file = File::OpenReadWrite(input_);
        EXPECT_TRUE(file && file->WriteAt(*file->Size(), Rows("c", "cat")));
        return false;
      },
      [](const RejectedRecord&) {});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
  EXPECT_THAT(status.error().ToString(), HasSubstr("in.jsonl: the file was"));
}

TEST_F(ChangedInputTest, EvaluateComparesTheTextsThatItRead) {
  EvaluateOptions options;
  options.input.inputs = {input_};
  options.methods = {{"minhash", {}, {}}};
  options.methods[0].method.name = "minhash";
  options.resources = options_.resources;
  options.out = folder_ / "evaluation";
  options.on_progress = Once([this] { Forge(Rows("a", "dog")); });
  const auto summary = Evaluate(options);
  ASSERT_TRUE(changed_);
  ASSERT_FALSE(summary);
  EXPECT_THAT(summary.error().ToString(), HasSubstr("document \"a"));
}

}  // namespace
}  // namespace twinset::testing
