// What other threads decode ahead, and what the reader decodes by itself: the
// same bytes, faults and members, noticed at the same places.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "base/hash.h"
#include "read/ahead_members.h"
#include "read/member_stream.h"
#include "read/test_compress.h"
#include "read/test_records.h"

namespace twinset {
namespace {

using test::Compress;

constexpr Compression kAll[] = {Compression::kGzip, Compression::kZstd,
                                Compression::kBzip2, Compression::kXz,
                                Compression::kLz4};

std::string Lines(SplitMix64* random, size_t size) {
  std::string text;
  while (text.size() < size) {
    text += "{\"id\":\"" + std::to_string(random->Next()) + "\",\"text\":\"";
    for (uint64_t words = random->Below(60); words > 0; --words)
      text += "word" + std::to_string(random->Below(500)) + ' ';
    text += "\"}\n";
  }
  return text;
}

// All that a reader who peeks `want` bytes sees of a stream, in one string.
std::string Seen(const std::string& bytes, int threads, size_t want) {
  ByteStreamOptions options;
  options.ahead_threads = threads;
  options.ahead_from = 0;
  const auto stream = ByteStreamFromMemory(bytes, options);
  std::string seen;
  for (;;) {
    const auto view = stream->Peek(want);
    if (!view) return seen + "\nerror";
    const StreamFault* const fault = stream->UpcomingFault();
    if (fault != nullptr) {
      seen += "\nfault " + std::to_string(fault->kind) + " at " +
              std::to_string(fault->compressed_offset) + " of " +
              std::to_string(fault->member_begin) + ": " + fault->detail +
              " behind " + std::to_string(view->size()) + "\n";
    }
    const size_t take =
        std::min(view->size(), fault != nullptr ? view->size() : want / 2);
    seen += view->substr(0, take);
    stream->Consume(take);
    if (const auto begin = stream->MemberBeginAt(stream->offset()))
      seen += "\nmember begins at " + std::to_string(*begin) + "\n";
    if (const auto end = stream->MemberEndAt(stream->offset()))
      seen += "\nmember ends at " + std::to_string(*end) + "\n";
    if (stream->AtGap()) {
      stream->TakeFault();
    } else if (take == 0) {
      return seen;
    }
  }
}

void ExpectSame(const std::string& bytes) {
  for (const size_t want : {2000u, 300'000u}) {
    const std::string alone = Seen(bytes, 0, want);
    for (const int threads : {1, 3}) {
      const std::string ahead = Seen(bytes, threads, want);
      ASSERT_EQ(ahead.size(), alone.size());
      ASSERT_TRUE(ahead == alone);
    }
  }
}

TEST(AheadStream, MembersOfEveryFormatWithRandomDamage) {
  SplitMix64 random(11);
  for (int round = 0; round < (TWINSET_SLOW_BUILD ? 5 : 10); ++round) {
    const Compression compression = kAll[round % std::size(kAll)];
    std::string bytes;
    for (uint64_t members = 1 + random.Below(60); members > 0; --members) {
      bytes += Compress(compression, Lines(&random, random.Below(90'000)));
      if (random.Below(8) == 0) bytes.append(random.Below(2000), '\0');
      if (random.Below(20) == 0) bytes += "what is no member";
    }
    for (uint64_t flips = random.Below(4); flips > 0; --flips)
      bytes[random.Below(bytes.size())] ^=
          static_cast<char>(1 << random.Below(8));
    if (random.Below(3) == 0) bytes.resize(1 + random.Below(bytes.size()));
    ExpectSame(bytes);
  }
}

TEST(AheadStream, OneLargeMemberWithRandomDamage) {
  SplitMix64 random(12);
  for (int round = 0; round < (TWINSET_SLOW_BUILD ? 5 : 10); ++round) {
    std::string bytes =
        Compress(kAll[round % std::size(kAll)],
                 Lines(&random, 500'000 + random.Below(2'000'000)));
    if (round % 2 == 1)
      bytes[random.Below(bytes.size())] ^=
          static_cast<char>(1 << random.Below(8));
    if (random.Below(3) == 0) bytes.resize(1 + random.Below(bytes.size()));
    ExpectSame(bytes);
  }
}

// A sound member in a stored block of another one is no member of the source.
TEST(AheadStream, MembersInsideOfMembers) {
  SplitMix64 random(13);
  for (const Compression compression : kAll) {
    std::string bytes;
    for (int i = 0; i < (TWINSET_SLOW_BUILD ? 6 : 15); ++i) {
      std::string inner;
      while (inner.size() < 40'000)
        inner += Compress(compression, Lines(&random, 2000));
      bytes += Compress(compression, inner);
    }
    ExpectSame(bytes);
  }
}

TEST(AheadStream, ReadersGetTheSameRecords) {
  SplitMix64 random(14);
  for (const Compression compression : kAll) {
    std::string bytes;
    for (int i = 0; i < (TWINSET_SLOW_BUILD ? 6 : 50); ++i)
      bytes += Compress(compression, Lines(&random, 120'000));
    bytes[bytes.size() / 2] ^= 4;
    bytes.resize(bytes.size() - 100);
    ReadOptions options;
    options.keep_raw = true;
    const auto alone = test::ReadAll(bytes, "x.jsonl", options);
    options.ahead_threads = 2;
    const auto ahead = test::ReadAll(bytes, "x.jsonl", options);
    ASSERT_EQ(ahead.size(), alone.size());
    for (size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(ahead[i].raw, alone[i].raw);
      EXPECT_EQ(ahead[i].reason, alone[i].reason);
      EXPECT_EQ(ahead[i].detail, alone[i].detail);
      EXPECT_EQ(ahead[i].document.provenance.offset,
                alone[i].document.provenance.offset);
      EXPECT_EQ(ahead[i].member_begin, alone[i].member_begin);
      EXPECT_EQ(ahead[i].member_end, alone[i].member_end);
    }
  }
}

// Where the threads have come before the reader, it finds their members.
TEST(AheadMembers, AreThereWhenTheyAreAskedFor) {
  SplitMix64 random(15);
  for (const Compression compression : kAll) {
    std::string bytes;
    std::vector<uint64_t> begins;
    while (bytes.size() < 2'000'000) {
      begins.push_back(bytes.size());
      bytes += Compress(compression, Lines(&random, 300'000));
    }
    begins.push_back(bytes.size());
    const auto source = ByteSourceFromMemory(bytes);
    ByteStreamOptions options;
    options.ahead_threads = 2;
    size_t there = 0;
    // The longer the reader takes, the surer.
    for (int wait_ms = 1; there == 0 && wait_ms < 20'000; wait_ms *= 2) {
      AheadMembers members(source.get(), compression, 0, options);
      std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
      for (size_t i = 0; i + 1 < begins.size(); ++i) {
        const auto member = members.Take(begins[i]);
        if (!member) continue;
        ++there;
        EXPECT_EQ(member->end, begins[i + 1]);
      }
    }
    EXPECT_GT(there, 0u);
  }
}

// Who leaves a stream in its middle leaves no thread behind.
TEST(AheadStream, IsLeftAnywhere) {
  SplitMix64 random(16);
  std::string bytes;
  for (int i = 0; i < 60; ++i)
    bytes += Compress(Compression::kGzip, Lines(&random, 60'000));
  for (int round = 0; round < 50; ++round) {
    ByteStreamOptions options;
    options.ahead_threads = 3;
    options.ahead_from = random.Below(2'000'000);
    const auto stream = ByteStreamFromMemory(bytes, options);
    const uint64_t until = random.Below(3'600'000);
    while (stream->offset() < until) {
      const auto view = stream->Peek(1 + random.Below(100'000));
      ASSERT_TRUE(view);
      if (view->empty()) break;
      stream->Consume(view->size());
    }
  }
}

}  // namespace
}  // namespace twinset
