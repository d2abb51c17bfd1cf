#include "store/result_folder.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>

#include "store/result_file.h"
#include "store/test_util.h"

namespace twinset {
namespace {

namespace fs = std::filesystem;

// Every file and folder below with its bytes and inode.
std::map<std::string, std::string> Tree(const std::string& root) {
  std::map<std::string, std::string> tree;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    struct stat info;
    EXPECT_EQ(::lstat(entry.path().c_str(), &info), 0);
    std::string& what = tree[entry.path().lexically_relative(root).string()];
    what = std::to_string(info.st_ino) + " " + std::to_string(info.st_nlink);
    if (S_ISREG(info.st_mode)) what += " " + ReadAll(entry.path().string());
    if (S_ISLNK(info.st_mode))
      what += " -> " + fs::read_symlink(entry.path()).string();
  }
  return tree;
}

class ResultFolderTest : public ::testing::Test {
 protected:
  FolderRequest New(const std::string& path) const {
    FolderRequest request;
    request.path = path;
    request.flag = "--out";
    request.command = "test";
    return request;
  }
  FolderRequest Overwriting(const std::string& path) const {
    FolderRequest request = New(path);
    request.overwrite = true;
    return request;
  }
  // A finished folder of an earlier run: rows, deep/rows and a tree.
  std::string Finished(const std::string& name) const {
    const std::string path = dir_ / name;
    auto folder = ResultFolder::Open(New(path));
    EXPECT_TRUE(folder);
    EXPECT_TRUE(folder->Begin({"rows", "deep/er/rows"}, {"pages"}));
    fs::create_directories(path + "/deep/er");
    fs::create_directories(path + "/pages/in");
    WriteAll(path + "/rows", "1");
    WriteAll(path + "/deep/er/rows", "2");
    WriteAll(path + "/rows.part", "3");
    WriteAll(path + "/pages/in/any", "4");
    return path;
  }
  void ExpectRefused(const FolderRequest& request, const std::string& says,
                     ErrorCode code = ErrorCode::kUsage) const {
    const auto before = Tree(dir_.path());
    const auto folder = ResultFolder::Open(request);
    ASSERT_FALSE(folder) << request.path;
    EXPECT_EQ(folder.error().code, code) << folder.error().ToString();
    EXPECT_NE(folder.error().ToString().find(says), std::string::npos)
        << folder.error().ToString();
    EXPECT_EQ(Tree(dir_.path()), before) << request.path;
  }

  TestDir dir_;
};

TEST_F(ResultFolderTest, ANewFolderIsMadeAndGoesIfNothingIsWritten) {
  for (const std::string& path : {dir_ / "a", dir_ / "b/c/d"}) {
    {
      auto folder = ResultFolder::Open(New(path));
      ASSERT_TRUE(folder) << folder.error().ToString();
      EXPECT_FALSE(folder->is_old());
      EXPECT_TRUE(folder->Begin({"rows"}));
      EXPECT_TRUE(fs::exists(path + "/.twinset"));
    }
    EXPECT_EQ(dir_.FileCount(), 0u);
  }
  fs::create_directory(dir_ / "empty");
  { ASSERT_TRUE(ResultFolder::Open(New(dir_ / "empty"))); }
  EXPECT_TRUE(fs::is_empty(dir_ / "empty"));
}

TEST_F(ResultFolderTest, OverwritingRemovesWhatIsListedAndNothingElse) {
  const std::string path = Finished("a");
  ExpectRefused(New(path), "exists already");
  const auto before = Tree(path);
  {  // Opening alone removes nothing.
    auto folder = ResultFolder::Open(Overwriting(path));
    ASSERT_TRUE(folder) << folder.error().ToString();
    EXPECT_TRUE(folder->is_old());
  }
  EXPECT_EQ(Tree(path), before);
  auto folder = ResultFolder::Open(Overwriting(path));
  ASSERT_TRUE(folder);
  ASSERT_TRUE(folder->Begin({"other"}));
  EXPECT_EQ(Tree(path).size(), 1u);
  WriteAll(path + "/rows", "no longer listed");
  folder = tl::unexpected(Error{});
  ExpectRefused(Overwriting(path), "'rows', which twinset did not make");
}

TEST_F(ResultFolderTest, WhatTwinsetDidNotMakeIsNeverTouched) {
  // The marks of earlier layouts, and a marker of somebody else.
  for (const char* name : {"summary.json", "evaluation.json", "engine.json",
                           ".work", ".twinset", "thesis"}) {
    const std::string path = dir_ / (std::string("of-") + name);
    fs::create_directory(path);
    WriteAll(path + "/" + name, "precious");
    ExpectRefused(New(path), name);
    ExpectRefused(Overwriting(path), "which twinset did not make");
    FolderRequest resuming = New(path);
    resuming.resume = true;
    ExpectRefused(resuming, "which twinset did not make");
  }
  const std::string path = Finished("a");
  WriteAll(path + "/deep/er/mine", "precious");
  WriteAll(path + "/zebra", "precious");
  ExpectRefused(Overwriting(path), "'deep/er/mine'");
  fs::remove(path + "/deep/er/mine");
  fs::remove(path + "/zebra");
  // Links are not ours, whatever they are called: not in a tree either.
  WriteAll(dir_ / "mine", "precious");
  for (const char* name : {"rows", "pages/in/link"}) {
    fs::remove(path + "/" + name);
    fs::create_symlink(dir_ / "mine", path + "/" + name);
    ExpectRefused(Overwriting(path), name);
    fs::remove(path + "/" + name);
  }
  // A folder of results in a folder of results minds itself.
  const std::string inner = Finished("a/b/clean");
  const auto before = Tree(inner);
  auto folder = ResultFolder::Open(Overwriting(path));
  ASSERT_TRUE(folder) << folder.error().ToString();
  ASSERT_TRUE(folder->Begin({"rows"}));
  EXPECT_EQ(Tree(inner), before);
}

TEST_F(ResultFolderTest, AMarkerThatLeadsOutOfTheFolderRemovesNothingThere) {
  const std::string path = Finished("a");
  WriteAll(dir_ / "mine", "precious");
  WriteAll(path + "/.twinset",
           "twinset result folder 1\ncommand test\nfile ../mine\nfile "
           "x/../../mine\ntree ..\ntree /\ntree pages\nfile rows\nfile "
           "deep/er/rows\nfile \\x2e\\x2e/mine\nfile .twinset\nfile cut");
  auto folder = ResultFolder::Open(Overwriting(path));
  ASSERT_TRUE(folder) << folder.error().ToString();
  ASSERT_TRUE(folder->Begin({"rows"}));
  EXPECT_EQ(ReadAll(dir_ / "mine"), "precious");
  EXPECT_FALSE(fs::exists(path + "/rows"));
}

TEST_F(ResultFolderTest, PlacesThatAreNeverResultFolders) {
  const std::string before = fs::current_path();
  fs::create_directories(dir_ / "up/here");
  fs::current_path(dir_ / "up/here");
  for (const char* path : {".", "..", "/", "../..", "../here", "//"}) {
    auto folder = ResultFolder::Open(Overwriting(path));
    ASSERT_FALSE(folder) << path;
    EXPECT_EQ(folder.error().code, ErrorCode::kUsage);
    EXPECT_NE(folder.error().message.find("is no result folder"),
              std::string::npos)
        << path << folder.error().ToString();
  }
  fs::current_path(before);
  fs::create_directory(dir_ / "home");
  const std::string home = ::getenv("HOME") ? ::getenv("HOME") : "";
  ::setenv("HOME", (dir_ / "home").c_str(), 1);
  ExpectRefused(Overwriting(dir_ / "home"), "the home folder");
  ::setenv("HOME", home.c_str(), 1);
  WriteAll(dir_ / "file", "x");
  ExpectRefused(Overwriting(dir_ / "file"), "this is a file");
  ExpectRefused(Overwriting(dir_ / "file/below"), "Not a directory",
                ErrorCode::kIo);
  fs::create_symlink("nowhere", dir_ / "dangling");
  ExpectRefused(Overwriting(dir_ / "dangling"), "leads nowhere");
  ExpectRefused(Overwriting("/proc/twinset"), "cannot create folder",
                ErrorCode::kIo);
}

TEST_F(ResultFolderTest, InputsAreProtectedByWhateverName) {
  const std::string path = Finished("a");
  WriteAll(dir_ / "input", "5");
  fs::create_directory(dir_ / "other");
  WriteAll(dir_ / "other/input", "6");
  fs::create_symlink(path, dir_ / "way");
  fs::create_symlink(path + "/rows", dir_ / "link");
  fs::create_hard_link(path + "/rows", dir_ / "hard");
  fs::create_symlink("hard", dir_ / "link-to-hard");
  auto folder = ResultFolder::Open(Overwriting(dir_ / "way"));
  ASSERT_TRUE(folder) << folder.error().ToString();
  for (const char* input : {"a/rows", "way/rows", "link", "hard", "a", "way",
                            "other/../a/rows", "link-to-hard", "a/deep"}) {
    const Status status = folder->Protect(dir_ / input);
    ASSERT_FALSE(status) << input;
    EXPECT_EQ(status.error().code, ErrorCode::kUsage);
  }
  for (const char* input : {"input", "other", "other/input", "none"})
    EXPECT_TRUE(folder->Protect(dir_ / input)) << input;
  EXPECT_TRUE(folder->Protect("-"));
  EXPECT_TRUE(folder->Protect(dir_.path()));  // a folder in its input
}

TEST_F(ResultFolderTest, TheLockHoldsForOneRunAtATime) {
  const std::string path = Finished("a");
  {
    auto folder = ResultFolder::Open(Overwriting(path));
    ASSERT_TRUE(folder);
    FolderRequest resuming = New(path);
    resuming.resume = true;
    for (const FolderRequest& request :
         {New(path), Overwriting(path), resuming})
      ExpectRefused(request, "another run is at work", ErrorCode::kIo);
    // The same folder by another name.
    fs::create_symlink(path, dir_ / "way");
    ExpectRefused(Overwriting(dir_ / "way"), "another run is at work",
                  ErrorCode::kIo);
    fs::remove(dir_ / "way");
  }
  // A process that is killed holds nothing.
  const pid_t child = ::fork();
  if (child == 0) {
    const auto folder = ResultFolder::Open(Overwriting(path));
    ::_exit(folder ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(ResultFolder::Open(Overwriting(path)));
}

TEST_F(ResultFolderTest, ResumingKeepsTheFilesAndAddsToTheList) {
  const std::string path = Finished("a");
  FolderRequest request = New(path);
  request.resume = true;
  {
    auto folder = ResultFolder::Open(request);
    ASSERT_TRUE(folder) << folder.error().ToString();
    ASSERT_TRUE(folder->Begin({"rows", "report"}, {"pages"}));
    WriteAll(path + "/report", "r");
  }
  EXPECT_EQ(ReadAll(path + "/rows"), "1");
  const std::string marker = ReadAll(path + "/.twinset");
  EXPECT_EQ(marker,
            "twinset result folder 1\ncommand test\nfile rows\nfile "
            "deep/er/rows\ntree pages\nfile report\n");
  auto folder = ResultFolder::Open(Overwriting(path));
  ASSERT_TRUE(folder) << folder.error().ToString();
  ASSERT_TRUE(folder->Remove());
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(ResultFolderTest, NamesOfAnyBytesComeBack) {
  const std::string name = "caf\xe9 \n\\x41\xc3\xa9";
  {
    auto folder = ResultFolder::Open(New(dir_ / "a"));
    ASSERT_TRUE(folder);
    ASSERT_TRUE(folder->Begin({name}));
    WriteAll(dir_ / ("a/" + name), "1");
  }
  EXPECT_NE(ReadAll(dir_ / "a/.twinset")
                .find("file caf\\xe9 \\x0a\\x5cx41\xc3\xa9\n"),
            std::string::npos);
  auto folder = ResultFolder::Open(Overwriting(dir_ / "a"));
  ASSERT_TRUE(folder) << folder.error().ToString();
  ASSERT_TRUE(folder->Begin({}));
  EXPECT_EQ(Tree(dir_ / "a").size(), 1u);
}

TEST_F(ResultFolderTest, AMarkerCutAnywhereIsNoLicence) {
  const std::string path = Finished("a");
  const std::string marker = ReadAll(path + "/.twinset");
  for (size_t size = 0; size < marker.size(); ++size) {
    WriteAll(path + "/.twinset", marker.substr(0, size));
    ExpectRefused(Overwriting(path), "which twinset did not make");
  }
  // Alone in its folder it is a run that was killed as it began.
  for (size_t size = 0; size < marker.size(); ++size) {
    fs::create_directory(dir_ / "b");
    WriteAll(dir_ / "b/.twinset", marker.substr(0, size));
    EXPECT_TRUE(ResultFolder::Open(New(dir_ / "b"))) << size;
    fs::remove_all(dir_ / "b");
  }
}

// What an input denies must not be written where others may read it.
TEST_F(ResultFolderTest, AFolderWhoseModeCannotBeSetIsNotBegun) {
  WriteAll(dir_ / "input", "5");
  fs::permissions(dir_ / "input", fs::perms::owner_read);
  const auto begin = [&](const char* name, const char* put_there) {
    FolderRequest request;
    request.path = dir_ / name;
    request.flag = "--out";
    request.command = "dedup";
    auto folder = ResultFolder::Open(request);
    EXPECT_TRUE(folder) << folder.error().ToString();
    EXPECT_TRUE(folder->Protect(dir_ / "input"));
    if (put_there != nullptr) {
      fs::rename(request.path, request.path + "-aside");
      fs::create_symlink(put_there, request.path);
    }
    Status begun = folder->Begin({"rows"});
    if (put_there == nullptr) {
      EXPECT_EQ(fs::status(request.path).permissions(), fs::perms::owner_all);
    }
    return begun;
  };
  EXPECT_TRUE(begin("good", nullptr));
  // Nobody may change the mode of this one.
  const Status fixed = begin("fixed", "/proc/self");
  ASSERT_FALSE(fixed);
  EXPECT_EQ(fixed.error().code, ErrorCode::kIo);
  EXPECT_NE(fixed.error().ToString().find("set the mode of"),
            std::string::npos);
  const Status gone = begin("gone", "nowhere");
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ErrorCode::kIo);
}

TEST_F(ResultFolderTest, SingleFiles) {
  WriteAll(dir_ / "input", "1");
  WriteAll(dir_ / "old", "2");
  fs::create_symlink("input", dir_ / "link");
  fs::create_hard_link(dir_ / "input", dir_ / "hard");
  fs::create_hard_link(dir_ / "input", dir_ / "new.part");
  fs::create_symlink("nowhere", dir_ / "dangling");
  const auto open = [&](const std::string& path, bool overwrite) {
    FileRequest request;
    request.path = path;
    request.flag = "--out";
    request.overwrite = overwrite;
    return ResultFile::Open(request);
  };
  EXPECT_FALSE(open(dir_ / "old", false));
  for (const std::string& path :
       {dir_.path(), dir_ / "dangling", dir_ / "link", dir_ / "new",
        std::string("/dev/null"), std::string("/dev/stdout")}) {
    const auto file = open(path, true);
    ASSERT_FALSE(file) << path;
    EXPECT_EQ(file.error().code, ErrorCode::kUsage);
  }
  for (const char* name : {"input", "hard"}) {
    const auto file = open(dir_ / name, true);
    ASSERT_TRUE(file) << name;
    EXPECT_FALSE(file->Protect(dir_ / "input")) << name;
    EXPECT_TRUE(file->Protect(dir_ / "old")) << name;
  }
  const auto file = open(dir_ / "old", true);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->Protect(dir_ / "input"));
  // Whatever stands at NAME.part, writing NAME harms no other file.
  ASSERT_TRUE(WriteWholeFile(dir_ / "new", "3"));
  EXPECT_EQ(ReadAll(dir_ / "input"), "1");
}

// A copy of a folder that shares its files (cp -al) stays as it is.
TEST_F(ResultFolderTest, FilesWithOtherNamesAreNotWritten) {
  const std::string path = Finished("out");
  fs::create_directory(dir_ / "copy");
  for (const char* name : {"/.twinset", "/rows"})
    fs::create_hard_link(path + name, dir_ / "copy" + name);
  const auto copy = [&] {
    return ReadAll(dir_ / "copy/.twinset") + ReadAll(dir_ / "copy/rows");
  };
  const std::string before = copy();
  {
    auto folder = ResultFolder::Open(Overwriting(path));
    ASSERT_TRUE(folder) << folder.error().ToString();
    EXPECT_FALSE(ResultFolder::Open(Overwriting(path))) << "it is locked";
    ASSERT_TRUE(folder->Begin({"b", "c"}));
    WriteAll(path + "/b", "1");
  }
  EXPECT_EQ(copy(), before);
  EXPECT_NE(ReadAll(path + "/.twinset"), ReadAll(dir_ / "copy/.twinset"));
  for (const char* name : {"journal", "made"}) {
    WriteAll(dir_ / name, "1");
    fs::create_hard_link(dir_ / name, (dir_ / name) + ".kept");
  }
  auto journal = File::OpenReadWrite(dir_ / "journal");
  ASSERT_TRUE(journal);
  EXPECT_EQ(*journal->Size(), 1u);
  ASSERT_TRUE(journal->WriteAt(1, "2"));
  ASSERT_TRUE(File::Create(dir_ / "made"));
  EXPECT_EQ(ReadAll(dir_ / "journal"), "12");
  EXPECT_EQ(ReadAll(dir_ / "journal.kept"), "1");
  EXPECT_EQ(ReadAll(dir_ / "made"), "");
  EXPECT_EQ(ReadAll(dir_ / "made.kept"), "1");
}

TEST_F(ResultFolderTest, AMarkerLeadsThroughNoLinkAndNoOtherMarker) {
  fs::create_directories(dir_ / "out/sub");
  fs::create_directory(dir_ / "precious");
  WriteAll(dir_ / "precious/thesis", "1");
  WriteAll(dir_ / "out/sub/own", "1");
  const std::string head = "twinset result folder 1\ncommand dedup\n";
  WriteAll(dir_ / "out/.twinset",
           head + "file sub/link/thesis\nfile sub/own\ntree sub/link\n");
  WriteAll(dir_ / "out/sub/.twinset", head);
  fs::create_symlink("../../precious", dir_ / "out/sub/link");
  auto folder = ResultFolder::Open(Overwriting(dir_ / "out"));
  ASSERT_TRUE(folder);
  ASSERT_TRUE(folder->Begin({"a"}));
  EXPECT_EQ(ReadAll(dir_ / "precious/thesis"), "1");
  EXPECT_EQ(ReadAll(dir_ / "out/sub/own"), "1");
}

}  // namespace
}  // namespace twinset
