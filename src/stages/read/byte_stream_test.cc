#include "read/byte_stream.h"

#include <gtest/gtest.h>
#include <lzma.h>
#include <zdict.h>
#include <zstd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "read/byte_source.h"
#include "read/codec.h"
#include "read/test_compress.h"

namespace twinset {
namespace {

using test::Compress;

constexpr Compression kEvery[] = {Compression::kGzip, Compression::kZstd,
                                  Compression::kLz4, Compression::kBzip2,
                                  Compression::kXz};

// The pieces between gaps, and the faults between them.
struct Drained {
  std::vector<std::string> pieces = {""};
  std::vector<StreamFault> faults;
  std::string All() const {
    std::string all;
    for (const std::string& piece : pieces) all += piece;
    return all;
  }
};

Drained Drain(ByteStream* stream, SplitMix64* random = nullptr) {
  Drained drained;
  uint64_t offset = 0;
  for (;;) {
    const size_t want = random ? 1 + random->Below(5000) : 1;
    const auto view = stream->Peek(want);
    EXPECT_TRUE(view.has_value());
    if (!view) return drained;
    EXPECT_EQ(stream->offset(), offset);
    if (view->empty()) {
      if (!stream->AtGap()) return drained;
      EXPECT_NE(stream->UpcomingFault(), nullptr);
      drained.faults.push_back(stream->TakeFault());
      EXPECT_FALSE(stream->AtGap());
      drained.pieces.emplace_back();
      continue;
    }
    EXPECT_FALSE(stream->AtGap());
    if (view->size() < want && stream->UpcomingFault() == nullptr) {
      // The end: nothing more may come.
      EXPECT_EQ(stream->Peek(view->size() + 1)->size(), view->size());
    }
    const auto again = *stream->Peek(want);
    const size_t take = random ? 1 + random->Below(again.size()) : again.size();
    drained.pieces.back() += again.substr(0, take);
    stream->Consume(take);
    offset += take;
  }
}

Drained DrainMemory(std::string bytes, uint64_t max_ratio = 1000) {
  ByteStreamOptions options;
  options.max_ratio = max_ratio;
  auto stream = ByteStreamFromMemory(std::move(bytes), options);
  return Drain(stream.get());
}

std::string Text(uint64_t seed, size_t size) {
  SplitMix64 random(seed);
  std::string text;
  while (text.size() < size) {
    text += "word" + std::to_string(random.Below(5000));
    text += random.Below(9) == 0 ? '\n' : ' ';
  }
  text.resize(size);
  return text;
}

std::string Marked(int i, size_t size) {
  std::string text(1, '<');
  return text.append(std::to_string(i)).append(Text(i, size)).append(">");
}

TEST(ByteStream, TellsWhereMembersBeginAndEnd) {
  for (const Compression c : kEvery) {
    std::string bytes;
    std::vector<std::pair<uint64_t, uint64_t>> ends;  // decoded, compressed
    uint64_t decoded = 0;
    ends.emplace_back(0, 0);
    for (int i = 0; i < 20; ++i) {
      const std::string part = Text(i, 1 + i * 1000);
      bytes += Compress(c, part);
      decoded += part.size();
      ends.emplace_back(decoded, bytes.size());
    }
    auto stream = ByteStreamFromMemory(bytes, {});
    Drain(stream.get());
    for (size_t i = 0; i < ends.size(); ++i) {
      const auto [at, packed] = ends[i];
      const std::optional<uint64_t> none;
      EXPECT_EQ(stream->MemberBeginAt(at),
                i + 1 < ends.size() ? std::optional(packed) : none);
      EXPECT_EQ(stream->MemberEndAt(at), i > 0 ? std::optional(packed) : none);
      EXPECT_EQ(stream->MemberBeginAt(at + 1),
                i == 0 ? std::optional(ends[1].second) : none);
      EXPECT_EQ(stream->MemberEndAt(at + 2), none);
    }
  }
}

TEST(ByteStream, ADamagedMemberIsNoneToCopy) {
  const std::string first = Compress(Compression::kGzip, Text(1, 5000));
  std::string bad = Compress(Compression::kGzip, Text(2, 5000));
  bad[bad.size() - 6] = static_cast<char>(bad[bad.size() - 6] ^ 1);  // its CRC
  auto stream = ByteStreamFromMemory(
      first + bad + Compress(Compression::kGzip, Text(3, 5000)), {});
  EXPECT_EQ(Drain(stream.get()).faults.size(), 1u);
  EXPECT_EQ(stream->MemberEndAt(5000), first.size());
  EXPECT_FALSE(stream->MemberBeginAt(5000));
  EXPECT_FALSE(stream->MemberEndAt(10000));
  EXPECT_TRUE(stream->MemberEndAt(15000));
}

// As the header says, byte for byte (RFC 8878, 3.1.1.1).
TEST(Codec, ZstdWindowIsThatOfTheHeader) {
  const std::string magic = "\x28\xb5\x2f\xfd";
  const auto window = [&](const std::string& rest) {
    return ZstdWindowBytes(magic + rest);
  };
  EXPECT_EQ(window(std::string("\0\x00", 2)), 1u << 10);
  EXPECT_EQ(window(std::string("\0\x88", 2)), uint64_t{1} << 27);
  EXPECT_EQ(window(std::string("\0\x89", 2)), (uint64_t{1} << 27) / 8 * 9);
  EXPECT_EQ(window(std::string("\0\xff", 2)), (uint64_t{1} << 41) / 8 * 15);
  EXPECT_EQ(window(std::string("\x20\x05", 2)), 5u);
  EXPECT_EQ(window(std::string("\x60\x05\x01", 3)), 0x105u + 256);
  EXPECT_EQ(window(std::string("\xa1\x77\1\2\3\4", 6)), 0x04030201u);
  EXPECT_FALSE(window(std::string("\xe0\1\2\3\4\5\6\7", 8)));  // one is missing
  EXPECT_FALSE(window(std::string("\0", 1)));
  EXPECT_FALSE(ZstdWindowBytes(std::string("\x28\xb5\x2f\xfe\0\0", 6)));
}

// Packs by preset 6, which asks for a dictionary of 8 MB.
std::string XzOfEightMegabytes(const std::string& text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(
                6, LZMA_CHECK_CRC32, nullptr,
                reinterpret_cast<const uint8_t*>(text.data()), text.size(),
                reinterpret_cast<uint8_t*>(out.data()), &size, out.size()),
            LZMA_OK);
  out.resize(size);
  return out;
}

TEST(ByteStream, WindowsBeyondTheLimitAreAFaultThatNamesThem) {
  const std::string text = Text(1, 10000);
  for (const auto& [bytes, window] :
       {std::pair(test::ZstdWithWindow(text, 22), uint64_t{4} << 20),
        std::pair(XzOfEightMegabytes(text), uint64_t{8} << 20)}) {
    for (const uint64_t limit :
         {uint64_t{0}, window - (3 << 20), window - 1, window}) {
      const bool is_xz = window == 8 << 20;
      ByteStreamOptions options;
      options.max_window_bytes = limit;
      auto stream = ByteStreamFromMemory(bytes, options);
      const Drained drained = Drain(stream.get());
      // What liblzma holds itself is allowed for beside the dictionary.
      const bool is_read = limit == window || (is_xz && limit > 0);
      ASSERT_EQ(drained.faults.size(), is_read ? 0u : 1u) << limit;
      EXPECT_EQ(drained.All(), is_read ? text : "");
      if (is_read) continue;
      EXPECT_EQ(drained.faults[0].kind, StreamFault::kData);
      EXPECT_NE(drained.faults[0].detail.find(is_xz ? "--max-window 9M reads"
                                                    : "--max-window 4M reads"),
                std::string::npos)
          << drained.faults[0].detail;
    }
  }
}

TEST(ByteStream, WindowsThatNoDecoderHoldsAreSaidToBeSuch) {
  ByteStreamOptions options;
  options.max_window_bytes = uint64_t{1} << 40;
  auto stream = ByteStreamFromMemory(
      std::string("\x28\xb5\x2f\xfd\0\xff\0\0", 8), options);
  const Drained drained = Drain(stream.get());
  ASSERT_EQ(drained.faults.size(), 1u);
  EXPECT_EQ(drained.faults[0].detail,
            "a window above the 2 GB that libzstd reads");
}

TEST(ByteStream, ReadsEveryCompressionWithOneAndManyMembers) {
  for (const Compression c : kEvery) {
    std::string text, bytes;
    for (int i = 0; i < 40; ++i) {
      const std::string part = Text(i, 1 + i * i * 97);
      text += part;
      bytes += Compress(c, part);
      if (i == 20) bytes += Compress(c, "");  // an empty member
    }
    SplitMix64 random(7);
    auto many = ByteStreamFromMemory(bytes, {});
    EXPECT_EQ(many->compression(), c);
    const Drained drained = Drain(many.get(), &random);
    EXPECT_TRUE(drained.faults.empty());
    EXPECT_EQ(drained.All(), text);
    EXPECT_EQ(many->compressed_offset(), bytes.size());

    const Drained one = DrainMemory(Compress(c, text));
    EXPECT_TRUE(one.faults.empty());
    EXPECT_EQ(one.All(), text);
  }
}

TEST(ByteStream, ReadsPlainBytesFilesAndNothing) {
  SplitMix64 random(1);
  const std::string text = Text(3, 1'500'000);
  auto stream = ByteStreamFromMemory(text, {});
  EXPECT_EQ(stream->compression(), Compression::kNone);
  EXPECT_EQ(Drain(stream.get(), &random).All(), text);
  EXPECT_EQ(DrainMemory("").All(), "");

  const std::string path = testing::TempDir() + "byte_stream_test.xz";
  std::ofstream(path, std::ios::binary) << Compress(Compression::kXz, text);
  auto file = OpenByteStream(path, {});
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(Drain(file->get()).All(), text);
  std::filesystem::remove(path);
  EXPECT_EQ(OpenByteStream(path, {}).error().code, ErrorCode::kIo);
}

TEST(ByteStream, PeekReturnsWhatItIsAskedFor) {
  const std::string text = Text(4, 3'000'000);
  for (const std::string& bytes : {text, Compress(Compression::kGzip, text)}) {
    auto stream = ByteStreamFromMemory(bytes, {});
    for (size_t at = 0; at < text.size(); at += 70'001) {
      const size_t want = std::min<size_t>(1'000'000, text.size() - at);
      const auto view = *stream->Peek(1'000'000);
      ASSERT_GE(view.size(), want);
      ASSERT_EQ(view.substr(0, want), std::string_view(text).substr(at, want));
      stream->Consume(std::min<size_t>(70'001, view.size()));
    }
  }
}

TEST(ByteStream, GzipHeaderFieldsAndSkippableFramesAreRead) {
  // FEXTRA, FNAME, FCOMMENT and FHCRC together.
  EXPECT_EQ(DrainMemory(test::GzipWithAllFields("hello")).All(), "hello");
  const std::string skip("\x53\x2a\x4d\x18\x05\0\0\0abcde", 13);
  for (const Compression c : {Compression::kZstd, Compression::kLz4}) {
    const std::string bytes =
        skip + Compress(c, "one ") + skip + Compress(c, "two") + skip;
    auto stream = ByteStreamFromMemory(bytes, {});
    EXPECT_EQ(stream->compression(), c);
    const Drained drained = Drain(stream.get());
    EXPECT_EQ(drained.All(), "one two");
    EXPECT_TRUE(drained.faults.empty());
  }
}

TEST(ByteStream, ChecksumIsCheckedBeforeWhatFollowsIsDelivered) {
  for (const Compression c :
       {Compression::kGzip, Compression::kZstd, Compression::kLz4}) {
    std::string first = Compress(c, "first"), second = Compress(c, "second");
    // The content checksum is the last thing of a zstd or lz4 frame, and the
    // CRC of a gzip member stands in front of its length.
    first[first.size() - (c == Compression::kGzip ? 5 : 1)] ^= 1;
    const Drained drained = DrainMemory(Compress(c, "zero") + first + second);
    ASSERT_EQ(drained.faults.size(), 1u);
    EXPECT_EQ(drained.faults[0].kind, StreamFault::kChecksum);
    EXPECT_EQ(drained.faults[0].member_begin, 4u);
    // zstd and lz4 hand out nothing of a small frame whose checksum is wrong.
    const bool early = c == Compression::kGzip;
    EXPECT_EQ(drained.pieces, (std::vector<std::string>{
                                  early ? "zerofirst" : "zero", "second"}));
  }
}

TEST(ByteStream, TruncatedMemberYieldsWhatItHas) {
  const std::string text = Text(5, 3'000'000);
  for (const Compression c : kEvery) {
    std::string bytes = Compress(c, "head ");
    const size_t head = bytes.size();
    bytes += Compress(c, text);
    for (const size_t cut : {size_t{1}, (bytes.size() - head) / 3}) {
      const Drained drained = DrainMemory(bytes.substr(0, bytes.size() - cut));
      ASSERT_EQ(drained.faults.size(), 1u) << int(c);
      EXPECT_EQ(drained.faults[0].kind, StreamFault::kTruncated);
      EXPECT_EQ(drained.faults[0].member_begin, 5u);
      EXPECT_TRUE(drained.pieces[1].empty());
      const std::string got = drained.pieces[0];
      EXPECT_EQ(got, ("head " + text).substr(0, got.size()));
      EXPECT_GT(got.size(), cut == 1 ? 2'000'000u : 100'000u) << int(c);
    }
  }
}

TEST(ByteStream, ZerosBehindTheLastMemberAreIgnoredAndJunkIsNot) {
  for (const Compression c : kEvery) {
    const std::string one = Compress(c, "one"), two = Compress(c, "two");
    const std::string zeros(1000, '\0');
    EXPECT_TRUE(DrainMemory(one + zeros).faults.empty());
    EXPECT_EQ(DrainMemory(one + zeros + two).pieces,
              std::vector<std::string>{"onetwo"});
    const Drained junk = DrainMemory(one + zeros + "junk");
    ASSERT_EQ(junk.faults.size(), 1u);
    EXPECT_EQ(junk.faults[0].kind, StreamFault::kTrailingJunk);
    EXPECT_EQ(junk.faults[0].compressed_offset, one.size() + zeros.size());
    EXPECT_EQ(junk.faults[0].member_begin, 3u);
    const Drained between = DrainMemory(one + "junk" + two);
    ASSERT_EQ(between.faults.size(), 1u);
    EXPECT_EQ(between.faults[0].kind, StreamFault::kData);
    EXPECT_EQ(between.pieces, (std::vector<std::string>{"one", "two"}));
  }
}

// Whatever one byte becomes, the members it is not in come out whole, and one
// that it damages never ends without a gap.
TEST(ByteStream, FlipsHarmOnlyTheirOwnMember) {
  for (const Compression c : kEvery) {
    std::vector<std::string> texts, members;
    std::string bytes;
    for (int i = 0; i < 4; ++i) {
      texts.push_back(Marked(i, 150));
      members.push_back(Compress(c, texts.back()));
      bytes += members.back();
    }
    size_t begin = 0;
    for (int m = 0; m < 4; ++m) {
      for (size_t at = begin; at < begin + members[m].size();
           at += TWINSET_SLOW_BUILD ? 5 : 1) {
        for (const int flip : {0x01, 0x10, 0x80, 0xff}) {
          std::string damaged = bytes;
          damaged[at] = static_cast<char>(damaged[at] ^ flip);
          const Drained drained = DrainMemory(damaged);
          for (int i = 0; i < 4; ++i) {
            if (i == m) continue;
            ASSERT_NE(drained.All().find(texts[i]), std::string::npos)
                << "codec " << int(c) << " byte " << at - begin << " of member "
                << m << " flip " << flip << " lost " << i;
          }
          std::string sound;
          for (const std::string& text : texts) sound += text;
          if (drained.All() != sound) {
            ASSERT_FALSE(drained.faults.empty());
          }
        }
      }
      begin += members[m].size();
    }
  }
}

TEST(ByteStream, RandomDamageNeverHangsAndKeepsFarMembers) {
  SplitMix64 random(99);
  for (const Compression c : kEvery) {
    std::vector<std::string> texts;
    std::string bytes;
    for (int i = 0; i < 30; ++i) {
      texts.push_back(Marked(i, 3000));
      bytes += Compress(c, texts.back());
    }
    for (int round = 0; round < 60; ++round) {
      std::string damaged = bytes;
      switch (random.Below(3)) {
        case 0:
          damaged.erase(damaged.size() / 2, 1 + random.Below(2000));
          break;
        case 1:
          damaged.insert(random.Below(damaged.size()),
                         bytes.substr(random.Below(bytes.size()), 500));
          break;
        default:
          for (int i = 0; i < 20; ++i) {
            damaged[random.Below(damaged.size())] =
                static_cast<char>(random.Next());
          }
      }
      auto stream = ByteStreamFromMemory(damaged, {});
      const Drained drained = Drain(stream.get(), &random);
      int found = 0;
      for (const std::string& text : texts) {
        found += drained.All().find(text) != std::string::npos;
      }
      EXPECT_GE(found, 9);
    }
  }
}

TEST(ByteStream, BombIsAbandonedAndTheNextMemberRead) {
  const std::string zeros(200 << 20, 'a');
  for (const Compression c :
       {Compression::kGzip, Compression::kZstd, Compression::kXz}) {
    const Drained drained = DrainMemory(
        Compress(c, "one") + Compress(c, zeros) + Compress(c, "two"),
        /*max_ratio=*/100);
    ASSERT_EQ(drained.faults.size(), 1u);
    EXPECT_EQ(drained.faults[0].kind, StreamFault::kRatio);
    EXPECT_EQ(drained.faults[0].member_begin, 3u);
    EXPECT_LT(drained.pieces[0].size(), 64u << 20);
    EXPECT_EQ(drained.pieces[1], "two");
  }
}

TEST(ByteStream, ZstdWindowAboveTheLimitIsRefused) {
  const std::string wide = test::ZstdWithWindow("far " + Text(1, 1000), 28);
  const Drained drained =
      DrainMemory(wide + Compress(Compression::kZstd, "near"));
  ASSERT_EQ(drained.faults.size(), 1u);
  EXPECT_EQ(drained.faults[0].kind, StreamFault::kData);
  EXPECT_EQ(drained.pieces[1], "near");
}

// Each candidate header costs a probe; a source full of them must not cost a
// quadratic time.
TEST(ByteStream, ManyFalseMembersTakeLinearTime) {
  const std::string head("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
  std::string bytes = Compress(Compression::kGzip, "one");
  for (int i = 0; i < 50'000; ++i) bytes += head + "\x01\x05";
  EXPECT_FALSE(DrainMemory(bytes).faults.empty());
  // Members that begin well and end badly, each running over the next ones.
  const std::string whole = Compress(Compression::kGzip, Text(3, 4000));
  std::string torn;
  for (int i = 0; i < 2000; ++i) torn += whole.substr(0, whole.size() / 2);
  EXPECT_FALSE(DrainMemory(torn).faults.empty());
}

TEST(Codec, DetectsByContentBeforeName) {
  EXPECT_EQ(DetectCompression("WARC/1.0\r\nplain", "x.warc.gz"),
            Compression::kNone);
  EXPECT_EQ(DetectCompression("BZ", ""), Compression::kNone);
  EXPECT_EQ(DetectCompression("BZh is no archive", ""), Compression::kNone);
  for (const Compression c : kEvery) {
    std::string bytes = Compress(c, "hello");
    EXPECT_EQ(DetectCompression(bytes, "x.jsonl"), c);
    for (int i = 0; i < 3; ++i) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ 4);
      EXPECT_EQ(DetectCompression(damaged, ""), c) << i;
    }
  }
  const std::string junk("\x01\x02\x03\x04junk", 8);
  EXPECT_EQ(DetectCompression(junk, "a.zst"), Compression::kZstd);
  EXPECT_EQ(DetectCompression(junk, "a.bin"), Compression::kNone);
  EXPECT_EQ(WithoutCompressionSuffix("a/b.warc.gz"), "a/b.warc");
  EXPECT_EQ(WithoutCompressionSuffix(".gz"), ".gz");
}

TEST(ByteSource, WhatIsReadOnceIsTheSameAndCanBeSought) {
  const TestDir folder;
  std::string bytes;
  for (uint64_t i = 0; bytes.size() < (17 << 20); ++i)
    bytes += std::to_string(Mix64(i));
  const std::string path = folder / "large";
  ASSERT_TRUE(WriteWholeFile(path, bytes).has_value());
  const auto source = OpenByteSource(path, nullptr, true);
  ASSERT_TRUE(source.has_value());
  const auto rest = [&] {
    std::string read, block(100'003, 0);
    while (const size_t n = (*source)->Read(block.data(), block.size()).value())
      read.append(block, 0, n);
    return read;
  };
  EXPECT_TRUE(rest() == bytes);
  for (const uint64_t at : {uint64_t{9} << 20, uint64_t{0}}) {
    ASSERT_TRUE((*source)->Seek(at).has_value());
    EXPECT_TRUE(rest() == bytes.substr(at)) << at;
  }
}

// ---- dictionaries of zstd ----

std::string SkippableFrame(const std::string& content) {
  std::string frame("\x5d\x2a\x4d\x18", 4);
  AppendLE<uint32_t>(&frame, static_cast<uint32_t>(content.size()));
  return frame + content;
}

// Some text that a dictionary of the same seed helps with.
std::string Sample(uint64_t seed, uint64_t number) {
  SplitMix64 words(seed);
  std::vector<std::string> all;
  for (int i = 0; i < 40; ++i) all.push_back(std::to_string(words.Next()));
  SplitMix64 random(number);
  std::string text;
  for (int i = 0; i < 60; ++i) text += all[random.Below(all.size())] + " ";
  return text;
}

std::string Dictionary(uint64_t seed) {
  std::string samples;
  std::vector<size_t> sizes;
  for (uint64_t i = 0; i < 200; ++i) {
    samples += Sample(seed, i);
    sizes.push_back(Sample(seed, i).size());
  }
  std::string dictionary(4096, '\0');
  const size_t size = ZDICT_trainFromBuffer(
      dictionary.data(), dictionary.size(), samples.data(), sizes.data(), 200);
  EXPECT_FALSE(ZDICT_isError(size));
  dictionary.resize(size);
  return dictionary;
}

std::string WithDictionary(const std::string& dictionary,
                           const std::string& text) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  const size_t size = ZSTD_compress_usingDict(
      context, frame.data(), frame.size(), text.data(), text.size(),
      dictionary.data(), dictionary.size(), 3);
  ZSTD_freeCCtx(context);
  EXPECT_FALSE(ZSTD_isError(size));
  frame.resize(size);
  return frame;
}

// All that a stream delivers, with the detail of each fault in brackets.
std::string Delivered(const std::string& bytes) {
  const auto stream = ByteStreamFromMemory(bytes, {});
  std::string all;
  for (;;) {
    const auto view = stream->Peek(1);
    if (view->empty() && !stream->AtGap()) return all;
    EXPECT_FALSE(stream->MemberBeginAt(stream->offset()).has_value());
    all += *view;
    stream->Consume(view->size());
    if (stream->AtGap()) all += "[" + stream->TakeFault().detail + "]";
  }
}

TEST(ZstdDictionary, StandsInFrontOfItsFrames) {
  const std::string one = Dictionary(1), two = Dictionary(2);
  const std::string a = Sample(1, 1000), b = Sample(1, 1001);
  const std::string frames = WithDictionary(one, a) + WithDictionary(one, b);
  EXPECT_EQ(Delivered(SkippableFrame(one) + frames), a + b);
  EXPECT_EQ(Delivered(SkippableFrame(test::Compress(Compression::kZstd, one)) +
                      frames),
            a + b);
  // Joined files: each brings its own.
  const std::string c = Sample(2, 1000);
  EXPECT_EQ(Delivered(SkippableFrame(one) + frames + SkippableFrame(two) +
                      WithDictionary(two, c)),
            a + b + c);
  // What the frame holds else is no dictionary.
  EXPECT_EQ(Delivered(SkippableFrame(one) + SkippableFrame("x") + frames),
            a + b);
}

TEST(ZstdDictionary, DamageIsNamed) {
  const std::string one = Dictionary(1), two = Dictionary(2);
  const std::string a = Sample(1, 1000);
  const std::string frame = WithDictionary(one, a);
  const std::string missing =
      "[it needs a dictionary that does not stand in front]";
  EXPECT_EQ(Delivered(frame), missing);
  EXPECT_EQ(Delivered(SkippableFrame(two) + frame), missing);
  std::string damaged = test::Compress(Compression::kZstd, one);
  damaged.resize(damaged.size() / 2);
  const std::string told = Delivered(SkippableFrame(damaged) + frame);
  EXPECT_EQ(told.find("[the dictionary of the frames behind it: "), 0u) << told;
  // A damaged frame in front of a joined file loses nothing of that.
  std::string broken = frame;
  broken[broken.size() / 2] ^= 0x55;
  const std::string c = Sample(2, 1000);
  const std::string joined =
      Delivered(SkippableFrame(one) + frame + broken.substr(0, 20) +
                SkippableFrame(two) + WithDictionary(two, c));
  EXPECT_TRUE(joined.starts_with(a) && joined.ends_with(c)) << joined;
}

}  // namespace
}  // namespace twinset
