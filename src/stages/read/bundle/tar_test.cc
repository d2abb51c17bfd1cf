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

using test::Briefly;
using test::Files;
using test::Octal;
using test::Tar;
using test::TarBlock;
using test::TarEntry;
using Strings = std::vector<std::string>;

std::string Row(const std::string& id) {
  return R"({"id":")" + id + R"(","text":"text of )" + id + "\"}\n";
}

// The ids of the documents, and "!reason" of the others.
Strings Ids(const std::string& bytes, const std::string& name = "a.tar",
            const ReadOptions& options = {}) {
  Strings ids;
  for (const Record& record : test::ReadAll(bytes, name, options)) {
    ids.push_back(record.kind == RecordKind::kDocument
                      ? record.document.id
                      : (record.kind == RecordKind::kSkipped ? "~" : "!") +
                            record.reason);
  }
  return ids;
}

const Files kFiles = {{"one.txt", "the first text"},
                      {"./rows/two.jsonl", Row("a") + Row("b")},
                      {"three.html", "<html><body>the third</body></html>"},
                      {"four.csv", "id,text\nc,the fourth\n"}};
const Strings kIds = {"a.tar!one.txt", "a", "b", "a.tar!three.html", "c"};

TEST(TarTest, MembersAreReadByTheirContent) {
  EXPECT_EQ(Ids(Tar(kFiles)), kIds);
  const auto records = test::ReadAll(Tar(kFiles), "a.tar");
  EXPECT_EQ(records[0].document.payload, "the first text");
  EXPECT_EQ(records[3].document.kind, ContentKind::kHtml);
  // The place is that within the member.
  EXPECT_EQ(records[2].document.provenance.offset, Row("a").size());
}

TEST(TarTest, CompressedOutsideAndInside) {
  for (const Compression compression :
       {Compression::kGzip, Compression::kZstd, Compression::kXz,
        Compression::kBzip2, Compression::kLz4}) {
    Files packed;
    for (const auto& [name, bytes] : kFiles)
      packed.emplace_back(name + ".gz", test::Gzip(bytes));
    EXPECT_EQ(Ids(test::Compress(compression, Tar(kFiles)), "a.tar.gz"), kIds);
    EXPECT_EQ(Ids(test::Compress(compression, Tar(packed)), "a.tar.gz"), kIds);
  }
}

TEST(TarTest, RowsWithoutAnIdAreNamedByArchiveAndMember) {
  EXPECT_EQ(Ids(Tar({{"m.jsonl", "{\"text\":\"x\"}\n{\"text\":\"y\"}\n"}})),
            (Strings{"a.tar!m.jsonl:0", "a.tar!m.jsonl:1"}));
}

TEST(TarTest, LongNames) {
  const std::string name = std::string(300, 'd') + "/name.txt";
  const std::string end(1024, '\0');
  const std::string gnu = TarEntry("././@LongLink", name + '\0', 'L') +
                          TarEntry(name.substr(0, 100), "text");
  const std::string pax =
      TarEntry("PaxHeaders/x",
               test::PaxRecord("mtime", "1.5") + test::PaxRecord("path", name),
               'x') +
      TarEntry("short", "text");
  const std::string ustar =
      TarBlock("name.txt", 4, '0', std::string(150, 'p')) +
      test::Padded("text");
  EXPECT_EQ(Ids(gnu + end), Strings{"a.tar!" + name});
  EXPECT_EQ(Ids(pax + end), Strings{"a.tar!" + name});
  EXPECT_EQ(Ids(ustar + end),
            Strings{"a.tar!" + std::string(150, 'p') + "/name.txt"});
}

TEST(TarTest, PaxSaysHowLongALargeFileIs) {
  const std::string text = "a text whose size its own header does not say";
  const std::string all =
      TarEntry("x", test::PaxRecord("size", std::to_string(text.size())), 'x') +
      TarBlock("big.txt", 0) + test::Padded(text) + TarEntry("next", "next") +
      std::string(1024, '\0');
  EXPECT_EQ(Ids(all), (Strings{"a.tar!big.txt", "a.tar!next"}));
}

TEST(TarTest, WhatIsNoFileIsSkippedOrNamed) {
  const std::string all =
      TarEntry("folder/", "", '5') + TarEntry("link", "", '2') +
      TarEntry("device", "", '3') + TarEntry("._mac.txt", "fork") +
      TarEntry("../../etc/passwd", "any name is only a name") +
      TarEntry("global", test::PaxRecord("comment", "x"), 'g') +
      TarEntry("holes", "data of a sparse file", 'S') +
      TarEntry("last\n.txt", "last") + std::string(1024, '\0');
  EXPECT_EQ(Ids(all), (Strings{"~not-a-file", "~not-a-file", "~hidden",
                               "a.tar!../../etc/passwd", "!sparse-member",
                               "a.tar!last\\x0a.txt"}));
}

TEST(TarTest, ABadMemberDoesNotEndTheArchive) {
  Files files = kFiles;
  files.insert(files.begin() + 1, {"bad.csv", "id,txt\n1,no such column\n"});
  Strings expected = kIds;
  expected.insert(expected.begin() + 1, "!member-unreadable");
  EXPECT_EQ(Ids(Tar(files)), expected);
  const auto records = test::ReadAll(Tar(files), "a.tar");
  EXPECT_NE(records[1].detail.find("its columns are: id, txt"),
            std::string::npos);
}

TEST(TarTest, JoinedArchivesAndMissingEnd) {
  const std::string one = Tar({{"x", "x"}}), two = Tar({{"y", "y"}});
  EXPECT_EQ(Ids(one + two), (Strings{"a.tar!x", "a.tar!y"}));
  EXPECT_EQ(Ids(one.substr(0, one.size() - 1024)),
            (Strings{"a.tar!x", "!tar-truncated"}));
}

TEST(TarTest, SizesInBase256AndAbsurdOnes) {
  std::string block = TarBlock("x.txt", 0);
  const auto with_size = [&](const std::string& size) {
    std::string changed = block;
    changed.replace(124, 12, size);
    changed.replace(148, 8, "        ");
    uint64_t sum = 0;
    for (const char c : changed) sum += static_cast<uint8_t>(c);
    changed.replace(148, 8, Octal(sum, 6) + std::string("\0 ", 2));
    return changed;
  };
  const std::string rest = TarEntry("y.txt", "y") + std::string(1024, '\0');
  EXPECT_EQ(Ids(with_size("\x80" + std::string(10, '\0') + "\4") +
                test::Padded("text") + rest),
            (Strings{"a.tar!x.txt", "a.tar!y.txt"}));
  for (const std::string& size :
       {std::string(12, '\xff'), "\x80" + std::string(11, '\x7f'),
        std::string("-0000000001\0", 12), std::string("99999999999\0", 12)}) {
    EXPECT_EQ(Ids(with_size(size) + rest),
              (Strings{"!tar-header", "a.tar!y.txt"}));
  }
}

// Cut anywhere: every member that is whole is there, and the cut is told.
TEST(TarTest, CutAnywhere) {
  const std::string all = Tar(kFiles);
  for (size_t size = 513; size + 1024 < all.size(); size += 7) {
    const Strings ids = Ids(all.substr(0, size));
    EXPECT_EQ(std::count_if(ids.begin(), ids.end(),
                            [](const auto& id) { return id[0] == '!'; }),
              1)
        << size;
    const Strings documents(ids.begin(), ids.end() - 1);
    const bool is_prefix =
        documents.size() <= kIds.size() &&
        std::equal(documents.begin(), documents.end(), kIds.begin());
    EXPECT_TRUE(is_prefix) << size;
  }
}

// Whatever one byte becomes, the members that it is not of are found.
TEST(TarTest, EveryByteDamaged) {
  Files files;
  for (const char c : {'a', 'b', 'c', 'd'})
    files.emplace_back(std::string(1, c) + ".txt",
                       "text of " + std::string(700, c));
  const std::string all = Tar(files);
  const size_t member = (all.size() - 1024) / files.size();
  for (size_t at = 0; at + 1024 < all.size();
       at += TWINSET_SLOW_BUILD ? 11 : 3) {
    std::string damaged = all;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x11);
    const Strings list = Ids(damaged);
    const std::set<std::string> ids(list.begin(), list.end());
    for (size_t i = 0; i < files.size(); ++i) {
      if (at / member == i) continue;
      EXPECT_TRUE(ids.contains("a.tar!" + files[i].first))
          << files[i].first << " is lost with byte " << at;
    }
  }
}

TEST(TarTest, DamagedCompressionLosesOnlyWhatItHolds) {
  const std::string a = TarEntry("a.txt", std::string(2000, 'a'));
  const std::string b = TarEntry("b.txt", std::string(2000, 'b'));
  const std::string c =
      TarEntry("c.txt", std::string(2000, 'c')) + std::string(1024, '\0');
  std::string bad = test::Gzip(b);
  bad[bad.size() - 6] ^= 1;  // its checksum
  EXPECT_EQ(Ids(test::Gzip(a) + bad + test::Gzip(c), "a.tar.gz"),
            (Strings{"a.tar!a.txt", "!compression-checksum",
                     "!compression-checksum", "a.tar!c.txt"}));
  bad = test::Gzip(b);
  bad[12] ^= 0x55;
  const Strings ids = Ids(test::Gzip(a) + bad + test::Gzip(c), "a.tar.gz");
  EXPECT_EQ(ids.front(), "a.tar!a.txt");
  EXPECT_EQ(ids.back(), "a.tar!c.txt");
}

TEST(TarTest, TheFolderItselfIsNoPartOfANameInIt) {
  EXPECT_EQ(Ids(Tar({{"././x.txt", "x"}, {"./y/./z.txt", "z"}})),
            (Strings{"a.tar!x.txt", "a.tar!y/./z.txt"}));
}

TEST(TarTest, AnArchiveInAnArchiveIsNamed) {
  EXPECT_EQ(Ids(Tar({{"in.tar", Tar(kFiles)}, {"x.txt", "x"}})),
            (Strings{"!unsupported-format", "a.tar!x.txt"}));
}

TEST(TarTest, TextIsNoArchive) {
  EXPECT_FALSE(IsTar(std::string(600, 'x')));
  EXPECT_FALSE(IsTar(std::string(600, '\0')));
  EXPECT_FALSE(IsTar(""));
  EXPECT_TRUE(IsTar(Tar(kFiles)));
}

// A size that pax gives and that swallows what follows is not believed.
TEST(TarTest, AWrongPaxSizeSwallowsNothing) {
  const std::string end(1024, '\0');
  for (const char* size : {"3", "2048", "99999", "20000000000"}) {
    EXPECT_EQ(
        Ids(TarEntry("a.txt", "the first") +
            TarEntry("x", test::PaxRecord("size", size), 'x') +
            TarEntry("b.txt", "the second text") +
            TarEntry("c.txt", std::string(600, 'c')) +
            TarEntry("d.txt", "the last") + end),
        (Strings{"a.tar!a.txt", "!tar-header", "a.tar!c.txt", "a.tar!d.txt"}))
        << size;
  }
}

}  // namespace
}  // namespace twinset
