#include <gtest/gtest.h>

#include "base/hash.h"
#include "read/test_compress.h"
#include "read/test_records.h"

namespace twinset {
namespace {

using test::Briefly;
using test::ReadAll;
using Strings = std::vector<std::string>;

ReadOptions Raw() {
  ReadOptions options;
  options.keep_raw = true;
  return options;
}

TEST(Trec, ReadsNewsAndWebDocuments) {
  const std::string bytes =
      "\n<DOC>\n<DOCNO> LA-1 </DOCNO>\n<DATE>June 1</DATE>\n"
      "<TEXT>\nnews\n</TEXT>\n</DOC>\n\n"
      "<DOC><DOCNO>GX-2</DOCNO><DOCHDR>\nhttp://h/ 1.2.3.4 20040101000000 "
      "text/html 5\nContent-Type: text/html; charset=ISO-8859-1\n</DOCHDR>\n"
      "<html>page</html>\n</DOC><DOC>no id</DOC>  ";
  ReadOptions options = Raw();
  options.fields = {"TEXT"};
  const auto records = ReadAll(bytes, "x", options);
  ASSERT_EQ(records.size(), 3u);
  const Document& news = records[0].document;
  EXPECT_EQ(news.id, "LA-1");
  EXPECT_EQ(news.kind, ContentKind::kHtml);
  EXPECT_EQ(news.payload, "\n<DATE>June 1</DATE>\n<TEXT>\nnews\n</TEXT>\n");
  EXPECT_EQ(news.provenance.date, "June 1");
  EXPECT_EQ(news.fields[0].second, "news");
  const Document& web = records[1].document;
  EXPECT_EQ(web.id, "GX-2");
  EXPECT_EQ(web.payload, "\n<html>page</html>\n");
  EXPECT_EQ(web.provenance.url, "http://h/");
  EXPECT_EQ(web.provenance.date, "20040101000000");
  EXPECT_EQ(web.charset, "iso-8859-1");
  EXPECT_EQ(web.provenance.offset, bytes.find("<DOC><DOCNO>GX"));
  EXPECT_EQ(Briefly(records)[2], ":no id");
  EXPECT_EQ(test::Raws(records), bytes);
}

TEST(Trec, AMissingCloseCostsOneDocument) {
  const std::string bytes =
      "<DOC><DOCNO>1</DOCNO>a</DOC>\n<DOC><DOCNO>2</DOCNO>b\n"
      "<DOC><DOCNO>3</DOCNO>c</DOC>\nstray text\n"
      "<DOC><DOCNO>4</DOCNO>d</DOC>\n<DOC><DOCNO>5</DOCNO>e";
  const auto records = ReadAll(bytes, "x.trec", Raw());
  EXPECT_EQ(Briefly(records),
            (Strings{"1:a", "!unclosed", "3:c", "!junk", "4:d", "!unclosed"}));
  EXPECT_EQ(records[1].document.id, "2");
  EXPECT_EQ(records[5].document.id, "5");
  EXPECT_EQ(test::Raws(records), bytes);
}

TEST(Trec, TooLargeDocumentsAreSkipped) {
  ReadOptions options;
  options.max_document_bytes = 1000;
  const auto document = [](int id, size_t size) {
    return "<DOC><DOCNO>" + std::to_string(id) + "</DOCNO>" +
           std::string(size, 'x') + "</DOC>\n";
  };
  EXPECT_EQ(Briefly(ReadAll(document(1, 1001) + document(2, 1) +
                                document(3, 900'000) + document(4, 2),
                            "", options)),
            (Strings{"!too-large", "2:x", "!too-large", "4:xx"}));
}

TEST(Trec, DamagedMembersLoseOnlyTheirDocuments) {
  const auto document = [](const std::string& id) {
    return "<DOC><DOCNO>" + id + "</DOCNO>x</DOC>\n";
  };
  std::string second = test::Gzip(document("2"));
  second[second.size() - 5] ^= 1;
  const auto records =
      ReadAll(test::Gzip(document("0") + document("1")) + second +
                  test::Gzip(document("3") + document("4")).substr(0, 40),
              "x.gz", Raw());
  EXPECT_EQ(Briefly(records),
            (Strings{"0:x", "1:x", "!compression-checksum", "3:x", "4:x",
                     "!compression-truncated"}));
}

TEST(Trec, RandomDamageNeverFailsAndKeepsOthers) {
  SplitMix64 random(23);
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += "<DOC>\n<DOCNO>" + std::to_string(i) + "</DOCNO>\nword\n</DOC>\n";
  }
  for (int round = 0; round < 400; ++round) {
    std::string damaged = text;
    const uint64_t count = random.Below(6);
    for (uint64_t i = count; i-- > 0;) {
      damaged[random.Below(damaged.size())] = "<>/DOC\n x"[random.Below(9)];
    }
    ReadOptions options;
    options.format = InputFormat::kTrec;
    options.keep_raw = true;
    size_t good = 0;
    const auto records = ReadAll(damaged, "x", options);
    ASSERT_EQ(test::Raws(records), damaged);
    for (const Record& record : records) {
      good += record.kind == RecordKind::kDocument;
    }
    ASSERT_GE(good + 2 * count, 40u);
  }
}

}  // namespace
}  // namespace twinset
