#include "candidate/complete/posting_slices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <map>
#include <vector>

#include "base/hash.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

std::vector<PrefixPosting> RandomPostings(uint64_t seed, size_t count,
                                          uint64_t folds, int common_bits) {
  SplitMix64 random(seed);
  std::vector<PrefixPosting> postings;
  for (uint64_t d = 0; d < count; ++d) {
    PrefixPosting::Parts parts;
    parts.fold = Mix64(random.Below(folds)) >> (16 + common_bits);
    parts.before = parts.fold + random.Below(2);
    parts.document = d;
    parts.size = random.Below(1000);
    parts.position = random.Below(100);
    parts.indexed = random.Below(2) == 0;
    postings.emplace_back(parts);
  }
  return postings;
}

TEST(GroupByFold, KeepsTheOrderOfAGroupOnAnyThreads) {
  for (const size_t count : {0u, 1u, 1000u, 300'000u}) {
    const auto postings = RandomPostings(7, count, 5000, 3);
    for (const size_t groups : {size_t{1}, size_t{64}, size_t{4096}}) {
      std::vector<std::vector<uint64_t>> naive(groups);
      for (const PrefixPosting& posting : postings) {
        const int bits = std::countr_zero(groups);
        const uint64_t group =
            posting.fold() >> (PrefixPosting::kFoldBits - 3 - bits);
        naive[group & (groups - 1)].push_back(posting.document());
      }
      for (const int threads : {1, 2, 5}) {
        std::vector<PrefixPosting> to(count);
        const auto begins = GroupByFold(postings, to, 3, groups, threads);
        ASSERT_EQ(begins.size(), groups + 1);
        EXPECT_EQ(begins.back(), count);
        for (size_t g = 0; g < groups; ++g) {
          ASSERT_EQ(begins[g + 1] - begins[g], naive[g].size());
          for (size_t i = 0; i < naive[g].size(); ++i)
            ASSERT_EQ(to[begins[g] + i].document(), naive[g][i]);
        }
      }
    }
  }
}

TEST(PrefixPosting, KeepsItsParts) {
  SplitMix64 random(1);
  for (int i = 0; i < 1000; ++i) {
    PrefixPosting::Parts parts;
    parts.fold = random.Next() >> 16;
    parts.before = i % 3 == 0 ? parts.fold : random.Next() >> 16;
    parts.document = random.Next() >> 24;
    parts.size = random.Next() >> (36 + i % 20);
    parts.position = random.Next() >> (38 + i % 20);
    parts.indexed = i % 2 == 0;
    parts.stored = i % 5 == 0;
    const PrefixPosting posting(parts);
    EXPECT_EQ(posting.fold(), parts.fold);
    EXPECT_EQ(posting.before(), parts.before);
    EXPECT_EQ(posting.is_first(), parts.before == parts.fold);
    EXPECT_EQ(posting.document(), parts.document);
    EXPECT_EQ(posting.size(), parts.size);
    EXPECT_EQ(posting.position(), parts.position);
    EXPECT_EQ(posting.indexed(), parts.indexed);
    EXPECT_EQ(posting.stored(), parts.stored);
  }
  PrefixPosting::Parts large;
  large.size = large.position = UINT64_MAX;
  EXPECT_EQ(PrefixPosting(large).size(), PrefixPosting::kMaxSize);
  EXPECT_EQ(PrefixPosting(large).position(), PrefixPosting::kMaxPosition);
}

TEST(PostingSlices, FoldsComeWholeAndInOrder) {
  for (const size_t count : {0, 1, 2, 3, 100, 16384, 16385, 70000}) {
    if (TWINSET_SLOW_BUILD && count > 16385) continue;
    for (const uint64_t folds : {1, 2, 300, 1 << 20}) {
      for (const int common_bits : {0, 9, 30}) {
        const auto all =
            RandomPostings(count + folds, count, folds, common_bits);
        std::map<uint64_t, std::vector<PrefixPosting>> expected;
        for (const PrefixPosting& posting : all)
          expected[posting.fold()].push_back(posting);
        for (auto group = expected.begin(); group != expected.end();) {
          std::sort(group->second.begin(), group->second.end());
          group = group->second.size() < 2 ? expected.erase(group)
                                           : std::next(group);
        }
        auto postings = all;
        std::vector<PrefixPosting> room(all.size());
        size_t seen = 0;
        ForEachFold(postings, room, common_bits,
                    [&](std::span<const PrefixPosting> fold) {
                      ++seen;
                      const auto& group = expected[fold[0].fold()];
                      ASSERT_EQ(fold.size(), group.size());
                      for (size_t i = 0; i < fold.size(); ++i) {
                        ASSERT_FALSE(fold[i] < group[i] || group[i] < fold[i]);
                      }
                    });
        EXPECT_EQ(seen, expected.size()) << count << " " << folds;
      }
    }
  }
}

TEST(PostingSlices, FilesHoldWhatAgreesInItsBits) {
  TestDir folder;
  const auto all = RandomPostings(7, 5000, 100000, 0);
  {
    PostingFiles files;
    ASSERT_TRUE(files.Create({folder.path(), "slices", 3}, "", 16, 2));
    for (const PrefixPosting& posting : all) ASSERT_TRUE(files.Append(posting));
    ASSERT_TRUE(files.Finish());
    EXPECT_EQ(files.bits_done(), 6);
    size_t read = 0;
    for (uint64_t i = 0; i < files.files().size(); ++i) {
      const PostingFile& file = files.files()[i];
      std::vector<PrefixPosting> postings(file.count() + 1);
      auto reader = file.Open();
      ASSERT_TRUE(reader);
      const auto count = PostingFile::Read(&*reader, postings);
      ASSERT_TRUE(count);
      EXPECT_EQ(*count, file.count());
      for (size_t p = 0; p < *count; ++p)
        EXPECT_EQ(postings[p].fold() >> 42 & 15, i);
      read += *count;
    }
    EXPECT_EQ(read, all.size());
    EXPECT_EQ(folder.FileCount(), 16u);
  }
  EXPECT_EQ(folder.FileCount(), 0u);
}

// Nothing stays of files of which one cannot be made.
TEST(PostingSlices, AFileThatCannotBeMade) {
  const TestDir folder;
  std::filesystem::create_directory(folder / "slices-3.run");
  {
    PostingFiles files;
    const Status status = files.Create({folder.path(), "slices", 3}, "", 4, 0);
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().code, ErrorCode::kIo);
    EXPECT_NE(status.error().ToString().find(folder / "slices-3.run"),
              std::string::npos);
    EXPECT_EQ(folder.FileCount(), 4u);
  }
  EXPECT_EQ(folder.FileCount(), 1u);
}

// What all threads hold together is what the memory and the process allow.
TEST(SliceMemory, ThreadsShareMemoryAndOpenFiles) {
  constexpr uint64_t kMegabyte = 1 << 20, kManyPostings = uint64_t{1} << 40;
  constexpr int kMostOpenFiles = 512;
  for (const uint64_t memory : {4 * kMegabyte, 5 * kMegabyte, 32 * kMegabyte,
                                500 * kMegabyte, 100'000 * kMegabyte}) {
    for (const int asked : {1, 2, 3, 8, 100, 256}) {
      const SliceMemory slices(memory, asked);
      const auto threads = static_cast<uint64_t>(slices.threads());
      EXPECT_GE(threads, std::min<uint64_t>(4, asked));
      EXPECT_LE(threads, asked);
      EXPECT_GE(slices.MostPostings(), 10'000u);
      const uint64_t postings =
          2 * sizeof(PrefixPosting) * slices.MostPostings();
      EXPECT_LE(threads * (postings + SliceMemory::kBesideBytes), memory);
      const uint64_t files = slices.PartsFor(kManyPostings);
      EXPECT_TRUE(std::has_single_bit(files));
      EXPECT_GE(files, 2u);
      EXPECT_LE(threads * files * kRunBlockBytes, memory);
      EXPECT_LE(threads * files, kMostOpenFiles);
      EXPECT_EQ(slices.PartsFor(2 * slices.MostPostings()),
                std::min<uint64_t>(files, 8));
    }
  }
}

}  // namespace
}  // namespace twinset
