// WARC in, WARC out: revisit records, near-duplicates, and reading one's own
// output again.
#include <zlib.h>

#include "support/dedup_fixture.h"

namespace twinset::testing {
namespace {

const char kText[] =
    "the quick brown fox jumps over the lazy dog and runs away into the deep "
    "dark wood where nobody ever goes at night";

std::string Response(const std::string& id, const std::string& url,
                     const std::string& body) {
  const std::string http =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body;
  return "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:" + id +
         ">\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: " + url +
         "\r\nContent-Type: application/http; "
         "msgtype=response\r\nContent-Length: " +
         std::to_string(http.size()) + "\r\n\r\n" + http + "\r\n\r\n";
}

std::string GzipMember(const std::string& bytes, int level) {
  z_stream stream{};
  EXPECT_EQ(
      deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY),
      Z_OK);
  std::string out(deflateBound(&stream, bytes.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// All members.
std::string Gunzipped(const std::string& bytes) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string out;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  while (stream.avail_in > 0) {
    char part[4096];
    stream.next_out = reinterpret_cast<Bytef*>(part);
    stream.avail_out = sizeof part;
    const int code = inflate(&stream, Z_NO_FLUSH);
    out.append(part, sizeof part - stream.avail_out);
    if (code == Z_STREAM_END) {
      inflateReset(&stream);
    } else if (code != Z_OK) {
      ADD_FAILURE() << code;
      break;
    }
  }
  inflateEnd(&stream);
  return out;
}

class WarcWriteTest : public ::testing::Test {
 protected:
  void Run(const std::string& near) {
    const std::string page =
        "<html><body><p>" + std::string(kText) + "</p></body></html>";
    const std::string changed =
        "<html><body><p>" + std::string(kText) + " today</p></body></html>";
    Write(folder_ / "in.warc",
          Response("1", "http://a/1", page) +
              Response("2", "http://a/2", page) +
              Response("3", "http://a/3", changed) +
              Response("4", "http://a/4",
                       "<p>nothing like it at all, other words</p>"));
    DedupOptions options =
        OptionsFor(folder_ / "in.warc", folder_ / ("out-" + near));
    options.write = folder_ / ("corpus-" + near);
    options.near = *FindChoice<NearRule>(near);
    options.keep = {"first"};
    const DedupSummary summary = MustDedup(options);
    EXPECT_EQ(summary.dropped, 2u);
    written_ = Read(folder_ / ("corpus-" + near + "/in.warc"));
  }
  size_t Count(const std::string& part) const {
    size_t count = 0;
    for (size_t at = 0; (at = written_.find(part, at)) != std::string::npos;
         ++at)
      ++count;
    return count;
  }
  TemporaryFolder folder_;
  std::string written_;
};

TEST_F(WarcWriteTest, EqualPayloadsBecomeRevisitsAndNearDuplicatesGo) {
  Run("drop");
  EXPECT_EQ(Count("WARC-Type: response"), 2u);
  EXPECT_EQ(Count("WARC-Type: revisit"), 1u);
  EXPECT_EQ(Count("WARC-Type: metadata"), 0u);
  EXPECT_EQ(Count("WARC-Refers-To-Target-URI: http://a/1"), 1u);
}

TEST_F(WarcWriteTest, NearDuplicatesCanLeaveAWordOrStay) {
  Run("metadata");
  EXPECT_EQ(Count("WARC-Type: response"), 2u);
  EXPECT_EQ(Count("WARC-Type: metadata"), 1u);
  Run("keep");
  EXPECT_EQ(Count("WARC-Type: response"), 3u);
  EXPECT_EQ(Count("WARC-Type: metadata"), 1u);
}

// Both compress at level 6; members of the input are of level 1.
TEST_F(WarcWriteTest, MembersOfRecordsThatStayAreCopied) {
  const auto page = [](const std::string& words) {
    return "<html><body><p>" + std::string(kText) + words + "</p></body>";
  };
  std::vector<std::string> members;
  std::string plain;
  for (int i = 0; i < 9; ++i) {
    std::string words;
    for (int w = 0; w < 200; ++w)
      words += " w" + std::to_string((i / 3 * 3 + (i % 3 == 2)) * 1000 + w);
    const std::string record = Response(
        std::to_string(i), "http://a/" + std::to_string(i), page(words));
    plain += record;
    members.push_back(GzipMember(record, 1));
  }
  std::string packed;
  for (const std::string& member : members) packed += member;
  Write(folder_ / "in.warc", plain);
  Write(folder_ / "in.warc.gz", packed);
  const auto write = [&](const std::string& name, int threads) {
    DedupOptions options = OptionsFor(
        folder_ / name, folder_ / ("out-" + name + std::to_string(threads)));
    options.write = folder_ / ("corpus-" + name + std::to_string(threads));
    options.keep = {"first"};
    options.resources.threads = threads;
    MustDedup(options);
    return Read(options.write + "/" + name);
  };
  const std::string written = write("in.warc.gz", 1);
  EXPECT_EQ(written, write("in.warc.gz", 4));
  EXPECT_EQ(Gunzipped(written), write("in.warc", 1));
  for (int i = 0; i < 9; ++i)  // each second of three is a copy: a revisit
    EXPECT_EQ(written.find(members[i]) != std::string::npos, i % 3 != 1) << i;
}

TEST_F(WarcWriteTest, RevisitsOfSkippedRecordsSayWhy) {
  const auto revisit = [](const std::string& id, const std::string& url) {
    return "WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Record-ID: <urn:uuid:" + id +
           ">\r\nWARC-Date: "
           "2021-01-01T00:00:00Z\r\nWARC-Refers-To-Target-URI: " +
           url +
           "\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\r\n"
           "Content-Length: 0\r\n\r\n\r\n\r\n";
  };
  std::string gone = Response("1", "http://a/gone", "<p>not here any more");
  gone.replace(gone.find("200 OK"), 6, "404 No");
  std::string image = Response("2", "http://a/image", "GIF89a");
  image.replace(image.find("text/html"), 9, "image/gif");
  Write(folder_ / "in.warc",
        gone + revisit("3", "http://a/gone") + image +
            revisit("4", "http://a/image") + revisit("5", "http://a/other") +
            Response("6", "http://a/6", kText) + revisit("7", "http://a/6"));
  const DedupOptions options =
      OptionsFor(folder_ / "in.warc", folder_ / "skipped");
  MustDedup(options);
  const auto rows = ReadRows(folder_ / "skipped/revisits.jsonl");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0]["target_skipped"], "status");
  EXPECT_EQ(rows[1]["target_skipped"], "mime");
  EXPECT_FALSE(rows[2].contains("target_skipped"));
  EXPECT_EQ(rows[3]["resolved"], true);
  const Json summary = Json::parse(Read(folder_ / "skipped/summary.json"));
  EXPECT_EQ(summary["records"]["revisit"].dump(),
            R"({"resolved":1,"unresolved":3,"target_skipped":2})");
}

TEST_F(WarcWriteTest, TheOutputIsAWarcWhoseRevisitsResolve) {
  Run("drop");
  DedupOptions options =
      OptionsFor(folder_ / "corpus-drop/in.warc", folder_ / "again");
  const DedupSummary summary = MustDedup(options);
  EXPECT_EQ(summary.documents, 2u);
  EXPECT_EQ(summary.dropped, 0u);
  const auto revisits = ReadRows(folder_ / "again/revisits.jsonl");
  ASSERT_EQ(revisits.size(), 1u);
  EXPECT_EQ(revisits[0]["resolved"], true);
}

// Header fields are told apart by the order they were asked in, also where a
// record lacks one of them.
TEST_F(WarcWriteTest, MissingHeaderFieldsKeepTheirPlace) {
  const std::string page = "<p>" + std::string(kText) + "</p>";
  const auto with = [&](const std::string& id, const std::string& header) {
    std::string record = Response(id, "http://a/" + id, page);
    return record.insert(record.find("WARC-Date"), header);
  };
  Write(folder_ / "in.warc", with("1", "X-Dump: a\r\n") +
                                 with("2", "X-Dump: b\r\nX-Score: 1\r\n") +
                                 with("3", "X-Dump: a\r\nX-Score: 2\r\n"));
  DedupOptions options = OptionsFor(folder_ / "in.warc", folder_ / "out");
  options.keep = {"max:X-Score"};
  options.within = "X-Dump";
  EXPECT_EQ(MustDedup(options).pairs, 1u);
  EXPECT_EQ(ReadLines(folder_ / "out/drop.txt"),
            std::vector<std::string>{"<urn:uuid:1>"});
}

}  // namespace
}  // namespace twinset::testing
