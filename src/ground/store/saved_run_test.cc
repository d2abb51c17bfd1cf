#include "store/saved_run.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "store/folder_marker.h"
#include "store/test_util.h"

namespace twinset {
namespace {

class SavedRunFolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("twinset-saved-" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    ASSERT_TRUE(WriteWholeFile(Path("a.run"), "content"));
    ASSERT_TRUE(WriteWholeFile(Path("b.blob"), std::string(300'000, 'b')));
    ASSERT_TRUE(WriteWholeFile(Path(SavedRun::kKey), "key"));
    ASSERT_TRUE(SavedRun::Write(folder_, Json{{"n", 1}},
                                {"a.run", "b.blob", SavedRun::kKey}));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string Path(const std::string& name) const {
    return folder_ + "/" + name;
  }
  std::string Manifest() const {
    return *ReadWholeFile(Path(SavedRun::kManifest));
  }
  ErrorCode CodeOf(const std::string& manifest) const {
    const auto run = SavedRun::Parse(manifest, "m");
    return run ? ErrorCode::kInternal : run.error().code;
  }
  std::string folder_;
};

TEST_F(SavedRunFolderTest, GivesBackWhatWasWritten) {
  const auto run = SavedRun::Open(folder_);
  ASSERT_TRUE(run) << run.error().ToString();
  EXPECT_EQ(run->description()["n"].get<int>(), 1);
  ASSERT_EQ(run->files().size(), 3u);
  EXPECT_EQ(run->files()[0].name, "a.run");
  EXPECT_EQ(run->files()[0].bytes, 7u);
  EXPECT_TRUE(run->Has("b.blob"));
  EXPECT_FALSE(run->Has("c.blob"));
}

// The bytes of docs/formats/saved-run.md, so that other programs may read them.
TEST_F(SavedRunFolderTest, HasTheBytesOfItsFormat) {
  EXPECT_TRUE(Manifest().starts_with(
      "{\"format\":\"twinset saved run\",\"version\":5,\"spec\":1.2,"
      "\"twinset\":\"0.1.0\",\"run\":{\"n\":1},\"files\":[{\"name\":\"a.run\","
      "\"bytes\":7,\"hash\":\"55f2b31a6acfaa64\"}"));
  EXPECT_TRUE(Manifest().ends_with("\"}\n"));
}

TEST_F(SavedRunFolderTest, EveryOtherByteIsDamage) {
  const std::string whole = Manifest();
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string bytes = whole;
    bytes[i] ^= 1;
    EXPECT_EQ(CodeOf(bytes), ErrorCode::kCorrupt) << i;
    EXPECT_EQ(CodeOf(whole.substr(0, i)), ErrorCode::kCorrupt) << i;
  }
}

TEST_F(SavedRunFolderTest, OtherVersionsAreUnsupportedAndOtherBuildsAreRead) {
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = Manifest();
    text.replace(text.find(from), from.size(), to);
    text.resize(text.rfind(",\"check\""));
    return text + ",\"check\":\"" + ToHex(Hash64(text)) + "\"}\n";
  };
  for (const auto& [from, to] : {std::pair("\"version\":5", "\"version\":1"),
                                 std::pair("\"spec\":1.2", "\"spec\":1.1")}) {
    EXPECT_EQ(CodeOf(with(from, to)), ErrorCode::kUnsupported) << to;
  }
  EXPECT_TRUE(SavedRun::Parse(
      with("\"twinset\":\"0.1.0\"", "\"twinset\":\"9.0.9\""), "m"));
}

TEST_F(SavedRunFolderTest, SaysWhichBuildReadsANewerOne) {
  std::string text = Manifest();
  text.replace(text.find("\"version\":5"), 11, "\"version\":7");
  text.replace(text.find("\"0.1.0\""), 7, "\"0.9.0\"");
  text.resize(text.rfind(",\"check\""));
  text += ",\"check\":\"" + ToHex(Hash64(text)) + "\"}\n";
  const auto run = SavedRun::Parse(text, "m");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().remedy, "use twinset \"0.9.0\" or a later one");
  EXPECT_EQ(run.error().message,
            "the saved run is of version 7, written by twinset \"0.9.0\", and "
            "this build reads version 5");
}

TEST_F(SavedRunFolderTest, NamesStayInTheFolder) {
  for (const char* name : {"../x", "/x", ""}) {
    std::string text = Manifest();
    text.replace(text.find("a.run"), 5, name);
    text.resize(text.rfind(",\"check\""));
    text += ",\"check\":\"" + ToHex(Hash64(text)) + "\"}\n";
    EXPECT_EQ(CodeOf(text), ErrorCode::kCorrupt) << name;
  }
}

TEST_F(SavedRunFolderTest, OnlyTheKeyMayBeMissing) {
  std::filesystem::remove(Path(SavedRun::kKey));
  const auto run = SavedRun::Open(folder_);
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->Has(SavedRun::kKey));
  std::filesystem::remove(Path("a.run"));
  const auto without = SavedRun::Open(folder_);
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(without.error().where, Path("a.run"));
}

TEST_F(SavedRunFolderTest, ReadersShareAWriterDoesNot) {
  {
    auto marker = FolderMarker::Lock(folder_, folder_);
    ASSERT_TRUE(marker);
    const auto run = SavedRun::Open(folder_);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ErrorCode::kIo);
  }
  const auto one = SavedRun::Open(folder_), two = SavedRun::Open(folder_);
  EXPECT_TRUE(one && two);
  EXPECT_FALSE(FolderMarker::Lock(folder_, folder_));
}

}  // namespace
}  // namespace twinset
