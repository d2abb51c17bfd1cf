// Runs over a source with all that runs over files have, against runs over a
// file that the test writes.
#include "twinset/source_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/test_dir.h"
#include "twinset/json.h"
#include "twinset/saved_run.h"

namespace twinset {
namespace {

std::vector<Document> Documents(size_t count) {
  std::mt19937_64 random(count);
  std::vector<Document> documents(count);
  for (size_t i = 0; i < count; ++i) {
    Document& document = documents[i];
    for (size_t word = 0; word < 60; ++word) {
      document.payload += "word" + std::to_string(i / 3 * 70 + word);
      document.payload += word % 20 == 19 ? ".\n\n" : " ";
    }
    if (i % 3 != 0)
      document.payload += "and \"" + std::to_string(random()) + "\"\t\x01.";
    if (i % 4 != 0) document.id = "id/" + std::to_string(i);
    document.has_text = i % 13 != 7;
    if (!document.has_text) document.payload.clear();
    document.provenance.url =
        "http://host" + std::to_string(i % 2) + ".example/" + std::to_string(i);
    if (i % 5 != 0)
      document.provenance.date = "2024-02-" + std::to_string(10 + i % 19);
    document.fields = {{"text", std::to_string(i % 3)},
                       {"a.b", std::to_string(i % 2)}};
  }
  return documents;
}

std::unique_ptr<Source> SourceOf(const std::vector<Document>& documents) {
  return FromFunction(
      [&documents, i = size_t{0}](Document* document) mutable -> Result<bool> {
        if (i == documents.size()) return false;
        *document = documents[i++];
        return true;
      });
}

class SourceRunsTest : public ::testing::Test {
 protected:
  // The documents as rows whose parts have names of their own.
  std::string Write(const std::string& folder,
                    const std::vector<Document>& documents) {
    std::string rows;
    for (size_t i = 0; i < documents.size(); ++i) {
      const Document& document = documents[i];
      Json row;
      row["key"] = document.id.empty() ? std::to_string(i) : document.id;
      if (document.has_text) row["body"] = document.payload;
      row["address"] = document.provenance.url;
      if (!document.provenance.date.empty())
        row["day"] = document.provenance.date;
      for (const auto& [name, value] : document.fields) row[name] = value;
      rows += row.dump() + "\n";
    }
    std::filesystem::create_directory(dir_ / folder);
    const std::string path = dir_ / (folder + "/documents.jsonl");
    EXPECT_TRUE(WriteWholeFile(path, rows));
    return path;
  }
  template <typename Options>
  Options OfFile(Options options, const std::string& path) {
    options.input.inputs = {path};
    options.out += "-of-file";
    return options;
  }
  template <typename Options>
  Options Asked(const std::string& out) {
    Options options;
    options.out = dir_ / out;
    options.resources.memory_bytes = 256 << 20;
    options.resources.tmp = dir_ / "tmp";
    options.input.id_field = "key";
    options.input.text_field = "body";
    options.input.url_field = "address";
    options.input.date_field = "day";
    return options;
  }
  void ExpectSameFiles(const std::string& folder, const std::string& expected,
                       size_t least) {
    size_t compared = 0;
    for (const auto& entry : std::filesystem::directory_iterator(expected)) {
      const std::string name = entry.path().filename();
      if (!entry.is_regular_file() || name == "summary.json") continue;
      const auto found = ReadWholeFile(folder + "/" + name);
      ASSERT_TRUE(found) << name;
      EXPECT_EQ(*found, *ReadWholeFile(entry.path().string())) << name;
      ++compared;
    }
    EXPECT_GE(compared, least);
    EXPECT_TRUE(std::filesystem::is_empty(dir_ / "tmp"));
  }
  const TestDir dir_;
};

TEST_F(SourceRunsTest, DedupHasTheFilesOfARunOverAFile) {
  const auto documents = Documents(120);
  const std::string path = Write("in", documents);
  ASSERT_TRUE(WriteWholeFile(dir_ / "table.jsonl",
                             R"({"id":"id/1","place":"north"}
{"id":"id/2","place":"south"}
)"));
  ASSERT_TRUE(WriteWholeFile(
      dir_ / "boiler.jsonl",
      Json{{"key", "x"}, {"body", documents[9].payload}}.dump() + "\n"));
  auto options = Asked<DedupOptions>("out");
  options.save = dir_ / "saved";
  options.kinds = true;
  options.ignore = {dir_ / "boiler.jsonl"};
  options.fields = {dir_ / "table.jsonl"};
  options.stats_by = {"host", "place"};
  options.keep = {"max:text", "newest"};  // fields with names of parts
  options.within = "field:a.b";
  options.method.threshold = .6;
  auto expected_options = OfFile(options, path);
  expected_options.save = dir_ / "saved-of-file";
  const auto expected = Dedup(expected_options);
  ASSERT_TRUE(expected) << expected.error().ToString();
  const auto found = DedupIntoFiles(*SourceOf(documents), options);
  ASSERT_TRUE(found) << found.error().ToString();
  EXPECT_GT(found->pairs, 10u);
  EXPECT_EQ(found->pairs, expected->pairs);
  EXPECT_EQ(found->quarantined, 9u);
  ExpectSameFiles(options.out, expected_options.out, 6);

  RecutOptions recut;
  recut.resources = options.resources;
  recut.threshold = .9;
  recut.saved = options.save;
  recut.out = dir_ / "recut";
  ASSERT_TRUE(Recut(recut));
  recut.saved = expected_options.save;
  recut.out += "-of-file";
  ASSERT_TRUE(Recut(recut));
  ExpectSameFiles(dir_ / "recut", recut.out, 5);
}

TEST_F(SourceRunsTest, CutHasTheFilesOfARunOverAFile) {
  const auto documents = Documents(60);
  auto options = Asked<CutOptions>("out");
  options.write = "";
  const auto expected_options = OfFile(options, Write("in", documents));
  const auto expected = Cut(expected_options);
  ASSERT_TRUE(expected) << expected.error().ToString();
  const auto found = CutIntoFiles(*SourceOf(documents), options);
  ASSERT_TRUE(found) << found.error().ToString();
  EXPECT_GT(found->repeated, 10u);
  EXPECT_EQ(found->repeated, expected->repeated);
  EXPECT_EQ(found->tokens_cut, expected->tokens_cut);
  ExpectSameFiles(options.out, expected_options.out, 1);
}

TEST_F(SourceRunsTest, MatchHasThePassagesOfARunOverFiles) {
  const auto all = Documents(90);
  const std::vector<Document> a(all.begin(), all.begin() + 40),
      b(all.begin() + 20, all.end());
  auto options = Asked<MatchOptions>("out");
  options.method.measure = Measure::kContainment;
  // The names of the files that the sides are written to.
  std::filesystem::create_directory(dir_ / "in");
  std::filesystem::rename(Write("a", a), dir_ / "in/documents-1.jsonl");
  std::filesystem::rename(Write("b", b), dir_ / "in/documents-2.jsonl");
  auto expected_options = OfFile(options, dir_ / "in/documents-1.jsonl");
  expected_options.against = {dir_ / "in/documents-2.jsonl"};
  const auto expected = Match(expected_options);
  ASSERT_TRUE(expected) << expected.error().ToString();
  const auto found = MatchIntoFiles(*SourceOf(a), *SourceOf(b), options);
  ASSERT_TRUE(found) << found.error().ToString();
  EXPECT_GT(ReadWholeFile(options.out + "/passages.jsonl")->size(), 100u);
  ExpectSameFiles(options.out, expected_options.out, 3);
  // One source against files.
  auto mixed = Asked<MatchOptions>("mixed");
  mixed.method.measure = Measure::kContainment;
  mixed.against = {dir_ / "in/documents-2.jsonl"};
  mixed.against_input.id_field = "key";
  mixed.against_input.text_field = "body";
  const auto one = MatchIntoFiles(*SourceOf(a), mixed);
  ASSERT_TRUE(one) << one.error().ToString();
  EXPECT_EQ(*ReadWholeFile(mixed.out + "/keep.txt"),
            *ReadWholeFile(options.out + "/keep.txt"));
  EXPECT_EQ(MatchIntoFiles(*SourceOf(a), *SourceOf(b), mixed).error().code,
            ErrorCode::kUsage);
}

// Bytes that are no UTF-8 and pages count as in a run in memory.
TEST_F(SourceRunsTest, WhatIsWrittenIsReadAsInMemory) {
  for (const bool is_html : {false, true}) {
    std::vector<Document> documents = Documents(60);
    for (size_t i = 0; i < documents.size(); ++i) {
      Document& document = documents[i];
      if (i % 2 == 0) document.payload += "\xE9\xFF\xE2\x82 caf\xE9 \xC3";
      if (!is_html) continue;
      document.kind = ContentKind::kHtml;
      document.payload = "<html><head><title>t</title></head><body><p>" +
                         document.payload + "</p></body></html>";
      document.charset = i % 2 == 0 ? "windows-1252" : "";
    }
    CollectionOptions in_memory;
    in_memory.method.threshold = .7;
    in_memory.resources.memory_bytes = 512 << 20;
    const auto expected = Dedup(*SourceOf(documents), in_memory);
    ASSERT_TRUE(expected) << expected.error().ToString();
    auto options = Asked<DedupOptions>(is_html ? "html" : "text");
    options.method.threshold = .7;
    const auto found = DedupIntoFiles(*SourceOf(documents), options);
    ASSERT_TRUE(found) << found.error().ToString();
    EXPECT_GT(found->pairs, 10u);
    EXPECT_EQ(found->pairs, expected->pairs.size());
    EXPECT_EQ(found->dropped, expected->dropped.size());
  }
}

TEST_F(SourceRunsTest, WrittenDocumentsAreTheDocuments) {
  const auto documents = Documents(50);
  WriteDocumentsOptions options;
  options.fields = {"text", "a.b"};
  uint64_t told = 0;
  options.on_progress = [&](const Progress& progress) {
    told = std::max(told, progress.done + 1);
  };
  const auto rows =
      WriteDocuments(*SourceOf(documents), dir_ / "a.jsonl", options);
  ASSERT_TRUE(rows) << rows.error().ToString();
  EXPECT_EQ(rows->documents, documents.size());
  EXPECT_GT(told, 0u);
  const auto source = FromFiles(rows->input);
  ASSERT_TRUE(source);
  for (size_t i = 0; i < documents.size(); ++i) {
    if (!documents[i].has_text) continue;
    Document document;
    ASSERT_TRUE(*(*source)->Next(&document));
    EXPECT_EQ(document.payload, documents[i].payload);
    EXPECT_EQ(document.id,
              documents[i].id.empty() ? std::to_string(i) : documents[i].id);
    EXPECT_EQ(document.provenance.url, documents[i].provenance.url);
    EXPECT_EQ(document.provenance.date, documents[i].provenance.date);
    EXPECT_EQ(document.provenance.ordinal, i);
  }
  Document none;
  EXPECT_FALSE(*(*source)->Next(&none));
}

// Pages and plain text of other encodings are written in UTF-8.
TEST_F(SourceRunsTest, OtherEncodingsAreDecoded) {
  std::vector<Document> documents(2);
  for (const ContentKind kind : {ContentKind::kHtml, ContentKind::kPlain}) {
    for (Document& document : documents) document.kind = kind;
    documents[0].payload = "<p>caf\xE9";
    documents[0].charset = "windows-1252";
    documents[1].payload = "<p>caf\xC3\xA9";
    const auto rows = WriteDocuments(*SourceOf(documents), dir_ / "a.jsonl");
    ASSERT_TRUE(rows) << rows.error().ToString();
    const bool is_html = kind == ContentKind::kHtml;
    EXPECT_EQ(rows->input.html_field, is_html ? "html" : "");
    const std::string text = is_html ? "html" : "text";
    EXPECT_EQ(*ReadWholeFile(dir_ / "a.jsonl"), "{\"id\":\"0\",\"" + text +
                                                    "\":\"<p>caf\xC3\xA9\"}\n"
                                                    "{\"id\":\"1\",\"" +
                                                    text +
                                                    "\":\"<p>caf\xC3\xA9\"}\n");
  }
}

TEST_F(SourceRunsTest, WhatCannotBeIsSaid) {
  auto documents = Documents(6);
  auto options = Asked<DedupOptions>("out");
  const auto code = [&](const auto& changed) {
    const auto done = DedupIntoFiles(*SourceOf(documents), changed);
    return done ? ErrorCode::kInternal : done.error().code;
  };
  auto changed = options;
  changed.resume = true;
  EXPECT_EQ(code(changed), ErrorCode::kUsage);
  changed = options;
  changed.input.inputs = {"a.jsonl"};
  EXPECT_EQ(code(changed), ErrorCode::kUsage);
  std::atomic<bool> stop = true;
  changed = options;
  changed.stop = &stop;
  EXPECT_EQ(code(changed), ErrorCode::kInterrupted);
  documents[4].kind = ContentKind::kHtml;
  EXPECT_EQ(code(options), ErrorCode::kUnsupported);
  documents[4].kind = ContentKind::kBytes;
  EXPECT_EQ(code(options), ErrorCode::kUnsupported);
  const auto failing = FromFunction([](Document*) -> Result<bool> {
    return Fail(ErrorCode::kIo, "the queue is gone");
  });
  EXPECT_EQ(DedupIntoFiles(*failing, options).error().message,
            "the queue is gone");
  EXPECT_TRUE(std::filesystem::is_empty(dir_ / "tmp"));
}

}  // namespace
}  // namespace twinset
