// What a command line leaves to files: settings, and names of inputs.
#include "listed_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/parse.h"

namespace twinset::cli {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class ListedWordsTest : public ::testing::Test {
 protected:
  ListedWordsTest() : folder_(::testing::TempDir() + "/words-XXXXXX") {
    if (::mkdtemp(folder_.data()) == nullptr) ADD_FAILURE() << folder_;
    path_ = folder_ + "/listed";
  }
  ~ListedWordsTest() override { std::filesystem::remove_all(folder_); }

  void Write(std::string_view text) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  Result<Request> Parsed(std::string_view command,
                         std::vector<std::string> words) {
    return Parse(*FindCommand(command), words);
  }
  // The request of dedup with this file of settings.
  Result<Request> Configured(std::string_view config,
                             std::vector<std::string> words = {}) {
    Write(config);
    words.insert(words.begin(), {"--config", path_});
    return Parsed("dedup", words);
  }
  // The refusal of the settings, without the folder.
  std::string Refusal(std::string_view config) {
    const auto request = Configured(config);
    if (request) return "";
    EXPECT_EQ(request.error().code, ErrorCode::kUsage);
    const std::string text = request.error().ToString();
    EXPECT_THAT(text, Not(HasSubstr("\n")));
    return text.starts_with(folder_) ? text.substr(folder_.size() + 1) : text;
  }
  std::string folder_, path_;
};

TEST_F(ListedWordsTest, SettingsAreFlags) {
  const auto request = Configured(R"(# of all commands
threshold = 0.7
threads = 2
status = [200, [203, "204"]]
overwrite = true
resume = false
memory = "1G"
[match]
threshold = 0.1
)");
  ASSERT_TRUE(request) << request.error().ToString();
  EXPECT_EQ(request->options.method.threshold, 0.7);
  EXPECT_EQ(request->options.resources.threads, 2);
  EXPECT_EQ(request->options.resources.memory_bytes, uint64_t{1} << 30);
  EXPECT_THAT(request->options.input.statuses, ElementsAre(200, 203, 204));
  EXPECT_TRUE(request->options.overwrite);
  EXPECT_FALSE(request->options.resume);
}

// What is nearer to the run counts: a section more than what stands above it,
// and the command line more than the file.
TEST_F(ListedWordsTest, TheCommandLineCountsMoreThanTheFile) {
  const std::string config =
      "threshold = 0.7\nseed = 5\n[dedup]\nthreshold = 0.9\n";
  const auto request = Configured(config);
  ASSERT_TRUE(request) << request.error().ToString();
  EXPECT_EQ(request->options.method.threshold, 0.9);
  EXPECT_EQ(request->options.method.seed, 5u);
  const auto given = Configured(config, {"--threshold", "0.3"});
  ASSERT_TRUE(given);
  EXPECT_EQ(given->options.method.threshold, 0.3);
  EXPECT_EQ(given->options.method.seed, 5u);
  EXPECT_TRUE(IsGiven(*given, "--seed"));
  const auto match =
      Parsed("match", {"--config", path_, "--against", "b", "a"});
  ASSERT_TRUE(match) << match.error().ToString();
  EXPECT_EQ(match->options.method.threshold, 0.7);
}

TEST_F(ListedWordsTest, RefusalsNameTheLineAndWhatToDo) {
  EXPECT_EQ(Refusal("threads = 1\n\ntreshold = 0.5\n"),
            "listed:3: dedup has no flag --treshold (did you mean "
            "'threshold'?)");
  EXPECT_THAT(Refusal("[dedup]\n\"q w\" = 1\n"),
              HasSubstr("listed:2: dedup has no flag --q w (see 'twinset "
                        "dedup --help')"));
  EXPECT_EQ(
      Refusal("config = \"x\"\n"),
      "listed:1: dedup has no flag --config (see 'twinset dedup --help')");
  EXPECT_EQ(Refusal("seed = 1\n[dedupe]\nseed = 2\n"),
            "listed:2: unknown section [dedupe] (a section has the name of a "
            "command)");
  EXPECT_EQ(Refusal("\nresume = \"yes\"\n"),
            "listed:2: resume is 'yes' (it is a switch: write true or false)");
  EXPECT_EQ(Refusal("\nout = \"\"\n"),
            "listed:2: out is empty (leave it out, or give it a value)");
  for (const char* other : {"2020-01-01", "[[2020-01-01]]", "{ x = 1 }"})
    EXPECT_THAT(Refusal(std::string("[dedup]\nout = ") + other + "\n"),
                HasSubstr("out is no text, number or truth value (a text "
                          "stands in quotes)"))
        << other;
  EXPECT_THAT(Refusal("seed = 1\nout = results\n"), HasSubstr("listed:2: "));
  EXPECT_THAT(Refusal("seed = -1\n"), HasSubstr("--seed: '-1' is not"));
}

// Whatever the file holds, it is read or refused.
TEST_F(ListedWordsTest, DamagedSettingsAreReadOrRefused) {
  const std::string whole =
      "threshold = 0.7\nstatus = [200, 203]\nout = \"r\\u00e9s\"\n[dedup]\n"
      "keep = ['first', \"https\"]\n[match]\nseed = 0x10\n";
  ASSERT_TRUE(Configured(whole));
  size_t read = 0;
  for (size_t size = 0; size < whole.size(); size += 13) {
    std::string damaged = whole;
    damaged[size] = "\0\"\xff]="[size % 5];
    for (const std::string& text : {whole.substr(0, size), damaged}) {
      const auto request = Configured(text);
      read += request.has_value();
      if (request) continue;
      EXPECT_THAT(request.error().code,
                  AnyOf(ErrorCode::kUsage, ErrorCode::kCorrupt));
      EXPECT_THAT(request.error().ToString(), Not(HasSubstr("\n")));
    }
  }
  EXPECT_GE(read, 1u);
}

TEST_F(ListedWordsTest, InputsOfListsFollowTheOthers) {
  using std::string_literals::operator""s;
  Write("b\n\nc d\r\n--out\n");
  const auto lines = Parsed("dedup", {"a", "--files-from", path_, "z"});
  ASSERT_TRUE(lines) << lines.error().ToString();
  EXPECT_THAT(lines->operands, ElementsAre("a", "z", "b", "c d", "--out"));
  Write("b\nc\0d\0"s);
  const auto parted = Parsed("dedup", {"--files-from", path_});
  ASSERT_TRUE(parted);
  EXPECT_THAT(parted->operands, ElementsAre("b\nc", "d"));
  Write("\n\n");
  const auto none = Parsed("dedup", {"--files-from", path_});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "the list names no input");
  EXPECT_EQ(none.error().where, path_);
  EXPECT_FALSE(Parsed("dedup", {"--files-from", folder_ + "/absent"}));
}

}  // namespace
}  // namespace twinset::cli
