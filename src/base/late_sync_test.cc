#include "base/late_sync.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "base/file.h"
#include "base/test_dir.h"

namespace twinset::inline v1 {
namespace {

constexpr std::chrono::seconds kNever{3600};

// A path that cannot be synced any more: who tries fails and names it.
void Break(const std::string& path) {
  std::filesystem::remove(path);
  std::filesystem::create_symlink(path, path);
}

class LateSyncTest : public ::testing::Test {
 protected:
  std::string Make(const std::string& name) {
    const std::string path = folder_ / name;
    EXPECT_TRUE(WriteWholeFile(path, name));  // synced as .part, and the folder
    return path;
  }
  TestDir folder_;
};

TEST_F(LateSyncTest, SyncsInTheOrderOfTheLastCalls) {
  LateSync late(folder_.path(), kNever);
  const std::string a = Make("a"), b = Make("b");
  auto file = File::OpenReadWrite(a);
  ASSERT_TRUE(file.has_value());
  ASSERT_TRUE(file->Sync());  // now behind b
  Break(a);
  Break(b);
  const Status failed = late.Finish();
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().where, b);
}

TEST_F(LateSyncTest, FollowsNewNames) {
  LateSync late(folder_.path(), kNever);
  const std::string a = Make("a");
  ASSERT_TRUE(RenameFile(a, folder_ / "c"));
  Break(folder_ / "c");
  const Status failed = late.Finish();
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().where, folder_ / "c");
}

TEST_F(LateSyncTest, WhatIsRemovedIsForgotten) {
  LateSync late(folder_.path(), kNever);
  std::filesystem::remove(Make("a"));
  EXPECT_TRUE(late.Finish());
}

TEST_F(LateSyncTest, OnlyTheFolderIsLate) {
  const LateSync late(folder_.path(), kNever);
  EXPECT_TRUE(LateSync::IsLate(folder_ / "a"));
  EXPECT_TRUE(*LateSync::PutOff(folder_.path()));
  EXPECT_FALSE(LateSync::IsLate(folder_.path() + "a"));
  EXPECT_FALSE(*LateSync::PutOff(folder_.path() + "a"));
}

TEST_F(LateSyncTest, IsOverWhenItIsFinishedOrGone) {
  {
    LateSync late(folder_.path(), kNever);
    ASSERT_TRUE(late.Finish());
    EXPECT_FALSE(*LateSync::PutOff(folder_ / "a"));
  }
  { const LateSync late(folder_.path(), kNever); }
  EXPECT_FALSE(*LateSync::PutOff(folder_ / "a"));
}

TEST_F(LateSyncTest, TheFirstSyncBehindTheTimeDoesAll) {
  const LateSync late(folder_.path(), std::chrono::seconds(1));
  const std::string a = Make("a"), b = Make("b");
  auto file = File::OpenReadWrite(b);
  ASSERT_TRUE(file.has_value());
  ASSERT_TRUE(LateSync::IsLate(b)) << "this machine is too slow for the test";
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  Break(a);
  const Status failed = file->Sync();
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().where, a);
  // What is not safe yet is not forgotten.
  EXPECT_FALSE(file->Sync().has_value());
  std::filesystem::remove(a);
  EXPECT_TRUE(file->Sync());
  EXPECT_FALSE(LateSync::IsLate(b));
}

}  // namespace
}  // namespace twinset::inline v1
