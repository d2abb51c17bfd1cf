#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/hash.h"
#include "base/test_dir.h"
#include "read/detect.h"
#include "read/line_reader.h"
#include "read/look.h"
#include "read/reader.h"
#include "read/test_compress.h"
#include "read/test_records.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

namespace fs = std::filesystem;
using test::Briefly;
using test::ReadAll;
using Strings = std::vector<std::string>;

class Inputs : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "inputs_test_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }

  void Write(const std::string& name, const std::string& bytes = "x") {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << bytes;
  }
  // "source|relative" of each file.
  Strings List(const Strings& arguments) {
    Strings paths;
    for (const std::string& argument : arguments) {
      paths.push_back(argument == "-" ? argument : (root_ / argument).native());
    }
    const auto files = ListInputs(paths);
    EXPECT_TRUE(files.has_value()) << files.error().ToString();
    Strings listed;
    if (!files) return listed;
    for (const InputFile& file : *files) {
      EXPECT_TRUE(file.path == "-" || fs::exists(file.path)) << file.path;
      listed.push_back(file.source + "|" + file.relative);
    }
    return listed;
  }

  fs::path root_;
};

TEST_F(Inputs, ListsFilesFoldersGlobsAndStdin) {
  Write("d/b.html");
  Write("d/B.html");
  Write("d/a/z.jsonl.gz");
  Write("d/a.txt");
  Write("d/.hidden/x");
  Write("d/.dot");
  Write("one.warc.gz");
  Write("two.warc.zst");
  Write("odd[1].txt");
  const Strings folder = {"d/B.html|B.html", "d/a.txt|a.txt",
                          "d/a/z.jsonl|a/z.jsonl.gz", "d/b.html|b.html"};
  EXPECT_EQ(List({"d"}), folder);
  EXPECT_EQ(List({"d/"}), folder);
  EXPECT_EQ(List({"d/a/.."}), folder);
  EXPECT_EQ(List({"two.warc.zst", "-", "one.warc.gz"}),
            (Strings{"two.warc|two.warc.zst", "-|-", "one.warc|one.warc.gz"}));
  EXPECT_EQ(List({"*.warc.*"}),
            (Strings{"one.warc|one.warc.gz", "two.warc|two.warc.zst"}));
  EXPECT_EQ(List({"odd[1].txt"}), Strings{"odd[1].txt|odd[1].txt"});
  EXPECT_EQ(List({"d/.dot"}), Strings{".dot|.dot"});
}

TEST_F(Inputs, MissingInputsAreErrors) {
  fs::create_directories(root_ / "empty");
  EXPECT_EQ(ListInputs({root_ / "none.txt"}).error().code, ErrorCode::kIo);
  EXPECT_EQ(ListInputs({root_ / "*.none"}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(ListInputs({root_ / "empty"}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(ListInputs({""}).error().code, ErrorCode::kUsage);
}

TEST_F(Inputs, ReadsWhatItListed) {
  Write("d/a.html.gz", test::Gzip("<p>hello"));
  Write("d/b.jsonl.xz", test::Xz("{\"id\":\"b\",\"text\":\"t\"}\n"));
  const auto files = ListInputs({root_ / "d"});
  ASSERT_TRUE(files.has_value());
  Strings all;
  for (const InputFile& file : *files) {
    auto reader = OpenRecordReader(file, 0, {});
    ASSERT_TRUE(reader.has_value());
    for (const auto& row : Briefly(test::DrainReader(reader->get()))) {
      all.push_back(row);
    }
    EXPECT_EQ((*reader)->consumed_bytes(), fs::file_size(file.path));
  }
  EXPECT_EQ(all, (Strings{"a.html:<p>hello", "b:t"}));
}

TEST_F(Inputs, PicturesOfPagesAreSkipped) {
  using namespace std::string_literals;
  const std::string pictures[] = {
      "\x89PNG\r\n\x1a\n\0"s,  "GIF89a\1"s,   "\xff\xd8\xff\xe0"s,
      "RIFF\1\2\3\4WEBPVP8 "s, "\0\0\1\0\1"s, "%PDF-1.4\n"s};
  for (const std::string& bytes : pictures) {
    for (const size_t size : {size_t{0}, size_t{9} << 20}) {
      Write("picture.html", bytes + std::string(size, 'x'));
      const auto files = ListInputs({(root_ / "picture.html").native()});
      const auto reader = OpenRecordReader(files->front(), 0, ReadOptions());
      const auto records = test::DrainReader(reader->get());
      ASSERT_EQ(records.size(), 1u);
      EXPECT_EQ(records[0].kind, RecordKind::kSkipped);
      EXPECT_EQ(records[0].reason, "mime");
    }
  }
  Write("named.png", "words");
  const auto files = ListInputs({(root_ / "named.png").native()});
  const auto reader = OpenRecordReader(files->front(), 0, ReadOptions());
  EXPECT_EQ(test::DrainReader(reader->get())[0].kind, RecordKind::kDocument);
}

TEST(SourceNamesTest, AreThoseOfTheListInAnyOrder) {
  InputList list;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "page" + std::to_string(i / 3) + ".html";
    list.Add("/crawl/site/" + std::to_string(i) + "/" + name, "site/",
             std::to_string(i) + "/" + name);
  }
  SourceNames names;
  for (const size_t i : {0, 0, 39, 1, 1, 2, 17, 16, 15, 39, 0}) {
    EXPECT_EQ(names.Of(list, i), list[i].source) << i;
    EXPECT_EQ(names.Of(list, i), "site/" + std::to_string(i) + "/page" +
                                     std::to_string(i / 3) + ".html");
  }
}

TEST(Detect, ContentComesBeforeNames) {
  const struct {
    std::string bytes, name;
    InputFormat format;
  } rows[] = {
      {"WARC/1.0\r\n", "x.html", InputFormat::kWarc},
      {"\r\n\r\nWARC/1.0\r\n", "x", InputFormat::kWarc},
      {"filedesc://x", "x", InputFormat::kArc},
      {"<DOC>\n<DOCNO>", "x.html", InputFormat::kTrec},
      {"\xef\xbb\xbf {\"a\":1}", "x.txt", InputFormat::kJsonl},
      {"{ not json", "x", InputFormat::kText},
      {"{\"a\",\"b\"}", "x.csv", InputFormat::kCsv},
      {"<!DOCTYPE HTML PUBLIC", "x.txt", InputFormat::kHtml},
      {"<?xml version=\"1.0\"?>\n<!-- c -->\n<HTML>", "x", InputFormat::kHtml},
      {"<table border=1>", "x", InputFormat::kHtml},
      {"<- arrow", "x", InputFormat::kText},
      {"<?xml?><rss>", "x", InputFormat::kText},
      {"id,text", "a/B.CSV.gz", InputFormat::kCsv},
      {"id\ttext", "b.tsv", InputFormat::kTsv},
      {"garbage", "c.warc.gz", InputFormat::kWarc},
      {"garbage", "c.wet.gz", InputFormat::kWarc},
      {"garbage", "c.arc", InputFormat::kArc},
      {"text", "c.htm", InputFormat::kHtml},
      {"text", "c", InputFormat::kText},
      {"", "c.ndjson.zst", InputFormat::kJsonl}};
  for (const auto& row : rows) {
    EXPECT_EQ(DetectFormat(row.bytes, row.name), row.format)
        << row.bytes << " " << row.name;
  }
}

TEST(Detect, LooksBehindGapsAtTheBeginning) {
  std::string damaged = test::Gzip("lost");
  damaged[3] = 0x40;  // reserved flags: not a member
  const auto records =
      ReadAll(damaged + test::Gzip("{\"id\":1,\"text\":\"a\"}\n"), "no suffix");
  EXPECT_EQ(Briefly(records), (Strings{"!compression-data", "1:a"}));
}

TEST(Presets, NameTheFieldsOfRows) {
  ReadOptions options;
  ApplyFieldPreset(FieldPreset::kClueWeb22, &options);
  EXPECT_EQ(
      Briefly(ReadAll("{\"URL\":\"u\",\"ClueWeb22-ID\":\"c\",\"Language\":"
                      "\"en\",\"Clean-Text\":\"t\"}",
                      "", options)),
      Strings{"c:t"});
}

TEST(FileDocuments, AreOneDocumentOrOneQuarantinedRecord) {
  ReadOptions options;
  options.max_document_bytes = 100;
  const std::string nul("a\0b", 3);
  EXPECT_EQ(Briefly(ReadAll("words", "d/a.txt.gz", options)),
            Strings{"d/a.txt:words"});
  EXPECT_EQ(ReadAll("words", "a", options)[0].document.kind,
            ContentKind::kPlain);
  EXPECT_EQ(ReadAll("<p>x", "a", options)[0].document.kind, ContentKind::kHtml);
  EXPECT_EQ(Briefly(ReadAll(nul, "a", options)), Strings{"!binary"});
  EXPECT_EQ(Briefly(ReadAll(nul, "a.html", options)), Strings{"!binary"});
  EXPECT_EQ(Briefly(ReadAll("<p>" + nul, "a.html", options)),
            Strings{"a.html:<p>" + nul});
  EXPECT_EQ(Briefly(ReadAll("\xff\xfe" + nul + "x", "a", options)),
            Strings{"a:\xff\xfe" + nul + "x"});
  EXPECT_EQ(Briefly(ReadAll(std::string(100, 'x'), "a", options)).size(), 1u);
  EXPECT_EQ(Briefly(ReadAll(std::string(101, 'x'), "a", options)),
            Strings{"!too-large"});
  EXPECT_EQ(
      Briefly(ReadAll(test::Gzip(std::string(5'000'000, 'x')), "a", options)),
      Strings{"!too-large"});
  EXPECT_EQ(Briefly(ReadAll(test::Gzip("sound") + "junk", "a", options)),
            (Strings{"a:sound", "!compression-junk"}));
  std::string damaged = test::Gzip("damaged");
  damaged[damaged.size() - 5] ^= 1;
  EXPECT_EQ(Briefly(ReadAll(damaged + test::Gzip("more"), "a", options)),
            Strings{"!compression-checksum"});
  EXPECT_TRUE(ReadAll("", "a", options).empty());
}

TEST(LineReader, AgreesWithSplittingAtLimits) {
  for (const size_t limit : {1u, 2u, 3u, 300'000u}) {
    for (int code = 0; code < 256; ++code) {
      std::string text;
      for (int i = 0; i < 8; ++i) text += (code >> i) & 1 ? 'x' : '\n';
      if (limit > 3) {  // lines beyond the first look-ahead
        std::string wide;
        for (const char c : text)
          wide += c == 'x' ? std::string(90'000, 'x') : "\n";
        text = wide;
      }
      auto stream = ByteStreamFromMemory(text, {});
      LineReader lines(stream.get(), limit);
      size_t at = 0;
      while (at < text.size()) {
        const size_t newline = text.find('\n', at);
        const size_t end =
            newline == std::string::npos ? text.size() : newline + 1;
        const auto line = lines.Next();
        ASSERT_TRUE(line.has_value());
        ASSERT_EQ(line->offset, at);
        ASSERT_EQ(line->size, end - at);
        ASSERT_EQ(line->kind, end - at > limit ? LineReader::Line::kTooLong
                                               : LineReader::Line::kLine);
        if (end - at <= limit) {
          ASSERT_EQ(line->text, std::string_view(text).substr(at, end - at));
        }
        at = end;
      }
      ASSERT_EQ(lines.Next()->kind, LineReader::Line::kEnd);
      ASSERT_EQ(lines.Next()->kind, LineReader::Line::kEnd);
    }
  }
}

TEST_F(Inputs, LooksSayWhatAFileWouldBeReadAs) {
  const auto look = [&](const std::string& name, const std::string& bytes) {
    Write(name, bytes);
    const auto files = ListInputs({(root_ / name).native()});
    EXPECT_TRUE(files);
    const auto found = LookAt(files->front(), {});
    EXPECT_TRUE(found) << name;
    return found ? *found : InputLook();
  };
  EXPECT_EQ(look("rows", "{\"id\":1}\n").format, InputFormat::kJsonl);
  const InputLook array = look("array.json", "[{\"id\":1}]");
  EXPECT_EQ(array.container, Container::kArray);
  EXPECT_EQ(array.refusal, "");
  EXPECT_NE(look("x", "PAR1....").format, InputFormat::kTable);
  EXPECT_EQ(look("x", std::string("PAR1\0...", 8)).format, InputFormat::kTable);
  EXPECT_EQ(look("x", "ORCHIDS are no table").format, InputFormat::kText);
  EXPECT_EQ(look("x", std::string("\xff\xff\xff\xff\x08\1\0\0", 8)).format,
            InputFormat::kTable);
  EXPECT_EQ(look("x", std::string("\xff\xff\xff\xff\0\1\0\0", 8)).format,
            InputFormat::kTable);
  EXPECT_EQ(look("x", std::string("\xff\xff\xff\xff\0\0\0\0", 8)).format,
            InputFormat::kText);
  EXPECT_EQ(look("x", std::string("\xff\xff\xff\xff\x09\1\0\0", 8)).format,
            InputFormat::kText);
  EXPECT_NE(look("x", "SQLite format 3").refusal.find("SQLite"),
            std::string::npos);
  EXPECT_NE(look("y", "\x89PNG\r\n\x1a\n").refusal.find("image/png"),
            std::string::npos);
  EXPECT_NE(look("z.txt", std::string("a\0b", 3)).refusal, "");
  EXPECT_EQ(look("t.txt", "words").refusal, "");
  EXPECT_EQ(look("empty", "").refusal, "");
  EXPECT_EQ(CompressionName(Compression::kZstd), "zstd");
  EXPECT_EQ(CompressionName(Compression::kLzw), "compress");
}

TEST_F(Inputs, WhatFoldersLeaveOutIsCounted) {
  Write("d/a.txt");
  Write("d/.hidden");
  Write("d/sub/.git/config");
  fs::create_directory_symlink(root_ / "d/sub", root_ / "d/link");
  const LeftOutFiles left_out =
      CountLeftOut({(root_ / "d").native(), (root_ / "d/a.txt").native(), "-"});
  EXPECT_EQ(left_out.hidden, 2u);
  EXPECT_EQ(left_out.folder_links, 1u);
  EXPECT_EQ(left_out.others, 0u);
}

TEST(Judgements, AreToldFromTexts) {
  EXPECT_EQ(JudgementsIn("401 0 FBIS3-10009 0\n401 0 FBIS3-10059 1\n"
                         "402 0 FT911-3 2\n"),
            "relevance judgements (qrels)");
  EXPECT_EQ(
      JudgementsIn("GX000-00-0001 GX000-01-0002\nGX100-2 GX100-3 GX100-4\n"
                   "\nGX900-10 GX900-11\nGX"),
      "groups of ids");
  for (const char* text :
       {"", "401 0 FBIS3-10009 0\n", "one two three four\nfive six\nseven\n",
        "1 2 3 4\n5 6 7 8\n9 10 11 12\n", "state-of-the-art well-known\n\n\n"})
    EXPECT_EQ(JudgementsIn(text), "") << text;
}

// ---- names of sources ----

class InputNames : public testing::Test {
 protected:
  void Write(const std::string& name) {
    fs::create_directories(fs::path(dir_ / name).parent_path());
    ASSERT_TRUE(WriteWholeFile(dir_ / name, "x").has_value());
  }
  Strings NamesOf(const Strings& arguments, const ListingOptions& how = {}) {
    Strings paths, names;
    for (const std::string& argument : arguments)
      paths.push_back(argument == "-" ? argument : dir_ / argument);
    const auto files = ListInputs(paths, how);
    EXPECT_TRUE(files.has_value()) << files.error().ToString();
    if (!files) return names;
    for (const InputFile& file : *files) names.push_back(file.source);
    return names;
  }

  TestDir dir_;
};

TEST_F(InputNames, AsManyFoldersAsItTakes) {
  for (const char* name : {"a/en/x.jsonl", "b/en/x.jsonl", "b/de/x.jsonl",
                           "y.jsonl", "b/en/z.csv"})
    Write(name);
  EXPECT_EQ(NamesOf({"a/en/x.jsonl", "y.jsonl", "b/de/x.jsonl"}),
            (Strings{"en/x.jsonl", "y.jsonl", "de/x.jsonl"}));
  EXPECT_EQ(NamesOf({"a/en/x.jsonl", "b/en/x.jsonl", "b/de/x.jsonl"}),
            (Strings{"a/en/x.jsonl", "b/en/x.jsonl", "b/de/x.jsonl"}));
  // Files of folders, and of patterns.
  EXPECT_EQ(
      NamesOf({"a/en", "b/en", "b/de"}),
      (Strings{"a/en/x.jsonl", "b/en/x.jsonl", "en/z.csv", "de/x.jsonl"}));
  EXPECT_EQ(NamesOf({"*/en/x.jsonl"}),
            (Strings{"a/en/x.jsonl", "b/en/x.jsonl"}));
}

// A name that another file has already is not given.
TEST_F(InputNames, ALongerNameIsNobodyElses) {
  for (const char* name : {"q/a/x", "p/a/x", "p/b/x"}) Write(name);
  EXPECT_EQ(NamesOf({"q/a", "p/a/x", "p/b/x"}),
            (Strings{"a/x", "p/a/x", "p/b/x"}));
}

TEST_F(InputNames, CompressionsOfOneFile) {
  for (const char* name : {"d/x", "d/x.gz", "d/x.zst", "e/x.gz"}) Write(name);
  EXPECT_EQ(NamesOf({"d/x.gz", "d/x"}), (Strings{"x.gz", "x"}));
  EXPECT_EQ(NamesOf({"d/x.gz", "d/x.zst"}), (Strings{"x.gz", "x.zst"}));
  EXPECT_EQ(NamesOf({"d/x", "e/x.gz"}), (Strings{"d/x", "e/x"}));
  EXPECT_EQ(NamesOf({"d/x", "d/x.gz", "e/x.gz"}),
            (Strings{"d/x", "d/x.gz", "e/x"}));
  EXPECT_EQ(NamesOf({"d"}), (Strings{"d/x", "d/x.gz", "d/x.zst"}));
}

TEST_F(InputNames, TheSameFileAgainIsNumbered) {
  for (const char* name : {"d/x", "e/x", "x#2"}) Write(name);
  fs::create_directory_symlink(dir_ / "d", dir_ / "link");
  fs::create_symlink("../d/x", dir_ / "e/y");
  EXPECT_EQ(NamesOf({"d/x", "d/../d/x", "link/x", "d/x"}),
            (Strings{"x", "x#2", "x#3", "x#4"}));
  EXPECT_EQ(NamesOf({"d/x", "d/x", "x#2"}), (Strings{"x", "x#3", "x#2"}));
  EXPECT_EQ(NamesOf({"d/x", "e/x", "d/x"}), (Strings{"d/x", "e/x", "d/x#2"}));
  EXPECT_EQ(NamesOf({"d/x", "e/y"}), (Strings{"x", "y"}));
  EXPECT_EQ(NamesOf({"-", "-"}), (Strings{"-", "-#2"}));
}

TEST_F(InputNames, EachSideByItself) {
  for (const char* name : {"a/x", "b/x", "c/x"}) Write(name);
  ListingOptions how;
  how.first_side = 1;
  EXPECT_EQ(NamesOf({"a/x", "b/x", "c/x"}, how), (Strings{"x", "b/x", "c/x"}));
  how.first_side = 2;
  EXPECT_EQ(NamesOf({"a/x", "b/x", "c/x"}, how), (Strings{"a/x", "b/x", "x"}));
}

TEST_F(InputNames, NamesOfBefore) {
  for (const char* name : {"a/x", "b/x", "c/x", "c/y"}) Write(name);
  auto list = ListInputs({dir_ / "a/x"});
  const auto more = ListInputs({dir_ / "b/x", dir_ / "c/x", dir_ / "c/y"});
  ASSERT_TRUE(list && more);
  InputFile odd = (*list)[0];
  odd.source = "x#7";  // as a list of before may have it
  list->Add(odd);
  for (const InputFile& file : *more) list->Add(file);
  NameApart(0, 2, list->size(), &*list);
  const auto third = ListInputs({dir_ / "b/x"});
  ASSERT_TRUE(third);
  const size_t frozen = list->size();
  list->Add((*third)[0]);
  NameApart(0, frozen, list->size(), &*list);
  Strings names;
  for (const InputFile& file : *list) names.push_back(file.source);
  EXPECT_EQ(
      names,
      (Strings{"x", "x#7", "b/x", "c/x", "y",
               NameText(fs::path(dir_.path()).filename().string()) + "/b/x"}));
}

// Names differ, end the path, and are the usual ones wherever these are nobody
// else's.
TEST_F(InputNames, AnyInputs) {
  SplitMix64 random(5);
  Strings all;
  for (const char* a : {"p", "q"})
    for (const char* b : {"", "/p", "/q", "/q/p"})
      for (const char* name : {"/x", "/x.gz", "/y", "/x.gz.xz"}) {
        all.push_back(std::string(a) + b + name);
        Write(all.back());
      }
  for (int round = 0; round < 200; ++round) {
    Strings some;
    for (const std::string& path : all)
      if (random.Below(3) == 0) some.push_back(path);
    const Strings names = NamesOf(some);
    ASSERT_EQ(names.size(), some.size());
    EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
    std::map<std::string, int> usual;
    const auto usual_of = [](const std::string& path) {
      const std::string name = fs::path(path).filename();
      return name.substr(0, name.rfind('.'));
    };
    for (const std::string& path : some) ++usual[usual_of(path)];
    for (size_t i = 0; i < some.size(); ++i) {
      const std::string path = fs::path(dir_ / some[i]).lexically_normal();
      // Without the number of a file that is named again.
      const std::string name = names[i].substr(0, names[i].rfind('#'));
      EXPECT_TRUE(path.ends_with(name) ||
                  path.substr(0, path.rfind('.')).ends_with(name))
          << path << " " << names[i];
      if (usual[usual_of(some[i])] == 1) {
        EXPECT_EQ(names[i], usual_of(some[i]));
      }
    }
  }
}

}  // namespace
}  // namespace twinset
