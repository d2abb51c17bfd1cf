// The quick decoder of gzip and its definition, zlib: the same bytes, pieces
// and faults of sound, damaged and truncated members.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "read/byte_stream.h"
#include "read/codec.h"
#include "read/http_body.h"
#include "read/http_document.h"

namespace twinset {
namespace {

std::string Deflate(std::string_view text, int level, int window_bits,
                    int strategy = Z_DEFAULT_STRATEGY) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, level, Z_DEFLATED, window_bits, 8, strategy),
            Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// Words, so that there are matches, and numbers, so that there are literals.
std::string Text(SplitMix64* random, size_t size) {
  std::string text;
  while (text.size() < size) {
    text += random->Below(3) == 0 ? std::to_string(random->Next())
                                  : "the same words as before ";
  }
  text.resize(size);
  return text;
}

// All that a reader sees of a stream, in one string.
std::string Seen(const std::string& bytes, bool quick, size_t want) {
  ByteStreamOptions options;
  options.quick = quick;
  options.max_ratio = 200;
  const auto stream = ByteStreamFromMemory(bytes, options);
  std::string seen;
  for (;;) {
    const auto view = stream->Peek(want);
    if (!view) return seen + "\nerror";
    if (view->empty()) {
      if (!stream->AtGap()) return seen;
      const StreamFault fault = stream->TakeFault();
      seen += "\nfault " + std::to_string(fault.kind) + " at " +
              std::to_string(fault.compressed_offset) + " of " +
              std::to_string(fault.member_begin) + ": " + fault.detail + "\n";
      continue;
    }
    const size_t take = std::min(view->size(), want);
    seen += view->substr(0, take);
    stream->Consume(take);
    if (const auto end = stream->MemberEndAt(stream->offset()))
      seen += "\nmember ends at " + std::to_string(*end) + "\n";
  }
}

void ExpectSame(const std::string& bytes) {
  for (const size_t want : {1000u, 300'000u}) {
    const std::string quick = Seen(bytes, true, want);
    const std::string slow = Seen(bytes, false, want);
    ASSERT_EQ(quick.size(), slow.size());
    ASSERT_TRUE(quick == slow);
  }
}

TEST(Inflate, SmallMembersWithEveryBitFlippedAndCutEverywhere) {
  SplitMix64 random(1);
  for (const int level : {1, 6}) {
    const std::string one =
        Deflate(Text(&random, 120), level, 31) + Deflate("", level, 31);
    const std::string bytes = one + Deflate(Text(&random, 60), level, 31);
    for (size_t cut = 0; cut <= bytes.size(); ++cut)
      ExpectSame(bytes.substr(0, cut));
    for (size_t bit = 0; bit < 8 * one.size(); ++bit) {
      std::string flipped = bytes;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
      ExpectSame(flipped);
    }
  }
}

TEST(Inflate, LargeMembersWithRandomDamage) {
  SplitMix64 random(2);
  const int kStrategies[] = {Z_DEFAULT_STRATEGY, Z_HUFFMAN_ONLY, Z_RLE,
                             Z_FIXED};
  for (int round = 0; round < (TWINSET_SLOW_BUILD ? 40 : 200); ++round) {
    std::string bytes;
    for (uint64_t members = 1 + random.Below(3); members > 0; --members)
      bytes += Deflate(Text(&random, random.Below(400'000)),
                       static_cast<int>(random.Below(10)), 31,
                       kStrategies[random.Below(4)]);
    for (uint64_t flips = random.Below(3); flips > 0; --flips)
      bytes[random.Below(bytes.size())] ^=
          static_cast<char>(1 << random.Below(8));
    if (random.Below(3) == 0) bytes.resize(random.Below(bytes.size()));
    if (random.Below(3) == 0) bytes += "junk behind the last member";
    ExpectSame(bytes);
  }
}

TEST(Inflate, BombsAreAbandonedAtTheSameByte) {
  for (const size_t size : {900'000u, 3'000'000u, 40'000'000u}) {
    std::string bytes = Deflate(std::string(size, 'x'), 9, 31);
    bytes += Deflate("what follows", 6, 31);
    ExpectSame(bytes);
  }
}

// The bytes that the quick decoder gives too many stay within what the stream
// holds back.
TEST(Inflate, FewBytesAreUnsure) {
  SplitMix64 random(3);
  const auto codec = MakeQuickCodec(DeflateFraming::kGzip);
  if (codec == nullptr)
    GTEST_SKIP() << "this build has no libisal, so zlib decodes everything and "
                    "there is no other decoder to compare with it";
  size_t most = 0;
  for (int round = 0; round < (TWINSET_SLOW_BUILD ? 100 : 2000); ++round) {
    std::string bytes = Deflate(Text(&random, 1 + random.Below(60'000)),
                                static_cast<int>(1 + random.Below(9)), 31);
    bytes[10 + random.Below(std::min<size_t>(90, bytes.size() - 10))] ^=
        static_cast<char>(1 << random.Below(8));
    size_t given[2] = {};
    for (const bool quick : {true, false}) {
      const auto decoder = quick ? MakeQuickCodec(DeflateFraming::kGzip)
                                 : MakeCodec(Compression::kGzip);
      ASSERT_TRUE(decoder->Reset());
      std::string out(1 << 20, '\0');
      given[quick] = decoder->Decode(bytes, out.data(), out.size()).produced;
    }
    most = std::max(most, given[true] - std::min(given[true], given[false]));
  }
  EXPECT_GT(most, 0u);  // or the test shows nothing
  EXPECT_LT(most, kMostUnsureBytes / 4);
}

std::string SeenOfBody(const std::string& body, bool gzip, bool quick) {
  const std::string head =
      std::string("HTTP/1.1 200 OK\r\nContent-Encoding: ") +
      (gzip ? "gzip" : "deflate") + "\r\n\r\n";
  BodyLimits limits;
  limits.quick = quick;
  const DecodedBody decoded = DecodeBody(*ParseHttpHead(head), body, limits);
  return decoded.payload + "\n" + decoded.refused + "\n" + decoded.undone +
         (decoded.damaged ? "\ndamaged" : "\nsound");
}

TEST(Inflate, BodiesOfHttp) {
  SplitMix64 random(4);
  for (int round = 0; round < (TWINSET_SLOW_BUILD ? 100 : 1000); ++round) {
    const int framings[] = {31, 15, -15};
    std::string body = Deflate(Text(&random, random.Below(3000)), 6,
                               framings[random.Below(3)]);
    if (random.Below(4) == 0) body += Deflate("a second member", 6, 31);
    if (random.Below(3) == 0) body.resize(random.Below(body.size()));
    if (random.Below(3) == 0 && !body.empty())
      body[random.Below(body.size())] ^=
          static_cast<char>(1 << random.Below(8));
    for (const bool gzip : {true, false}) {
      ASSERT_EQ(SeenOfBody(body, gzip, true), SeenOfBody(body, gzip, false))
          << round << (gzip ? " gzip" : " deflate");
    }
  }
  const std::string bomb = Deflate(std::string(30'000'000, 'x'), 9, 31);
  EXPECT_TRUE(SeenOfBody(bomb, true, true) == SeenOfBody(bomb, true, false));
}

// A pipe cannot be read again, so it has the definition alone.
TEST(Inflate, FilesOfTheSharedData) {
  const char* const set = std::getenv("TWINSET_SHARED_DATA");
  const std::string data =
      set != nullptr ? set : TWINSET_SOURCE_DIR "/../shared/data";
  if (!std::filesystem::exists(data)) {
    std::printf("SKIPPED (no shared data): %s\n", data.c_str());
    GTEST_SKIP() << "there is no folder of real archives to compare on this "
                    "machine (TWINSET_SHARED_DATA); made ones were compared";
  }
  int compared = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(data)) {
    if (entry.path().extension() != ".gz" ||
        entry.file_size() > (TWINSET_SLOW_BUILD ? 1u << 20 : 64u << 20))
      continue;
    const auto bytes = ReadWholeFile(entry.path().string(), uint64_t{1} << 30);
    ASSERT_TRUE(bytes) << entry.path();
    SCOPED_TRACE(entry.path());
    ExpectSame(*bytes);
    ++compared;
  }
  EXPECT_GT(compared, 5);
}

}  // namespace
}  // namespace twinset
