#include "store/blob_splice.h"

#include <gtest/gtest.h>

#include "base/hash.h"
#include "store/blob_file.h"
#include "store/blob_frame.h"
#include "store/test_util.h"

namespace twinset {
namespace {

// Blobs dealt to files in pieces, the naive list of them in order, and a reader
// of the splice.
class BlobSpliceTest : public testing::Test {
 protected:
  void Deal(uint64_t seed, uint32_t files, size_t pieces) {
    SplitMix64 random(seed);
    std::vector<BlobWriter> writers;
    for (uint32_t i = 0; i < files; ++i) {
      auto writer = BlobWriter::Create(PathOf(i), 3);
      ASSERT_TRUE(writer.has_value());
      writers.push_back(std::move(*writer));
    }
    const auto table = std::make_shared<BlobPieces>();
    all_.clear();
    for (size_t p = 0; p < pieces; ++p) {
      const auto file = static_cast<uint32_t>(random.Below(files));
      const uint64_t count = random.Below(random.Below(10) == 0 ? 1200 : 5);
      for (uint64_t i = 0; i < count; ++i) {
        all_.push_back(std::string(
            random.Below(random.Below(50) == 0 ? 200000 : 60), 'x'));
        for (char& c : all_.back()) c = static_cast<char>(random.Next());
        ASSERT_TRUE(writers[file].Append(all_.back()));
      }
      table->Add(file, count);
    }
    ASSERT_EQ(table->count(), all_.size());
    const auto splice = std::make_shared<BlobSplice>();
    for (uint32_t i = 0; i < files; ++i) {
      // Blobs behind the last one that is taken.
      if (i % 2 == 1) {
        ASSERT_TRUE(writers[i].Append("beyond"));
      }
      ASSERT_TRUE(writers[i].Finish());
      auto file = BlobFile::Open(PathOf(i), 3);
      ASSERT_TRUE(file.has_value());
      splice->files.push_back(std::move(*file));
    }
    splice->pieces = table;
    splice_ = splice;
  }
  std::string PathOf(uint32_t file) const {
    return dir_ / ("f" + std::to_string(file));
  }

  TestDir dir_;
  std::vector<std::string> all_;
  std::shared_ptr<const BlobSplice> splice_;
};

TEST_F(BlobSpliceTest, PiecesOfOneFileInARowAreOne) {
  BlobPieces pieces;
  pieces.Add(1, 3);
  pieces.Add(1, 4);
  pieces.Add(0, 0);
  pieces.Add(1, 1);
  pieces.Add(0, 2);
  pieces.Add(1, 1);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces.count(), 11u);
  EXPECT_EQ(pieces.CountOf(1), 9u);
  EXPECT_EQ(pieces.CountOf(7), 0u);
  EXPECT_EQ(pieces[2].begin, 8u);
  EXPECT_EQ(pieces.EndOf(0), 8u);
  EXPECT_EQ(pieces.EndOf(2), 11u);
  for (uint64_t i = 0; i < 11; ++i)
    EXPECT_EQ(pieces.PieceOf(i), i < 8 ? 0u : i < 10 ? 1u : 2u);
}

TEST_F(BlobSpliceTest, ReadsAsOneFileInOrder) {
  for (uint32_t files : {1, 2, 5}) {
    Deal(files, files, 150);
    BlobReader reader(splice_);
    ASSERT_EQ(reader.count(), all_.size());
    std::string_view bytes;
    for (size_t i = 0; i < all_.size(); ++i) {
      if (i % 7 == 3) {
        ASSERT_EQ(reader.NextLength().value(), all_[i].size());
      }
      if (i % 5 == 1) {
        ASSERT_TRUE(reader.Skip().value());
      } else if (i % 5 == 2) {
        std::string behind = "before";
        ASSERT_TRUE(reader.AppendNext(&behind).value());
        ASSERT_TRUE(behind == "before" + all_[i]) << i;
      } else {
        ASSERT_TRUE(reader.Next(&bytes).value());
        ASSERT_TRUE(bytes == all_[i]) << i;
      }
    }
    EXPECT_FALSE(reader.Next(&bytes).value());
    EXPECT_FALSE(reader.Skip().value());
    EXPECT_EQ(reader.NextLength().value(), 0u);
  }
}

TEST_F(BlobSpliceTest, ReadsAsOneFileAtRandom) {
  Deal(9, 4, 200);
  BlobReader reader(splice_);
  SplitMix64 random(1);
  std::string one;
  std::string_view bytes;
  for (int round = 0; round < 2000; ++round) {
    const uint64_t i = random.Below(all_.size() + 1);
    ASSERT_TRUE(reader.Seek(i));
    ASSERT_EQ(reader.Next(&bytes).value(), i < all_.size());
    if (i == all_.size()) continue;
    ASSERT_TRUE(bytes == all_[i]) << i;
    ASSERT_TRUE(reader.ReadOne(i, &one));
    ASSERT_TRUE(one == all_[i]) << i;
    ASSERT_EQ(reader.Length(i).value(), all_[i].size());
  }
  EXPECT_FALSE(reader.ReadOne(all_.size(), &one));
}

TEST_F(BlobSpliceTest, BatchesOfItAreThoseOfOneFile) {
  Deal(12, 3, 200);
  const BlobReader reader(splice_);
  MemoryBudget budget(64 << 20);
  for (const uint64_t room : {300 << 10, 48 << 20}) {
    BlobBatch batch(&reader, room, &budget);
    SplitMix64 random(room);
    for (int round = 0; round < 8; ++round) {
      std::vector<uint64_t> asked;
      for (int i = 0; i < 500; ++i) {
        const uint64_t index = random.Below(all_.size());
        const Result<bool> taken = batch.Request(index);
        ASSERT_TRUE(taken.has_value());
        if (*taken) asked.push_back(index);
      }
      ASSERT_TRUE(batch.Load(2));
      for (const uint64_t index : asked)
        ASSERT_TRUE(batch.Get(index) == all_[index]) << index;
      batch.Clear();
    }
    ASSERT_TRUE(batch.LoadAll(2));
    if (batch.size() == 0) continue;  // no room
    for (uint64_t i = 0; i < all_.size(); ++i)
      ASSERT_TRUE(batch.Get(i) == all_[i]) << i;
  }
}

TEST_F(BlobSpliceTest, NoBlobsAtAll) {
  Deal(1, 2, 0);
  BlobReader reader(splice_);
  std::string_view bytes;
  EXPECT_EQ(reader.count(), 0u);
  EXPECT_FALSE(reader.Next(&bytes).value());
  EXPECT_TRUE(reader.Seek(0));
  EXPECT_FALSE(reader.Skip().value());
}

TEST_F(BlobSpliceTest, DamageNamesTheFile) {
  Deal(2, 3, 60);
  std::string bytes_of_file = ReadAll(PathOf(1));
  bytes_of_file[kFileHeaderBytes + kBlobHeadBytes / 2] ^= 1;
  WriteAll(PathOf(1), bytes_of_file);
  auto damaged = std::make_shared<BlobSplice>(*splice_);
  damaged->files[1] = BlobFile::Open(PathOf(1), 3).value();
  BlobReader reader(damaged);
  std::string_view bytes;
  Result<bool> next = true;
  while (next && *next) next = reader.Next(&bytes);
  ASSERT_FALSE(next);
  ExpectDamageError(next.error(), PathOf(1), "a byte of a frame's head");
}

}  // namespace
}  // namespace twinset
