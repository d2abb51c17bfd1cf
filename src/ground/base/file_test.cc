#include "base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/test_dir.h"

namespace twinset {
namespace {

TEST(File, WriteReadSeekTruncate) {
  TestDir dir;
  Result<File> created = File::Create(dir / "f");
  ASSERT_TRUE(created.has_value());
  File file = std::move(*created);
  EXPECT_TRUE(file.is_open());
  EXPECT_FALSE(
      created
          ->is_open());  // NOLINT: the moved-from state is part of the contract
  EXPECT_EQ(file.path(), dir / "f");
  ASSERT_TRUE(file.Write("hello world"));
  ASSERT_TRUE(file.WriteAt(6, "there"));
  ASSERT_TRUE(file.WriteAt(20, "!"));  // leaves a hole of zero bytes
  EXPECT_EQ(file.Size().value(), 21u);
  ASSERT_TRUE(file.Seek(4));
  char bytes[32];
  EXPECT_EQ(file.Read(bytes, 7).value(), 7u);
  EXPECT_EQ(std::string(bytes, 7), "o there");
  ASSERT_TRUE(file.Truncate(11));
  EXPECT_EQ(file.Read(bytes, 32).value(), 0u);
  ASSERT_TRUE(file.ReadAt(0, bytes, 11));
  EXPECT_EQ(std::string(bytes, 11), "hello there");
  ASSERT_TRUE(file.Sync());
  ASSERT_TRUE(file.Close());
  EXPECT_FALSE(file.is_open());
}

TEST(File, ReadAtBeyondTheEndIsCorruptAndNamesTheOffset) {
  TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "f", "0123456789"));
  Result<File> file = File::OpenRead(dir / "f");
  ASSERT_TRUE(file.has_value());
  char bytes[8];
  const Status status = file->ReadAt(6, bytes, 8);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kCorrupt);
  EXPECT_NE(status.error().ToString().find("14"), std::string::npos)
      << status.error().ToString();
  EXPECT_NE(status.error().ToString().find(dir / "f"), std::string::npos);
}

TEST(File, OpenModes) {
  TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "f", "content"));
  {
    Result<File> file = File::OpenReadWrite(dir / "f");
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ(file->Size().value(), 7u);
    ASSERT_TRUE(file->Write("C"));
  }
  EXPECT_EQ(ReadWholeFile(dir / "f").value(), "Content");
  ASSERT_TRUE(File::Create(dir / "f").has_value());
  EXPECT_EQ(ReadWholeFile(dir / "f").value(), "");
  EXPECT_FALSE(FileExists(dir / "g"));
  EXPECT_TRUE(File::OpenReadWrite(dir / "g").has_value());
  EXPECT_TRUE(FileExists(dir / "g"));
}

TEST(File, ErrorsNameThePathAndARemedy) {
  TestDir dir;
  const Result<File> missing = File::OpenRead(dir / "missing");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kIo);
  EXPECT_EQ(missing.error().where, dir / "missing");
  EXPECT_FALSE(missing.error().remedy.empty());
  const Result<File> folder = File::OpenRead(dir.path());
  ASSERT_FALSE(folder.has_value());
  EXPECT_EQ(folder.error().code, ErrorCode::kIo);
  EXPECT_FALSE(File::Create(dir / "no/such/folder").has_value());
  EXPECT_FALSE(SyncDirectory(dir / "missing").has_value());
}

TEST(Address, HasOneUsualSpelling) {
  EXPECT_EQ(UsualAddress("S3A://Lake/X"), "s3://Lake/X");
  EXPECT_EQ(UsualAddress("HTTPS://a/B"), "https://a/B");
  EXPECT_EQ(UsualAddress("abfs://c@a/x"), "abfs://c@a/x");
  EXPECT_EQ(SchemeOf("a/b://c"), "");
  EXPECT_EQ(WayFromAddress("abfs://a/x"), "download it, and give the file");
}

TEST(File, DestructionClosesTheDescriptor) {
  TestDir dir;
  int fd = -1;
  {
    Result<File> file = File::Create(dir / "f");
    fd = file->fd();
    EXPECT_EQ(::lseek(fd, 0, SEEK_CUR), 0);
  }
  EXPECT_EQ(::lseek(fd, 0, SEEK_CUR), -1);
}

TEST(OutputFile, AppearsUnderItsNameOnlyOnCommit) {
  TestDir dir;
  std::string expected;
  {
    Result<OutputFile> file = OutputFile::Create(dir / "out");
    ASSERT_TRUE(file.has_value());
    for (int i = 0; i < 50000; ++i) {
      const std::string row = std::to_string(i) + "\n";
      ASSERT_TRUE(file->Write(row));
      expected += row;
    }
    const std::string large(200000, 'x');  // past the buffer
    ASSERT_TRUE(file->Write(large));
    ASSERT_TRUE(file->Write("end"));
    expected += large + "end";
    EXPECT_EQ(file->written_bytes(), expected.size());
    EXPECT_FALSE(FileExists(dir / "out"));
    EXPECT_TRUE(FileExists(dir / "out.part"));
    ASSERT_TRUE(file->Commit());
  }
  EXPECT_FALSE(FileExists(dir / "out.part"));
  EXPECT_EQ(ReadWholeFile(dir / "out").value(), expected);
}

TEST(OutputFile, WithoutCommitTheOldFileStays) {
  TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "out", "old"));
  {
    Result<OutputFile> file = OutputFile::Create(dir / "out");
    ASSERT_TRUE(file->Write("new"));
  }
  EXPECT_EQ(ReadWholeFile(dir / "out").value(), "old");
}

TEST(OutputFile, GoesOnBehindACheckpoint) {
  TestDir dir;
  uint64_t bytes = 0, hash = 0;
  {
    Result<OutputFile> file = OutputFile::Create(dir / "out");
    ASSERT_TRUE(file->Write("first "));
    ASSERT_TRUE(file->Checkpoint());
    bytes = file->written_bytes();
    hash = file->hash();
    EXPECT_EQ(hash, Hash64("first "));
    ASSERT_TRUE(file->Write(std::string(200000, 'x')));  // lost
  }
  {
    Result<OutputFile> file = OutputFile::Resume(dir / "out", bytes, hash);
    ASSERT_TRUE(file.has_value());
    ASSERT_TRUE(file->Write("second"));
    EXPECT_EQ(file->written_bytes(), 12u);
    EXPECT_EQ(file->hash(), Hash64("first second"));
    ASSERT_TRUE(file->Commit());
  }
  EXPECT_EQ(ReadWholeFile(dir / "out").value(), "first second");
}

TEST(OutputFile, GoesOnOnlyBehindWhatItWrote) {
  TestDir dir;
  const uint64_t hash = Hash64("first ");
  EXPECT_FALSE(OutputFile::Resume(dir / "out", 6, hash));
  EXPECT_FALSE(FileExists(dir / "out.part"));
  for (const char* changed : {"First ", "first", ""}) {
    ASSERT_TRUE(WriteWholeFile(dir / "out.part", changed));
    const auto file = OutputFile::Resume(dir / "out", 6, hash);
    ASSERT_FALSE(file) << changed;
    EXPECT_EQ(file.error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(ReadWholeFile(dir / "out.part").value(), changed);
  }
}

TEST(ReadWholeFile, RefusesMoreThanItsBound) {
  TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "f", std::string(1000000, 'z')));
  EXPECT_EQ(ReadWholeFile(dir / "f").value().size(), 1000000u);
  EXPECT_EQ(ReadWholeFile(dir / "f", 1000000).value().size(), 1000000u);
  const Result<std::string> bounded = ReadWholeFile(dir / "f", 10);
  ASSERT_FALSE(bounded.has_value());
  EXPECT_EQ(bounded.error().code, ErrorCode::kUnsupported);
}

TEST(CopyFile, CopiesBytesAndWhoMayReadThem) {
  TestDir dir;
  std::string bytes(3000000, 'z');
  bytes[2999999] = 'y';
  ASSERT_TRUE(WriteWholeFile(dir / "from", bytes));
  ASSERT_EQ(::chmod((dir / "from").c_str(), 0600), 0);
  ASSERT_TRUE(WriteWholeFile(dir / "to", "old"));
  ASSERT_EQ(::link((dir / "to").c_str(), (dir / "other").c_str()), 0);
  ASSERT_TRUE(CopyFile(dir / "from", dir / "to"));
  EXPECT_EQ(ReadWholeFile(dir / "to").value(), bytes);
  EXPECT_EQ(ReadWholeFile(dir / "other").value(), "old");
  struct stat info;
  ASSERT_EQ(::stat((dir / "to").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  ASSERT_EQ(::chmod((dir / "from").c_str(), 0640), 0);
  ASSERT_TRUE(CopyFile(dir / "from", dir / "to"));
  ASSERT_EQ(::stat((dir / "to").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
  EXPECT_FALSE(CopyFile(dir / "none", dir / "to").has_value());
  SetFileFault([](const std::string&, size_t) { return ENOSPC; });
  EXPECT_FALSE(CopyFile(dir / "from", dir / "to").has_value());
  SetFileFault({});
}

TEST(Folders, MakeAndRemove) {
  TestDir dir;
  ASSERT_TRUE(MakeDirectories(dir / "a/b/c"));
  ASSERT_TRUE(MakeDirectories(dir / "a/b/c"));
  ASSERT_TRUE(WriteWholeFile(dir / "a/b/c/f", "x"));
  EXPECT_FALSE(MakeDirectories(dir / "a/b/c/f/d").has_value());
  ASSERT_TRUE(RemoveTree(dir / "a"));
  EXPECT_FALSE(FileExists(dir / "a"));
  ASSERT_TRUE(RemoveTree(dir / "a"));
}

TEST(FileFault, AFullDiskIsAnErrorOfEveryWriter) {
  TestDir dir;
  Result<File> file = File::Create(dir / "f");
  Result<OutputFile> output = OutputFile::Create(dir / "out");
  {
    WriteLimit limit(10);
    ASSERT_TRUE(file->Write("12345"));
    const Status failed = file->Write("1234567");
    ASSERT_FALSE(failed.has_value());
    EXPECT_EQ(failed.error().code, ErrorCode::kIo);
    EXPECT_NE(failed.error().message.find("No space left"), std::string::npos);
    EXPECT_FALSE(failed.error().remedy.empty());
    EXPECT_FALSE(file->WriteAt(0, "1234567").has_value());
    ASSERT_TRUE(output->Write("buffered so far"));
    EXPECT_FALSE(output->Commit().has_value());
    EXPECT_FALSE(FileExists(dir / "out"));
    EXPECT_FALSE(WriteWholeFile(dir / "g", "some content").has_value());
  }
  EXPECT_TRUE(file->Write("1234567").has_value());
  EXPECT_EQ(file->Size().value(), 12u);
}

TEST(FileFault, SeesThePath) {
  TestDir dir;
  Result<File> a = File::Create(dir / "a");
  Result<File> b = File::Create(dir / "b");
  WriteLimit limit(0, EIO, "/b");
  EXPECT_TRUE(a->Write("x").has_value());
  const Status failed = b->Write("x");
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().where, dir / "b");
}

// A copy takes the name; the other name keeps what it had, and so does a file
// of somebody else that stands where copies are made.
TEST(File, UnshareLeavesOtherNamesAndFilesAlone) {
  const TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "f", "ours"));
  ASSERT_EQ(::chmod((dir / "f").c_str(), 0600), 0);
  ASSERT_EQ(::link((dir / "f").c_str(), (dir / "g").c_str()), 0);
  for (const char* foreign : {"f.copy", "f.copy0"})
    ASSERT_TRUE(WriteWholeFile(dir / foreign, foreign));
  {
    auto file = File::OpenToLock(dir / "f");
    ASSERT_TRUE(file);
    ASSERT_TRUE(*file->Lock());
    EXPECT_TRUE(file->HasName());
    ASSERT_TRUE(file->Unshare(/*lock=*/true));
    EXPECT_TRUE(file->HasName());
    const auto second = File::OpenToLock(dir / "f");
    EXPECT_FALSE(*second->Lock());
    ASSERT_TRUE(file->WriteAt(0, "else"));
  }
  EXPECT_EQ(*ReadWholeFile(dir / "f"), "else");
  EXPECT_EQ(*ReadWholeFile(dir / "g"), "ours");
  for (const char* foreign : {"f.copy", "f.copy0"})
    EXPECT_EQ(*ReadWholeFile(dir / foreign), foreign);
  struct stat info;
  ASSERT_EQ(::stat((dir / "f").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600u);
  auto file = File::OpenToLock(dir / "f");
  ASSERT_EQ(::rename((dir / "g").c_str(), (dir / "f").c_str()), 0);
  EXPECT_FALSE(file->HasName());
}

}  // namespace
}  // namespace twinset
