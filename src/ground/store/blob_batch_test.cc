#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <vector>

#include "base/hash.h"
#include "base/parallel.h"
#include "store/blob_file.h"
#include "store/test_util.h"

namespace twinset {
namespace {

using Blobs = std::vector<std::string>;

Blobs MakeBlobs(uint64_t seed, size_t count, uint64_t bound) {
  SplitMix64 random(seed);
  Blobs blobs;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t size =
        random.Below(random.Below(20) == 0 ? 30 * bound : bound);
    std::string blob(size, static_cast<char>('a' + i % 26));
    for (size_t k = 0; k + 8 <= size; k += 97)
      blob[k] = static_cast<char>(random.Next());
    blobs.push_back(std::move(blob));
  }
  return blobs;
}

class BlobBatchTest : public testing::Test {
 protected:
  void Open(const Blobs& blobs) {
    auto writer = BlobWriter::Create(dir_ / "b", 0);
    ASSERT_TRUE(writer.has_value());
    for (const std::string& blob : blobs) ASSERT_TRUE(writer->Append(blob));
    ASSERT_TRUE(writer->Finish());
    auto reader = BlobReader::Open(dir_ / "b", 0);
    ASSERT_TRUE(reader.has_value());
    reader_ = std::make_unique<BlobReader>(std::move(*reader));
  }
  TestDir dir_;
  std::unique_ptr<BlobReader> reader_;
};

// Batch after batch of random requests, with repetitions, as many as the room
// takes.
TEST_F(BlobBatchTest, EqualsAVector) {
  for (uint64_t bound : {1, 50, 1000, 20000}) {
    const Blobs blobs = MakeBlobs(bound, 2000, bound);
    Open(blobs);
    for (uint64_t room : {64 << 10, 300 << 10, 4 << 20}) {
      for (int threads : {1, 3}) {
        MemoryBudget budget(8 << 20);
        {
          BlobBatch batch(reader_.get(), room, &budget);
          SplitMix64 random(room + static_cast<uint64_t>(threads));
          for (int round = 0; round < 6; ++round) {
            std::map<uint64_t, bool> asked;
            uint64_t bytes = 0;
            for (int i = 0; i < 3000; ++i) {
              const uint64_t index = round % 2 == 0
                                         ? random.Below(blobs.size())
                                         : static_cast<uint64_t>(i) % 2000;
              const Result<bool> taken = batch.Request(index);
              ASSERT_TRUE(taken.has_value());
              if (asked.count(index) > 0) {
                ASSERT_TRUE(*taken);
                continue;
              }
              if (!*taken) {
                ASSERT_GE(asked.size(), 2u);
                continue;
              }
              asked[index] = true;
              bytes += blobs[index].size();
              if (asked.size() > 2) {
                ASSERT_LE(bytes, room);
              }
            }
            EXPECT_EQ(batch.size(), asked.size());
            ASSERT_TRUE(batch.Load(threads));
            for (uint64_t i = 0; i < blobs.size(); ++i) {
              const std::string_view got = batch.Get(i);
              if (asked.count(i) == 0) {
                ASSERT_EQ(got.data(), nullptr);
                continue;
              }
              ASSERT_TRUE(got == blobs[i]) << i;
              ASSERT_EQ(reinterpret_cast<uintptr_t>(got.data()) % 8, 0u);
            }
            batch.Clear();
            EXPECT_EQ(batch.size(), 0u);
            EXPECT_EQ(batch.Get(0).data(), nullptr);
          }
          EXPECT_EQ(budget.used_bytes(), room);
        }
        EXPECT_EQ(budget.used_bytes(), 0u);
      }
    }
  }
}

TEST_F(BlobBatchTest, AnyPairCanBeLoaded) {
  const Blobs blobs = {std::string(500000, 'a'), std::string(400000, 'b'),
                       "small"};
  Open(blobs);
  MemoryBudget budget(100000);  // neither fits
  BlobBatch batch(reader_.get(), 0, &budget);
  EXPECT_EQ(budget.used_bytes(), 64u << 10);
  for (uint64_t first = 0; first < 3; ++first) {
    for (uint64_t second = 0; second < 3; ++second) {
      if (first == second) continue;
      ASSERT_TRUE(batch.Request(first).value());
      ASSERT_TRUE(batch.Request(second).value());
      EXPECT_FALSE(batch.Request(3 - first - second).value());
      EXPECT_TRUE(batch.Request(first).value());
      ASSERT_TRUE(batch.Load(2));
      EXPECT_TRUE(batch.Get(first) == blobs[first]);
      EXPECT_TRUE(batch.Get(second) == blobs[second]);
      EXPECT_GT(budget.used_bytes(),
                blobs[first].size() + blobs[second].size());
      batch.Clear();
      EXPECT_EQ(budget.used_bytes(), 64u << 10);
    }
  }
}

TEST_F(BlobBatchTest, ManyEmptyBlobsRespectTheRoomOfTheTables) {
  Open(Blobs(20000));
  MemoryBudget budget(1 << 20);
  BlobBatch batch(reader_.get(), 64 << 10, &budget);
  uint64_t taken = 0;
  while (batch.Request(taken).value()) ++taken;
  EXPECT_GT(taken, 500u);
  EXPECT_LT(taken * 24,
            64u << 10);  // the arena alone needs 24 bytes for an empty blob
  ASSERT_TRUE(batch.Load(2));
  EXPECT_NE(batch.Get(taken - 1).data(), nullptr);
  EXPECT_EQ(batch.Get(taken).data(), nullptr);
}

// A file of more index pages than are kept, in rooms that keep few and many of
// them: every blob comes back, whichever page was there before.
TEST_F(BlobBatchTest, KeepsPagesOfTheIndexWithinTheRoom) {
  const Blobs blobs = MakeBlobs(7, 20000, 20);
  Open(blobs);
  for (const uint64_t room : {64 << 10, 2 << 20, 16 << 20}) {
    MemoryBudget budget(32 << 20);
    BlobBatch batch(reader_.get(), room, &budget);
    SplitMix64 random(room);
    for (int round = 0; round < 5; ++round) {
      std::vector<uint64_t> asked;
      for (;;) {
        const uint64_t index = random.Below(blobs.size());
        if (asked.size() == 5000 || !batch.Request(index).value()) break;
        asked.push_back(index);
      }
      EXPECT_GT(asked.size(), 500u);
      ASSERT_TRUE(batch.Load(1));
      for (const uint64_t index : asked)
        ASSERT_EQ(batch.Get(index), blobs[index]) << index;
      EXPECT_EQ(budget.used_bytes(), room);
      batch.Clear();
    }
  }
}

TEST_F(BlobBatchTest, MisuseIsAnError) {
  Open({"a", "b"});
  MemoryBudget budget(1 << 20);
  BlobBatch batch(reader_.get(), 0, &budget);
  EXPECT_FALSE(batch.Request(2).has_value());
  ASSERT_TRUE(batch.Load(1));  // of nothing
  EXPECT_TRUE(batch.Request(1).value());
  EXPECT_EQ(batch.Get(1).data(), nullptr) << "not loaded yet";
}

// Blobs stay where they are while others are loaded beside them, until one does
// not fit.
TEST_F(BlobBatchTest, GrowsByLoadsUntilItIsFull) {
  const Blobs blobs = MakeBlobs(9, 3000, 200);
  Open(blobs);
  MemoryBudget budget(8 << 20);
  BlobBatch batch(reader_.get(), 200 << 10, &budget);
  SplitMix64 random(7);
  std::map<uint64_t, const char*> loaded;
  int clears = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<uint64_t> asked;
    for (int i = 0; i < 30; ++i) {
      const uint64_t index = random.Below(blobs.size());
      if (!batch.Request(index).value()) {
        ASSERT_GT(loaded.size() + asked.size(), 100u);
        batch.Clear();
        loaded.clear();
        asked.clear();
        ++clears;
        ASSERT_EQ(batch.size(), 0u);
        ASSERT_TRUE(batch.Request(index).value());
      }
      if (!loaded.contains(index)) {
        ASSERT_EQ(batch.Get(index).data(), nullptr);
        asked.push_back(index);
      }
    }
    ASSERT_TRUE(batch.Load(2));
    for (const auto& [index, data] : loaded)
      ASSERT_EQ(batch.Get(index).data(), data);
    for (const uint64_t index : asked) loaded[index] = batch.Get(index).data();
    for (const auto& [index, data] : loaded)
      ASSERT_TRUE(batch.Get(index) == blobs[index]);
  }
  EXPECT_GT(clears, 2);
}

TEST_F(BlobBatchTest, GetFromManyThreads) {
  const Blobs blobs = MakeBlobs(3, 500, 300);
  Open(blobs);
  MemoryBudget budget(8 << 20);
  BlobBatch batch(reader_.get(), 4 << 20, &budget);
  for (uint64_t i = 0; i < blobs.size(); ++i)
    ASSERT_TRUE(batch.Request(i).value());
  ASSERT_TRUE(batch.Load(4));
  std::atomic<int> wrong{0};
  ParallelFor(blobs.size(), 5, 4, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) wrong += batch.Get(i) != blobs[i];
  });
  EXPECT_EQ(wrong, 0);
}

TEST_F(BlobBatchTest, TheErrorIsThatOfTheFirstDamagedRange) {
  const Blobs blobs = MakeBlobs(4, 1000, 100);
  Open(blobs);
  std::string bytes = ReadAll(dir_ / "b");
  for (size_t at = bytes.size() / 4; at < bytes.size() - 200; at += 5000)
    bytes[at] ^= 1;
  // Written in place: the reader holds the file open.
  Result<File> file = File::OpenReadWrite(dir_ / "b");
  ASSERT_TRUE(file->Write(bytes));
  std::string first;
  for (int round = 0; round < 10; ++round) {
    MemoryBudget budget(8 << 20);
    BlobBatch batch(reader_.get(), 4 << 20, &budget);
    for (uint64_t i = 0; i < blobs.size(); ++i)
      ASSERT_TRUE(batch.Request(i).value());
    const Status status = batch.Load(4);
    ASSERT_FALSE(status.has_value());
    ExpectDamageError(status.error(), dir_ / "b", "flips");
    if (round == 0) first = status.error().ToString();
    EXPECT_EQ(status.error().ToString(), first);
    EXPECT_EQ(batch.Get(0).data(), nullptr);
  }
}

// All of them where they fit, and then Clear keeps them; else it is a batch as
// before.
TEST_F(BlobBatchTest, LoadsAllWhereTheyFit) {
  const Blobs blobs = MakeBlobs(3, 2000, 300);
  Open(blobs);
  MemoryBudget budget(8 << 20);
  for (const bool fits : {true, false}) {
    for (const int threads : {1, 3}) {
      BlobBatch batch(reader_.get(), fits ? 4 << 20 : 64 << 10, &budget);
      ASSERT_TRUE(*batch.Request(7));
      ASSERT_TRUE(batch.Load(1));
      batch.Clear();
      ASSERT_TRUE(batch.LoadAll(threads));
      EXPECT_EQ(batch.size(), fits ? blobs.size() : 0);
      ASSERT_TRUE(*batch.Request(11));
      ASSERT_TRUE(batch.Load(threads));
      EXPECT_EQ(batch.Get(11), blobs[11]);
      EXPECT_EQ(batch.Get(12).data() != nullptr, fits);
      batch.Clear();
      for (size_t i = 0; i < blobs.size(); ++i)
        ASSERT_EQ(batch.Get(i), fits ? blobs[i] : "") << i;
      EXPECT_EQ(batch.Get(blobs.size()).data(), nullptr);
    }
  }
}

}  // namespace
}  // namespace twinset
