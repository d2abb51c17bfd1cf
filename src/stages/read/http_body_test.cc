#include "read/http_body.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <vector>

#include "base/hash.h"
#include "read/http_document.h"
#include "read/test_compress.h"

namespace twinset {
namespace {

// window_bits as zlib takes them: 31 gzip, 15 zlib, -15 raw.
std::string Deflate(const std::string& bytes, int window_bits) {
  z_stream stream{};
  EXPECT_EQ(
      deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY),
      Z_OK);
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

DecodedBody Decode(const std::string& coding, const std::string& body,
                   const std::string& transfer = "",
                   const BodyLimits& limits = {}) {
  std::string head = "HTTP/1.1 200 OK\r\n";
  if (!coding.empty()) head += "Content-Encoding: " + coding + "\r\n";
  if (!transfer.empty()) head += "Transfer-Encoding: " + transfer + "\r\n";
  return DecodeBody(*ParseHttpHead(head + "\r\n"), body, limits);
}

// A page long enough for several chunks of decoder output.
std::string LongPage() {
  SplitMix64 random(5);
  std::string page;
  while (page.size() < 200000) page += "<p>" + std::to_string(random.Next());
  return page;
}

void ExpectDecoded(const DecodedBody& body, const std::string& payload,
                   bool damaged) {
  EXPECT_EQ(body.refused, "");
  EXPECT_TRUE(body.payload == payload) << body.payload.size() << " bytes";
  EXPECT_EQ(body.damaged, damaged);
}

TEST(JoinChunks, Cases) {
  const struct {
    std::string body, joined;
    bool sound;
  } cases[] = {
      {"3\r\nabc\r\n0\r\n\r\n", "abc", true},
      {"3;x=y\r\nabc\r\nA \r\n0123456789\r\n00\r\nTrailer: x\r\n\r\n",
       "abc0123456789", true},
      {"3\nabc\n0\n\n", "abc", true},
      {"", "", false},
      {"3\r\nabc\r\n", "abc", false},  // no last chunk
      {"3\r\nabc", "abc", false},
      {"5\r\nabc", "abc", false},               // cut off
      {"<html>\r\n", "<html>\r\n", false},      // not chunked at all
      {"abc", "abc", false},                    // a size without a line
      {"2\r\nabc\r\n", "2\r\nabc\r\n", false},  // wrong size
      {"3\r\nabc\r\nrest", "abcrest", false},
      {"3\r\nabc\r\n2\r\nrest\r\n", "abc2\r\nrest\r\n", false},
      {"fffffffff\r\nabc", "fffffffff\r\nabc", false},
  };
  for (const auto& c : cases) {
    std::string joined = "old";
    EXPECT_EQ(JoinChunks(c.body, &joined), c.sound) << c.body;
    EXPECT_EQ(joined, c.joined);
  }
}

TEST(DecodeBody, Codings) {
  const std::string page = LongPage();
  ExpectDecoded(Decode("", page), page, false);
  ExpectDecoded(Decode("identity", page), page, false);
  ExpectDecoded(Decode("gzip", Deflate(page, 31)), page, false);
  ExpectDecoded(Decode("X-GZIP", Deflate(page, 31)), page, false);
  ExpectDecoded(Decode("gzip", Deflate("a", 31) + Deflate("b", 31)), "ab",
                false);
  ExpectDecoded(Decode("deflate", Deflate(page, 15)), page, false);
  ExpectDecoded(Decode("deflate", Deflate(page, -15)), page, false);
  ExpectDecoded(Decode("deflate", Deflate(page, 31)), page, false);
  ExpectDecoded(Decode("gzip", ""), "", false);
  // In order of application: deflate first, then gzip, then chunks.
  const std::string twice = Deflate(Deflate("twice", 15), 31);
  char size[16];
  std::snprintf(size, sizeof(size), "%zx\r\n", twice.size());
  ExpectDecoded(
      Decode("deflate, gzip", size + twice + "\r\n0\r\n\r\n", "chunked"),
      "twice", false);
}

TEST(DecodeBody, Brotli) {
  const unsigned char bytes[] = {
      0x1b, 0x35, 0x01, 0xf8, 0x2d, 0x0e, 0xec, 0xd8, 0x05, 0x68, 0xa1,
      0xf6, 0xc8, 0x65, 0xbc, 0x04, 0xe1, 0xa1, 0xd3, 0x0d, 0xd9, 0xf9,
      0xba, 0x32, 0xc0, 0x84, 0x13, 0x7b, 0x29, 0x1f, 0xb9, 0x4c, 0x63,
      0x7b, 0x6b, 0x25, 0x94, 0x51, 0x00, 0xa9, 0x29, 0xc0, 0x02, 0x96,
      0x3c, 0xf1, 0x8f, 0xfa, 0x00, 0x80, 0x10, 0x8c, 0xa0, 0x31, 0x58,
      0x5c, 0xe2, 0x85, 0x44, 0x49, 0x56, 0xd4, 0x1a, 0xed, 0x0e};
  const std::string body(reinterpret_cast<const char*>(bytes), sizeof(bytes));
  std::string page;
  for (int i = 0; i < 20; ++i)
    page += "<p>brotli " + std::to_string(i) + "</p>";
  ExpectDecoded(Decode("br", body), page, false);
  ExpectDecoded(Decode("br", page), page, true);
  const DecodedBody half = Decode("br", body.substr(0, body.size() / 2));
  EXPECT_TRUE(half.damaged);
}

// Crawlers store decoded bodies under the original head.
TEST(DecodeBody, AlreadyDecoded) {
  for (const char* coding : {"gzip", "deflate", "br", "gzip, gzip"}) {
    ExpectDecoded(Decode(coding, "<html>plain page</html>"),
                  "<html>plain page</html>", true);
  }
  ExpectDecoded(Decode("gzip", "<html>", "chunked"), "<html>", true);
  ExpectDecoded(Decode("compress", "<html>"), "<html>", true);
  ExpectDecoded(Decode("zstd", "<html>"), "<html>", true);
  ExpectDecoded(Decode("aws-chunked", "<html>"), "<html>", false);
}

TEST(DecodeBody, Zstd) {
  const std::string page = LongPage();
  const auto zstd = [](const std::string& bytes) {
    return test::Compress(Compression::kZstd, bytes);
  };
  const std::string skippable("\x5d\x2a\x4d\x18\3\0\0\0abc", 11);
  ExpectDecoded(Decode("zstd", zstd(page)), page, false);
  ExpectDecoded(Decode("ZSTD;q=1", zstd("a") + skippable + zstd("b")), "ab",
                false);
  ExpectDecoded(Decode("gzip, zstd", zstd(Deflate(page, 31))), page, false);
  ExpectDecoded(Decode("zstd", zstd(page) + "junk"), page, true);
  const std::string coded = zstd(page);
  const DecodedBody half = Decode("zstd", coded.substr(0, coded.size() / 2));
  EXPECT_TRUE(half.damaged);
  EXPECT_NE(half.undone.find("zstd"), std::string::npos);
  BodyLimits limits;
  limits.max_ratio = 100;
  const std::string bomb = zstd(std::string(3 << 20, 'a'));
  EXPECT_EQ(Decode("zstd", bomb, "", limits).refused, "ratio");
  limits.max_window_bytes = 1 << 20;
  const std::string why = Decode("zstd", bomb, "", limits).undone;
  EXPECT_NE(why.find("--max-window"), std::string::npos) << why;
}

TEST(DecodeBody, WhatIsLeftIsNamed) {
  EXPECT_EQ(Decode("dcz", "x").undone,
            "dcz, which needs a dictionary that another response holds");
  EXPECT_EQ(Decode("exi", "x").undone, "exi, which is not known");
  EXPECT_EQ(Decode("br", "x").undone, "br, which the body is not");
  EXPECT_EQ(Decode("gzip", Deflate("x", 31)).undone, "");
  ExpectDecoded(Decode("aws-chunked",
                       "3;chunk-signature=1f\r\nabc\r\n0;chunk-signature=2e\r\n"
                       "\r\n"),
                "abc", false);
}

TEST(DecodeBody, BrokenOffOrDamaged) {
  const std::string page = LongPage(), coded = Deflate(page, 31);
  const DecodedBody half = Decode("gzip", coded.substr(0, coded.size() / 2));
  EXPECT_TRUE(half.damaged);
  EXPECT_GT(half.payload.size(), page.size() / 4);
  EXPECT_EQ(page.compare(0, half.payload.size(), half.payload), 0);
  std::string bad_sum = coded;
  bad_sum[bad_sum.size() - 8] ^= 1;
  ExpectDecoded(Decode("gzip", bad_sum), page, true);
  ExpectDecoded(Decode("gzip", coded + "junk"), page, true);
  ExpectDecoded(Decode("gzip", coded.substr(0, 12)), coded.substr(0, 12), true);
}

TEST(DecodeBody, Limits) {
  BodyLimits limits;
  limits.max_bytes = 4 << 20;
  limits.max_ratio = 100;
  const std::string bomb = Deflate(std::string(3 << 20, 'a'), 31);
  EXPECT_EQ(Decode("gzip", bomb, "", limits).refused, "ratio");
  limits.max_ratio = 0;
  EXPECT_EQ(Decode("gzip", bomb, "", limits).refused, "");
  limits.max_bytes = (3 << 20) - 1;
  const DecodedBody large = Decode("gzip", bomb, "", limits);
  EXPECT_EQ(large.refused, "too-large");
  EXPECT_EQ(large.payload, "");
  EXPECT_EQ(Decode("", std::string(3 << 20, 'a'), "", limits).refused,
            "too-large");
  // The ratio counts beyond 1 MB only.
  limits.max_ratio = 10;
  EXPECT_EQ(Decode("gzip", Deflate(std::string(1 << 20, 'a'), 31), "", limits)
                .refused,
            "");
}

// A page that stays in its coding is quarantined under its name; one that was
// decoded before it was stored is a page.
TEST(JudgeBlock, NamesTheCodingThatIsLeft) {
  const auto judge = [](const std::string& coding, const std::string& body) {
    ArchivedBlock block;
    block.bytes =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
        "Content-Encoding: " +
        coding + "\r\n\r\n" + body;
    block.real_bytes = block.bytes.size();
    Record record;
    JudgeBlock(std::move(block), ReadOptions(), &record);
    return record.kind == RecordKind::kDocument
               ? record.document.payload
               : record.reason + ": " + record.detail;
  };
  SplitMix64 random(7);
  std::string binary;
  for (int i = 0; i < 2000; ++i) binary += static_cast<char>(random.Next());
  EXPECT_EQ(judge("zstd", test::Compress(Compression::kZstd, "<p>x")), "<p>x");
  EXPECT_EQ(judge("zstd", "<p>x"), "<p>x");
  EXPECT_EQ(judge("UTF-8", "<p>x"), "<p>x");
  EXPECT_EQ(judge("exi", binary),
            "content-coding: coded as exi, which is not known");
  EXPECT_EQ(judge("dcz", binary),
            "content-coding: coded as dcz, which needs a dictionary that "
            "another response holds");
  EXPECT_EQ(judge("br", binary),
            "content-coding: coded as br, which the body is not");
}

}  // namespace
}  // namespace twinset
