#include "store/scratch_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "store/test_util.h"

namespace twinset {
namespace {

namespace fs = std::filesystem;

class ScratchFolderTest : public ::testing::Test {
 protected:
  // What a call that is killed leaves.
  std::string LeftByAKilledCall(const std::string& prefix) {
    const std::string note = dir_ / "note";
    const pid_t child = fork();
    if (child == 0) {
      const auto folder = ScratchFolder::Make(prefix);
      _exit(folder && WriteWholeFile(*folder / "work", "1") &&
                    WriteWholeFile(note, folder->path())
                ? 0
                : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    return ReadAll(note);
  }
  TestDir dir_;
};

TEST_F(ScratchFolderTest, GoesWithWhatIsInIt) {
  std::string path;
  {
    const auto folder = ScratchFolder::Make(dir_ / "deep/work-");
    ASSERT_TRUE(folder);
    path = folder->path();
    ASSERT_TRUE(WriteWholeFile(*folder / "file", "1"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(ScratchFolderTest, ThatOfAKilledCallGoesWithTheNextOne) {
  const std::string left = LeftByAKilledCall(dir_ / "work-");
  ASSERT_TRUE(fs::exists(left + "/work"));
  // Not for a call of another prefix, nor while its own lives.
  ASSERT_TRUE(ScratchFolder::Make(dir_ / "other-"));
  EXPECT_TRUE(fs::exists(left));
  const auto first = ScratchFolder::Make(dir_ / "work-");
  ASSERT_TRUE(first);
  EXPECT_FALSE(fs::exists(left));
  const auto second = ScratchFolder::Make(dir_ / "work-");
  ASSERT_TRUE(second);
  EXPECT_TRUE(fs::exists(first->path()));
}

TEST_F(ScratchFolderTest, WhatOnlyLooksLikeOneStays) {
  const std::string killed = LeftByAKilledCall(dir_ / "far-");
  fs::create_directory(dir_ / "work-abcdef");
  ASSERT_TRUE(WriteWholeFile(dir_ / "work-abcdef/mine", "1"));
  fs::create_directory_symlink(killed, dir_ / "work-ghijkl");
  ASSERT_TRUE(ScratchFolder::Make(dir_ / "work-"));
  EXPECT_TRUE(fs::exists(dir_ / "work-abcdef/mine"));
  EXPECT_TRUE(fs::exists(killed + "/work"));
}

}  // namespace
}  // namespace twinset
