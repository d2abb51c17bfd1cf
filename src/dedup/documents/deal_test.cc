#include "documents/deal.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace twinset {
namespace {

InputList FilesOf(const std::vector<uint64_t>& sizes) {
  InputList files;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const std::string name = "file" + std::to_string(i);
    files.Add(name, "", name, {.regular = true, .size = sizes[i]});
  }
  return files;
}

TEST(Deal, OneReaderHasEverything) {
  const InputList files = FilesOf({5, 0, 1'000'000});
  Deal deal(files, {});
  for (size_t i = 0; i < files.size(); ++i) {
    EXPECT_TRUE(deal.Reads(i));
    EXPECT_EQ(deal.NextBlock(i, 7).first, 7u);
    EXPECT_GT(deal.NextBlock(i, 7).second, 1ull << 60);
  }
}

TEST(Deal, EqualFilesAreDealtOneByOne) {
  const InputList files = FilesOf({99, 99, 99, 99});
  for (uint32_t shard = 0; shard < 4; ++shard) {
    Deal deal(files, {shard, 4});
    for (size_t i = 0; i < 4; ++i) EXPECT_EQ(deal.Reads(i), i == shard);
  }
}

// Every record of every file has one reader, NextBlock finds the records that
// ShardOf gives a shard, and shards follow each other as files do.
TEST(Deal, EveryRecordHasOneReader) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<uint64_t> sizes(1 + random() % 6);
    for (uint64_t& size : sizes)
      size = random() % 3 == 0 ? random() % 4 : random() % 100'000;
    const InputList files = FilesOf(sizes);
    const auto of = static_cast<uint32_t>(1 + random() % 9);
    std::vector<Deal> deals;
    for (uint32_t shard = 0; shard < of; ++shard)
      deals.emplace_back(files, Shard{shard, of});
    uint32_t before = 0;
    for (size_t i = 0; i < files.size(); ++i) {
      const FileShare share = deals[0].Of(i);
      ASSERT_GE(share.first, before);
      before = share.first + share.shards - 1;
      ASSERT_LT(before, of);
      for (uint32_t shard = 0; shard < of; ++shard) {
        ASSERT_EQ(deals[shard].Reads(i),
                  shard >= share.first && shard < share.first + share.shards);
        if (!deals[shard].Reads(i)) continue;
        for (uint64_t record = 0; record < 12 * Deal::kBlockRecords;
             record += 1 + random() % 700) {
          const auto [next, end] = deals[shard].NextBlock(i, record);
          ASSERT_GE(next, record);
          ASSERT_LT(next, end);
          ASSERT_EQ(Deal::ShardOf(share, next), shard);
          ASSERT_EQ(Deal::ShardOf(share, record) == shard, next == record);
          if (share.shards == 1) continue;
          ASSERT_EQ(Deal::ShardOf(share, end - 1), shard);
          ASSERT_NE(Deal::ShardOf(share, end), shard);
          if (next > record) {
            ASSERT_NE(Deal::ShardOf(share, next - 1), shard);
          }
        }
      }
    }
  }
}

// No shard has more than its part of the bytes and the file in its middle.
TEST(Deal, PartsAreAlike) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 25; ++round) {
    std::vector<uint64_t> sizes(1 + random() % 400);
    for (uint64_t& size : sizes) size = random() % 100'000;
    const InputList files = FilesOf(sizes);
    const auto of = static_cast<uint32_t>(1 + random() % 50);
    uint64_t total = 0, widest = 0;
    for (const uint64_t size : sizes) {
      total += size + 1;
      widest = std::max(widest, size + 1);
    }
    for (uint32_t shard = 0; shard < of; ++shard) {
      Deal deal(files, {shard, of});
      double read = 0;
      for (size_t i = 0; i < files.size(); ++i)
        if (deal.Reads(i)) {
          read += static_cast<double>(sizes[i] + 1) / deal.Of(i).shards;
        }
      const double part = static_cast<double>(total) / of;
      EXPECT_LE(read, 2 * part + static_cast<double>(widest));
    }
  }
}

TEST(Deal, LooksBackToo) {
  const InputList files = FilesOf({10, 1'000'000, 10, 20});
  Deal forward(files, {1, 3}), back(files, {1, 3});
  std::vector<FileShare> shares;
  for (size_t i = 0; i < files.size(); ++i) shares.push_back(forward.Of(i));
  for (size_t i = files.size(); i-- > 0;) EXPECT_EQ(back.Of(i), shares[i]);
  EXPECT_EQ(shares[1].shards, 3u);
}

}  // namespace
}  // namespace twinset
