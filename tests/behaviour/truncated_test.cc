// Documents that are cut off inside their compressed member.
#include "report/corpus_writer.h"
#include "support/dedup_fixture.h"
#include "twinset/inspect.h"

namespace twinset::testing {
namespace {

class TruncatedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_ / "in");
    std::string text;
    SplitMix64 random(3);
    for (int i = 0; i < 3000; ++i)
      text += SyntheticCorpus::Word(random.Below(5000)) + " ";
    const std::string page = "<html><body><p>" + text + "</p></body></html>";
    const std::string http =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page;
    WriteCut("cut.html.gz", page);
    WriteCut("cut.warc.gz",
             "WARC/1.0\r\nWARC-Type: response\r\n"
             "WARC-Record-ID: <urn:uuid:1>\r\n"
             "WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: http://a/\r\n"
             "WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n"
             "Content-Type: application/http; msgtype=response\r\n"
             "Content-Length: " +
                 std::to_string(http.size()) + "\r\n\r\n" + http + "\r\n\r\n");
    WriteCut("cut.arc.gz", "http://b/ 1.2.3.4 20200101000000 text/html " +
                               std::to_string(http.size()) + "\n" + http +
                               "\n");
    WriteCut("cut.trec.gz", "<DOC>\n<DOCNO>T1</DOCNO>\n" + page + "\n</DOC>\n");
    WriteCut("cut.jsonl.gz", R"({"id":"j","text":")" + text + "\"}\n");
  }
  // `bytes` as a gzip member without its last quarter.
  void WriteCut(const std::string& name, const std::string& bytes) {
    const auto member = CompressMember(OutputCompression::kGzip, bytes);
    ASSERT_TRUE(member);
    Write(folder_ / ("in/" + name), member->substr(0, member->size() * 3 / 4));
  }
  DedupOptions Options(const std::string& truncated) {
    DedupOptions options =
        OptionsFor(folder_ / "in", folder_ / ("out-" + truncated));
    options.input.truncated = *FindChoice<TruncatedRule>(truncated);
    options.method.threshold = 0.5;
    return options;
  }

  TemporaryFolder folder_;
};

TEST_F(TruncatedTest, AreQuarantinedUnlessAskedFor) {
  const DedupSummary summary = MustDedup(Options("quarantine"));
  EXPECT_EQ(summary.documents, 0u);
  EXPECT_EQ(summary.quarantined, 5u);
}

TEST_F(TruncatedTest, EveryRowOfAKeptOneSaysSo) {
  Write(folder_ / "in/whole.html",
        "<html><body><p>a page of few words that is whole</p></body></html>");
  const DedupSummary summary = MustDedup(Options("keep"));
  EXPECT_EQ(summary.documents, 5u);
  EXPECT_EQ(summary.quarantined, 1u);  // a JSON row cannot be read in part
  const auto clusters = ReadRows(folder_ / "out-keep/clusters.jsonl");
  ASSERT_EQ(clusters.size(), 4u);
  for (const Json& row : clusters) EXPECT_EQ(row["truncated"], true) << row;
  const auto pairs = ReadRows(folder_ / "out-keep/pairs.jsonl");
  ASSERT_EQ(pairs.size(), 6u);
  for (const Json& row : pairs) {
    EXPECT_EQ(row["a_truncated"], true) << row;
    EXPECT_EQ(row["b_truncated"], true) << row;
  }
}

TEST_F(TruncatedTest, SketchesSayItToo) {
  InputOptions input;
  input.inputs = {folder_ / "in"};
  input.truncated = TruncatedRule::kKeep;
  size_t rows = 0;
  ASSERT_TRUE(ForEachSketch(
      input, {}, {},
      [&](const SketchRow& row) {
        EXPECT_TRUE(row.truncated) << row.id;
        return ++rows > 0;
      },
      [](const RejectedRecord&) {}));
  EXPECT_EQ(rows, 4u);
}

TEST_F(TruncatedTest, AreWrittenAsWholeRecords) {
  DedupOptions options = Options("keep");
  options.write = folder_ / "written";
  options.cluster = ClusterRule::kComponents;
  options.method.threshold = 1;  // their ends differ: all stay
  MustDedup(options);
  DedupOptions again = OptionsFor(folder_ / "written", folder_ / "again");
  const DedupSummary summary = MustDedup(again);
  EXPECT_EQ(summary.documents, 4u);
  EXPECT_EQ(summary.quarantined, 0u);
}

}  // namespace
}  // namespace twinset::testing
