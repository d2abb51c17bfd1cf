#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "read/archive/arc_record.h"
#include "read/formats.h"

namespace twinset {
namespace {

const char kFiledescBlock[] =
    "1 0 Tests\nURL IP-address Archive-date Content-type Archive-length\n";

std::string ArcText(const std::string& url, const std::string& block,
                    const std::string& length = "",
                    const std::string& mime = "text/html") {
  return url + " 10.0.0.1 20080430204825 " + mime + " " +
         (length.empty() ? std::to_string(block.size()) : length) + "\n" +
         block + "\n";
}

std::string Filedesc() {
  return ArcText("filedesc://test.arc", kFiledescBlock, "", "text/plain");
}

std::string Page(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body;
}

std::vector<Record> ReadAll(const std::string& bytes,
                            const ReadOptions& options = {}) {
  const ReaderPtr reader =
      MakeArcReader(ByteStreamFromMemory(bytes, {}), {}, 3, options);
  EXPECT_EQ(reader->format(), InputFormat::kArc);
  std::vector<Record> records;
  Record record;
  while (reader->Next(&record).value()) {
    EXPECT_EQ(record.document.provenance.ordinal, records.size());
    records.push_back(record);
  }
  EXPECT_EQ(reader->consumed_bytes(), bytes.size());
  return records;
}

// The URL of a document, or the reason of anything else.
std::vector<std::string> Kinds(const std::vector<Record>& records) {
  std::vector<std::string> kinds;
  for (const Record& record : records) {
    kinds.push_back(record.kind == RecordKind::kDocument
                        ? record.document.provenance.url
                        : record.reason);
  }
  return kinds;
}

using Strings = std::vector<std::string>;

TEST(ArcHeader, Versions) {
  const auto one =
      ParseArcHeader("http://e.org/a b c 1.2.3.4 20080430204825 Text/HTML 17",
                     ArcCertainty::kSure);
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(one->url, "http://e.org/a b c");
  EXPECT_EQ(one->ip, "1.2.3.4");
  EXPECT_EQ(one->date, "20080430204825");
  EXPECT_EQ(one->mime, "text/html");
  EXPECT_EQ(one->status, 0);
  EXPECT_EQ(one->length, 17u);
  const auto two = ParseArcHeader(
      "http://e.org/ ::1 20080430204825 text/html 404 sum - 120 f.arc 99",
      ArcCertainty::kSure);
  ASSERT_TRUE(two.has_value());
  EXPECT_EQ(two->status, 404);
  EXPECT_EQ(two->length, 99u);
}

TEST(ArcHeader, Certainty) {
  const auto parses = [](const char* line, ArcCertainty certainty) {
    return ParseArcHeader(line, certainty).has_value();
  };
  const char kNoDate[] = "http://e.org/ 1.2.3.4 null text/html 17";
  EXPECT_FALSE(parses(kNoDate, ArcCertainty::kSure));
  EXPECT_TRUE(parses(kNoDate, ArcCertainty::kDue));
  const char kNoLength[] = "http://e.org/ 1.2.3.4 20080430204825 text/html -1";
  EXPECT_TRUE(parses(kNoLength, ArcCertainty::kSure));
  EXPECT_FALSE(ParseArcHeader(kNoLength, ArcCertainty::kSure)->length);
  for (const char* line :
       {"", "http:", "no scheme 1.2.3.4 20080430204825 text/html 17",
        "http://e.org/ 1.2.3.4 20080430204825 17", "http://e.org/ 1 2 3",
        "note: these are five words"}) {
    EXPECT_FALSE(parses(line, ArcCertainty::kDue)) << line;
  }
}

TEST(ArcHeader, Date) {
  EXPECT_EQ(ArcDate("20080430204825"), "2008-04-30T20:48:25Z");
  for (const char* date : {"null", "", "20081330204825", "200804302048256"}) {
    EXPECT_EQ(ArcDate(date), date);
  }
}

TEST(ArcReader, Records) {
  const std::string text =
      Filedesc() + ArcText("http://e.org/a b", Page("<p>1")) +
      ArcText("dns:e.org", "20080430\ne.org. A 1.2.3.4", "", "text/dns") +
      ArcText("http://e.org/gone", "HTTP/1.0 404 Gone\r\n\r\n<p>") +
      ArcText("http://e.org/gif", "GIF89a", "", "image/gif") +
      ArcText("http://e.org/bare", "<html>x", "", "no-type");
  const auto records = ReadAll(text);
  EXPECT_EQ(Kinds(records), (Strings{"warcinfo", "http://e.org/a b", "mime",
                                     "status", "mime", "http://e.org/bare"}));
  const Document& document = records[1].document;
  EXPECT_EQ(document.id, "");
  EXPECT_EQ(document.provenance.date, "2008-04-30T20:48:25Z");
  EXPECT_EQ(document.provenance.source, 3u);
  EXPECT_EQ(document.provenance.offset, Filedesc().size());
  EXPECT_EQ(document.payload, "<p>1");
  EXPECT_EQ(records[5].document.mime, "text/html");
}

TEST(ArcReader, VersionTwoStatus) {
  const std::string text =
      "http://e.org/ 1.2.3.4 20080430204825 text/html 404 s - 0 f 3\n<p>\n";
  EXPECT_EQ(Kinds(ReadAll(text)), (Strings{"status"}));
}

TEST(ArcReader, NoLineBetweenRecords) {
  std::string a = ArcText("http://e.org/a", Page("<p>1"));
  a.pop_back();
  const auto records = ReadAll(a + ArcText("http://e.org/b", Page("<p>2")));
  EXPECT_EQ(Kinds(records), (Strings{"http://e.org/a", "http://e.org/b"}));
  EXPECT_EQ(records[0].document.payload, "<p>1");
}

TEST(ArcReader, WrongLengths) {
  const std::string b = ArcText("http://e.org/b", Page("<p>2"));
  for (const char* length :
       {"0", "48", "60", "100", "9999", "99999999999", "abc", "-1"}) {
    const std::string text =
        Filedesc() + ArcText("http://e.org/a", Page("<p>0123456789"), length) +
        b;
    const auto records = ReadAll(text);
    EXPECT_EQ(Kinds(records),
              (Strings{"warcinfo", "http://e.org/a", "http://e.org/b"}))
        << length;
    EXPECT_EQ(records[1].document.payload, "<p>0123456789") << length;
    EXPECT_EQ(records[2].document.payload, "<p>2") << length;
  }
}

TEST(ArcReader, Truncation) {
  const std::string a = ArcText("http://e.org/a", Page("<p>1"));
  const std::string b = ArcText("http://e.org/b", Page("<p>2"));
  for (size_t size = 1; size + 1 < b.size(); ++size) {
    const auto records = ReadAll(a + b.substr(0, size));
    ASSERT_EQ(records.size(), 2u) << size;
    EXPECT_EQ(records[0].document.payload, "<p>1");
    EXPECT_EQ(records[1].kind, RecordKind::kQuarantined) << size;
  }
}

TEST(ArcReader, RawsConcatenate) {
  const std::string text = Filedesc() + "\njunk junk\n" +
                           ArcText("http://e.org/a", Page("<p>1"), "7") +
                           ArcText("http://e.org/b", Page("<p>2"), "700");
  ReadOptions options;
  options.keep_raw = true;
  std::string raws;
  for (const Record& record : ReadAll(text, options)) raws += record.raw;
  EXPECT_EQ(raws, text);
}

TEST(ArcReader, TooLarge) {
  ReadOptions options;
  options.max_document_bytes = 64 << 10;
  const std::string text =
      ArcText("http://e.org/a", Page(std::string(2 << 20, 'x'))) +
      ArcText("http://e.org/b", Page("<p>2"));
  EXPECT_EQ(Kinds(ReadAll(text, options)),
            (Strings{"too-large", "http://e.org/b"}));
}

// Damage inside one record (the line feed behind it apart) costs no other.
TEST(ArcReader, DamageCostsOneRecord) {
  for (int round = 0; round < (TWINSET_SLOW_BUILD ? 400 : 3000); ++round) {
    SplitMix64 random(round);
    std::vector<std::string> urls, pages;
    for (int i = 0; i < 8; ++i) {
      urls.push_back("http://e.org/" + std::to_string(i));
      std::string body;
      const size_t size = random.Below(2000);
      while (body.size() < size) {
        body += random.Below(3) == 0 ? "\n" : "word word 12 ";
      }
      pages.push_back(Page(body));
    }
    const size_t victim = random.Below(8);
    std::string text = Filedesc();
    for (size_t i = 0; i < 8; ++i) {
      std::string record = ArcText(urls[i], pages[i]);
      if (i == victim) {
        const size_t at = random.Below(record.size() - 1);
        const size_t span =
            std::min<size_t>(1 + random.Below(100), record.size() - 1 - at);
        if (random.Below(3) == 0) {
          record.erase(at, span);
        } else if (random.Below(2) == 0) {
          record.insert(at, span, static_cast<char>(random.Below(256)));
        } else {
          record[at] = static_cast<char>(record[at] ^ (1 + random.Below(255)));
        }
      }
      text += record;
    }
    std::set<std::pair<std::string, std::string>> found;
    ReadOptions everything;
    everything.statuses = {};
    everything.mimes = {"*"};
    for (const Record& record : ReadAll(text, everything)) {
      found.emplace(record.document.provenance.url, record.document.payload);
    }
    for (size_t i = 0; i < 8; ++i) {
      if (i == victim) continue;
      const std::string payload = pages[i].substr(Page("").size());
      EXPECT_TRUE(found.count({urls[i], payload}))
          << "round " << round << " victim " << victim << " lost " << i;
    }
  }
}

}  // namespace
}  // namespace twinset
