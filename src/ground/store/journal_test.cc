#include "store/journal.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "store/test_util.h"

namespace twinset {
namespace {

const char kBegin[] =
    "{\"inputs\":[\"a\\\"b\",\"\\u00fc\"],\"n\":1}\n\x01\xc3\xbc";

std::string JournalPath(const TestDir& dir) { return dir / Journal::kFileName; }

// Everything a journal knows, as one text.
std::string Facts(const Journal& journal) {
  std::string facts = journal.begin();
  for (const char* stage : {"read", "sketch", "pairs"}) {
    facts += std::string("|") + stage +
             (journal.IsDone(stage) ? " done " : " open ");
    facts +=
        journal.StageState(stage).value_or("-") + " " + journal.Progress(stage);
  }
  return facts;
}

TEST(Journal, KeepsEveryFact) {
  TestDir dir;
  WriteAll(dir / "a.run", "content of a");
  WriteAll(dir / "b.run", "");
  std::string facts;
  {
    auto journal = Journal::Create(dir.path(), kBegin);
    ASSERT_TRUE(journal.has_value()) << journal.error().ToString();
    EXPECT_EQ(journal->begin(), kBegin);
    EXPECT_FALSE(journal->IsDone("read"));
    EXPECT_FALSE(journal->StageState("read").has_value());
    EXPECT_FALSE(journal->Verify("read").has_value());
    EXPECT_EQ(journal->Progress("read"), "");
    ASSERT_TRUE(journal->SaveProgress("read", "1"));
    ASSERT_TRUE(journal->SaveProgress("read", "2"));
    EXPECT_EQ(journal->Progress("read"), "2");
    ASSERT_TRUE(
        journal->FinishStage("read", {"a.run", "b.run"}, "state of read"));
    EXPECT_EQ(journal->Progress("read"), "")
        << "a finished stage has no progress";
    ASSERT_TRUE(journal->SaveProgress("sketch", "{\"x\": [1, 2]}"));
    ASSERT_TRUE(journal->FinishStage("pairs", {}, ""));
    facts = Facts(*journal);
  }
  EXPECT_FALSE(FileExists(JournalPath(dir) + ".part"));
  for (int round = 0; round < 2; ++round) {
    auto journal = Journal::Open(dir.path());
    ASSERT_TRUE(journal.has_value()) << journal.error().ToString();
    EXPECT_EQ(Facts(*journal), facts);
    EXPECT_TRUE(journal->IsDone("read"));
    EXPECT_TRUE(journal->Verify("read").has_value());
    EXPECT_TRUE(journal->Verify("pairs").has_value());
    EXPECT_EQ(journal->StageState("read").value(), "state of read");
    EXPECT_EQ(journal->Progress("sketch"), "{\"x\": [1, 2]}");
    EXPECT_FALSE(journal->IsDone("sketch"));
  }
}

TEST(Journal, GoesOnAfterOpen) {
  TestDir dir;
  { ASSERT_TRUE(Journal::Create(dir.path(), "b").has_value()); }
  for (int i = 0; i < 5; ++i) {
    auto journal = Journal::Open(dir.path());
    ASSERT_TRUE(journal.has_value()) << journal.error().ToString();
    EXPECT_EQ(journal->Progress("read"), i == 0 ? "" : std::to_string(i - 1));
    ASSERT_TRUE(journal->SaveProgress("read", std::to_string(i)));
    Journal moved = std::move(*journal);
    ASSERT_TRUE(moved.SaveProgress("sketch", std::to_string(i)));
  }
}

TEST(Journal, CreateReplacesAndOpenNeedsOne) {
  TestDir dir;
  const auto missing = Journal::Open(dir.path());
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kIo);
  EXPECT_EQ(dir.FileCount(), 0u);
  ASSERT_TRUE(Journal::Create(dir.path(), "old")
                  ->SaveProgress("read", "1")
                  .has_value());
  ASSERT_TRUE(Journal::Create(dir.path(), "new").has_value());
  const auto journal = Journal::Open(dir.path());
  ASSERT_TRUE(journal.has_value());
  EXPECT_EQ(journal->begin(), "new");
  EXPECT_EQ(journal->Progress("read"), "");
  EXPECT_FALSE(Journal::Create(dir / "missing", "x").has_value());
}

TEST(Journal, FilesAreCheckedByLengthAndByHash) {
  TestDir dir;
  WriteAll(dir / "f", "content");
  auto journal = Journal::Create(dir.path(), "b");
  ASSERT_TRUE(journal->FinishStage("read", {"f"}, ""));
  EXPECT_TRUE(journal->Verify("read").has_value());
  WriteAll(dir / "f", "CONTENT");
  EXPECT_TRUE(journal->IsDone("read"));
  const Status changed = journal->Verify("read");
  ASSERT_FALSE(changed.has_value());
  EXPECT_EQ(changed.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(changed.error().where, dir / "f");
  WriteAll(dir / "f", "contents");
  EXPECT_FALSE(journal->IsDone("read"));
  EXPECT_FALSE(journal->Verify("read").has_value());
  std::filesystem::remove(dir / "f");
  EXPECT_FALSE(journal->IsDone("read"));
  ASSERT_FALSE(journal->Verify("read").has_value());
  EXPECT_EQ(journal->Verify("read").error().code, ErrorCode::kIo);
  // Done again, the last one counts.
  WriteAll(dir / "f", "third");
  ASSERT_TRUE(journal->FinishStage("read", {"f"}, "again"));
  EXPECT_TRUE(journal->Verify("read").has_value());
  EXPECT_EQ(Journal::Open(dir.path())->StageState("read").value(), "again");
}

TEST(Journal, ALargeFileIsHashedInPieces) {
  TestDir dir;
  WriteAll(dir / "f", std::string(300001, 'q'));
  auto journal = Journal::Create(dir.path(), "b");
  ASSERT_TRUE(journal->FinishStage("read", {"f"}, ""));
  EXPECT_TRUE(journal->Verify("read").has_value());
  std::string bytes(300001, 'q');
  bytes[299999] = 'p';
  WriteAll(dir / "f", bytes);
  EXPECT_FALSE(journal->Verify("read").has_value());
}

TEST(Journal, BadArgumentsChangeNothing) {
  TestDir dir;
  auto journal = Journal::Create(dir.path(), "b");
  const std::string before = ReadAll(JournalPath(dir));
  for (const char* name : {"", "/etc/passwd", "../f", "a/../../f", "missing"}) {
    EXPECT_FALSE(journal->FinishStage("read", {name}, "").has_value()) << name;
  }
  EXPECT_FALSE(
      journal->SaveProgress("read", std::string(17 << 20, 'x')).has_value());
  EXPECT_FALSE(journal->IsDone("read"));
  EXPECT_EQ(journal->Progress("read"), "");
  EXPECT_EQ(ReadAll(JournalPath(dir)), before);
  ASSERT_TRUE(journal->SaveProgress("read", std::string(15 << 20, 'x')));
  EXPECT_EQ(Journal::Open(dir.path())->Progress("read").size(),
            size_t{15} << 20);
}

// Every length and every flipped byte: an error, or the facts up to the last
// complete line.
TEST(Journal, DamageIsFoundAndATornLineIsIgnored) {
  TestDir dir;
  WriteAll(dir / "f", "content");
  std::vector<std::string> states;  // facts after each line
  std::vector<size_t> lengths;      // of the journal then
  auto journal = Journal::Create(dir.path(), kBegin);
  const auto note = [&] {
    states.push_back(Facts(*journal));
    lengths.push_back(ReadAll(JournalPath(dir)).size());
  };
  note();
  ASSERT_TRUE(journal->SaveProgress("read", "1"));
  note();
  ASSERT_TRUE(journal->FinishStage("read", {"f"}, "{}"));
  note();
  ASSERT_TRUE(journal->SaveProgress("sketch", "half"));
  note();
  const std::string good = ReadAll(JournalPath(dir));
  for (size_t size = 0; size <= good.size(); ++size) {
    WriteAll(JournalPath(dir), good.substr(0, size));
    size_t lines = 0;
    while (lines < lengths.size() && lengths[lines] <= size) ++lines;
    const auto opened = Journal::Open(dir.path());
    if (lines == 0) {
      ASSERT_FALSE(opened.has_value()) << size;
      ExpectDamageError(opened.error(), JournalPath(dir), std::to_string(size));
      continue;
    }
    ASSERT_TRUE(opened.has_value())
        << size << ": " << opened.error().ToString();
    EXPECT_EQ(Facts(*opened), states[lines - 1]) << size;
    EXPECT_EQ(ReadAll(JournalPath(dir)).size(), lengths[lines - 1])
        << "torn line not cut off";
  }
  for (size_t i = 0; i < good.size(); ++i) {
    for (const int mask : {1, 2, 16, 128, 255, good[i] ^ '\n'}) {
      if (mask == 0) continue;
      std::string bytes = good;
      bytes[i] = static_cast<char>(bytes[i] ^ mask);
      WriteAll(JournalPath(dir), bytes);
      const auto opened = Journal::Open(dir.path());
      if (!opened) {
        ExpectDamageError(opened.error(), JournalPath(dir), std::to_string(i));
        continue;
      }
      // Only the line feed at the very end looks like a torn line when it is
      // damaged.
      EXPECT_EQ(i, good.size() - 1);
      EXPECT_EQ(Facts(*opened), states[2]);
    }
  }
}

TEST(Journal, LinesThatAreMissingOrMovedAreFound) {
  TestDir dir;
  auto journal = Journal::Create(dir.path(), "b");
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(journal->SaveProgress("read", std::to_string(i)));
  std::vector<std::string> lines;
  std::string line;
  for (const char c : ReadAll(JournalPath(dir))) {
    line += c;
    if (c == '\n') lines.push_back(std::exchange(line, ""));
  }
  ASSERT_EQ(lines.size(), 4u);
  const auto opens = [&](const std::vector<size_t>& order) {
    std::string bytes;
    for (const size_t i : order) bytes += lines[i];
    WriteAll(JournalPath(dir), bytes);
    return Journal::Open(dir.path()).has_value();
  };
  EXPECT_TRUE(opens({0, 1, 2, 3}));
  EXPECT_TRUE(opens({0, 1}));
  EXPECT_FALSE(opens({0, 2, 3}));
  EXPECT_FALSE(opens({0, 2, 1, 3}));
  EXPECT_FALSE(opens({0, 1, 1, 2, 3}));
  EXPECT_FALSE(opens({1, 2, 3}));
  EXPECT_FALSE(opens({0, 0}));
}

TEST(Journal, AFullDiskLeavesTheFactsBefore) {
  TestDir dir;
  auto journal = Journal::Create(dir.path(), "b");
  ASSERT_TRUE(journal->SaveProgress("read", "1"));
  const std::string before = ReadAll(JournalPath(dir));
  {
    WriteLimit limit(0);
    const Status failed = journal->SaveProgress("read", "2");
    ASSERT_FALSE(failed.has_value());
    EXPECT_EQ(failed.error().code, ErrorCode::kIo);
    EXPECT_FALSE(journal->FinishStage("read", {}, "").has_value());
    TestDir other;
    EXPECT_FALSE(Journal::Create(other.path(), "b").has_value());
    EXPECT_FALSE(Journal::Open(other.path()).has_value());
  }
  EXPECT_EQ(journal->Progress("read"), "1");
  EXPECT_FALSE(journal->IsDone("read"));
  EXPECT_EQ(ReadAll(JournalPath(dir)), before);
  ASSERT_TRUE(journal->SaveProgress("read", "3"));
  EXPECT_EQ(Journal::Open(dir.path())->Progress("read"), "3");
}

TEST(Journal, APartOfALineThatWasWrittenIsTakenBack) {
  TestDir dir;
  auto journal = Journal::Create(dir.path(), "b");
  ASSERT_TRUE(journal->SaveProgress("read", "1"));
  const std::string before = ReadAll(JournalPath(dir));
  // The disk takes more of the line than the next one is long, then fails.
  SetFileFault([&](const std::string& path, size_t) {
    std::ofstream(path, std::ios::app) << std::string(500, '{') << "\n";
    return ENOSPC;
  });
  EXPECT_FALSE(journal->SaveProgress("read", "2").has_value());
  SetFileFault({});
  EXPECT_EQ(ReadAll(JournalPath(dir)), before);
  ASSERT_TRUE(journal->SaveProgress("read", "3"));
  const auto opened = Journal::Open(dir.path());
  ASSERT_TRUE(opened.has_value()) << opened.error().ToString();
  EXPECT_EQ(opened->Progress("read"), "3");
}

}  // namespace
}  // namespace twinset
