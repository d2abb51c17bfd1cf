#include "store/stored_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "base/hash.h"
#include "store/test_util.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

constexpr size_t kBufferBytes = 1 << 20;

struct StoredLines {
  std::vector<std::pair<std::string, uint64_t>> lines;  // with their offsets
  uint64_t end = 0;
  friend bool operator==(const StoredLines&, const StoredLines&) = default;
};

StoredLines SplitNaively(const std::string& bytes) {
  StoredLines split;
  std::string line;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != '\n') {
      line += bytes[i];
      continue;
    }
    split.lines.emplace_back(line, i - line.size());
    split.end = i + 1;
    line.clear();
  }
  return split;
}

class StoredLinesTest : public testing::Test {
 protected:
  Result<StoredLines> Read(const std::string& bytes, uint64_t most_bytes) {
    WriteAll(path(), bytes);
    TWINSET_ASSIGN(const File file, File::OpenRead(path()));
    StoredLines read;
    TWINSET_ASSIGN(read.end, ForEachStoredLine(
                                 file, most_bytes,
                                 [&](std::string_view line, uint64_t offset) {
                                   read.lines.emplace_back(line, offset);
                                   return Status();
                                 }));
    return read;
  }
  void ExpectSplit(const std::string& bytes) {
    const auto read = Read(bytes, bytes.size());
    ASSERT_TRUE(read.has_value());
    EXPECT_TRUE(*read == SplitNaively(bytes)) << bytes.size() << " bytes";
  }
  std::string path() const { return dir_ / "lines"; }

 private:
  TestDir dir_;
};

TEST_F(StoredLinesTest, AgreesWithSplitting) {
  for (const char* bytes :
       {"", "\n", "a", "a\n", "\n\na", "a\nb", "a\r\n\nb\n"})
    ExpectSplit(bytes);
  SplitMix64 random(5);
  for (int round = 0; round < 200; ++round) {
    std::string bytes;
    for (uint64_t n = random.Below(60); n > 0; --n)
      bytes += "\n\nab"[random.Below(4)];
    ExpectSplit(bytes);
  }
}

// Line feeds on each side of where the buffer ends, and lines that are longer
// than it.
TEST_F(StoredLinesTest, AgreesAcrossTheBuffer) {
  for (const size_t at : {kBufferBytes - 2, kBufferBytes - 1, kBufferBytes,
                          kBufferBytes + 1, 2 * kBufferBytes + 3}) {
    for (const char* end : {"", "\n", "\n\n", "\nb", "b\nc\n"})
      ExpectSplit("x\n" + std::string(at - 2, 'a') + end);
  }
}

// What was being written when a run died is no line.
TEST_F(StoredLinesTest, ATornEndIsLeftOut) {
  const auto read = Read("one\ntwo\nthr", 100);
  ASSERT_TRUE(read.has_value());
  ASSERT_EQ(read->lines.size(), 2u);
  EXPECT_EQ(read->lines[1], std::pair(std::string("two"), uint64_t{4}));
  EXPECT_EQ(read->end, 8u);
}

TEST_F(StoredLinesTest, TooLongLinesNameFileAndNumber) {
  EXPECT_TRUE(Read("1\n22\n333\n", 3).has_value());
  for (const char* bytes : {"1\n22\n4444\n5\n", "1\n22\n4444"}) {
    const auto refused = Read(bytes, 3);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(refused.error().ToString(), HasSubstr(path() + ":3"));
  }
}

TEST_F(StoredLinesTest, AnErrorOfTheCallerEndsIt) {
  WriteAll(path(), "1\n2\n3\n");
  const auto file = File::OpenRead(path());
  ASSERT_TRUE(file.has_value());
  int lines = 0;
  const auto read =
      ForEachStoredLine(*file, 10, [&](std::string_view, uint64_t) -> Status {
        if (++lines == 2) return Fail(ErrorCode::kUsage, "enough");
        return {};
      });
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, ErrorCode::kUsage);
  EXPECT_EQ(lines, 2);
}

}  // namespace
}  // namespace twinset
