#include <gtest/gtest.h>
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json_text.h"
#include "report/corpus_writer.h"
#include "report/row_writer.h"

namespace twinset {
namespace {

std::string Quoted(std::string_view text) {
  std::string quoted;
  AppendJsonString(&quoted, text);
  return quoted;
}

TEST(JsonTextTest, StringsReadBack) {
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  all += "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80";
  EXPECT_EQ(nlohmann::json::parse(Quoted(all)).get<std::string>(), all);
}

TEST(JsonTextTest, MalformedUtf8IsReplaced) {
  EXPECT_EQ(Quoted("a\xFFz"), "\"a\xEF\xBF\xBDz\"");
  EXPECT_EQ(Quoted("\xC3"), "\"\xEF\xBF\xBD\"");  // truncated
  EXPECT_EQ(Quoted("\xED\xA0\x80").size(),
            2u + 3 * 3);  // a surrogate, byte by byte
  EXPECT_EQ(Quoted("\xC0\x80").size(), 2u + 2 * 3);          // overlong
  EXPECT_EQ(Quoted("\xF4\x90\x80\x80").size(), 2u + 4 * 3);  // beyond U+10FFFF
}

TEST(JsonTextTest, DoublesAreShortest) {
  std::string text;
  AppendDouble(&text, 0.8);
  text += ' ';
  AppendDouble(&text, 1.0);
  text += ' ';
  AppendDouble(&text, 1.0 / 3);
  EXPECT_EQ(text, "0.8 1 0.3333333333333333");
}

Record RawRecord(uint64_t ordinal, const std::string& raw,
                 std::optional<uint64_t> begin, std::optional<uint64_t> end) {
  Record record;
  record.document.provenance.ordinal = ordinal;
  record.raw = raw;
  record.member_begin = begin;
  record.member_end = end;
  return record;
}

// Bytes of members, and of copies their places.
std::vector<std::string> MembersOf(MemberCutter* cutter) {
  std::vector<std::string> members;
  for (const WrittenMember& member : cutter->Take())
    members.push_back(member.is_copy()
                          ? std::to_string(member.packed_begin) + "-" +
                                std::to_string(member.packed_end)
                          : member.bytes);
  return members;
}
using Members = std::vector<std::string>;

TEST(MemberCutterTest, MembersThatStayWholeAreCopied) {
  const auto add = [](MemberCutter* cutter, std::vector<uint64_t> ordinals) {
    const Record all[] = {RawRecord(0, "a", 0, {}), RawRecord(1, "b", {}, 10),
                          RawRecord(2, "c", 12, 20), RawRecord(3, "d", 20, {}),
                          RawRecord(4, "e", {}, 30)};
    for (const uint64_t i : ordinals) cutter->AddRaw(all[i]);
  };
  MemberCutter rows(OutputCompression::kGzip, false, true);
  add(&rows, {0, 1, 2, 3, 4});
  EXPECT_EQ(MembersOf(&rows), (Members{"0-10", "12-20", "20-30"}));
  add(&rows, {0, 2, 3, 4});  // the second is dropped
  EXPECT_EQ(MembersOf(&rows), (Members{"a", "12-20", "20-30"}));
  add(&rows, {1, 2, 4});
  EXPECT_EQ(MembersOf(&rows), (Members{"b", "12-20", "e"}));
  add(&rows, {2, 3});  // the source goes on
  EXPECT_EQ(MembersOf(&rows), (Members{"12-20", "d"}));
  add(&rows, {0});
  rows.Add("changed");
  EXPECT_EQ(MembersOf(&rows), (Members{"achanged"}));
  MemberCutter records(OutputCompression::kGzip, true, true);
  add(&records, {0, 1, 2, 3, 4});
  EXPECT_EQ(MembersOf(&records), (Members{"a", "b", "12-20", "d", "e"}));
  MemberCutter others(OutputCompression::kZstd, false, false);
  add(&others, {0, 1, 2, 3, 4});
  EXPECT_EQ(MembersOf(&others), (Members{"abcde"}));
}

TEST(MemberCutterTest, AMemberBeyondTheBoundIsCompressedAgain) {
  MemberCutter cutter(OutputCompression::kGzip, false, true);
  const std::string half(3 << 20, 'x');
  cutter.AddRaw(RawRecord(0, half, 0, {}));
  EXPECT_FALSE(cutter.full());  // it may still be whole
  cutter.AddRaw(RawRecord(1, half, {}, {}));
  EXPECT_TRUE(cutter.full());
  EXPECT_EQ(MembersOf(&cutter), (Members{half + half}));
  cutter.AddRaw(RawRecord(2, half, {}, 10));
  EXPECT_EQ(MembersOf(&cutter), (Members{half}));
  cutter.AddRaw(RawRecord(3, half + half, 10, 20));  // one record
  EXPECT_EQ(MembersOf(&cutter), (Members{"10-20"}));
}

TEST(RowWriterTest, CsvQuotesWhatNeedsIt) {
  std::string line;
  AppendCsvField(&line, "plain");
  AppendCsvField(&line, ",");
  AppendCsvField(&line, "say \"x\"\n");
  EXPECT_EQ(line, "plain\",\"\"say \"\"x\"\"\n\"");
}

std::string Gunzip(const std::string& bytes) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string out(1 << 16, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

TEST(CorpusWriterTest, LevelsChangeSizesAndNotWhatIsRead) {
  std::string text;
  uint32_t draw = 1;
  for (int i = 0; i < 5000; ++i) {
    draw = draw * 1664525 + 1013904223;
    text += "word" + std::to_string((draw >> 20) % 700) + " ";
  }
  const auto quick = CompressMember(OutputCompression::kGzip, text, 1);
  const auto small = CompressMember(OutputCompression::kGzip, text, 9);
  ASSERT_TRUE(quick && small);
  EXPECT_EQ(Gunzip(*quick), text);
  EXPECT_EQ(Gunzip(*small), text);
  EXPECT_LT(small->size(), quick->size());
  for (const auto compression :
       {OutputCompression::kGzip, OutputCompression::kZstd,
        OutputCompression::kBzip2, OutputCompression::kXz,
        OutputCompression::kLz4}) {
    for (int level = 0; level <= 9; ++level) {
      const auto member = CompressMember(compression, text, level);
      ASSERT_TRUE(member) << static_cast<int>(compression) << " " << level;
      EXPECT_LT(member->size(), text.size());
    }
  }
  EXPECT_EQ(*CompressMember(OutputCompression::kGzip, text),
            *CompressMember(OutputCompression::kGzip, text, 3));
  EXPECT_EQ(*CompressMember(OutputCompression::kZstd, text),
            *CompressMember(OutputCompression::kZstd, text, 3));
}

TEST(CorpusWriterTest, GzipMembersReadBackAndAreRepeatable) {
  const std::string text(5000, 'x');
  const std::string member = *CompressMember(OutputCompression::kGzip, text);
  EXPECT_EQ(Gunzip(member), text);
  EXPECT_EQ(member, *CompressMember(OutputCompression::kGzip, text));
  for (const auto compression :
       {OutputCompression::kZstd, OutputCompression::kBzip2,
        OutputCompression::kXz, OutputCompression::kLz4}) {
    const auto compressed = CompressMember(compression, text);
    ASSERT_TRUE(compressed);
    EXPECT_LT(compressed->size(), text.size());
  }
}

constexpr char kResponse[] =
    "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: "
    "<urn:uuid:1>\r\nContent-Length: 45\r\n\r\n"
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nbody\r\n\r\n";

WarcReference Reference() {
  return {"<urn:uuid:1>", "http://a/", "2020-01-01T00:00:00Z", "sha1:ABC",
          "<urn:uuid:0>", "http://b/", "2019-01-01T00:00:00Z", 0.9,
          std::nullopt};
}

TEST(WarcRecordsTest, RevisitKeepsHttpHeadersAndRefersToTheKept) {
  const std::string record = MakeRevisitRecord(kResponse, Reference());
  EXPECT_TRUE(record.starts_with("WARC/1.1\r\nWARC-Type: revisit\r\n"));
  for (const char* part :
       {"WARC-Profile: "
        "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n",
        "WARC-Refers-To: <urn:uuid:0>\r\n",
        "WARC-Refers-To-Target-URI: http://b/\r\n",
        "WARC-Refers-To-Date: 2019-01-01T00:00:00Z\r\n",
        "WARC-Date: 2020-01-01T00:00:00Z\r\n",
        "Content-Length: 44\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: "
        "text/html\r\n\r\n\r\n\r\n"}) {
    EXPECT_NE(record.find(part), std::string::npos) << part << "\n" << record;
  }
  EXPECT_EQ(record.find("body"), std::string::npos);
}

// The digest that a header field states, and that of the block itself.
void ExpectDigest(const std::string& record, const std::string& field) {
  const size_t at = record.find(field + ": sha1:");
  ASSERT_NE(at, record.npos) << record;
  const size_t begin = at + field.size() + 7;
  const size_t block = record.find("\r\n\r\n") + 4;
  EXPECT_EQ(record.substr(begin, record.find("\r\n", begin) - begin),
            ToBase32(Sha1(record.substr(block, record.size() - block - 4))));
}

TEST(WarcRecordsTest, RecordsStateTheirDigests) {
  const std::string revisit = MakeRevisitRecord(kResponse, Reference());
  ExpectDigest(revisit, "WARC-Block-Digest");
  EXPECT_NE(revisit.find("WARC-Payload-Digest: sha1:ABC\r\n"), revisit.npos);
  const std::string metadata =
      MakeNearDuplicateRecord(kResponse, Reference(), true);
  ExpectDigest(metadata, "WARC-Block-Digest");
  ExpectDigest(metadata, "WARC-Payload-Digest");
}

TEST(WarcRecordsTest, NearDuplicateSaysWhy) {
  const std::string record =
      MakeNearDuplicateRecord(kResponse, Reference(), true);
  EXPECT_NE(record.find("twinset-similarity: 0.9\r\n"), std::string::npos);
  EXPECT_NE(record.find("WARC-Refers-To: <urn:uuid:0>"), std::string::npos);
}

TEST(WarcRecordsTest, NamesAreVersionFiveAndStable) {
  const std::string uuid = NameUuid("x");
  EXPECT_EQ(uuid, NameUuid("x"));
  EXPECT_NE(uuid, NameUuid("y"));
  EXPECT_EQ(uuid.size(), 9u + 36);
  EXPECT_EQ(uuid[9 + 14], '5');
  // uuid5(space, "x"), space being the first 16 bytes of SHA-1("twinset spec
  // 1").
  EXPECT_EQ(uuid, "urn:uuid:da8b0352-aed5-5814-a6ac-caca655f3578");
}

}  // namespace
}  // namespace twinset
