// What a reader refuses to hold or to wait for.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "base/file.h"
#include "base/test_dir.h"
#include "read/line_reader.h"
#include "read/reader.h"
#include "read/test_compress.h"
#include "read/test_records.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

using test::Briefly;
using test::ReadAll;
using Strings = std::vector<std::string>;

ReadOptions FieldsUpTo(uint64_t bytes) {
  ReadOptions options;
  options.max_field_bytes = bytes;
  options.fields = {"lang"};
  return options;
}

// A value of the limit stays; one byte more takes its record away, and nothing
// of the value remains.
TEST(FieldLimit, HoldsForEveryFieldOfARow) {
  const std::string fits(10, 'x'), longer(11, 'y');
  for (const char* name : {"id", "url", "date", "lang"}) {
    std::string row = "{\"text\":\"t\",\"" + std::string(name) + "\":\"";
    const auto records = ReadAll(row + fits + "\"}\n" + row + longer + "\"}\n",
                                 "a.jsonl", FieldsUpTo(10));
    ASSERT_EQ(records.size(), 2u) << name;
    EXPECT_EQ(records[0].kind, RecordKind::kDocument) << name;
    EXPECT_EQ(records[1].kind, RecordKind::kQuarantined) << name;
    EXPECT_EQ(records[1].reason, "field-too-long") << name;
    EXPECT_NE(records[1].detail.find("11 bytes, the limit is 10"),
              std::string::npos)
        << records[1].detail;
    EXPECT_NE(records[1].document.id, longer);
    EXPECT_NE(records[1].document.provenance.url, longer);
  }
}

TEST(FieldLimit, HoldsForCsvAndTrec) {
  const std::string longer(11, 'y');
  EXPECT_EQ(Briefly(ReadAll("id,text\na,1\n" + longer + ",2\n", "a.csv",
                            FieldsUpTo(10))),
            (Strings{"a:1", "!field-too-long"}));
  EXPECT_EQ(Briefly(ReadAll("<DOC><DOCNO>" + longer + "</DOCNO>x</DOC>\n",
                            "a.trec", FieldsUpTo(10))),
            Strings{"!field-too-long"});
}

std::string Warc(const std::string& type, const std::string& headers,
                 const std::string& block) {
  return "WARC/1.0\r\nWARC-Type: " + type + "\r\nWARC-Record-ID: <a>\r\n" +
         headers + "Content-Length: " + std::to_string(block.size()) +
         "\r\n\r\n" + block + "\r\n\r\n";
}

TEST(FieldLimit, ARevisitIsQuarantinedAndASkippedRecordStaysSkipped) {
  const std::string longer(100, 'y');
  const auto records = ReadAll(
      Warc("revisit", "WARC-Refers-To-Target-URI: http://" + longer + "\r\n",
           "") +
          Warc("request", "WARC-Target-URI: http://" + longer + "\r\n", "x") +
          Warc("revisit", "", ""),
      "a.warc", FieldsUpTo(64));
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].reason, "field-too-long");
  EXPECT_TRUE(records[0].refers_to_url.empty());
  EXPECT_EQ(records[1].kind, RecordKind::kSkipped);
  EXPECT_TRUE(records[1].document.provenance.url.empty());
  EXPECT_EQ(records[2].kind, RecordKind::kRevisit);
}

// Equal rows compress far better than any ratio; none is lost for that.
TEST(RatioLimit, IsNotForStreamsOfRecords) {
  constexpr size_t kRows = TWINSET_SLOW_BUILD ? 8'000 : 60'000;
  std::string rows;
  for (size_t i = 0; i < kRows; ++i)
    rows += "{\"id\":\"a\",\"text\":\"always the same words in here\"}\n";
  for (const Compression c : {Compression::kGzip, Compression::kZstd,
                              Compression::kXz, Compression::kBzip2}) {
    const auto records = ReadAll(test::Compress(c, rows), "a.jsonl");
    EXPECT_EQ(records.size(), kRows);
    EXPECT_EQ(records.back().kind, RecordKind::kDocument);
  }
}

TEST(RatioLimit, IsForAFileThatIsADocument) {
  const std::string zeros(20 << 20, 'a');
  const auto records =
      ReadAll(test::Compress(Compression::kZstd, zeros), "a.txt");
  EXPECT_EQ(Briefly(records), Strings{"!compression-ratio"});
}

// A row beyond the limit of documents passes by, whatever its ratio, and what
// stands behind it in the same member is read.
TEST(RatioLimit, ARowOfABombIsLeftAlone) {
  const std::string bomb(20 << 20, 'a');
  EXPECT_EQ(Briefly(ReadAll(
                test::Compress(Compression::kZstd,
                               "{\"id\":\"b\",\"text\":\"" + bomb +
                                   "\"}\n{\"id\":\"a\",\"text\":\"1\"}\n"),
                "a.jsonl")),
            (Strings{"!too-large", "a:1"}));
}

TEST(SkipLimit, ALineWithoutEndIsLeft) {
  ReadOptions options;
  options.max_document_bytes = 1000;
  options.max_skip_bytes = 5 << 20;
  for (const char* name : {"a.jsonl", "a.csv", "a.txt"}) {
    std::string bytes =
        name[2] == 'c' ? "id,text\n1,2\n" : "{\"text\":\"1\"}\n";
    bytes += std::string(16 << 20, 'x');
    const auto reader = ReadRecordsFromMemory(bytes, name, options);
    Result<bool> more = true;
    for (int i = 0; i < 3 && more && *more; ++i) {
      Record record;
      more = reader->Next(&record);
    }
    ASSERT_FALSE(more.has_value()) << name;
    EXPECT_EQ(more.error().code, ErrorCode::kUnsupported) << name;
  }
}

TEST(Stop, EndsTheReadingOfAnEndlessRecord) {
  std::atomic<bool> stop{false};
  ReadOptions options;
  options.stop = &stop;
  const auto reader =
      ReadRecordsFromMemory(std::string(40 << 20, 'x'), "a.jsonl", options);
  stop = true;
  Record record;
  const Result<bool> more = reader->Next(&record);
  ASSERT_FALSE(more.has_value());
  EXPECT_EQ(more.error().code, ErrorCode::kInterrupted);
}

// A pipe in which nobody writes: reading it ends all the same.
TEST(Stop, EndsTheWaitForAPipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::atomic<bool> stop{true};
  ReadOptions options;
  options.stop = &stop;
  const std::string path = "/dev/fd/" + std::to_string(ends[0]);
  const auto reader = OpenRecordReader({path, "p", "p", {}}, 0, options);
  ASSERT_FALSE(reader.has_value());
  EXPECT_EQ(reader.error().code, ErrorCode::kInterrupted);
  close(ends[0]);
  close(ends[1]);
}

TEST(Devices, AreNoInputs) {
  for (const char* device : {"/dev/zero", "/dev/null"}) {
    const auto files = ListInputs({device});
    ASSERT_FALSE(files.has_value());
    EXPECT_EQ(files.error().code, ErrorCode::kUsage);
    EXPECT_NE(files.error().ToString().find("device"), std::string::npos);
  }
  TestDir dir;
  std::filesystem::create_symlink("/dev/zero", dir.path() + "/link");
  EXPECT_FALSE(ListInputs({dir.path() + "/link"}).has_value());
}

// The list gives back what was added, wherever it is asked.
TEST(InputList, IsWhatWasAdded) {
  InputList list;
  std::vector<InputFile> added;
  const auto add = [&](const std::string& root, const std::string& parent,
                       const std::string& relative, const std::string& source) {
    FileState state;
    state.regular = added.size() % 3 != 0;
    if (state.regular)
      state = {true, 7, 1'000'000 - added.size(), added.size() << 40,
               -5 * static_cast<int64_t>(added.size())};
    list.Add(root + relative, parent, relative, state);
    added.push_back(
        {root + relative, NameText(source), NameText(relative), state});
  };
  for (int i = 0; i < 1000; ++i) {
    const std::string name = "page-" + std::to_string(i * i) + ".html";
    add("/deep/folder/", "folder/", name, "folder/" + name);
    if (i % 7 == 0) add("x/", "", "\xff" + name + ".gz", "\xff" + name);
    if (i % 50 == 0) add("", "", "-", "-");
  }
  ASSERT_EQ(list.size(), added.size());
  size_t at = 0;
  for (const InputFile& file : list) {
    const InputFile again = list[at];
    EXPECT_EQ(file.path, added[at].path);
    EXPECT_EQ(again.path, added[at].path);
    EXPECT_EQ(file.source, added[at].source);
    EXPECT_EQ(file.relative, added[at].relative);
    EXPECT_EQ(again.state, added[at].state);
    ++at;
  }
  EXPECT_EQ(at, added.size());
}

TEST(InputList, PathsOfAMirrorTakeLittle) {
  InputList list;
  const std::string root(300, 'r');
  for (int i = 0; i < 100'000; ++i) {
    const std::string name = "/" + std::to_string(i / 1000) + "/page-" +
                             std::to_string(1'000'000 + i) + ".html";
    list.Add(root + name, "", name);
  }
  EXPECT_LT(list.bytes(), uint64_t{6} << 20);
}

// Order is that of the bytes of the paths, as if all were sorted together.
TEST(InputList, FoldersComeByTheBytesOfTheirPaths) {
  TestDir dir;
  for (const char* name : {"a/b", "a.txt", "a-c/d", "a0", "a/c.d/e", "b"}) {
    const std::string path = dir.path() + "/" + name;
    std::filesystem::create_directories(
        std::filesystem::path(path).parent_path());
    ASSERT_TRUE(WriteWholeFile(path, "x").has_value());
  }
  const auto files = ListInputs({dir.path()});
  ASSERT_TRUE(files.has_value());
  Strings names, sorted;
  for (const InputFile& file : *files) names.push_back(file.relative);
  sorted = names;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(names, sorted);
  EXPECT_EQ(names.size(), 6u);
}

}  // namespace
}  // namespace twinset
