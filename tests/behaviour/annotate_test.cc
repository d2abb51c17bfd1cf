// What is said of each document: in a written corpus (--action annotate), and
// beside one (--attributes).
#include "base/csv_row.h"
#include "report/corpus_writer.h"
#include "support/dedup_fixture.h"

namespace twinset::testing {
namespace {

const char kTextA[] =
    "the quick brown fox jumps over the lazy dog and runs away into the deep "
    "dark wood where nobody ever goes at night";
const char kTextB[] = "nothing like it at all but other words in other orders";

std::string Row(const std::string& id, const std::string& text) {
  return "{\"id\":\"" + id + "\",\"text\":\"" + text + "\"}\n";
}

class AnnotateTest : public ::testing::Test {
 protected:
  DedupOptions Options(const std::string& input) {
    DedupOptions options = OptionsFor(folder_ / input, folder_ / "out");
    options.write = folder_ / "corpus";
    options.action = Action::kAnnotate;
    options.keep = {"first"};
    return options;
  }
  void Expect(const Json& said, const std::string& cluster, uint64_t size,
              bool is_representative) {
    EXPECT_EQ(said["cluster"], cluster);
    EXPECT_EQ(said["size"], size);
    EXPECT_EQ(said["is_representative"], is_representative);
    EXPECT_EQ(said["similarity"], 1);
  }
  TemporaryFolder folder_;
};

TEST_F(AnnotateTest, EveryRowOfJsonSaysItsCluster) {
  Write(folder_ / "in.jsonl", Row("a", kTextA) + Row("b", kTextA) +
                                  "{broken\n" + Row("c", kTextB) +
                                  Row("empty", ""));
  MustDedup(Options("in.jsonl"));
  const auto rows = ReadRows(folder_ / "corpus/in.jsonl");
  ASSERT_EQ(rows.size(), 4u);
  Expect(rows[0]["twinset"], "a", 2, true);
  Expect(rows[1]["twinset"], "a", 2, false);
  Expect(rows[2]["twinset"], "c", 1, true);
  Expect(rows[3]["twinset"], "empty", 1, true);
}

// A repeated id gets a number in every result, and so it is named here.
TEST_F(AnnotateTest, ADocumentWithARepeatedIdHasItsNumber) {
  Write(folder_ / "in.jsonl", Row("a", kTextA) + Row("a", kTextB));
  MustDedup(Options("in.jsonl"));
  const auto rows = ReadRows(folder_ / "corpus/in.jsonl");
  Expect(rows[1]["twinset"], "a#2", 1, true);
}

void ExpectRows(const std::string& text, char separator,
                const std::vector<std::vector<std::string>>& expected) {
  std::vector<std::vector<std::string>> rows;
  for (size_t at = 0; at < text.size();) {
    const CsvRowPlace row = FindCsvRow(text, separator, at);
    SplitCsvRow(text.substr(row.begin, row.end - row.begin), separator,
                &rows.emplace_back());
    at = row.behind;
  }
  EXPECT_EQ(rows, expected);
}

TEST_F(AnnotateTest, TablesGetColumns) {
  for (const char separator : {',', '\t'}) {
    const std::string name = separator == ',' ? "in.csv" : "in.tsv";
    const std::string s(1, separator);
    // Nothing quotes in what tabs part.
    const std::string quote = separator == ',' ? "\"" : "";
    const std::string a = separator == ',' ? "a,1" : "a1";
    Write(folder_ / name, "\xef\xbb\xbfid" + s + "text\r\n" + quote + a +
                              quote + s + kTextA + "\r\nb" + s + quote +
                              kTextA + quote + "\r\nragged\r\nc" + s + kTextB);
    DedupOptions options = Options(name);
    options.overwrite = true;
    MustDedup(options);
    ExpectRows(Read(folder_ / ("corpus/" + name)), separator,
               {{"\xef\xbb\xbfid", "text", "twinset_cluster", "twinset_size",
                 "twinset_is_representative", "twinset_similarity",
                 "twinset_contained"},
                {a, kTextA, a, "2", "true", "1", "1"},
                {"b", kTextA, a, "2", "false", "1", "1"},
                {"c", kTextB, "c", "1", "true", "1", "1"}});
  }
}

TEST_F(AnnotateTest, TheHeaderOfATableStaysWithoutItsFirstRow) {
  Write(folder_ / "in.csv", "id,text\nragged\na," + std::string(kTextA) + "\n");
  MustDedup(Options("in.csv"));
  ExpectRows(
      Read(folder_ / "corpus/in.csv"), ',',
      {{"id", "text", "twinset_cluster", "twinset_size",
        "twinset_is_representative", "twinset_similarity", "twinset_contained"},
       {"a", kTextA, "a", "1", "true", "1", "1"}});
}

std::string Response(const std::string& id, const std::string& body) {
  const std::string http =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body;
  return "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:" + id +
         ">\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: "
         "http://a/\r\nContent-Type: application/http; "
         "msgtype=response\r\nContent-Length: " +
         std::to_string(http.size()) + "\r\n\r\n" + http + "\r\n\r\n";
}

TEST_F(AnnotateTest, RecordsOfWarcGetAField) {
  const std::string page = "<p>" + std::string(kTextA) + "</p>";
  const std::string first = Response("1", page), second = Response("2", page);
  Write(folder_ / "in.warc", first + second);
  MustDedup(Options("in.warc"));
  const std::string written = Read(folder_ / "corpus/in.warc");
  const auto annotated = [](const std::string& record, const std::string& is) {
    const std::string field =
        "\r\nTwinset-Cluster: {\"cluster\":\"<urn:uuid:1>\",\"size\":2,"
        "\"is_representative\":" +
        is + ",\"similarity\":1,\"contained\":1}";
    std::string changed = record;
    return changed.insert(record.find("\r\n\r\n"), field);
  };
  EXPECT_EQ(written, annotated(first, "true") + annotated(second, "false"));
  // What is written is read as what it was made of.
  DedupOptions again = OptionsFor(folder_ / "corpus", folder_ / "again");
  const DedupSummary summary = MustDedup(again);
  EXPECT_EQ(summary.documents, 2u);
  EXPECT_EQ(summary.quarantined, 0u);
}

TEST_F(AnnotateTest, FormatsWithoutAPlaceForItSaySo) {
  std::filesystem::create_directory(folder_ / "site");
  const std::string page = "<p>" + std::string(kTextA) + "</p>";
  Write(folder_ / "site/a.html", page);
  Write(folder_ / "site/b.html", page);
  const DedupSummary summary = MustDedup(Options("site"));
  size_t told = 0;
  for (const std::string& warning : summary.warnings)
    told += warning.find("--attributes") != std::string::npos;
  EXPECT_EQ(told, 1u);
  EXPECT_EQ(Read(folder_ / "corpus/site/b.html"), page);
}

// ---- --attributes ----

class AttributesTest : public AnnotateTest {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_ / "in");
    Write(folder_ / "in/1.jsonl",
          Row("a", kTextA) + "{broken\n" + Row("b", kTextA));
    Write(folder_ / "in/2.jsonl.gz",
          *CompressMember(OutputCompression::kGzip, Row("c", kTextB)));
    Write(folder_ / "in/3.csv", "id,text\n");
    options_ = OptionsFor(folder_ / "in", folder_ / "out");
    options_.keep = {"first"};
  }
  DedupOptions options_;
};

const char kRows[] =
    "{\"id\":\"a\",\"source\":\"in/1.jsonl\",\"ordinal\":0,\"attributes\":{"
    "\"twinset_cluster\":\"a\",\"twinset_is_representative\":true,"
    "\"twinset_similarity\":1,\"twinset_contained\":1,\"twinset_size\":2,"
    "\"twinset_action\":\"keep\"}}"
    "\n"
    "{\"id\":\"b\",\"source\":\"in/1.jsonl\",\"ordinal\":2,\"attributes\":{"
    "\"twinset_cluster\":\"a\",\"twinset_is_representative\":false,"
    "\"twinset_similarity\":1,\"twinset_contained\":1,\"twinset_size\":2,"
    "\"twinset_action\":\"drop\"}}"
    "\n";
const char kLastRow[] =
    "{\"id\":\"c\",\"source\":\"in/2.jsonl\",\"ordinal\":0,\"attributes\":{"
    "\"twinset_cluster\":\"c\",\"twinset_is_representative\":true,"
    "\"twinset_similarity\":1,\"twinset_contained\":1,\"twinset_size\":1,"
    "\"twinset_action\":\"keep\"}}"
    "\n";

TEST_F(AttributesTest, AFileHasARowForEachDocument) {
  options_.attributes = folder_ / "beside/rows.jsonl";
  MustDedup(options_);
  EXPECT_EQ(Read(options_.attributes), std::string(kRows) + kLastRow);
}

TEST_F(AttributesTest, AFileInTheResultFolderIsOneOfItsOwn) {
  options_.attributes = options_.out + "/rows.jsonl";
  MustDedup(options_);
  EXPECT_EQ(Read(options_.attributes), std::string(kRows) + kLastRow);
  options_.overwrite = true;
  options_.attributes.clear();
  const std::string rows = options_.out + "/rows.jsonl";
  MustDedup(options_);
  EXPECT_FALSE(FileExists(rows));
}

TEST_F(AttributesTest, AFolderHasAFileForEachInput) {
  options_.attributes = folder_ / "beside";
  MustDedup(options_);
  EXPECT_EQ(Read(folder_ / "beside/in/1.jsonl"), kRows);
  EXPECT_EQ(Read(folder_ / "beside/in/2.jsonl.gz"),
            *CompressMember(OutputCompression::kGzip, kLastRow));
  EXPECT_EQ(Read(folder_ / "beside/in/3.csv.jsonl"), "");
}

TEST_F(AttributesTest, WhatIsThereIsRefusedOrReplaced) {
  Write(folder_ / "rows.jsonl", "somebody's");
  for (const char* name :
       {"rows.jsonl", "in/1.jsonl", "in", "out/sub/x.jsonl"}) {
    options_.attributes = folder_ / name;
    const auto refused = Dedup(options_);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage) << name;
  }
  options_.overwrite = true;
  options_.attributes = folder_ / "in/1.jsonl";
  EXPECT_FALSE(Dedup(options_));
  EXPECT_TRUE(Read(options_.attributes).starts_with("{\"id\":\"a\",\"text\""));
  options_.attributes = folder_ / "rows.jsonl";
  MustDedup(options_);
  EXPECT_EQ(Read(options_.attributes), std::string(kRows) + kLastRow);
}

TEST_F(AttributesTest, AreWrittenAgainByAResumedRun) {
  options_.attributes = folder_ / "rows.jsonl";
  SetFileFault([](const std::string& path, size_t) {
    return path.ends_with("rows.jsonl.part") ? ENOSPC : 0;
  });
  ASSERT_FALSE(Dedup(options_));
  SetFileFault({});
  ASSERT_TRUE(FileExists(options_.attributes + ".part"));
  options_.resume = true;
  MustDedup(options_);
  EXPECT_EQ(Read(options_.attributes), std::string(kRows) + kLastRow);
  EXPECT_FALSE(FileExists(options_.attributes + ".part"));
}

TEST_F(AttributesTest, OfAMatchAreThoseOfTheFirstSide) {
  Write(folder_ / "b.jsonl", Row("x", kTextA));
  MatchOptions options =
      FileOptionsFor<MatchOptions>(folder_ / "in/1.jsonl", folder_ / "out");
  options.against = {folder_ / "b.jsonl"};
  options.attributes = folder_ / "rows.jsonl";
  ASSERT_TRUE(Match(options));
  const auto rows = ReadRows(options.attributes);
  ASSERT_EQ(rows.size(), 2u);
  for (const Json& row : rows) {
    EXPECT_EQ(row["attributes"]["twinset_cluster"], "x");
    EXPECT_EQ(row["attributes"]["twinset_is_representative"], false);
    EXPECT_EQ(row["attributes"]["twinset_action"], "drop");
  }
}

}  // namespace
}  // namespace twinset::testing
