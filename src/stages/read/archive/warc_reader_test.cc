#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "read/archive/warc_record.h"
#include "read/formats.h"
#include "read/test_compress.h"

namespace twinset {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

std::string MakeWarc(const Fields& fields, const std::string& block,
                     const std::string& version = "WARC/1.0") {
  std::string text = version + "\r\n";
  bool has_length = false;
  for (const auto& [name, value] : fields) {
    text += name + ": " + value + "\r\n";
    has_length = has_length || name == "Content-Length";
  }
  if (!has_length) {
    text += "Content-Length: " + std::to_string(block.size()) + "\r\n";
  }
  return text + "\r\n" + block + "\r\n\r\n";
}

std::string MakeResponse(const std::string& id, const std::string& body,
                         const std::string& length = "") {
  Fields fields = {{"WARC-Type", "response"},
                   {"WARC-Record-ID", id},
                   {"Content-Type", "application/http; msgtype=response"}};
  if (!length.empty()) fields.emplace_back("Content-Length", length);
  return MakeWarc(fields,
                  "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body);
}

// A stream of pieces with a gap behind each of them that has a fault.
struct Piece {
  std::string bytes;
  bool gap = false;
  StreamFault::Kind kind = StreamFault::kData;
  uint64_t member_begin = 0;
};

class FakeStream : public ByteStream {
 public:
  explicit FakeStream(std::vector<Piece> pieces)
      : pieces_(pieces.begin(), pieces.end()) {}
  Result<std::string_view> Peek(size_t) override {
    while (!pieces_.empty() && !pieces_.front().gap &&
           at_ == pieces_.front().bytes.size()) {
      pieces_.pop_front();
      at_ = 0;
    }
    if (failing_) return Fail(ErrorCode::kIo, "gone");
    if (pieces_.empty()) return std::string_view();
    return std::string_view(pieces_.front().bytes).substr(at_);
  }
  void Consume(size_t n) override {
    at_ += n;
    offset_ += n;
  }
  bool AtGap() const override {
    return !pieces_.empty() && pieces_.front().gap &&
           at_ == pieces_.front().bytes.size();
  }
  StreamFault TakeFault() override {
    StreamFault fault;
    fault.kind = pieces_.front().kind;
    fault.member_begin = pieces_.front().member_begin;
    fault.detail = "fake";
    pieces_.pop_front();
    at_ = 0;
    return fault;
  }
  uint64_t offset() const override { return offset_; }
  uint64_t compressed_offset() const override { return offset_; }
  Compression compression() const override { return Compression::kGzip; }
  void FailFromNowOn() { failing_ = true; }

 private:
  std::deque<Piece> pieces_;
  size_t at_ = 0;
  uint64_t offset_ = 0;
  bool failing_ = false;
};

std::vector<Record> ReadAll(StreamPtr stream, const ReadOptions& options = {}) {
  const ReaderPtr reader = MakeWarcReader(std::move(stream), {}, 7, options);
  EXPECT_EQ(reader->format(), InputFormat::kWarc);
  std::vector<Record> records;
  Record record;
  while (reader->Next(&record).value()) {
    EXPECT_EQ(record.document.provenance.ordinal, records.size());
    EXPECT_EQ(record.document.provenance.source, 7u);
    records.push_back(record);
  }
  return records;
}

std::vector<Record> ReadAll(const std::string& bytes,
                            const ReadOptions& options = {}) {
  return ReadAll(ByteStreamFromMemory(bytes, {}), options);
}

// "d:ID" for documents, "s:reason", "q:reason", "r" for revisits.
std::vector<std::string> Kinds(const std::vector<Record>& records) {
  std::vector<std::string> kinds;
  for (const Record& record : records) {
    switch (record.kind) {
      case RecordKind::kDocument:
        kinds.push_back("d:" + record.document.id);
        break;
      case RecordKind::kSkipped:
        kinds.push_back("s:" + record.reason);
        break;
      case RecordKind::kQuarantined:
        kinds.push_back("q:" + record.reason);
        break;
      case RecordKind::kRevisit:
        kinds.push_back("r");
        break;
      case RecordKind::kRow:
      case RecordKind::kPassed:
        kinds.push_back("passed");
        break;
    }
  }
  return kinds;
}

using Strings = std::vector<std::string>;

TEST(WarcReader, DocumentFields) {
  const std::string text = MakeWarc(
      {{"WARC-Type", "Response"},
       {"WARC-Target-URI", "<http://example.org/a b>"},
       {"WARC-Date", "2020-01-02T03:04:05Z"},
       {"warc-record-id", "<urn:x>"},
       {"WARC-Payload-Digest", "sha1:ABC"},
       {"X-Language", "de"},
       {"Content-Type", "application/http"}},
      "HTTP/1.0 200 OK\nContent-Type: Text/HTML; charset=\"Latin-1\"\n\n<p>hi");
  ReadOptions options;
  options.fields = {"x-language", "absent"};
  const auto records = ReadAll(text, options);
  ASSERT_EQ(records.size(), 1u);
  const Document& document = records[0].document;
  EXPECT_EQ(records[0].kind, RecordKind::kDocument);
  EXPECT_EQ(document.id, "<urn:x>");
  EXPECT_EQ(document.provenance.url, "http://example.org/a b");
  EXPECT_EQ(document.provenance.date, "2020-01-02T03:04:05Z");
  EXPECT_EQ(document.provenance.digest, "sha1:ABC");
  EXPECT_EQ(document.mime, "text/html");
  EXPECT_EQ(document.charset, "Latin-1");
  EXPECT_EQ(document.kind, ContentKind::kHtml);
  EXPECT_EQ(document.payload, "<p>hi");
  ASSERT_EQ(document.fields.size(), 2u);
  EXPECT_EQ(document.fields[0].second, "de");
  EXPECT_EQ(document.fields[1].first, "absent");
  EXPECT_EQ(document.fields[1].second, "");
}

TEST(WarcReader, IdentityPrefersTrecThenClueWeb22) {
  Fields fields = {{"WARC-Type", "response"}, {"WARC-Record-ID", "r"}};
  const auto id = [&] {
    return ReadAll(MakeWarc(fields, "<html>"))[0].document.id;
  };
  EXPECT_EQ(id(), "r");
  fields.emplace_back("ClueWeb22-ID", "c");
  EXPECT_EQ(id(), "c");
  fields.emplace_back("WARC-TREC-ID", "t");
  EXPECT_EQ(id(), "t");
}

TEST(WarcReader, TypesThatAreNoDocuments) {
  std::string text;
  for (const char* type : {"warcinfo", "request", "metadata", "continuation",
                           "invention", "", "revisit"}) {
    text += MakeWarc({{"WARC-Type", type},
                      {"WARC-Refers-To", "<id>"},
                      {"WARC-Refers-To-Target-URI", "http://u"},
                      {"WARC-Refers-To-Date", "2001"},
                      {"WARC-Payload-Digest", "sha1:X"}},
                     "block");
  }
  const auto records = ReadAll(text);
  EXPECT_EQ(Kinds(records),
            (Strings{"s:warcinfo", "s:request", "s:metadata", "s:continuation",
                     "s:type", "s:type", "r"}));
  EXPECT_EQ(records[6].refers_to_id, "<id>");
  EXPECT_EQ(records[6].refers_to_url, "http://u");
  EXPECT_EQ(records[6].refers_to_date, "2001");
  EXPECT_EQ(records[6].refers_to_digest, "sha1:X");
}

// A resource is no document where the crawler speaks of itself.
TEST(WarcReader, RecordsOfTheCrawler) {
  std::string text;
  for (const auto& [type, address] :
       {std::pair{"resource",
                  "<metadata://gnu.org/software/wget/warc/wget.log>"},
        {"resource", "METADATA://gnu.org/software/wget/warc/MANIFEST.txt"},
        {"resource", "urn:X-wpull:log"},
        {"resource", "http://e.org/metadata://a"},
        {"resource", "urn:isbn:1"},
        {"conversion", "metadata://e.org/a"}}) {
    text += MakeWarc({{"WARC-Type", type},
                      {"WARC-Target-URI", address},
                      {"Content-Type", "text/plain"}},
                     "some words");
  }
  EXPECT_EQ(Kinds(ReadAll(text)),
            (Strings{"s:crawler", "s:crawler", "s:crawler", "d:", "d:", "d:"}));
}

TEST(WarcReader, StatusAndType) {
  const auto response = [](const std::string& block, const std::string& mime) {
    return MakeWarc({{"WARC-Type", "response"}, {"Content-Type", mime}}, block);
  };
  const std::string text =
      response("HTTP/1.1 404 No\r\nContent-Type: text/html\r\n\r\nx",
               "application/http") +
      response("HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\n\r\nx",
               "application/http") +
      response("example.org. 1 A 1.2.3.4", "text/dns") +
      response("HTTP/1.1 200 OK\r\n\r\nGIF89a", "application/http") +
      response("HTTP/1.1 200 OK\r\n\r\n <!-- x", "application/http") +
      response("HTTP/1.1\r\n\r\nno status", "application/http");
  EXPECT_EQ(Kinds(ReadAll(text)), (Strings{"s:status", "s:mime", "s:mime",
                                           "s:mime", "d:", "s:status"}));
  ReadOptions any;
  any.statuses = {};
  any.mimes = {"*"};
  const auto records = ReadAll(text, any);
  EXPECT_EQ(Kinds(records), Strings(6, "d:"));
  EXPECT_EQ(records[1].document.kind, ContentKind::kBytes);
  EXPECT_EQ(records[3].document.mime, "image/gif");
}

// ClueWeb22: responses are bare markup, the first record has no length.
TEST(WarcReader, ClueWeb22) {
  const std::string text =
      "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: 2022\r\n\r\n"
      "software: x\r\n\r\n" +
      MakeWarc({{"WARC-Type", "response"},
                {"ClueWeb22-ID", "clueweb22-de0000-00-00000"},
                {"Content-Type", "application/http"}},
               "<!DOCTYPE html><title>t</title>");
  const auto records = ReadAll(text);
  EXPECT_EQ(Kinds(records),
            (Strings{"s:warcinfo", "d:clueweb22-de0000-00-00000"}));
  EXPECT_EQ(records[1].document.payload, "<!DOCTYPE html><title>t</title>");
}

// ClueWeb09: version 0.18, bare line feeds, values broken at any place.
TEST(WarcReader, ClueWeb09) {
  const std::string block =
      "HTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>1\n";
  const std::string head =
      "WARC/0.18\nWARC-Type: response\nWARC-Target-URI: http://e.org/a\nb/c\n"
      "WARC-TREC-ID: clueweb09-x\nWARC-Identified-Payload-Type: \n"
      "X-Bad: \xe9\xff\nContent-Length: " +
      std::to_string(block.size()) + "\n\n";
  const std::string text = head + block + "\n" + head + block + "\n";
  const auto records = ReadAll(text);
  EXPECT_EQ(Kinds(records), (Strings{"d:clueweb09-x", "d:clueweb09-x"}));
  EXPECT_EQ(records[1].document.payload, "<p>1\n");
  EXPECT_EQ(records[1].document.provenance.url, "http://e.org/ab/c");
}

TEST(WarcReader, ResourceAndConversion) {
  const std::string text =
      MakeWarc({{"WARC-Type", "resource"}, {"Content-Type", "text/plain"}},
               "HTTP/1.1 200 OK\r\n\r\nis text") +
      MakeWarc({{"WARC-Type", "conversion"}, {"Content-Type", "text/plain"}},
               "w\xc3\xa4re") +
      MakeWarc({{"WARC-Type", "conversion"}, {"Content-Type", "text/plain"}},
               "w\xe4re");
  const auto records = ReadAll(text);
  ASSERT_EQ(Kinds(records), Strings(3, "d:"));
  EXPECT_EQ(records[0].document.payload, "HTTP/1.1 200 OK\r\n\r\nis text");
  EXPECT_EQ(records[0].document.kind, ContentKind::kPlain);
  EXPECT_EQ(records[1].document.kind, ContentKind::kText);
  EXPECT_EQ(records[2].document.kind, ContentKind::kPlain);
}

TEST(WarcReader, WrongLengths) {
  const std::string last = MakeResponse("z", "<p>last");
  const std::pair<const char*, const char*> cases[] = {
      {"50", "<p>0123456789"},     // too short
      {"90", "<p>0123456789"},     // too long, ends inside the next header
      {"99999", "<p>0123456789"},  // beyond the end
      {"99999999999", "<p>0123456789"},  // beyond the limit
      {"x", "<p>0123456789"},            // no number
      {"-1", "<p>0123456789"}};
  for (const auto& [length, body] : cases) {
    const auto records = ReadAll(MakeResponse("a", body, length) + last);
    EXPECT_EQ(Kinds(records), (Strings{"d:a", "d:z"})) << length;
    EXPECT_EQ(records[0].document.payload, body) << length;
    EXPECT_EQ(records[1].document.payload, "<p>last") << length;
  }
}

TEST(WarcReader, LinesBetweenRecords) {
  std::string a = MakeResponse("a", "<p>1"), b = MakeResponse("b", "<p>2");
  const auto check = [&](const std::string& text) {
    const auto records = ReadAll(text);
    EXPECT_EQ(Kinds(records), (Strings{"d:a", "d:b"}));
    EXPECT_EQ(records[0].document.payload, "<p>1");
    EXPECT_EQ(records[1].document.payload, "<p>2");
  };
  check("\r\n\n" + a + "\r\n\r\n\n\n" + b);
  a.resize(a.size() - 4);
  check(a + b);
  check(a + "\n" + b.substr(0, b.size() - 4));
}

// Text of WARC inside a payload is payload.
TEST(WarcReader, ArchiveInsideAPayload) {
  const std::string inner = MakeResponse("i", "<p>x") + MakeResponse("j", "y");
  const std::string a = MakeResponse("a", inner);
  const std::string z = MakeResponse("z", "<p>z");
  EXPECT_EQ(Kinds(ReadAll(a + z)), (Strings{"d:a", "d:z"}));
  EXPECT_EQ(Kinds(ReadAll(a)), (Strings{"d:a"}));
  // The record behind it has lost its begin: still no reason to doubt `a`.
  const auto records = ReadAll(a + z.substr(3) + z);
  EXPECT_EQ(Kinds(records), (Strings{"d:a", "q:bad-header", "d:z"}));
  EXPECT_EQ(records[0].document.payload, inner);
}

// A wrong length that leads to the end of the next record, or into the lines
// behind it, does not swallow it.
TEST(WarcReader, LengthLeadsToALaterEnd) {
  const std::string z = MakeResponse("z", "<p>z");
  for (const bool says_length : {true, false}) {
    for (size_t more = says_length ? 0 : 1; more < 5; ++more) {
      const std::string block =
          std::string("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n") +
          (says_length ? "Content-Length: 4\r\n\r\n<p>a" : "\r\n<p>a");
      const std::string b = MakeResponse("b", "<p>b");
      const std::string length = std::to_string(block.size() + b.size() + more);
      const std::string a = MakeWarc({{"WARC-Type", "response"},
                                      {"WARC-Record-ID", "a"},
                                      {"Content-Length", length}},
                                     block);
      const auto records = ReadAll(a + b + z);
      EXPECT_EQ(Kinds(records), (Strings{"d:a", "d:b", "d:z"})) << more;
      EXPECT_EQ(records[0].document.payload, "<p>a");
    }
  }
}

TEST(WarcReader, JunkAndBrokenHeaders) {
  const std::string a = MakeResponse("a", "<p>1"),
                    b = MakeResponse("b", "<p>2");
  EXPECT_EQ(Kinds(ReadAll("junk" + a + "more junk\r\n" + b)),
            (Strings{"q:bad-header", "d:a", "q:bad-header", "d:b"}));
  EXPECT_EQ(Kinds(ReadAll("WARC/1.0\r\nWARC-Type: response" + b)),
            (Strings{"q:bad-header", "d:b"}));
  // An empty line in front of the length does not end the header.
  const auto records = ReadAll(
      "WARC/1.0\r\nWARC-Type: resource\r\n\r\nContent-Type: text/plain\r\n"
      "Content-Length: 2\r\n\r\nhi\r\n\r\n");
  EXPECT_EQ(Kinds(records), (Strings{"d:"}));
  EXPECT_EQ(records[0].document.payload, "hi");
}

TEST(WarcReader, Truncation) {
  const std::string a = MakeResponse("a", "<p>1"),
                    b = MakeResponse("b", "<p>2");
  for (size_t size = 1; size < b.size(); ++size) {
    const auto records = ReadAll(a + b.substr(0, size));
    ASSERT_EQ(records.size(), 2u) << size;
    EXPECT_EQ(records[0].document.payload, "<p>1");
    const bool complete = size + 4 >= b.size();
    EXPECT_EQ(Kinds(records)[1], complete ? "d:b" : "q:truncated") << size;
  }
  EXPECT_TRUE(ReadAll(std::string()).empty());
  // Short by the declared length, complete by that of the HTTP message.
  const std::string block =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: "
      "4\r\n\r\n<p>1";
  const auto records = ReadAll(
      MakeWarc({{"WARC-Type", "response"}, {"Content-Length", "500"}}, block));
  EXPECT_EQ(Kinds(records), (Strings{"d:"}));
}

TEST(WarcReader, Gaps) {
  const std::string a = MakeResponse("a", "<p>1"),
                    b = MakeResponse("b", "<p>2"),
                    c = MakeResponse("c", "<p>3");
  const auto kinds = [](std::vector<Piece> pieces) {
    return Kinds(ReadAll(std::make_unique<FakeStream>(std::move(pieces))));
  };
  // A member that holds the record alone fails its checksum.
  EXPECT_EQ(kinds({{a + b, true, StreamFault::kChecksum, a.size()}, {c}}),
            (Strings{"d:a", "q:compression-checksum", "d:c"}));
  // One member with everything: what came out whole stays.
  EXPECT_EQ(kinds({{a + b, true, StreamFault::kChecksum, 0}}),
            (Strings{"d:a", "d:b", "q:compression-checksum"}));
  // A record breaks off.
  EXPECT_EQ(kinds({{a + b.substr(0, 150), true, StreamFault::kData, 0}, {c}}),
            (Strings{"d:a", "q:compression-data", "d:c"}));
  EXPECT_EQ(kinds({{a + b.substr(0, 10), true, StreamFault::kTruncated, 0}}),
            (Strings{"d:a", "q:compression-truncated"}));
  // A member of which nothing came out, two of them, and junk at the end.
  EXPECT_EQ(kinds({{a, true, StreamFault::kData, a.size()},
                   {"", true, StreamFault::kRatio, a.size()},
                   {c, true, StreamFault::kTrailingJunk, a.size()}}),
            (Strings{"d:a", "q:compression-data", "q:compression-ratio", "d:c",
                     "q:compression-junk"}));
  // The rest of a damaged record behind a gap.
  EXPECT_EQ(kinds({{a, true, StreamFault::kData, a.size()}, {"rest\r\n" + c}}),
            (Strings{"d:a", "q:compression-data", "q:bad-header", "d:c"}));
}

TEST(WarcReader, SourceFailure) {
  auto stream = std::make_unique<FakeStream>(
      std::vector<Piece>{{MakeResponse("a", "<p>1")}});
  stream->FailFromNowOn();
  const ReaderPtr reader = MakeWarcReader(std::move(stream), {}, 0, {});
  Record record;
  const auto next = reader->Next(&record);
  ASSERT_FALSE(next.has_value());
  EXPECT_EQ(next.error().code, ErrorCode::kIo);
}

TEST(WarcReader, TooLarge) {
  ReadOptions options;
  options.max_document_bytes = 100 << 10;
  const std::string huge(3 << 20, 'x'), large((100 << 10) + 1, 'x');
  const std::string text =
      MakeResponse("a", huge) + MakeResponse("b", large) +
      MakeResponse("c", large.substr(1)) +
      MakeWarc({{"WARC-Type", "request"}}, huge) +
      MakeWarc({{"WARC-Type", "response"}},
               "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n" + huge) +
      MakeWarc({{"WARC-Type", "response"}},
               "HTTP/1.1 200 OK\r\n\r\n%PDF-" + huge) +
      MakeWarc({{"WARC-Type", "response"}}, "HTTP/1.1 404 OK\r\n\r\n" + huge) +
      MakeResponse("z", "<p>z");
  EXPECT_EQ(Kinds(ReadAll(text, options)),
            (Strings{"q:too-large", "q:too-large", "d:c", "s:request", "s:mime",
                     "s:mime", "s:status", "d:z"}));
}

// An archive inside an oversized payload: the HTTP head confirms the length.
TEST(WarcReader, OversizedArchiveInside) {
  ReadOptions options;
  options.max_document_bytes = 100 << 10;
  std::string body = MakeResponse("i", "<p>x") + std::string(2 << 20, 'x');
  const std::string head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " +
      std::to_string(body.size()) + "\r\n\r\n";
  const std::string z = MakeResponse("z", "<p>z");
  EXPECT_EQ(
      Kinds(ReadAll(MakeWarc({{"WARC-Type", "response"}}, head + body) + z,
                    options)),
      (Strings{"q:too-large", "d:z"}));
}

TEST(WarcReader, RawsConcatenate) {
  const std::string text = "\n\njunk\r\n" + MakeResponse("a", "<p>1") +
                           "\r\n\r\n" + MakeResponse("b", "<p>2", "9999") +
                           MakeWarc({{"WARC-Type", "request"}}, "x") +
                           MakeResponse("c", "<p>3", "5") + "junk" +
                           MakeResponse("d", "<p>4").substr(0, 120);
  ReadOptions options;
  options.keep_raw = true;
  const auto records = ReadAll(text, options);
  EXPECT_EQ(records.size(), 6u);
  std::string raws;
  for (const Record& record : records) {
    const uint64_t offset = record.document.provenance.offset;
    EXPECT_EQ(text.compare(offset, 4, record.raw, offset - raws.size(), 4), 0);
    raws += record.raw;
  }
  EXPECT_EQ(raws, text);
}

// Whatever its algorithm: no other is made of the payload.
TEST(WarcReader, DigestsAreThoseThatRecordsDeclare) {
  const auto read = [](std::string_view declared) {
    Fields fields = {{"WARC-Type", "response"}};
    if (!declared.empty())
      fields.emplace_back("WARC-Payload-Digest", std::string(declared));
    return ReadAll(MakeWarc(
        fields, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>"))[0]
        .document.provenance.digest;
  };
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read("sha256:00ff"), "sha256:00ff");
  EXPECT_EQ(read("blake3:x"), "blake3:x");
}

TEST(WarcReader, StoredPayloadsKeepTheirContentCoding) {
  const std::string packed = test::Gzip("<p>text");
  const auto read = [](const std::string& head, const std::string& body,
                       bool keep) {
    ReadOptions options;
    options.keep_stored = keep;
    return ReadAll(MakeWarc({{"WARC-Type", "response"}},
                            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" +
                                head + "\r\n" + body),
                   options)[0];
  };
  const std::string gzip = "Content-Encoding: gzip\r\n",
                    chunked = "Transfer-Encoding: chunked\r\n";
  const Record coded = read(gzip, packed, true);
  EXPECT_EQ(coded.document.payload, "<p>text");
  EXPECT_TRUE(coded.is_stored);
  EXPECT_EQ(coded.StoredPayload(), packed);
  const Record plain = read("", "<p>text", true);
  EXPECT_TRUE(plain.is_stored);
  EXPECT_EQ(plain.StoredPayload(), "<p>text");
  const std::string chunks = ToHex(uint64_t{packed.size()}).substr(8) + "\r\n" +
                             packed + "\r\n0\r\n\r\n";
  const Record both = read(gzip + chunked, chunks, true);
  EXPECT_EQ(both.document.payload, "<p>text");
  EXPECT_EQ(both.StoredPayload(), packed);
  const Record joined = read(chunked, "7\r\n<p>text\r\n0\r\n\r\n", true);
  EXPECT_EQ(joined.StoredPayload(), "<p>text");
  EXPECT_FALSE(read(gzip, packed, false).is_stored);
}

}  // namespace
}  // namespace twinset
