// What `dedup` promises beyond pairs: identities, scopes, actions, empties, hot
// buckets, alarms.
#include "support/dedup_fixture.h"

namespace twinset::testing {
namespace {

const char kTextA[] =
    "the quick brown fox jumps over the lazy dog and runs away into the deep "
    "wood";
const char kTextB[] =
    "an entirely different sentence about compilers linkers loaders and other "
    "tools";

std::string Row(const std::string& id, const std::string& text,
                const std::string& more = "") {
  return "{\"id\":\"" + id + "\",\"text\":\"" + text + "\"" + more + "}\n";
}

class DedupTest : public ::testing::Test {
 protected:
  DedupSummary Run(const std::string& input,
                   const std::function<void(DedupOptions*)>& set = {}) {
    Write(folder_ / "in.jsonl", input);
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "out");
    options.overwrite = true;
    if (set) set(&options);
    return MustDedup(options);
  }
  std::vector<std::string> Lines(const std::string& name) {
    return ReadLines(folder_ / ("out/" + name));
  }
  Json Summary() { return Json::parse(Read(folder_ / "out/summary.json")); }
  TemporaryFolder folder_;
};

using Names = std::vector<std::string>;

TEST_F(DedupTest, RepeatedIdsGetTheNextFreeNumberInInputOrder) {
  Run(Row("x", kTextA) + Row("x#2", kTextB) + Row("x", "one two three") +
      Row("x", kTextB) + Row("x#2", "four five six"));
  EXPECT_EQ(Lines("keep.txt"), (Names{"x", "x#2", "x#3", "x#2#2"}));
  EXPECT_EQ(Lines("drop.txt"), (Names{"x#4"}));
  EXPECT_EQ(Summary()["repeated_ids"], 3);
}

TEST_F(DedupTest, MissingIdsAreSourceAndOrdinal) {
  Run("{\"text\":\"" + std::string(kTextA) + "\"}\n{\"text\":\"b\"}\n");
  EXPECT_EQ(Lines("keep.txt"), (Names{"in.jsonl:0", "in.jsonl:1"}));
}

TEST_F(DedupTest, EmptyDocumentsAreKeptListedAndInNoPair) {
  const DedupSummary summary =
      Run(Row("a", "") + Row("b", "... !!!") + Row("c", ""));
  EXPECT_EQ(summary.empty, 3u);
  EXPECT_EQ(summary.pairs, 0u);
  EXPECT_EQ(Lines("empty.txt"), (Names{"a", "b", "c"}));
  EXPECT_EQ(Lines("keep.txt"), (Names{"a", "b", "c"}));
}

TEST_F(DedupTest, ShortDocumentsAreOneShingle) {
  const DedupSummary summary = Run(
      Row("a", "Two  WORDS!") + Row("b", "two words") + Row("c", "words two"));
  EXPECT_EQ(summary.pairs, 1u);
  EXPECT_EQ(Lines("drop.txt"), (Names{"b"}));
}

TEST_F(DedupTest, BadRowsAreQuarantinedWithTheirPlace) {
  const DedupSummary summary = Run(Row("a", kTextA) + "{broken\n" +
                                   "{\"id\":\"n\"}\n" + Row("b", kTextA));
  EXPECT_EQ(summary.records, 4u);
  EXPECT_EQ(summary.quarantined, 2u);
  EXPECT_EQ(summary.dropped, 1u);
  const auto rows = ReadRows(folder_ / "out/quarantine.jsonl");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["ordinal"], 1);
  EXPECT_EQ(rows[0]["offset"], Row("a", kTextA).size());
  EXPECT_EQ(rows[0]["reason"], "bad-json");
  EXPECT_EQ(rows[1]["reason"], "no-text-field");
}

TEST_F(DedupTest, EveryRecordQuarantinedIsNoSuccess) {
  const DedupSummary summary = Run("{broken\n{broken\n");
  EXPECT_FALSE(summary.complete);
}

TEST_F(DedupTest, StrictStopsAtQuarantinedRecords) {
  Write(folder_ / "in.jsonl", Row("a", kTextA) + "{broken\n");
  DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "out");
  options.strict = true;
  EXPECT_FALSE(Dedup(options));
}

TEST_F(DedupTest, KeepOrderDecidesWhoStays) {
  const std::string input = Row("old", kTextA,
                                ",\"date\":\"2001-01-01\",\"url\":\"http://"
                                "a.org/long/path\",\"score\":1") +
                            Row("new", kTextA,
                                ",\"date\":\"2020-05-05T10:00:00Z\",\"url\":"
                                "\"https://a.org/x\",\"score\":9.5") +
                            Row("none", kTextA);
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"longest"}, "old"},        {{"first"}, "old"},
      {{"newest"}, "new"},         {{"oldest"}, "old"},
      {{"https"}, "new"},          {{"shortest-url"}, "new"},
      {{"max:score"}, "new"},      {{"min:score"}, "old"},
      {{"https", "oldest"}, "new"}};
  for (const auto& entry : cases) {
    Run(input, [&](DedupOptions* o) { o->keep = entry.first; });
    EXPECT_EQ(Lines("keep.txt"), Names{entry.second}) << entry.first[0];
  }
  Run(input, [](DedupOptions* o) { o->keep = {"newest"}; });
  EXPECT_EQ(Summary()["keep_missing"]["newest"], 1);
}

TEST_F(DedupTest, FieldsOfATableDecideWhoStays) {
  const std::string input =
      Row("a", kTextA, ",\"url\":\"http://a/\",\"rank\":1") +
      Row("b", kTextA, ",\"url\":\"http://b/\"") + Row("c", kTextA);
  const auto stays = [&](const std::string& table, int threads = 1) {
    Write(folder_ / "ranks.jsonl", table);
    Run(input, [&](DedupOptions* o) {
      o->keep = {"max:rank"};
      o->fields = {folder_ / "ranks.jsonl"};
      o->resources.threads = threads;
    });
    return Lines("keep.txt");
  };
  const std::string by_url = "{\"url\":\"http://b/\",\"rank\":5}\n";
  EXPECT_EQ(stays(by_url), Names{"b"});
  EXPECT_EQ(stays(by_url, 3), Names{"b"});
  EXPECT_EQ(Summary()["keep_missing"]["max:rank"], 1);
  EXPECT_EQ(stays(by_url + "{\"id\":\"c\",\"rank\":6}\n"), Names{"c"});
  // The document's own field goes before.
  EXPECT_EQ(stays(by_url + "{\"id\":\"a\",\"rank\":9}\n"), Names{"b"});
}

TEST_F(DedupTest, FieldsThatNothingAsksForAreRefused) {
  Write(folder_ / "in.jsonl", Row("a", kTextA));
  Write(folder_ / "ranks.jsonl", "{\"id\":\"a\",\"rank\":1}\n");
  DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "out");
  options.fields = {folder_ / "ranks.jsonl"};
  const auto refused = Dedup(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
}

TEST_F(DedupTest, PreferredSourcesComeFirst) {
  Write(folder_ / "a.jsonl", Row("a", kTextA));
  Write(folder_ / "b.jsonl", Row("b", kTextA));
  DedupOptions options = OptionsFor(folder_ / "a.jsonl", folder_ / "out");
  options.input.inputs.push_back(folder_ / "b.jsonl");
  options.prefer = {"b.*"};
  MustDedup(options);
  EXPECT_EQ(Lines("keep.txt"), Names{"b"});
}

TEST_F(DedupTest, WithinAndAcrossLimitPairs) {
  const std::string input = Row("a", kTextA, ",\"dump\":\"1\"") +
                            Row("b", kTextA, ",\"dump\":\"1\"") +
                            Row("c", kTextA, ",\"dump\":\"2\"");
  EXPECT_EQ(Run(input).pairs, 3u);
  EXPECT_EQ(Run(input, [](DedupOptions* o) { o->within = "dump"; }).pairs, 1u);
  EXPECT_EQ(Run(input, [](DedupOptions* o) { o->across = "dump"; }).pairs, 2u);
}

TEST_F(DedupTest, WindowLimitsPairsByDate) {
  const std::string input = Row("a", kTextA, ",\"date\":\"2020-01-01\"") +
                            Row("b", kTextA, ",\"date\":\"2020-01-20\"") +
                            Row("c", kTextA, ",\"date\":\"2020-03-01\"") +
                            Row("d", kTextA);
  const DedupSummary summary =
      Run(input, [](DedupOptions* o) { o->window = "date:30d"; });
  EXPECT_EQ(summary.pairs, 1u);
  EXPECT_EQ(Lines("drop.txt"), Names{"b"});
}

TEST_F(DedupTest, ActionsDecideWhatIsDropped) {
  const std::string input =
      Row("a", kTextA) + Row("b", kTextA) + Row("c", kTextB);
  Run(input, [](DedupOptions* o) { o->action = Action::kAnnotate; });
  EXPECT_EQ(Lines("keep.txt").size(), 3u);
  EXPECT_EQ(Lines("clusters.jsonl").size(), 2u);
  Run(input, [](DedupOptions* o) { o->action = Action::kDropAll; });
  EXPECT_EQ(Lines("keep.txt"), Names{"c"});
  Run(input, [](DedupOptions* o) { o->action = Action::kReport; });
  EXPECT_EQ(Lines("keep.txt").size(), 3u);
}

TEST_F(DedupTest, PairsModesAndClasses) {
  std::string input;
  for (int i = 0; i < 40; ++i) input += Row("a" + std::to_string(i), kTextA);
  EXPECT_EQ(Run(input).pairs, 40u * 39 / 2);
  EXPECT_EQ(
      Run(input, [](DedupOptions* o) { o->pairs = ListedPairs::kStar; }).pairs,
      39u);
  EXPECT_EQ(Summary()["classes"]["count"], 1);
  EXPECT_EQ(Summary()["classes"]["copies"], 39);
}

TEST_F(DedupTest, AutoChainsProductsBeyondAMillionRows) {
  std::string input;
  for (int i = 0; i < 1500; ++i) input += Row("a" + std::to_string(i), kTextA);
  const DedupSummary summary =
      Run(input, [](DedupOptions* o) { o->pairs = ListedPairs::kAuto; });
  EXPECT_EQ(summary.pairs, 1499u);
  EXPECT_EQ(Summary()["pairs"]["implied"], 1500 * 1499 / 2 - 1499);
}

TEST_F(DedupTest, WipeOutIsAnAlarm) {
  std::string input;
  for (int i = 0; i < 20; ++i) input += Row("a" + std::to_string(i), kTextA);
  const DedupSummary summary = Run(input);
  ASSERT_EQ(summary.warnings.size(), 2u);
  EXPECT_NE(summary.warnings[0].find("loses 95."), std::string::npos);
  EXPECT_EQ(Summary()["largest_clusters"][0]["size"], 20);
  EXPECT_EQ(Summary()["largest_clusters"][0]["samples"].size(), 3u);
}

TEST_F(DedupTest, HotBucketsAreReportedAndStillVerified) {
  // 300 variants of one text, each with a tail of its own: one band bucket
  // holds most of them.
  std::string input, base;
  for (int w = 0; w < 300; ++w)
    base += SyntheticCorpus::Word(static_cast<uint64_t>(w)) + " ";
  for (int i = 0; i < 300; ++i)
    input += Row("v" + std::to_string(i), base + "tail" + std::to_string(i));
  const DedupSummary summary = Run(input, [](DedupOptions* o) {
    o->method.name = "minhash", o->method.bucket_limit = 100;
  });
  EXPECT_GE(Summary()["hot_buckets"]["count"].get<int>(), 1);
  EXPECT_GE(
      Summary()["expected_recall"]["not_guaranteed_for_documents"].get<int>(),
      300);
  EXPECT_EQ(summary.kept, 1u);
  const DedupSummary unlimited = Run(input, [](DedupOptions* o) {
    o->method.name = "minhash", o->method.bucket_limit = 0;
  });
  EXPECT_EQ(Summary()["hot_buckets"]["count"], 0);
  EXPECT_EQ(unlimited.pairs, 300u * 299 / 2);
}

TEST_F(DedupTest, ACompleteRunSaysWhatSketchesWouldTake) {
  const auto by_sketches = [&](const std::string& method, double threshold) {
    Run(Row("a", kTextA) + Row("b", kTextB), [&](DedupOptions* options) {
      options->method.name = method;
      options->method.threshold = threshold;
    });
    const Json run = Summary()["run"];
    return run.value("by_sketches", Json());
  };
  const Json forecast = by_sketches("", .8);
  EXPECT_EQ(forecast["method"], "minhash");
  EXPECT_GT(forecast["recall_at_threshold"], .99);
  EXPECT_GT(forecast["seconds"], 0);
  EXPECT_TRUE(by_sketches("", .5).is_null());
  EXPECT_TRUE(by_sketches("minhash", .8).is_null());
}

TEST_F(DedupTest, CommonTextCanBeTakenOut) {
  std::string footer, input;
  for (int w = 0; w < 60; ++w)
    footer += " " + SyntheticCorpus::Word(static_cast<uint64_t>(w));
  for (int i = 0; i < 30; ++i) {
    input += Row("d" + std::to_string(i),
                 "own words of page " +
                     SyntheticCorpus::Word(1000 + static_cast<uint64_t>(i)) +
                     footer);
  }
  EXPECT_GT(Run(input).dropped, 20u);
  EXPECT_EQ(Run(input, [](DedupOptions* o) { o->max_df = 10; }).dropped, 0u);
  EXPECT_GE(Summary()["max_df"]["common_shingles"].get<int>(), 55);
  Write(folder_ / "footer.txt", footer);
  EXPECT_EQ(
      Run(input, [&](DedupOptions* o) { o->ignore = {folder_ / "footer.txt"}; })
          .dropped,
      0u);
}

TEST_F(DedupTest, ExactHasThreeLevels) {
  const std::string input =
      Row("a", "Same words here") + Row("b", "Same words here") +
      Row("c", "same WORDS, here!") + Row("d", "other words here");
  const auto at = [&](const std::string& level) {
    return Run(input,
               [&](DedupOptions* o) {
                 o->method.name = "exact";
                 o->method.level = *FindChoice<CopyLevel>(level);
               })
        .dropped;
  };
  EXPECT_EQ(at("bytes"), 1u);
  EXPECT_EQ(at("text"), 1u);
  EXPECT_EQ(at("tokens"), 2u);
  EXPECT_EQ(ReadRows(folder_ / "out/clusters.jsonl")[0]["level"], "tokens");
}

TEST_F(DedupTest, EstimatesSayWhatTheyAre) {
  Run(Row("a", kTextA) + Row("b", std::string(kTextA) + " today"),
      [](DedupOptions* o) {
        o->method.name = "minhash";
        o->method.verify = false;
        o->method.threshold = 0.5;
      });
  const auto rows = ReadRows(folder_ / "out/pairs.jsonl");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["estimated"], true);
}

TEST_F(DedupTest, CsvOutput) {
  Run(Row("a,1", kTextA) + Row("b", kTextA),
      [](DedupOptions* o) { o->output_format = OutputFormat::kCsv; });
  EXPECT_EQ(Lines("pairs.csv"), (Names{"a,b,similarity", "\"a,1\",b,1"}));
}

TEST_F(DedupTest, CountsAddUp) {
  const DedupSummary s =
      Run(Row("a", kTextA) + "{broken\n" + Row("b", kTextA) + Row("c", ""));
  EXPECT_EQ(s.records, s.documents + s.skipped + s.quarantined);
  EXPECT_EQ(s.documents, s.kept + s.dropped);
}

TEST_F(DedupTest, BadOptionsAreUsageErrorsBeforeAnythingIsWritten) {
  Write(folder_ / "in.jsonl", Row("a", kTextA));
  const std::vector<std::function<void(DedupOptions*)>> wrong = {
      [](DedupOptions* o) { o->method.name = "magic"; },
      [](DedupOptions* o) { o->method.threshold = 0; },
      [](DedupOptions* o) { o->method.threshold = 1.5; },
      [](DedupOptions* o) { o->features.shingle = "word:0"; },
      [](DedupOptions* o) { o->keep = {"prettiest"}; },
      [](DedupOptions* o) { o->window = "date:soon"; },
      [](DedupOptions* o) { o->method.bands = 5; },
      [](DedupOptions* o) {
        o->method.name = "minhash";
        o->method.bands = 5;
      },
      [](DedupOptions* o) {
        o->method.name = "minhash";
        o->method.bands = 50;
        o->method.rows = 50;
      },
      [](DedupOptions* o) { o->resources.memory_bytes = 1 << 20; },
      [](DedupOptions* o) { o->input.max_document_bytes = 1 << 30; },
      [](DedupOptions* o) { o->input.mimes = {"*"}; },
      [](DedupOptions* o) { o->resources.simd = "mmx"; },
      [](DedupOptions* o) { o->out = ""; }};
  for (size_t i = 0; i < wrong.size(); ++i) {
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "never");
    wrong[i](&options);
    const auto refused = Dedup(options);
    ASSERT_FALSE(refused) << i;
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage) << i;
    EXPECT_FALSE(FileExists(folder_ / "never")) << i;
  }
}

TEST_F(DedupTest, ExactRespectsScopes) {
  const std::string input = Row("a", kTextA, ",\"dump\":\"1\"") +
                            Row("b", kTextA, ",\"dump\":\"1\"") +
                            Row("c", kTextA, ",\"dump\":\"2\"");
  const auto set = [](const char* across) {
    return [across](DedupOptions* o) {
      o->method.name = "exact";
      o->across = across;
    };
  };
  EXPECT_EQ(Run(input, set("")).pairs, 3u);
  EXPECT_EQ(Run(input, set("dump")).pairs, 2u);
}

TEST_F(DedupTest, ContradictionsAreUsageErrors) {
  Write(folder_ / "in.jsonl", Row("a", kTextA));
  const std::vector<std::function<void(DedupOptions*)>> wrong = {
      [](DedupOptions* o) { o->method.verify = false; },
      [](DedupOptions* o) { o->max_df = 3; },
      [&](DedupOptions* o) { o->ignore = {folder_ / "in.jsonl"}; }};
  for (const auto& change : wrong) {
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "never");
    options.method.name = "exact";
    change(&options);
    const auto refused = Dedup(options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  }
}

// ---- written corpora ----

TEST_F(DedupTest, WriteKeepsTheHeaderOfCsv) {
  const std::string header = "id,text\n";
  Write(folder_ / "in.csv", header + "a,\"" + kTextA + "\"\nb,\"" + kTextA +
                                " more\"\nc,\"" + kTextB + "\"\n");
  DedupOptions options = OptionsFor(folder_ / "in.csv", folder_ / "out");
  options.write = folder_ / "corpus";
  options.method.threshold = 0.5;
  MustDedup(options);
  EXPECT_EQ(Lines("drop.txt"), Names{"a"});
  EXPECT_EQ(Read(folder_ / "corpus/in.csv"),
            header + "b,\"" + kTextA + " more\"\nc,\"" + kTextB + "\"\n");
}

TEST_F(DedupTest, WriteTellsInputsOfOneNameApart) {
  std::filesystem::create_directories(folder_ / "p");
  std::filesystem::create_directories(folder_ / "q");
  Write(folder_ / "p/x.jsonl", Row("a", kTextA));
  Write(folder_ / "q/x.jsonl", Row("b", kTextB));
  DedupOptions options = OptionsFor(folder_ / "p/x.jsonl", folder_ / "out");
  options.input.inputs.push_back(folder_ / "q/x.jsonl");
  options.write = folder_ / "corpus";
  MustDedup(options);
  EXPECT_TRUE(FileExists(folder_ / "corpus/p/x.jsonl"));
  EXPECT_TRUE(FileExists(folder_ / "corpus/q/x.jsonl"));
  options.input.inputs = {folder_ / "p", folder_ / "q"};
  options.overwrite = true;
  MustDedup(options);
  EXPECT_TRUE(FileExists(folder_ / "corpus/p/x.jsonl"));
  EXPECT_TRUE(FileExists(folder_ / "corpus/q/x.jsonl"));
}

TEST_F(DedupTest, WriteKeepsTheOtherLinesAsTheyAre) {
  Write(folder_ / "in.jsonl",
        Row("a", kTextA) + Row("b", kTextA) + "{broken\n" + Row("c", kTextB));
  DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "out");
  options.write = folder_ / "corpus";
  MustDedup(options);
  EXPECT_EQ(Read(folder_ / "corpus/in.jsonl"),
            Row("a", kTextA) + Row("c", kTextB));
}

TEST_F(DedupTest, WriteLeavesOutWholeFiles) {
  std::filesystem::create_directories(folder_ / "site/sub");
  Write(folder_ / "site/a.html", "<p>" + std::string(kTextA) + "</p>");
  Write(folder_ / "site/sub/b.html", "<div>" + std::string(kTextA) + "</div>");
  Write(folder_ / "site/c.html", "<p>" + std::string(kTextB) + "</p>");
  DedupOptions options = OptionsFor(folder_ / "site", folder_ / "out");
  options.write = folder_ / "corpus";
  MustDedup(options);
  EXPECT_EQ(Lines("keep.txt"), (Names{"a.html", "c.html"}));
  EXPECT_TRUE(FileExists(folder_ / "corpus/site/a.html"));
  EXPECT_FALSE(FileExists(folder_ / "corpus/site/sub/b.html"));
}

}  // namespace
}  // namespace twinset::testing
