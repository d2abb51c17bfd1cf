#include "base/memory_folder.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "base/file.h"

namespace twinset {
namespace {

std::unique_ptr<MemoryFolder> Folder(uint64_t most_bytes = 16 << 20) {
  auto folder = MemoryFolder::Create(most_bytes);
  EXPECT_TRUE(folder.has_value());
  return std::move(*folder);
}

// Random reads, writes and cuts against a string.
TEST(MemoryFolder, FilesAreWhatWasWritten) {
  const auto folder = Folder();
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    const std::string path = folder->path() + "/file";
    auto file = File::Create(path);
    ASSERT_TRUE(file.has_value());
    std::string expected;
    for (int step = 0; step < 100; ++step) {
      const uint64_t at = random() % 300'000;
      std::string bytes(random() % 100'000, static_cast<char>(random() % 256));
      switch (random() % 4) {
        case 0:
          ASSERT_TRUE(file->Seek(expected.size()));
          ASSERT_TRUE(file->Write(bytes));
          if (expected.size() + bytes.size() > 2 << 20) {
            ASSERT_TRUE(file->Truncate(expected.size()));
            break;
          }
          expected += bytes;
          break;
        case 1:
          if (bytes.empty()) break;
          ASSERT_TRUE(file->WriteAt(at, bytes));
          expected.resize(std::max(expected.size(), at + bytes.size()));
          expected.replace(at, bytes.size(), bytes);
          break;
        case 2:
          ASSERT_TRUE(file->Truncate(at));
          expected.resize(at);
          break;
        default:
          break;
      }
      ASSERT_EQ(*file->Size(), expected.size());
      ASSERT_EQ(*FileSize(path), expected.size());
      const auto whole = ReadWholeFile(path);
      ASSERT_TRUE(whole.has_value());
      ASSERT_TRUE(*whole == expected);
      if (expected.empty()) continue;
      const uint64_t from = random() % expected.size();
      std::string part(random() % (expected.size() - from + 1), 'x');
      ASSERT_TRUE(file->ReadAt(from, part.data(), part.size()));
      ASSERT_TRUE(part == expected.substr(from, part.size()));
    }
    std::string beyond(1, 'x');
    const auto short_file = file->ReadAt(expected.size(), beyond.data(), 1);
    ASSERT_FALSE(short_file.has_value());
    EXPECT_EQ(short_file.error().code, ErrorCode::kCorrupt);
  }
}

TEST(MemoryFolder, NamesAreOfTheFolder) {
  const auto folder = Folder();
  const std::string a = folder->path() + "/a", b = folder->path() + "/b";
  EXPECT_FALSE(FileExists(a));
  EXPECT_FALSE(File::OpenRead(a).has_value());
  EXPECT_FALSE(*RemoveFile(a));
  ASSERT_TRUE(WriteWholeFile(a, "first"));  // through a.part
  EXPECT_FALSE(FileExists(a + ".part"));
  const auto open = File::OpenRead(a);
  ASSERT_TRUE(open.has_value());
  EXPECT_TRUE(open->HasName());
  ASSERT_TRUE(RenameFile(a, b));
  EXPECT_FALSE(open->HasName());
  EXPECT_EQ(*ReadWholeFile(b), "first");
  EXPECT_FALSE(RenameFile(a, b).has_value());
  // Created anew, it is another file; who has the old one open keeps it.
  ASSERT_TRUE(WriteWholeFile(b, "second"));
  std::string old(5, ' ');
  ASSERT_TRUE(open->ReadAt(0, old.data(), 5));
  EXPECT_EQ(old, "first");
  EXPECT_EQ(*ReadWholeFile(b), "second");
  EXPECT_TRUE(*RemoveFile(b));
  EXPECT_FALSE(FileExists(b));
}

TEST(MemoryFolder, WhatDoesNotFitIsRefusedAndChangesNothing) {
  const auto folder = Folder(256 << 10);
  const std::string path = folder->path() + "/a";
  auto file = File::Create(path);
  ASSERT_TRUE(file.has_value());
  ASSERT_TRUE(file->Write(std::string(200 << 10, 'x')));
  const auto full = file->Write(std::string(100 << 10, 'y'));
  ASSERT_FALSE(full.has_value());
  EXPECT_EQ(full.error().code, ErrorCode::kMemory);
  EXPECT_EQ(*FileSize(path), 200u << 10);
  // What is cut off is free again, and so is what was removed and closed.
  ASSERT_TRUE(file->Truncate(0));
  EXPECT_EQ(folder->used_bytes(), 0u);
  ASSERT_TRUE(file->WriteAt(1 << 20, "far"));
  EXPECT_EQ(folder->used_bytes(), 64u << 10);
  EXPECT_EQ(folder->file_bytes(), (1u << 20) + 3);
  ASSERT_TRUE(*RemoveFile(path));
  EXPECT_EQ(folder->used_bytes(), 64u << 10);
  ASSERT_TRUE(file->Close());
  EXPECT_EQ(folder->used_bytes(), 0u);
}

TEST(MemoryFolder, IsGoneWithItsNames) {
  std::string path;
  File open;
  {
    const auto folder = Folder();
    path = folder->path() + "/a";
    ASSERT_TRUE(WriteWholeFile(path, "text"));
    open = std::move(*File::OpenRead(path));
  }
  EXPECT_FALSE(FileExists(path));
  EXPECT_FALSE(File::Create(path).has_value());
  std::string text(4, ' ');
  ASSERT_TRUE(open.ReadAt(0, text.data(), 4));
  EXPECT_EQ(text, "text");
}

TEST(MemoryFolder, FoldersAndThreadsDoNotMeet) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([t] {
      for (int round = 0; round < 50; ++round) {
        const auto folder = Folder();
        const std::string text = std::to_string(t * 1000 + round);
        EXPECT_TRUE(WriteWholeFile(folder->path() + "/a", text));
        EXPECT_EQ(*ReadWholeFile(folder->path() + "/a"), text);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace twinset
