#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "read/bundle/bundle.h"
#include "read/bundle/test_bundle.h"
#include "read/test_compress.h"
#include "read/test_records.h"

namespace twinset {
namespace {

using test::Files;
using test::Zip;
using test::ZipStyle;
using Strings = std::vector<std::string>;

Strings Ids(const std::string& bytes, const std::string& name = "a.zip") {
  Strings ids;
  for (const Record& record : test::ReadAll(bytes, name)) {
    ids.push_back(record.kind == RecordKind::kDocument
                      ? record.document.id
                      : (record.kind == RecordKind::kSkipped ? "~" : "!") +
                            record.reason);
  }
  return ids;
}

const Files kFiles = {
    {"one.txt", "the first text"},
    {"empty.txt", ""},
    {"rows.jsonl", "{\"id\":\"a\",\"text\":\"x\"}\n{\"text\":\"y\"}\n"},
    {"long.txt", std::string(200'000, 'l')}};
const Strings kIds = {"a.zip!one.txt", "a", "a.zip!rows.jsonl:1",
                      "a.zip!long.txt"};

TEST(ZipTest, EveryWayToWriteThem) {
  for (const bool stored : {false, true}) {
    for (const bool descriptor : {false, true}) {
      for (const bool zip64 : {false, true}) {
        const ZipStyle style = {stored, descriptor, zip64};
        EXPECT_EQ(Ids(Zip(kFiles, style)), kIds);
        EXPECT_EQ(Ids(Zip(kFiles, style, "a comment")), kIds);
      }
    }
  }
}

TEST(ZipTest, BytesInFrontOfTheArchive) {
  const std::string whole = Zip(kFiles);
  // A program that extracts itself begins with other bytes; its name tells.
  EXPECT_EQ(
      Ids(std::string("\x7f\x45LF\0\1", 6) + std::string(600, '\0') + whole),
      kIds);
}

// An end record that names no files, as it may stand in a comment.
std::string EmptyEnd() { return Zip({}); }

TEST(ZipTest, AFalseEndInTheCommentHidesNothing) {
  for (const bool zip64 : {false, true}) {
    const ZipStyle style = {.zip64 = zip64};
    EXPECT_EQ(Ids(Zip(kFiles, style, EmptyEnd())), kIds);
    EXPECT_EQ(Ids(Zip(kFiles, style, "x" + EmptyEnd() + "yz")), kIds);
    EXPECT_EQ(Ids(Zip(kFiles, style, Zip({}, {.zip64 = true}))), kIds);
  }
}

TEST(ZipTest, AListThatNamesNoFilesIsTold) {
  Strings told = kIds;
  told.insert(told.begin(), "!zip-list");
  const auto with_end = [](const ZipStyle& style, const std::string& end) {
    const std::string whole = Zip(kFiles, style);
    return whole.substr(0, whole.find("PK\1\2")) + end;
  };
  EXPECT_EQ(Ids(with_end({}, EmptyEnd())), told);
  EXPECT_EQ(Ids(with_end({.zip64 = true}, Zip({}, {.zip64 = true}))), told);
}

TEST(ZipTest, ACountOfFilesThatIsWrongHidesNoneOfTheList) {
  for (const bool zip64 : {false, true}) {
    std::string whole = Zip(kFiles, {.zip64 = zip64});
    const size_t end = whole.rfind("PK\5\6");
    for (const size_t at : {end + 8, end + 10}) {
      whole[at] = 0;
      whole[at + 1] = 0;
    }
    if (zip64) whole[whole.rfind("PK\6\6") + 32] = 0;
    EXPECT_EQ(Ids(whole), kIds);
  }
}

TEST(ZipTest, EmptyArchive) { EXPECT_EQ(Ids(Zip({})), Strings()); }

TEST(ZipTest, MembersMayBeCompressedThemselves) {
  EXPECT_EQ(Ids(Zip({{"x.txt.gz", test::Gzip("text")}}, {.stored = true})),
            Strings{"a.zip!x.txt"});
  const auto records = test::ReadAll(
      Zip({{"x.txt.zst", test::Compress(Compression::kZstd, "text")}}),
      "a.zip");
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].document.payload, "text");
}

TEST(ZipTest, AWebArchiveYieldsItsWarcs) {
  const std::string warc =
      "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x>\r\n"
      "WARC-Target-URI: http://x/\r\nContent-Type: text/plain\r\n"
      "Content-Length: 4\r\n\r\ntext\r\n\r\n";
  const Strings ids =
      Ids(Zip({{"archive/data.warc.gz", test::Gzip(warc)},
               {"indexes/index.cdx.gz", test::Gzip("com,x)/ {}")},
               {"pages/pages.jsonl", "{\"id\":\"p\",\"text\":\"no\"}\n"},
               {"datapackage.json", "{}"}},
              {.stored = true}),
          "crawl.wacz");
  EXPECT_EQ(ids, (Strings{"<urn:x>", "~wacz", "~wacz", "~wacz"}));
}

TEST(ZipTest, DocumentsOfAnOfficeAreNoArchives) {
  EXPECT_EQ(
      Ids(Zip({{"[Content_Types].xml", "<x/>"}, {"word/document.xml", "<x/>"}}),
          "a.docx"),
      Strings{"~mime"});
}

TEST(ZipTest, WhatCannotBeReadIsNamed) {
  std::string encrypted = Zip({{"x.txt", "text"}, {"y.txt", "text"}});
  encrypted[encrypted.find("PK\1\2") + 8] = 1;
  EXPECT_EQ(Ids(encrypted), (Strings{"!zip-method", "a.zip!y.txt"}));
  std::string method = Zip({{"x.txt", "text"}, {"y.txt", "text"}});
  method[method.find("PK\1\2") + 10] = 14;
  EXPECT_EQ(Ids(method), (Strings{"!zip-method", "a.zip!y.txt"}));
}

TEST(ZipTest, AWrongChecksumIsTold) {
  std::string bad =
      Zip({{"x.txt", "text"}, {"y.txt", "text"}}, {.stored = true});
  bad[bad.find("text", bad.find("x.txt") + 5)] = 'T';
  EXPECT_EQ(Ids(bad), (Strings{"!compression-checksum", "a.zip!y.txt"}));
}

// Without the list at the end the files are found by what stands in front of
// them.
TEST(ZipTest, CutAnywhere) {
  for (const bool stored : {false, true}) {
    for (const bool descriptor : {false, true}) {
      const Files files = {{"a.txt", std::string(300, 'a')},
                           {"b.txt", std::string(300, 'b')},
                           {"c.txt", std::string(300, 'c')}};
      const std::string all = Zip(files, {stored, descriptor, false});
      const size_t list = all.find("PK\1\2");
      for (size_t size = list; size + 1 < all.size();
           size += TWINSET_SLOW_BUILD ? 3 : 1) {
        Strings ids = Ids(all.substr(0, size));
        std::erase_if(ids, [](const auto& id) { return id[0] == '!'; });
        EXPECT_EQ(ids, (Strings{"a.zip!a.txt", "a.zip!b.txt", "a.zip!c.txt"}))
            << size << stored << descriptor;
      }
      const size_t second = all.find("PK\3\4", 4);
      for (size_t size = second + 40; size < list; size += 5) {
        const Strings ids = Ids(all.substr(0, size));
        ASSERT_GE(ids.size(), 2u);
        EXPECT_EQ(ids[0], "!zip-list");
        EXPECT_EQ(ids[1], "a.zip!a.txt") << size;
      }
    }
  }
}

// Whatever one byte becomes, the files that it is not of are found, by the list
// or without it.
TEST(ZipTest, EveryByteDamaged) {
  Files files;
  for (const char c : {'a', 'b', 'c', 'd'})
    files.emplace_back(std::string(1, c) + ".txt", std::string(60, c));
  const std::string all = Zip(files, {.stored = true});
  const size_t list = all.find("PK\1\2");
  const size_t member = list / files.size();
  const size_t row = (all.size() - 22 - list) / files.size();
  for (size_t at = 0; at < all.size(); ++at) {
    std::string damaged = all;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x21);
    const Strings found = Ids(damaged);
    const std::set<std::string> ids(found.begin(), found.end());
    for (size_t i = 0; i < files.size(); ++i) {
      const bool is_hit = at < list ? at / member == i : (at - list) / row == i;
      if (is_hit) continue;
      EXPECT_TRUE(ids.contains("a.zip!" + files[i].first))
          << files[i].first << " is lost with byte " << at << " of "
          << all.size() << ", list at " << list;
    }
  }
}

TEST(ZipTest, FilesThatShareTheirBytesEndTheArchive) {
  std::string all =
      Zip({{"x.txt", std::string(100'000, 'x')}}, {.stored = true});
  const size_t list = all.find("PK\1\2"), end = all.find("PK\5\6");
  const std::string row = all.substr(list, end - list);
  std::string many;
  for (int i = 0; i < 100; ++i) many += row;
  std::string bomb = all.substr(0, list) + many;
  const size_t size = many.size();
  bomb += "PK\5\6";
  AppendLE<uint32_t>(&bomb, 0);
  AppendLE<uint16_t>(&bomb, 100);
  AppendLE<uint16_t>(&bomb, 100);
  AppendLE<uint32_t>(&bomb, static_cast<uint32_t>(size));
  AppendLE<uint32_t>(&bomb, static_cast<uint32_t>(list));
  AppendLE<uint16_t>(&bomb, 0);
  const Strings ids = Ids(bomb);
  EXPECT_EQ(ids.back(), "!zip-overlap");
  EXPECT_LT(ids.size(), 5u);
}

uint64_t ListedPages(const Files& files) {
  const auto zip = OpenZip(ByteSourceFromMemory(Zip(files)), {});
  EXPECT_TRUE(zip);
  return (*zip)->listed_pages();
}

TEST(ZipTest, TheListCountsPagesWhereThereAreNoOthers) {
  EXPECT_EQ(ListedPages({{"a/", ""},
                         {"a/x.html", "x"},
                         {"a/y.txt", "y"},
                         {"a/.z.html", "z"}}),
            2u);
  EXPECT_EQ(ListedPages({{"x.html", "x"}, {"y.jsonl", "{}"}}), 0u);
  EXPECT_EQ(ListedPages({{"mimetype", "x"}, {"y.html", "y"}}), 0u);
}

}  // namespace
}  // namespace twinset
