#include "report/annotation.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/csv_row.h"

namespace twinset {
namespace {

const Annotation kMember = {"a", 3, false, 0.5, 0.75};
constexpr char kField[] = "Twinset-Cluster";
constexpr char kMemberJson[] =
    "{\"cluster\":\"a\",\"size\":3,\"is_representative\":false,\"similarity\":"
    "0.5,\"contained\":0.75}";

std::string JsonOf(const Annotation& annotation) {
  return ValuesOf(annotation).json;
}
std::string Header(std::string_view raw, CsvForm form) {
  return AnnotateCsvHeader(raw, form, 0, ClusterForm().columns);
}
std::string Row(std::string_view raw, CsvForm form,
                const Annotation& annotation) {
  return AnnotateCsvRow(raw, form, ValuesOf(annotation).columns);
}

TEST(Annotation, OfASingleDocumentIsAClusterOfOne) {
  EXPECT_EQ(JsonOf({.cluster = "x"}),
            "{\"cluster\":\"x\",\"size\":1,\"is_representative\":true,"
            "\"similarity\":1,\"contained\":1}");
  EXPECT_EQ(JsonOf({.cluster = "x", .contained = {}}),
            "{\"cluster\":\"x\",\"size\":1,\"is_representative\":true,"
            "\"similarity\":1}");
}

TEST(Annotation, OfAJsonLineIsItsLastMember) {
  EXPECT_EQ(AnnotateJsonLine("{\"a\":1}\n", kMemberJson),
            "{\"a\":1,\"twinset\":" + std::string(kMemberJson) + "}\n");
  EXPECT_EQ(AnnotateJsonLine("{}\r\n", kMemberJson),
            "{\"twinset\":" + std::string(kMemberJson) + "}\r\n");
  EXPECT_EQ(AnnotateJsonLine("junk", kMemberJson), "junk");
}

TEST(Annotation, OfAWarcRecordIsItsLastField) {
  const std::string field =
      "Twinset-Cluster: " + std::string(kMemberJson) + "\r\n";
  EXPECT_EQ(AnnotateWarcRecord("WARC/1.0\r\nA: b\r\n\r\nblock\r\n\r\n", kField,
                               kMemberJson),
            "WARC/1.0\r\nA: b\r\n" + field + "\r\nblock\r\n\r\n");
  EXPECT_EQ(AnnotateWarcRecord("\r\nWARC/1.0\nA: b\n\nblock\n\n", kField,
                               kMemberJson),
            "\r\nWARC/1.0\nA: b\n" + field + "\nblock\n\n");
  for (const char* cut : {"", "\r\n", "WARC/1.0", "WARC/1.0\r\nA: b\r\n"})
    EXPECT_EQ(AnnotateWarcRecord(cut, kField, kMemberJson), cut);
}

// An id is a document's, and may hold anything.
TEST(Annotation, NeverBreaksTheHeaderOfAWarcRecord) {
  const std::string record = AnnotateWarcRecord(
      "WARC/1.0\r\n\r\n", kField,
      JsonOf({.cluster = "x\r\nWARC-Type: revisit\r\n\r\n"}));
  EXPECT_EQ(record.find("\r\nWARC-Type"), std::string::npos);
  EXPECT_TRUE(record.ends_with("}\r\n\r\n")) << record;
}

TEST(Annotation, OfARowIsItsLastColumns) {
  EXPECT_EQ(Header("id,text\n", ','),
            "id,text,twinset_cluster,twinset_size,twinset_is_representative,"
            "twinset_similarity,twinset_contained\n");
  EXPECT_EQ(Header("\n\"a\tb\"\tc\r\n\r\n", '\t'),
            "\n\"a\tb\"\tc\ttwinset_cluster\ttwinset_size\t"
            "twinset_is_representative\ttwinset_similarity\t"
            "twinset_contained\r\n\r\n");
  EXPECT_EQ(Row("1,\"x\n\ny\"\r\n\n", ',', kMember),
            "1,\"x\n\ny\",a,3,false,0.5,0.75\r\n\n");
  EXPECT_EQ(Row("1,x", ',', {.cluster = "x"}), "1,x,x,1,true,1,1");
  EXPECT_EQ(Row("1,x", ',', {.cluster = "x", .contained = {}}),
            "1,x,x,1,true,1,");
}

TEST(Annotation, OfARowIsReadBack) {
  for (const std::string id :
       {"a,b", "say \"no\"", "two\nlines", "\r", "a\tb"}) {
    for (const CsvForm form : {CsvForm(','), CsvForm('\t', true)}) {
      std::string row = Row("\"1\"\n", form, {.cluster = id, .size = 2});
      const CsvRowPlace place = FindCsvRow(row, form, 0);
      std::vector<std::string> fields;
      EXPECT_EQ(place.behind, row.size());
      ASSERT_EQ(SplitCsvRow(row.substr(place.begin, place.end - place.begin),
                            form, &fields),
                6u);
      EXPECT_EQ(fields[0], "1");
      EXPECT_EQ(fields[1], id);
      EXPECT_EQ(fields[2], "2");
    }
  }
}

TEST(Annotation, WhatATableWithTabsCannotHoldBecomesASpace) {
  EXPECT_EQ(Row("\"1\tx\r\n", '\t', {.cluster = "a\tb\r\n\"c\"", .size = 2}),
            "\"1\tx\ta b  \"c\"\t2\ttrue\t1\t1\r\n");
}

TEST(FindCsvRow, PassesBlankRows) {
  const auto row = [](std::string_view bytes, size_t at) {
    const CsvRowPlace place = FindCsvRow(bytes, ',', at);
    return std::vector<size_t>{place.begin, place.end, place.behind};
  };
  EXPECT_EQ(row("\n\r\na,b\r\nc\n", 0), (std::vector<size_t>{3, 6, 8}));
  EXPECT_EQ(row("\n\r\na,b\r\nc\n", 8), (std::vector<size_t>{8, 9, 10}));
  EXPECT_EQ(row("a", 0), (std::vector<size_t>{0, 1, 1}));
  EXPECT_EQ(row("\n\n", 0), (std::vector<size_t>{1, 1, 2}));
  EXPECT_EQ(row("", 0), (std::vector<size_t>{0, 0, 0}));
}

}  // namespace
}  // namespace twinset
