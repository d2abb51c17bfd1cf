#include "store/scratch_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/file.h"
#include "base/test_dir.h"
#include "store/own_place.h"
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

class OwnPlaceTest : public ::testing::Test {
 protected:
  // A file or folder that another user made: root's, or, for root, anybody's.
  std::string OfAnother(bool is_folder) {
    if (::geteuid() != 0) return is_folder ? "/" : "/etc/passwd";
    const std::string path = dir_ / (is_folder ? "folder" : "file");
    if (is_folder)
      std::filesystem::create_directory(path);
    else
      EXPECT_TRUE(WriteWholeFile(path, "x"));
    EXPECT_EQ(::chown(path.c_str(), 4321, 4321), 0);
    return path;
  }
  // "" or what is refused.
  static std::string Refusal(const Status& status) {
    if (status) return "";
    EXPECT_EQ(status.error().code, ErrorCode::kUsage);
    EXPECT_FALSE(status.error().where.empty());
    EXPECT_FALSE(status.error().remedy.empty());
    return status.error().message;
  }
  static bool Has(const std::string& text, const std::string& part) {
    return text.find(part) != text.npos;
  }
  TestDir dir_;
};

TEST_F(OwnPlaceTest, FoldersAreTakenThatNobodyElseMayWrite) {
  const std::string path = dir_ / "work";
  EXPECT_EQ(Refusal(CheckOwnFolder(path, "other")), "");  // not there yet
  ASSERT_TRUE(std::filesystem::create_directory(path));
  for (mode_t mode = 0; mode < 01000; ++mode) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    const std::string refusal = Refusal(CheckOwnFolder(path, "other"));
    ASSERT_EQ(refusal.empty(), (mode & (S_IWGRP | S_IWOTH)) == 0) << mode;
  }
  EXPECT_EQ(Refusal(CheckOwnFolder(path, "other")),
            "others may write in the work folder (mode 0777)");
  ASSERT_EQ(::chmod(path.c_str(), 0700), 0);
  ASSERT_EQ(::symlink(path.c_str(), (dir_ / "link").c_str()), 0);
  const Status link = CheckOwnFolder(dir_ / "link", "take another");
  EXPECT_EQ(Refusal(link), "the work folder is a link");
  EXPECT_EQ(link.error().remedy, "take another");
  EXPECT_TRUE(Has(Refusal(CheckOwnFolder(OfAnother(true), "other")),
                  "the work folder belongs to another user (uid "));
}

TEST_F(OwnPlaceTest, SecretsAreTakenThatNobodyElseCanKnow) {
  const std::string path = dir_ / "key";
  EXPECT_EQ(Refusal(CheckSecretFile(path, false)), "");
  ASSERT_TRUE(WriteWholeFile(path, "secret"));
  for (mode_t mode = 0; mode < 01000; ++mode) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    // A group may read what it shares.
    const mode_t others = S_IWGRP | S_IXGRP | S_IRWXO;
    ASSERT_EQ(Refusal(CheckSecretFile(path, false)).empty(),
              (mode & others) == 0)
        << mode;
  }
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  ASSERT_EQ(::symlink(path.c_str(), (dir_ / "link").c_str()), 0);
  EXPECT_EQ(Refusal(CheckSecretFile(dir_ / "link", false)),
            "the key of the run is no plain file");
  EXPECT_EQ(Refusal(CheckSecretFile(dir_.path(), false)),
            "the key of the run is no plain file");
}

TEST_F(OwnPlaceTest, ASavedRunMayBelongToWhoeverOwnsItsFolder) {
  if (::geteuid() != 0) return;  // nobody else can make such a folder
  const std::string folder = OfAnother(true), path = folder + "/key";
  ASSERT_TRUE(WriteWholeFile(path, "secret"));
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  ASSERT_EQ(::chown(path.c_str(), 4321, 4321), 0);
  EXPECT_EQ(Refusal(CheckSecretFile(path, true)), "");
  EXPECT_TRUE(Has(Refusal(CheckSecretFile(path, false)), "another user"));
  ASSERT_EQ(::chown(path.c_str(), 4322, 4321), 0);
  EXPECT_TRUE(Has(Refusal(CheckSecretFile(path, true)),
                  "belongs to another user (uid 4322, not 0)"));
}

TEST_F(OwnPlaceTest, OnlyWhoBeganGoesOn) {
  ASSERT_TRUE(WriteWholeFile(dir_ / "own", "x"));
  EXPECT_EQ(Refusal(CheckBegunByUser(dir_ / "own", "run")), "");
  EXPECT_EQ(Refusal(CheckBegunByUser(dir_ / "absent", "run")), "");
  const Status other = CheckBegunByUser(OfAnother(false), "run");
  EXPECT_TRUE(Has(Refusal(other), "another user"));
  EXPECT_EQ(other.error().where, "run");
}

}  // namespace
}  // namespace twinset
