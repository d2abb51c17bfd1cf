#include "segments/log_writer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "store/blob_file.h"
#include "store/test_util.h"

namespace twinset {
namespace {

constexpr uint64_t kHash = 7;

std::string RecordOf(size_t i) { return std::string(i * 7 % 23, 'a') + "!"; }

struct Found {
  Result<LogTail> tail = LogTail();
  std::vector<std::string> records;
  std::vector<uint64_t> ends;
};
Found ReadOf(const std::string& path, uint64_t known_bytes = 0) {
  Found found;
  found.tail = ReadLog(
      path, kHash, known_bytes,
      [&](uint64_t number, std::string_view record) -> Status {
        EXPECT_EQ(number, found.records.size());
        found.records.emplace_back(record);
        return {};
      },
      &found.ends);
  return found;
}

class LogWriterTest : public ::testing::Test {
 protected:
  void Write(size_t count) {
    auto log = LogWriter::Create(path_, kHash);
    ASSERT_TRUE(log);
    for (size_t i = 0; i < count; ++i) log->Append(RecordOf(i));
    ASSERT_TRUE(log->Flush());
    ASSERT_TRUE(log->Sync());
  }
  const TestDir dir_;
  const std::string path_ = dir_ / "a.log";
};

TEST_F(LogWriterTest, ReadsRecordsBeforeAndAfterTheyAreFlushed) {
  auto log = LogWriter::Create(path_, kHash);
  ASSERT_TRUE(log);
  std::string record;
  for (size_t i = 0; i < 50; ++i) {
    log->Append(RecordOf(i));
    if (i % 7 == 0) {
      ASSERT_TRUE(log->Flush());
    }
    for (size_t j = 0; j <= i; ++j) {
      ASSERT_TRUE(log->ReadOne(j, &record));
      ASSERT_EQ(record, RecordOf(j));
    }
  }
  ASSERT_TRUE(log->Seal());
  auto blob = BlobReader::Open(path_, kHash);
  ASSERT_TRUE(blob) << blob.error().ToString();
  ASSERT_EQ(blob->count(), 50u);
  for (size_t j = 0; j < 50; ++j) {
    ASSERT_TRUE(blob->ReadOne(j, &record));
    ASSERT_EQ(record, RecordOf(j));
  }
}

// A seal of more than a page of the index.
TEST_F(LogWriterTest, ALongLogBecomesABlobFile) {
  Write(0);
  auto log = LogWriter::Continue(path_, kHash, {});
  ASSERT_TRUE(log);
  for (size_t i = 0; i < 1300; ++i) log->Append(RecordOf(i));
  ASSERT_TRUE(log->Seal());
  auto blob = BlobReader::Open(path_, kHash);
  ASSERT_TRUE(blob) << blob.error().ToString();
  std::string record;
  for (size_t j = 0; j < 1300; ++j) {
    ASSERT_TRUE(blob->ReadOne(j, &record));
    ASSERT_EQ(record, RecordOf(j));
  }
}

TEST_F(LogWriterTest, ATornTailGoesAndTheRestStays) {
  Write(9);
  const std::string whole = ReadAll(path_);
  const std::vector<uint64_t> ends = ReadOf(path_).ends;
  ASSERT_EQ(ends.size(), 9u);
  for (size_t size = 64; size < whole.size(); ++size) {
    WriteAll(path_, whole.substr(0, size));
    const Found found = ReadOf(path_);
    ASSERT_TRUE(found.tail);
    const auto count = static_cast<size_t>(
        std::upper_bound(ends.begin(), ends.end(), size) - ends.begin());
    ASSERT_EQ(found.records.size(), count);
    ASSERT_EQ(found.tail->torn_bytes, size - (count ? ends[count - 1] : 64));
    // Nothing may be missing that was acknowledged.
    EXPECT_FALSE(ReadOf(path_, size + 1).tail);
    auto log = LogWriter::Continue(path_, kHash, found.ends);
    ASSERT_TRUE(log);
    log->Append("more");
    ASSERT_TRUE(log->Flush());
    const Found after = ReadOf(path_);
    ASSERT_EQ(after.records.size(), count + 1);
    EXPECT_EQ(after.records.back(), "more");
    EXPECT_EQ(after.tail->torn_bytes, 0u);
  }
}

TEST_F(LogWriterTest, DamageOfWhatWasAcknowledgedIsRefused) {
  Write(5);
  const uint64_t bytes = FileSize(path_).value();
  ForEachDamage(path_, [&](const std::string& what) {
    const Found found = ReadOf(path_, bytes);
    if (found.tail) {
      // Something was added.
      EXPECT_EQ(found.records.size(), 5u) << what;
      EXPECT_GT(found.tail->torn_bytes, 0u) << what;
    } else {
      ExpectDamageError(found.tail.error(), path_, what);
    }
  });
}

}  // namespace
}  // namespace twinset
