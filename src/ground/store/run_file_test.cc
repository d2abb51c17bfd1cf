#include "store/run_file.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/bytes.h"
#include "base/for_each.h"
#include "base/hash.h"
#include "store/test_util.h"

namespace twinset {
namespace {

struct Wide {
  uint64_t words[1000];
};

uint64_t Value(uint64_t i) { return Mix64(i + 1); }

void WriteRun(const std::string& path, uint64_t count,
              uint64_t parameters = 5) {
  auto writer = RunWriter<uint64_t>::Create(path, parameters);
  ASSERT_TRUE(writer.has_value());
  for (uint64_t i = 0; i < count; ++i) ASSERT_TRUE(writer->Append(Value(i)));
  EXPECT_EQ(writer->count(), count);
  ASSERT_TRUE(writer->Finish());
}

Result<std::vector<uint64_t>> ReadRun(const std::string& path,
                                      uint64_t parameters = 5) {
  TWINSET_ASSIGN(auto reader, RunReader<uint64_t>::Open(path, parameters));
  std::vector<uint64_t> records;
  TWINSET_TRY(ForEach<uint64_t>(
      &reader, [&](uint64_t record) { records.push_back(record); }));
  if (records.size() != reader.count())
    return Fail(ErrorCode::kInternal, "count is wrong");
  return records;
}

constexpr uint64_t kPerBlock = kRunMaxElementBytes / sizeof(uint64_t);

TEST(RunFile, RoundTripAroundBlockBoundaries) {
  TestDir dir;
  for (uint64_t count : {uint64_t{0}, uint64_t{1}, kPerBlock - 1, kPerBlock,
                         kPerBlock + 1, 3 * kPerBlock, 3 * kPerBlock + 7}) {
    WriteRun(dir / "r", count);
    const auto records = ReadRun(dir / "r");
    ASSERT_TRUE(records.has_value()) << records.error().ToString();
    ASSERT_EQ(records->size(), count);
    for (uint64_t i = 0; i < count; ++i) ASSERT_EQ((*records)[i], Value(i));
    const uint64_t blocks = (count + kPerBlock - 1) / kPerBlock;
    EXPECT_EQ(ReadAll(dir / "r").size(), 64 + 8 * count + 8 * blocks + 32);
  }
}

TEST(RunFile, SeeksTheFirstRecordThatIsNotBefore) {
  TestDir dir;
  for (const uint64_t count :
       {uint64_t{0}, uint64_t{1}, kPerBlock, 3 * kPerBlock + 7}) {
    auto writer = RunWriter<uint64_t>::Create(dir / "r", 5);
    // Twice each even number.
    for (uint64_t i = 0; i < count; ++i) ASSERT_TRUE(writer->Append(i / 2 * 2));
    ASSERT_TRUE(writer->Finish());
    auto reader = RunReader<uint64_t>::Open(dir / "r", 5);
    ASSERT_TRUE(reader);
    for (uint64_t wanted = 0; wanted < count + 3; wanted += 1 + wanted / 10) {
      ASSERT_TRUE(reader->SeekFirst(
          [&](const uint64_t& record) { return record < wanted; }));
      const uint64_t first = (wanted + 1) / 2 * 2;
      uint64_t record = 0;
      const auto more = reader->Next(&record);
      ASSERT_TRUE(more);
      ASSERT_EQ(*more, first < count) << wanted;
      if (!*more) continue;
      EXPECT_EQ(record, first);
      // It was the first of the two, where there are two.
      ASSERT_TRUE(reader->Next(&record));
      EXPECT_EQ(record, first);
    }
  }
}

// Records appended many at a time make the same file, and are read a block at a
// time or one by one in any mixture.
TEST(RunFile, ManyRecordsAtATime) {
  TestDir dir;
  constexpr uint64_t kCount = 5 * kPerBlock + 11;
  WriteRun(dir / "r", kCount);
  std::vector<uint64_t> records;
  for (uint64_t i = 0; i < kCount; ++i) records.push_back(Value(i));
  for (const uint64_t step :
       {uint64_t{1}, kPerBlock - 1, kPerBlock, 3 * kPerBlock + 5, kCount}) {
    auto writer = RunWriter<uint64_t>::Create(dir / "many", 5);
    ASSERT_TRUE(writer.has_value());
    for (uint64_t i = 0; i < kCount; i += step) {
      const auto rest = std::span<const uint64_t>(records).subspan(i);
      ASSERT_TRUE(writer->Append(rest.first(std::min(step, kCount - i))));
    }
    EXPECT_EQ(writer->count(), kCount);
    ASSERT_TRUE(writer->Finish());
    ASSERT_EQ(ReadAll(dir / "many"), ReadAll(dir / "r")) << step;
  }
  for (const int singles : {0, 1, 3000}) {
    auto reader = RunReader<uint64_t>::Open(dir / "r", 5);
    ASSERT_TRUE(reader.has_value());
    std::vector<uint64_t> read;
    for (;;) {
      uint64_t record;
      for (int i = 0; i < singles && reader->Next(&record).value(); ++i)
        read.push_back(record);
      const auto block = reader->NextBlock();
      ASSERT_TRUE(block.has_value());
      if (block->empty()) break;
      read.insert(read.end(), block->begin(), block->end());
    }
    EXPECT_EQ(read, records);
  }
}

TEST(RunFile, WideRecords) {
  TestDir dir;
  auto writer = RunWriter<Wide>::Create(dir / "r", 0);
  for (uint64_t i = 0; i < 50; ++i) {
    Wide wide;
    for (uint64_t& word : wide.words) word = i;
    ASSERT_TRUE(writer->Append(wide));
  }
  ASSERT_TRUE(writer->Finish());
  auto reader = RunReader<Wide>::Open(dir / "r", 0);
  ASSERT_TRUE(reader.has_value());
  ASSERT_TRUE(reader->Seek(31));
  Wide wide;
  for (uint64_t i = 31; i < 50; ++i) {
    ASSERT_TRUE(reader->Next(&wide).value());
    EXPECT_EQ(wide.words[999], i);
  }
  EXPECT_FALSE(reader->Next(&wide).value());
}

TEST(RunFile, RefusesRecordsThatDoNotFitABlock) {
  TestDir dir;
  EXPECT_FALSE(RawRunWriter::Create(dir / "r", 0, 0).has_value());
  EXPECT_FALSE(
      RawRunWriter::Create(dir / "r", kRunMaxElementBytes + 1, 0).has_value());
  EXPECT_TRUE(
      RawRunWriter::Create(dir / "r", kRunMaxElementBytes, 0).has_value());
  EXPECT_FALSE(RawRunReader::Open(dir / "r", 0, 0).has_value());
}

TEST(RunFile, SeekAnywhere) {
  TestDir dir;
  const uint64_t count = 4 * kPerBlock + 11;
  WriteRun(dir / "r", count);
  auto reader = RunReader<uint64_t>::Open(dir / "r", 5);
  ASSERT_TRUE(reader.has_value());
  SplitMix64 random(1);
  uint64_t record;
  for (int round = 0; round < 500; ++round) {
    const uint64_t index =
        round < 3 ? count - static_cast<uint64_t>(round) : random.Below(count);
    ASSERT_TRUE(reader->Seek(index));
    for (uint64_t i = index; i < index + 3; ++i) {
      const Result<bool> more = reader->Next(&record);
      ASSERT_TRUE(more.has_value());
      ASSERT_EQ(*more, i < count);
      if (i < count) {
        ASSERT_EQ(record, Value(i));
      }
    }
  }
  EXPECT_FALSE(reader->Seek(count + 1).has_value());
  // A pass from the start after all this still checks the chain.
  ASSERT_TRUE(reader->Seek(0));
  for (uint64_t i = 0; i < count; ++i)
    ASSERT_TRUE(reader->Next(&record).value());
  EXPECT_FALSE(reader->Next(&record).value());
}

TEST(RunFile, WrongExpectationsAreRefused) {
  TestDir dir;
  WriteRun(dir / "r", 10);
  const auto other_parameters = RunReader<uint64_t>::Open(dir / "r", 6);
  ASSERT_FALSE(other_parameters.has_value());
  EXPECT_EQ(other_parameters.error().code, ErrorCode::kUnsupported);
  const auto other_size = RunReader<uint32_t>::Open(dir / "r", 5);
  ASSERT_FALSE(other_size.has_value());
  EXPECT_EQ(other_size.error().code, ErrorCode::kCorrupt);
  const auto missing = RunReader<uint64_t>::Open(dir / "missing", 5);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kIo);
}

TEST(RunFile, AnUnfinishedRunIsCorrupt) {
  TestDir dir;
  {
    auto writer = RunWriter<uint64_t>::Create(dir / "r", 5);
    for (uint64_t i = 0; i < 2 * kPerBlock; ++i) ASSERT_TRUE(writer->Append(i));
  }
  const auto read = ReadRun(dir / "r");
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, ErrorCode::kCorrupt);
}

TEST(RunFile, EveryDamageOfASmallRunIsFound) {
  TestDir dir;
  for (uint64_t count : {0, 1, 40}) {
    WriteRun(dir / "r", count);
    ForEachDamage(dir / "r", [&](const std::string& what) {
      const auto read = ReadRun(dir / "r");
      if (read) {
        ADD_FAILURE() << what << " went unnoticed";
      } else {
        ExpectDamageError(read.error(), dir / "r", what);
      }
    });
  }
}

TEST(RunFile, DamageInALaterBlockIsFoundBeforeItsRecordsAreSeen) {
  TestDir dir;
  const uint64_t count = 3 * kPerBlock;
  WriteRun(dir / "r", count);
  const std::string good = ReadAll(dir / "r");
  SplitMix64 random(2);
  for (int round = 0; round < 100; ++round) {
    std::string bytes = good;
    const uint64_t at = 64 + random.Below(bytes.size() - 96);
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.Below(8)));
    WriteAll(dir / "r", bytes);
    const uint64_t block = (at - 64) / (8 * kPerBlock + 8);
    auto reader = RunReader<uint64_t>::Open(dir / "r", 5);
    ASSERT_TRUE(reader.has_value());
    uint64_t record;
    for (uint64_t i = 0; i < block * kPerBlock; ++i) {
      ASSERT_TRUE(reader->Next(&record).value());
      ASSERT_EQ(record, Value(i));
    }
    const Result<bool> more = reader->Next(&record);
    ASSERT_FALSE(more.has_value());
    ExpectDamageError(more.error(), dir / "r", std::to_string(at));
    EXPECT_FALSE(reader->Next(&record).has_value()) << "the error went away";
    EXPECT_FALSE(reader->Seek(block * kPerBlock).has_value());
  }
}

TEST(RunFile, SwappedBlocksAndABlockOfAnotherRunAreFound) {
  TestDir dir;
  const size_t block_bytes = 8 * kPerBlock + 8;
  WriteRun(dir / "r", 3 * kPerBlock);
  const std::string good = ReadAll(dir / "r");
  std::string swapped = good;
  swapped.replace(64, block_bytes, good, 64 + block_bytes, block_bytes);
  swapped.replace(64 + block_bytes, block_bytes, good, 64, block_bytes);
  WriteAll(dir / "r", swapped);
  EXPECT_FALSE(ReadRun(dir / "r").has_value());
  for (uint64_t block : {0, 1}) {  // without the chain as well
    auto reader = RunReader<uint64_t>::Open(dir / "r", 5);
    ASSERT_TRUE(reader.has_value());
    EXPECT_FALSE(reader->Seek(block * kPerBlock + 1).has_value());
  }
  // The other run has the same shape and parameters, so only the chain can
  // tell.
  auto writer = RunWriter<uint64_t>::Create(dir / "other", 5);
  for (uint64_t i = 0; i < 3 * kPerBlock; ++i) ASSERT_TRUE(writer->Append(i));
  ASSERT_TRUE(writer->Finish());
  std::string mixed = good;
  mixed.replace(64 + block_bytes, block_bytes, ReadAll(dir / "other"),
                64 + block_bytes, block_bytes);
  WriteAll(dir / "r", mixed);
  EXPECT_FALSE(ReadRun(dir / "r").has_value());
}

// A hostile footer with a good checksum: huge counts must be refused without
// allocating.
TEST(RunFile, ImpossibleCountsAreRefused) {
  TestDir dir;
  WriteRun(dir / "r", 10);
  const std::string good = ReadAll(dir / "r");
  for (uint64_t count :
       {uint64_t{0}, uint64_t{9}, uint64_t{11}, uint64_t{1} << 61,
        (uint64_t{1} << 61) + 10, ~uint64_t{0}}) {
    const auto footer = EncodeFileFooter({count, 0});
    WriteAll(dir / "r", good.substr(0, good.size() - 32) +
                            std::string(footer.data(), footer.size()));
    const auto read = ReadRun(dir / "r");
    ASSERT_FALSE(read.has_value()) << count;
    ExpectDamageError(read.error(), dir / "r", std::to_string(count));
  }
}

TEST(RunFile, AFullDiskFailsTheWriterForGood) {
  TestDir dir;
  for (uint64_t room :
       {uint64_t{0}, uint64_t{64}, uint64_t{70000}, uint64_t{140000}}) {
    WriteLimit limit(room);
    auto writer = RunWriter<uint64_t>::Create(dir / "r", 5);
    bool failed = !writer.has_value();
    for (uint64_t i = 0; i < 2 * kPerBlock && !failed; ++i)
      failed = !writer->Append(i);
    if (!failed) failed = !writer->Finish();
    EXPECT_EQ(failed, room < 2 * 65536 + 96) << room;
    if (!writer.has_value() || !failed) continue;
    SetFileFault({});
    EXPECT_FALSE(writer->Append(1).has_value());
    EXPECT_FALSE(writer->Finish().has_value());
    EXPECT_FALSE(ReadRun(dir / "r").has_value());
  }
}

}  // namespace
}  // namespace twinset
