// Every archive of the shared test data against what a reference reader found
// in it.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "read/archive/arc_record.h"
#include "read/archive/warc_record.h"
#include "read/formats.h"
#include "read/http_body.h"
#include "read/http_message.h"

namespace twinset {
namespace {

using Expected = nlohmann::json;

std::string ArchiveFolder() {
  const char* set = std::getenv("TWINSET_SHARED_DATA");
  const std::string base =
      set ? set : std::string(TWINSET_SOURCE_DIR) + "/../shared/data";
  return base + "/warc";
}

// One record in the terms of the reference reader.
struct Row {
  std::string type, uri, date, status, payload, damage;
};

// The payload as the reference defines it: behind an HTTP head, decoded; else
// the block.
void FillPayload(const std::string& block, Row* row) {
  row->payload = block;
  const bool http = row->type == "response" || row->type == "revisit";
  if (row->type == "request" && !block.empty()) {
    std::string_view rest = block, line;
    while (TakeLine(&rest, &line) && !line.empty()) {
    }
    row->payload = rest;
  } else if (auto head = http ? ParseHttpHead(block) : std::nullopt) {
    row->status = std::to_string(head->status);
    const std::string_view body = std::string_view(block).substr(head->size);
    row->payload = DecodeBody(*head, body, BodyLimits{}).payload;
  }
}

std::vector<Row> ReadWarc(std::unique_ptr<ByteStream> stream) {
  std::vector<Row> rows;
  WarcRecordParser parser(std::move(stream), FramerOptions{});
  WarcRecord record;
  while (parser.Next(&record).value()) {
    Row row;
    row.type = record.type;
    row.uri = record.target_uri;
    row.date = record.Get("WARC-Date");
    row.damage = record.frame.damage;
    FillPayload(record.frame.block, &row);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Row> ReadArc(std::unique_ptr<ByteStream> stream) {
  std::vector<Row> rows;
  ArcRecordParser parser(std::move(stream), FramerOptions{});
  ArcRecord record;
  while (parser.Next(&record).value()) {
    Row row;
    row.type = record.is_filedesc ? "arc_header" : "response";
    row.uri = record.header.url;
    row.date = record.header.date;
    row.damage = record.frame.damage;
    FillPayload(record.frame.block, &row);
    if (record.is_filedesc) {
      // The reference counts the two lines of the version block as header.
      std::string_view rest = row.payload, line;
      TakeLine(&rest, &line);
      TakeLine(&rest, &line);
      row.payload = std::string(rest);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

bool IsArc(const std::string& file) {
  return file.find(".arc") != std::string::npos;
}

std::vector<Row> ReadArchive(const std::string& file) {
  auto stream = OpenByteStream(ArchiveFolder() + "/" + file, {});
  EXPECT_TRUE(stream.has_value()) << file;
  if (!stream) return {};
  return IsArc(file) ? ReadArc(*std::move(stream))
                     : ReadWarc(*std::move(stream));
}

std::vector<Expected> Expectations() {
  std::vector<Expected> all;
  std::ifstream file(ArchiveFolder() + "/EXPECTED.jsonl");
  for (std::string line; std::getline(file, line);)
    all.push_back(Expected::parse(line));
  return all;
}

#define TWINSET_NEEDS_SHARED_DATA()                                           \
  do {                                                                        \
    if (!FileExists(ArchiveFolder() + "/EXPECTED.jsonl")) {                   \
      std::printf("SKIPPED (no shared data): %s\n", ArchiveFolder().c_str()); \
      GTEST_SKIP() << "needs the shared archives";                            \
    }                                                                         \
  } while (false)

// Where the result differs from the reference's on purpose
// (docs/formats/warc.md, "Differences"), by file and ordinal.
const std::map<std::pair<std::string, size_t>, const char*>& Differences() {
  static const std::map<std::pair<std::string, size_t>, const char*> reasons = {
      {{"warcio/bad.arc", 2},
       "the block is one line feed; the reference takes it for an empty HTTP "
       "status line"},
      {{"warcio/example-space-in-target-uri.warc.gz", 1},
       "the reference escapes the blanks of the URI, which is kept as written"},
      {{"warcio/example-wrong-chunks.warc.gz", 0},
       "the body stands in the next gzip member; the reference ends the record "
       "with the member"},
  };
  return reasons;
}

std::string TextOrEmpty(const Expected& value) {
  return value.is_string() ? value.get<std::string>() : "";
}

// "" when the row says what the reference says, else what differs.
std::string Difference(const Row& row, const Expected& expected) {
  std::string what;
  if (row.type != TextOrEmpty(expected[0])) what += " type " + row.type;
  if (row.uri != TextOrEmpty(expected[1])) what += " uri " + row.uri;
  if (row.date != TextOrEmpty(expected[2])) what += " date " + row.date;
  // The reference reports the path of a request in place of a status.
  if (row.type != "request" && row.status != TextOrEmpty(expected[3])) {
    what += " status " + row.status;
  }
  if (row.payload.size() != expected[5].get<size_t>() ||
      ToHex(Sha256(row.payload)) != expected[6].get<std::string>()) {
    what += " payload " + std::to_string(row.payload.size()) + " not " +
            expected[5].dump();
  }
  if (!row.damage.empty()) what += " damage " + row.damage;
  return what;
}

TEST(Expected, EveryRecordOfTheReferenceIsFound) {
  TWINSET_NEEDS_SHARED_DATA();
  std::printf("%-76s %8s %6s %6s %6s\n", "file", "expected", "found", "equal",
              "differ");
  size_t explained = 0;
  for (const Expected& expectation : Expectations()) {
    const std::string file = expectation["file"];
    const std::vector<Row> rows = ReadArchive(file);
    const Expected& expected = expectation["warcio_records"];
    size_t equal = 0, differ = 0;
    std::string notes;
    for (size_t i = 0; i < expected.size() && i < rows.size(); ++i) {
      const std::string difference = Difference(rows[i], expected[i]);
      if (difference.empty()) {
        ++equal;
        continue;
      }
      ++differ;
      const auto reason = Differences().find({file, i});
      EXPECT_NE(reason, Differences().end())
          << file << " " << i << ":" << difference;
      if (reason == Differences().end()) continue;
      ++explained;
      notes += "    record " + std::to_string(i) + ":" + difference + " (" +
               reason->second + ")\n";
    }
    std::printf("%-76s %8zu %6zu %6zu %6zu\n%s", file.c_str(), expected.size(),
                rows.size(), equal, differ, notes.c_str());
    EXPECT_GE(rows.size(), expected.size()) << file;
    if (expectation["warcio_error"].is_null()) {
      EXPECT_EQ(rows.size(), expected.size()) << file;
    }
  }
  EXPECT_EQ(explained, Differences().size());
}

struct Counts {
  size_t records, responses, damaged;
};

// The files that the reference gives up: all of their records come out.
TEST(Expected, FilesThatTheReferenceRefuses) {
  TWINSET_NEEDS_SHARED_DATA();
  const std::map<std::string, Counts> counts = {
      {"aut/badexample.arc.gz", {6, 5, 0}},
      {"copycat/00.warc.gz", {24, 23, 0}},
      {"copycat/small-sample-1213893279526_0.arc", {146, 145, 0}},
      {"ecir20/"
       "CC-MAIN-20150226074059-00000-ip-10-28-5-156.ec2.internal.warc.gz",
       {14, 4, 0}},
      {"ecir20/"
       "CC-MAIN-20150226074105-00336-ip-10-28-5-156.ec2.internal.warc.gz",
       {56, 18, 0}},
      {"ecir20/clueweb-09-sample-en0000-sample-00.warc", {24, 23, 0}},
      {"resiliparse/block-sized-records.warc.lz4", {3, 0, 0}},
      {"resiliparse/warcfile.warc.lz4", {50, 16, 0}},
      {"warcio/example-bad-non-chunked.warc.gz", {6, 1, 0}},
      {"warcio/example-bad.warc.gz.bad", {6, 2, 0}},
      {"warcio/example-wrong-chunks.warc.gz", {2, 1, 0}},
  };
  size_t refused = 0;
  for (const Expected& expectation : Expectations()) {
    if (expectation["warcio_error"].is_null()) continue;
    ++refused;
    const std::string file = expectation["file"];
    ASSERT_TRUE(counts.count(file)) << file;
    const std::vector<Row> rows = ReadArchive(file);
    Counts found{rows.size(), 0, 0};
    for (const Row& row : rows) {
      found.responses += row.type == "response";
      found.damaged += !row.damage.empty();
    }
    const Counts& want = counts.at(file);
    EXPECT_EQ(found.records, want.records) << file;
    EXPECT_EQ(found.responses, want.responses) << file;
    EXPECT_EQ(found.damaged, want.damaged) << file;
    // The lines that the scan of the decompressed bytes counted; it did not
    // open lz4, and wants a date in ARC headers, which one record lacks.
    const Expected& scan = expectation["scan"];
    if (file.find(".lz4") != std::string::npos) continue;
    if (IsArc(file)) {
      const size_t undated = file == "aut/badexample.arc.gz" ? 1 : 0;
      EXPECT_EQ(found.records,
                scan["arc_header_lines"].get<size_t>() + undated);
    } else {
      EXPECT_EQ(found.records, scan["warc_version_lines"].get<size_t>())
          << file;
      EXPECT_EQ(found.responses, scan["response_type_lines"].get<size_t>());
    }
  }
  EXPECT_EQ(refused, counts.size());
}

TEST(Expected, CompressionMakesNoDifference) {
  TWINSET_NEEDS_SHARED_DATA();
  const std::pair<const char*, const char*> same[] = {
      {"resiliparse/warcfile.warc", "resiliparse/warcfile.warc.gz"},
      {"resiliparse/warcfile.warc", "resiliparse/warcfile.warc.lz4"},
      {"resiliparse/block-sized-records.warc",
       "resiliparse/block-sized-records.warc.gz"},
      {"resiliparse/block-sized-records.warc",
       "resiliparse/block-sized-records.warc.lz4"},
      {"webarchive-commons/IAH-urls-wget.warc",
       "webarchive-commons/IAH-urls-wget.warc.gz"},
      {"whirlwind/whirlwind.warc", "whirlwind/whirlwind.warc.gz"},
      {"whirlwind/whirlwind.warc.wat", "whirlwind/whirlwind.warc.wat.gz"},
      {"whirlwind/whirlwind.warc.wet", "whirlwind/whirlwind.warc.wet.gz"},
      {"warcio/example.arc", "warcio/example.arc.gz"},
      {"warcio/example.warc", "warcio/example.warc.gz"},
      {"warcio/example.warc", "warcio/example-bad-non-chunked.warc.gz"},
      {"ecir20/clueweb-09-sample-en0000-sample-00.warc", "copycat/00.warc.gz"},
  };
  for (const auto& [a, b] : same) {
    const std::vector<Row> left = ReadArchive(a), right = ReadArchive(b);
    ASSERT_EQ(left.size(), right.size()) << a << " " << b;
    for (size_t i = 0; i < left.size(); ++i) {
      EXPECT_EQ(left[i].type, right[i].type) << b << " " << i;
      EXPECT_EQ(left[i].uri, right[i].uri) << b << " " << i;
      EXPECT_TRUE(left[i].payload == right[i].payload) << b << " " << i;
    }
  }
}

// Common Crawl declares the digest of each undecoded payload: truth for the
// files that the reference refuses.
TEST(Expected, DeclaredPayloadDigestsHold) {
  TWINSET_NEEDS_SHARED_DATA();
  const std::pair<const char*, size_t> files[] = {
      {"ecir20/"
       "CC-MAIN-20150226074059-00000-ip-10-28-5-156.ec2.internal.warc.gz",
       4},
      {"ecir20/"
       "CC-MAIN-20150226074105-00336-ip-10-28-5-156.ec2.internal.warc.gz",
       18},
      {"resiliparse/warcfile.warc.lz4", 16},
      {"warcio/example-bad.warc.gz.bad", 2},
  };
  for (const auto& [file, want] : files) {
    auto stream = OpenByteStream(ArchiveFolder() + "/" + file, {});
    ASSERT_TRUE(stream.has_value());
    WarcRecordParser parser(*std::move(stream), FramerOptions{});
    WarcRecord record;
    size_t equal = 0;
    while (parser.Next(&record).value()) {
      if (record.type != "response") continue;
      const auto head = ParseHttpHead(record.frame.block);
      ASSERT_TRUE(head.has_value());
      const std::string body = record.frame.block.substr(head->size);
      EXPECT_EQ("sha1:" + ToBase32(Sha1(body)),
                record.Get("WARC-Payload-Digest"))
          << file << " " << record.frame.ordinal;
      ++equal;
    }
    EXPECT_EQ(equal, want) << file;
  }
}

std::vector<Record> ReadDocuments(const std::string& file) {
  auto stream = OpenByteStream(ArchiveFolder() + "/" + file, {});
  EXPECT_TRUE(stream.has_value()) << file;
  const ReaderPtr reader = IsArc(file)
                               ? MakeArcReader(*std::move(stream), {}, 0, {})
                               : MakeWarcReader(*std::move(stream), {}, 0, {});
  std::vector<Record> documents;
  Record record;
  while (reader->Next(&record).value()) {
    if (record.kind == RecordKind::kDocument) documents.push_back(record);
  }
  return documents;
}

TEST(Expected, ClueWeb09Documents) {
  TWINSET_NEEDS_SHARED_DATA();
  const auto documents =
      ReadDocuments("ecir20/clueweb-09-sample-en0000-sample-00.warc");
  ASSERT_EQ(documents.size(), 23u);
  for (size_t i = 0; i < documents.size(); ++i) {
    const std::string digits = std::to_string(100000 + i).substr(1);
    EXPECT_EQ(documents[i].document.id, "clueweb09-en0000-00-" + digits);
    EXPECT_EQ(documents[i].document.kind, ContentKind::kHtml);
    EXPECT_FALSE(documents[i].document.payload.empty());
  }
}

// One crawl written in both formats: the same pages, byte for byte.
TEST(Expected, ArcAndWarcOfOneCrawlAgree) {
  TWINSET_NEEDS_SHARED_DATA();
  std::multimap<std::string, std::string> arc, warc;
  for (const Record& record : ReadDocuments("aut/example.arc.gz")) {
    arc.emplace(record.document.provenance.url, record.document.payload);
  }
  for (const Record& record : ReadDocuments("aut/example.warc.gz")) {
    warc.emplace(record.document.provenance.url, record.document.payload);
  }
  EXPECT_EQ(arc.size(), warc.size());
  size_t same = 0;
  for (const auto& [url, payload] : arc) {
    const auto found = warc.find(url);
    same += found != warc.end() && found->second == payload;
  }
  std::printf("documents: arc %zu, warc %zu, same %zu\n", arc.size(),
              warc.size(), same);
  EXPECT_EQ(arc.size(), 130u);
  EXPECT_EQ(same, 130u);
}

TEST(Expected, WetIsText) {
  TWINSET_NEEDS_SHARED_DATA();
  const auto documents = ReadDocuments("whirlwind/whirlwind.warc.wet.gz");
  ASSERT_EQ(documents.size(), 1u);
  EXPECT_EQ(documents[0].document.kind, ContentKind::kText);
  EXPECT_EQ(documents[0].document.payload.size(), 4456u);
}

}  // namespace
}  // namespace twinset
