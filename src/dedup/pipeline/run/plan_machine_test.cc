#include "pipeline/run/plan_machine.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "base/file.h"
#include "base/test_dir.h"
#include "pipeline/run/run_key.h"

namespace twinset {
namespace {

PlanOptions Options() {
  PlanOptions options;
  options.out = "out";
  options.resources.memory_bytes = 256 << 20;
  return options;
}

TEST(PlanMachine, WorkFilesStandInTheResultFolderOrInTmp) {
  const TestDir folder;
  PlanOptions options = Options();
  const auto beside = MakeMachine(options);
  ASSERT_TRUE(beside);
  EXPECT_EQ(beside->WorkPath("a.run"), "out/.work/a.run");
  options.resources.tmp = folder.path();
  const auto in_tmp = MakeMachine(options);
  ASSERT_TRUE(in_tmp);
  EXPECT_TRUE(std::filesystem::path(in_tmp->work).parent_path() ==
              std::filesystem::canonical(folder.path()))
      << in_tmp->work;
  // Runs into two folders do not share one.
  options.out = "other";
  EXPECT_NE(MakeMachine(options)->work, in_tmp->work);
}

TEST(PlanMachine, ThreadsFitTheMemory) {
  PlanOptions options = Options();
  options.resources.threads = 3;
  EXPECT_EQ(MakeMachine(options)->threads, 3);
  options.resources.threads = 0;
  EXPECT_GE(MakeMachine(options)->threads, 1);
}

TEST(PlanMachine, AMemoryThatHoldsNoDocumentIsRefused) {
  PlanOptions options = Options();
  options.input.max_document_bytes = 1 << 30;
  const auto made = MakeMachine(options);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kUsage);
  EXPECT_NE(made.error().ToString().find(
                "--memory is too small for --max-document 1073741824"),
            std::string::npos);
}

TEST(PlanMachine, ATargetOfKernelsIsHeldWhileThePlanLives) {
  PlanOptions options = Options();
  options.resources.simd = "no-such-target";
  const auto unknown = MakeMachine(options);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kUsage);
}

using std::string_literals::operator""s;

constexpr char kDigits[] = "000102030405060708090a0b0c0d0e0f";

class RunKeyTest : public ::testing::Test {
 protected:
  // "" or the refusal of the other plan, which goes on with the run.
  std::string Resume() {
    other_.options.resume = true;
    const Status status = KeepKey(*journal_, &other_);
    return status ? "" : status.error().ToString();
  }
  // The plan of a run with a key of its own.
  Plan Made() const {
    EXPECT_TRUE(WriteWholeFile(work_ / "in.jsonl", ""));
    PlanOptions options;
    options.input.inputs = {work_ / "in.jsonl"};
    options.out = work_ / "out";
    options.resources.memory_bytes = 64 << 20;
    options.input.max_document_bytes = 1 << 20;
    auto plan = MakePlan(options);
    EXPECT_TRUE(plan) << plan.error().ToString();
    plan->machine.work = work_.path();
    return std::move(*plan);
  }
  static bool Has(const std::string& text, const std::string& part) {
    return text.find(part) != text.npos;
  }
  TestDir work_;
  Plan plan_ = Made(), other_ = Made();
  Result<Journal> journal_ = Journal::Create(work_.path(), "{}");
  const std::string path_ = work_ / kKeyFile;
};

TEST_F(RunKeyTest, AKeyFileBeginsWithItsDigits) {
  const std::string path = work_ / "own";
  for (const std::string& text :
       {kDigits + ""s, "\n \t"s + kDigits + "\n",
        kDigits + "\nof the night run"s, "\xEF\xBB\xBF"s + kDigits}) {
    ASSERT_TRUE(WriteWholeFile(path, text));
    const auto key = ReadKeyFile(path);
    ASSERT_TRUE(key) << text;
    EXPECT_EQ(WriteHashKey(*key), kDigits);
  }
  for (const std::string& text :
       {""s, "\n"s, std::string(32, '0'), kDigits + "0"s,
        std::string(kDigits, 31), "g"s + (kDigits + 1), "0x"s + kDigits,
        kDigits + "\0"s, "key "s + kDigits}) {
    ASSERT_TRUE(WriteWholeFile(path, text));
    const auto key = ReadKeyFile(path);
    ASSERT_FALSE(key) << text;
    EXPECT_TRUE(key.error().where.starts_with(path)) << key.error().where;
  }
  ASSERT_TRUE(WriteWholeFile(path, std::string(5000, ' ') + kDigits));
  EXPECT_FALSE(ReadKeyFile(path));  // a key is no long file
  EXPECT_EQ(ReadKeyFile(work_ / "absent").error().code, ErrorCode::kIo);
}

TEST_F(RunKeyTest, BytesAreTheKeyOfAFileWithTheirDigits) {
  ResourceOptions resources;
  EXPECT_FALSE(GivesKey(resources));
  EXPECT_TRUE(*GivenKey(resources) == HashKey());
  resources.key_bytes.emplace();
  for (size_t i = 0; i < resources.key_bytes->size(); ++i)
    (*resources.key_bytes)[i] = static_cast<uint8_t>(i);
  const auto of_bytes = GivenKey(resources);
  ASSERT_TRUE(of_bytes);
  EXPECT_EQ(WriteHashKey(*of_bytes), kDigits);
  resources.key = work_ / "own";
  const auto both = GivenKey(resources);
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().code, ErrorCode::kUsage);
  ASSERT_TRUE(WriteWholeFile(resources.key, kDigits));
  resources.key_bytes.reset();
  EXPECT_TRUE(GivesKey(resources));
  EXPECT_TRUE(*GivenKey(resources) == *of_bytes);
  resources.key_bytes.emplace();
  ForgetKey(&resources);
  EXPECT_FALSE(GivesKey(resources));
  resources.key_bytes.emplace();  // all zero
  EXPECT_EQ(GivenKey(resources).error().code, ErrorCode::kUsage);
}

TEST_F(RunKeyTest, AResumedRunGoesOnWithTheKeyItBeganWith) {
  ASSERT_TRUE(KeepKey(*journal_, &plan_));
  struct stat info {};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777u, 0600u);
  ASSERT_FALSE(other_.features.key == plan_.features.key);
  const std::string before = WriteHashKey(other_.features.key);
  EXPECT_EQ(Resume(), "");
  EXPECT_TRUE(other_.features.key == plan_.features.key);
  // One that is given must be the same.
  other_.options.resources.key = "mine";
  EXPECT_EQ(Resume(), "");
  ASSERT_TRUE(ReadHashKey(before, &other_.features.key));
  EXPECT_EQ(Resume(),
            "mine: cannot resume: the run was begun with another key (resume "
            "without --key)");
  EXPECT_EQ(WriteHashKey(other_.features.key), before);
}

TEST_F(RunKeyTest, ALostKeyIsMadeAnewWhileNothingIsReadUnderIt) {
  EXPECT_EQ(Resume(), "");
  ASSERT_TRUE(FileExists(path_));
  ASSERT_TRUE(std::filesystem::remove(path_));
  ASSERT_TRUE(journal_->SaveProgress("read", "{}"));
  EXPECT_TRUE(Has(Resume(), "the key of the run is lost (start anew"));
  ASSERT_TRUE(journal_->FinishStage("read", {}, "{}"));
  EXPECT_TRUE(Has(Resume(), "the key of the run is lost"));
  EXPECT_FALSE(FileExists(path_));
}

// No damage makes another key of it.
TEST_F(RunKeyTest, ADamagedKeyIsRefused) {
  ASSERT_TRUE(KeepKey(*journal_, &plan_));
  const auto whole = ReadWholeFile(path_, 4096);
  ASSERT_TRUE(whole);
  // Into the file that is there, whose mode stays.
  const auto write = [&](const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
  };
  for (size_t at = 0; at < whole->size(); at += 3) {
    write(whole->substr(0, at));
    if (at + 1 < whole->size()) {  // the last is a line end
      EXPECT_TRUE(Has(Resume(), "the key of the run is damaged")) << at;
    }
    for (const char bit : {'\x01', '\x20', '\x40'}) {
      std::string damaged = *whole;
      damaged[at] = static_cast<char>(damaged[at] ^ bit);
      write(damaged);
      if (Resume().empty()) {
        ASSERT_TRUE(other_.features.key == plan_.features.key) << at;
      }
    }
  }
  write(*whole);
  ASSERT_EQ(::chmod(path_.c_str(), 0644), 0);
  EXPECT_TRUE(Has(Resume(), "others may read or change the key of the run"));
  ASSERT_EQ(::chmod(path_.c_str(), 0600), 0);
  EXPECT_EQ(Resume(), "");
}

TEST_F(RunKeyTest, ASavedRunGivesItsKeyUnlessItIsTakenOut) {
  ASSERT_TRUE(KeepKey(*journal_, &plan_));
  ASSERT_TRUE(TakeKey(work_.path(), &other_));
  EXPECT_TRUE(other_.features.key == plan_.features.key);
  ASSERT_TRUE(std::filesystem::remove(path_));
  const Status taken = TakeKey(work_.path(), &other_);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::kUsage);
  EXPECT_EQ(taken.error().where, path_);
}

}  // namespace
}  // namespace twinset
