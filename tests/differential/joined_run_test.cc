// A run that asks a saved run gives the bytes of a run that reads its inputs:
// `dedup NEW --add OLD` and `match A --against OLD`.
#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <thread>

#include "support/dedup_fixture.h"
#include "support/rows_of_everything.h"
#include "twinset/lexicon.h"
#include "twinset/saved_run.h"

namespace twinset::testing {
namespace {

using SetOptions = std::function<void(DedupOptions*)>;

class JoinedRunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Write(folder_ / "a.jsonl", RowsOfEverything(7, 120));
    Write(folder_ / "b.jsonl", RowsOfEverything(7, 90));  // much is in a
    Write(folder_ / "c.jsonl", RowsOfEverything(9, 40));
  }

  DedupOptions Options(const std::vector<std::string>& inputs,
                       const std::string& out, const SetOptions& set) {
    DedupOptions options;
    for (const std::string& input : inputs)
      options.input.inputs.push_back(folder_ / input);
    options.out = folder_ / out;
    options.resources.threads = 2;
    options.method.threshold = 0.5;
    options.keep = {"longest", "max:score"};
    options.overwrite = true;
    set(&options);
    return options;
  }

  static MatchOptions Matching(const DedupOptions& options) {
    MatchOptions match;
    CopyParts<RunOptions, ComparisonOptions, CorpusOptions, PriorityOptions>(
        options, &match);
    match.window = options.window;
    return match;
  }

  void Run(const DedupOptions& options) {
    const auto summary = Dedup(options);
    ASSERT_TRUE(summary) << summary.error().ToString();
  }

  void ExpectRecutsAlike(const std::string& x, const std::string& y) {
    for (const std::string& name : {x, y}) {
      RecutOptions recut;
      recut.saved = folder_ / name;
      recut.out = folder_ / ("recut-" + name);
      recut.threshold = 0.7;
      recut.keep = {"newest"};
      recut.overwrite = true;
      const auto again = Recut(recut);
      ASSERT_TRUE(again) << again.error().ToString();
    }
    EXPECT_EQ(PromisedBytes(folder_ / ("recut-" + x)),
              PromisedBytes(folder_ / ("recut-" + y)));
  }

  // a, then b behind the saved a, then c behind the saved two.
  void ExpectAdded(const std::string& name, const SetOptions& set,
                   const std::vector<std::string>& inputs = {
                       "a.jsonl", "b.jsonl", "c.jsonl"}) {
    SCOPED_TRACE(name);
    std::string old;
    std::vector<std::string> all;
    for (const std::string& input : inputs) {
      all.push_back(input);
      DedupOptions added = Options({input}, "added", set);
      if (!old.empty()) added.add = {folder_ / old};
      added.reconsider = !old.empty();
      added.save = folder_ / ("saved-" + input);
      Run(added);
      if (HasFatalFailure()) return;
      old = "saved-" + input;
      if (all.size() == 1) continue;  // nothing was added
      DedupOptions whole = Options(all, "whole", set);
      if (all.size() == inputs.size()) whole.save = folder_ / "saved-whole";
      Run(whole);
      if (HasFatalFailure()) return;
      EXPECT_EQ(PromisedBytes(folder_ / "added"),
                PromisedBytes(folder_ / "whole"));
    }
    ExpectRecutsAlike(old, "saved-whole");
    EXPECT_GT(ReadLines(folder_ / "whole/drop.txt").size(), 3u);
  }

  // b against the saved a, at several thresholds.
  void ExpectMatched(const std::string& name, const SetOptions& set,
                     const std::vector<std::string>& inputs = {"b.jsonl",
                                                               "a.jsonl"}) {
    SCOPED_TRACE(name);
    DedupOptions first = Options({inputs[1]}, "whole", set);
    first.save = folder_ / "saved";
    Run(first);
    if (HasFatalFailure()) return;
    uint64_t pairs = 0;
    for (const double threshold : {0.5, 0.3, 0.9}) {
      MatchOptions match = Matching(Options({inputs[0]}, "read", set));
      match.keep = {"longest"};
      match.method.threshold = threshold;
      match.against = {folder_ / inputs[1]};
      const auto read = Match(match);
      ASSERT_TRUE(read) << read.error().ToString();
      match.out = folder_ / "asked";
      match.against = {folder_ / "saved"};
      const auto asked = Match(match);
      ASSERT_TRUE(asked) << asked.error().ToString();
      EXPECT_EQ(PromisedBytes(folder_ / "asked"),
                PromisedBytes(folder_ / "read"));
      pairs += asked->pairs;
    }
    EXPECT_GT(pairs, 10u);
  }

  void ExpectBoth(const std::string& name, const SetOptions& set) {
    ExpectAdded(name, set);
    ExpectMatched(name, set);
  }

  TemporaryFolder folder_;
};

TEST_F(JoinedRunTest, Methods) {
  ExpectBoth("minhash", [](auto*) {});
  for (const char* method :
       {"complete", "super-shingle", "simhash", "one-permutation", "mod-m",
        "i-match", "rare-chunks", "spex", "henzinger-combined", "psm"}) {
    ExpectBoth(method, [=](auto* o) {
      if (std::string(method) == "psm") {
        o->method.name = "simhash";
        o->method.generator = "psm";
      } else {
        o->method.name = method;
      }
    });
  }
}

TEST_F(JoinedRunTest, EqualTexts) {
  for (const CopyLevel level :
       {CopyLevel::kBytes, CopyLevel::kText, CopyLevel::kTokens}) {
    const auto set = [=](auto* o) {
      o->method.name = "exact";
      o->method.level = level;
      o->method.threshold = 0.8;
    };
    SCOPED_TRACE(ChoiceName(level));
    DedupOptions first = Options({"a.jsonl"}, "first", set);
    first.save = folder_ / "saved";
    Run(first);
    DedupOptions added = Options({"b.jsonl"}, "added", set);
    added.add = {folder_ / "saved"};
    added.reconsider = true;
    Run(added);
    Run(Options({"a.jsonl", "b.jsonl"}, "whole", set));
    EXPECT_EQ(PromisedBytes(folder_ / "added"),
              PromisedBytes(folder_ / "whole"));
    MatchOptions match = Matching(Options({"b.jsonl"}, "asked", set));
    match.keep = {"longest"};
    match.against = {folder_ / "saved"};
    const auto asked = Match(match);
    ASSERT_TRUE(asked) << asked.error().ToString();
    EXPECT_GT(asked->pairs, 5u);
    match.out = folder_ / "read";
    match.against = {folder_ / "a.jsonl"};
    ASSERT_TRUE(Match(match));
    EXPECT_EQ(PromisedBytes(folder_ / "asked"),
              PromisedBytes(folder_ / "read"));
  }
}

// The files of --ignore are not there any more: their shingles were kept.
TEST_F(JoinedRunTest, IgnoredShinglesAreThoseOfTheSavedRun) {
  const auto words = ReadRows(folder_ / "a.jsonl")[0]["text"];
  const auto set = [&](auto* o) { o->ignore = {folder_ / "ignored.txt"}; };
  Write(folder_ / "ignored.txt", words.get<std::string>().substr(0, 200));
  DedupOptions first = Options({"a.jsonl"}, "first", set);
  first.save = folder_ / "saved";
  Run(first);
  Run(Options({"a.jsonl", "b.jsonl"}, "whole", set));
  MatchOptions match = Matching(Options({"b.jsonl"}, "read", set));
  match.keep = {"longest"};
  match.against = {folder_ / "a.jsonl"};
  ASSERT_TRUE(Match(match));
  Run(Options({"a.jsonl", "b.jsonl"}, "other", [](auto*) {}));
  EXPECT_NE(Read(folder_ / "other/pairs.jsonl"),
            Read(folder_ / "whole/pairs.jsonl"));
  std::filesystem::remove(folder_ / "ignored.txt");
  DedupOptions added = Options({"b.jsonl"}, "added", set);
  added.add = {folder_ / "saved"};
  added.reconsider = true;
  added.save = folder_ / "both";
  Run(added);
  EXPECT_EQ(PromisedBytes(folder_ / "added"), PromisedBytes(folder_ / "whole"));
  for (const char* saved : {"saved", "both"}) {
    match.out = folder_ / "asked";
    match.against = {folder_ / saved};
    ASSERT_TRUE(Match(match));
    if (saved == std::string("saved")) {
      EXPECT_EQ(PromisedBytes(folder_ / "asked"),
                PromisedBytes(folder_ / "read"));
    }
  }
}

TEST_F(JoinedRunTest, Measures) {
  for (const Measure measure :
       {Measure::kDice, Measure::kCosine, Measure::kS3, Measure::kCosineTf,
        Measure::kCosineTfIdf, Measure::kEdit}) {
    ExpectBoth(std::string(ChoiceName(measure)), [=](auto* o) {
      o->method.measure = measure;
      o->features.shingle = "word:2";
    });
  }
  ExpectAdded("containment",
              [](auto* o) { o->method.measure = Measure::kContainment; });
}

TEST_F(JoinedRunTest, HotBucketsVerificationAndCommonText) {
  ExpectBoth("bucket-limit 2", [](auto* o) {
    o->method.name = "minhash";
    o->method.bucket_limit = 2;
    o->method.bands = 40;
    o->method.rows = 1;
  });
  ExpectBoth("none", [](auto* o) {
    o->method.name = "minhash";
    o->method.verify = false;
  });
  ExpectBoth("none of simhash", [](auto* o) {
    o->method.verify = false;
    o->method.name = "simhash";
  });
  ExpectBoth("text", [](auto* o) { o->method.verify_text = true; });
  ExpectBoth("max-df", [](auto* o) { o->max_df = 8; });
}

TEST_F(JoinedRunTest, Scopes) {
  ExpectBoth("within", [](auto* o) { o->within = "host"; });
  ExpectBoth("across", [](auto* o) { o->across = "source"; });
  ExpectBoth("window", [](auto* o) { o->window = "date:60d"; });
  ExpectBoth("fields", [](auto* o) {
    o->across = "score";
    o->keep = {"max:score", "longest"};
  });
  ExpectBoth("csv and a report", [](auto* o) {
    o->output_format = OutputFormat::kCsv;
    o->report = true;
    o->cluster = ClusterRule::kComponents;
  });
}

// Fields are mapped by name: the new run asks for fewer.
TEST_F(JoinedRunTest, OtherRules) {
  DedupOptions first = Options({"a.jsonl"}, "first", [](auto* o) {
    o->keep = {"min:score", "oldest"};
  });
  first.save = folder_ / "saved";
  Run(first);
  const auto set = [](auto* o) {
    o->keep = {"max:score", "newest"};
    o->method.threshold = 0.3;
    o->cluster = ClusterRule::kComponents;
  };
  DedupOptions added = Options({"b.jsonl"}, "added", set);
  added.add = {folder_ / "saved"};
  added.reconsider = true;
  Run(added);
  Run(Options({"a.jsonl", "b.jsonl"}, "whole", set));
  EXPECT_EQ(PromisedBytes(folder_ / "added"), PromisedBytes(folder_ / "whole"));
}

// Sites whose pages stand on both sides, and the template of each.
TEST_F(JoinedRunTest, PagesOfOneSite) {
  const SyntheticCorpus corpus(3, 90, 60);
  for (const size_t part : {0, 1, 2}) {
    std::string rows;
    for (size_t i = 0; i < corpus.texts.size(); ++i) {
      if (i % 5 > 2 ? part != i % 2 : part == i % 3) continue;
      const std::string site = std::to_string(i % 4);
      Json row;
      row["id"] = std::to_string(i);
      if (i % 7 != 0)
        row["url"] = "http://site" + site + ".example/" + std::to_string(i);
      row["html"] = "<html><body><p>menu of site " + site +
                    " with home and news and contact and imprint and more "
                    "links that stand on every page of it</p><p>" +
                    corpus.texts[i] + "</p></body></html>";
      rows += row.dump() + "\n";
    }
    Write(folder_ / (std::string(1, static_cast<char>('a' + part)) + ".pages"),
          rows);
  }
  for (const ContentMode content : {ContentMode::kAll, ContentMode::kMain}) {
    const SetOptions set = [=](auto* o) {
      o->input.format = InputFormat::kJsonl;
      o->input.html_field = "html";
      o->keep = {"longest"};
      o->features.content = content;
    };
    ExpectAdded("pages", set, {"a.pages", "b.pages", "c.pages"});
    ExpectMatched("pages", set, {"b.pages", "a.pages"});
    EXPECT_NE(Read(folder_ / "whole/clusters.jsonl").size(), 0u);
  }
}

std::string WarcRecord(const std::string& type, const std::string& id,
                       const std::string& more, const std::string& body) {
  return "WARC/1.0\r\nWARC-Type: " + type + "\r\nWARC-Record-ID: <urn:" + id +
         ">\r\nWARC-Target-URI: http://h.example/" + id +
         "\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n" + more +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body +
         "\r\n\r\n";
}

std::string Response(const std::string& id, const std::string& status,
                     const std::string& text) {
  return WarcRecord("response", id,
                    "Content-Type: application/http; msgtype=response\r\n",
                    "HTTP/1.1 " + status + "\r\nContent-Type: text/plain\r\n" +
                        "\r\n" + text);
}

// Revisits refer to records of either side; some of these were skipped, or are
// quarantined.
TEST_F(JoinedRunTest, Archives) {
  const SyntheticCorpus corpus(5, 40, 60);
  const auto revisit = [](const std::string& id, const std::string& of) {
    return WarcRecord("revisit", id,
                      "WARC-Refers-To: <urn:" + of +
                          ">\r\nContent-Type: application/http; "
                          "msgtype=response\r\n",
                      "HTTP/1.1 200 OK\r\n\r\n");
  };
  std::string a, b;
  for (size_t i = 0; i < 40; ++i)
    (i % 2 ? a : b) += Response(std::to_string(i), "200 OK", corpus.texts[i]);
  a += Response("gone", "404 Not Found", "gone") + revisit("r1", "2");
  b += revisit("r2", "1") + revisit("r3", "gone") + revisit("r4", "nowhere") +
       Response("long", "200 OK", std::string(3000, 'x'));
  Write(folder_ / "a.warc", a);
  Write(folder_ / "b.warc", b);
  const SetOptions set = [](auto* o) {
    o->input.max_document_bytes = 2500;
    o->keep = {"newest"};
  };
  ExpectAdded("warc", set, {"a.warc", "b.warc"});
  const Json added = Json::parse(Read(folder_ / "added/summary.json"));
  EXPECT_NE(Read(folder_ / "added/revisits.jsonl").find("target_skipped"),
            std::string::npos);
  EXPECT_EQ(added["records"]["quarantined"], 1);
  ExpectMatched("warc", set, {"b.warc", "a.warc"});
  ExpectMatched("warc", set, {"a.warc", "b.warc"});
}

// Each text of b, looked up in the saved a by several threads: what a match of
// it finds.
TEST_F(JoinedRunTest, SingleTextsFindWhatAMatchFinds) {
  const auto rows = ReadRows(folder_ / "b.jsonl");
  // A match learns from both sides and single texts go by what the saved run
  // learnt, so here both have the same lexicon.
  LexiconOptions lexicon;
  lexicon.input.inputs = {folder_ / "a.jsonl"};
  lexicon.out = folder_ / "lexicon";
  ASSERT_TRUE(BuildLexicon(lexicon, [](const RejectedRecord&) {}));
  for (const char* method : {"minhash", "complete", "simhash", "i-match",
                             "super-shingle", "henzinger-combined"}) {
    SCOPED_TRACE(method);
    const SetOptions set = [&](auto* o) {
      o->method.name = method;
      if (o->method.name == "i-match") o->method.lexicon = lexicon.out;
    };
    DedupOptions first = Options({"a.jsonl"}, "first", set);
    first.save = folder_ / "saved";
    Run(first);
    MatchOptions match = Matching(Options({"b.jsonl"}, "asked", set));
    match.keep = {"longest"};
    match.against = {folder_ / "saved"};
    ASSERT_TRUE(Match(match));
    std::map<std::string, std::map<std::string, double>> expected;
    for (const Json& row : ReadRows(folder_ / "asked/pairs.jsonl"))
      expected[row["a"]][row["b"]] = row["similarity"];
    EXPECT_GT(expected.size(), 3u);
    const auto stored = SavedCollection::Open(folder_ / "saved");
    ASSERT_TRUE(stored) << stored.error().ToString();
    EXPECT_EQ(stored->size(), 120u);
    std::map<std::string, std::map<std::string, double>> found[2];
    std::vector<std::thread> threads;
    for (auto& by_thread : found) {
      threads.emplace_back([&] {
        for (const Json& row : rows) {
          const auto answer = stored->Find(row["text"].get<std::string>());
          ASSERT_TRUE(answer);
          std::string id = row["id"];  // the second of the name is id#2
          if (by_thread.contains(id + "!")) id += "#2";
          by_thread[id + "!"];
          double last = 1;
          for (const FoundDocument& document : *answer) {
            EXPECT_LE(document.similarity, last);
            last = document.similarity;
            by_thread[id][document.id] = document.similarity;
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (auto& by_thread : found) {
      std::erase_if(by_thread,
                    [](const auto& row) { return row.first.ends_with("!"); });
      EXPECT_EQ(by_thread, expected);
    }
  }
}

TEST_F(JoinedRunTest, SingleTextsNeedARunThatVerifiesByFeatures) {
  const auto open = [&](const SetOptions& set) {
    DedupOptions first = Options({"a.jsonl"}, "first", set);
    first.save = folder_ / "saved";
    Run(first);
    const auto stored = SavedCollection::Open(folder_ / "saved");
    return stored ? ErrorCode::kInternal : stored.error().code;
  };
  EXPECT_EQ(open([](auto* o) {
              o->method.name = "minhash";
              o->method.verify = false;
            }),
            ErrorCode::kUnsupported);
  EXPECT_EQ(open([](auto* o) { o->method.verify_text = true; }),
            ErrorCode::kUnsupported);
  EXPECT_EQ(open([](auto* o) { o->method.measure = Measure::kContainment; }),
            ErrorCode::kUnsupported);
  EXPECT_EQ(open([](auto* o) { o->method.measure = Measure::kCosineTfIdf; }),
            ErrorCode::kUnsupported);
  EXPECT_FALSE(SavedCollection::Open(folder_ / "first"));
  Run(Options({"a.jsonl"}, "first",
              [&](auto* o) { o->save = folder_ / "saved"; }));
  SavedCollectionOptions higher;
  higher.threshold = 0.95;
  const auto stored = SavedCollection::Open(folder_ / "saved", higher);
  ASSERT_TRUE(stored);
  const auto none = stored->Find("");
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());
  for (const Json& row : ReadRows(folder_ / "b.jsonl")) {
    const auto found = stored->Find(row["text"].get<std::string>());
    ASSERT_TRUE(found);
    for (const FoundDocument& document : *found)
      EXPECT_GE(document.similarity, 0.95);
  }
}

// A text in another language than was asked for is none that Match compares.
TEST_F(JoinedRunTest, SingleTextsThatAreSkipped) {
  const std::string german =
      "Der Hund lief am Abend durch den Wald, und die Kinder suchten ihn "
      "lange, weil er auf keinen Ruf mehr hören wollte.";
  const std::string english =
      "The dog ran through the woods in the evening, and the children looked "
      "for it for a long time because it would not listen any more.";
  Json row;
  row["text"] = german;
  Write(folder_ / "german.jsonl", row.dump() + "\n");
  DedupOptions first = Options({"german.jsonl"}, "first", [](auto* o) {
    o->keep = {"longest"};
    o->input.languages = {"de"};
  });
  first.save = folder_ / "saved";
  Run(first);
  const auto stored = SavedCollection::Open(folder_ / "saved");
  ASSERT_TRUE(stored) << stored.error().ToString();
  const auto found = stored->Find(german);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->size(), 1u);
  const auto none = stored->Find(english);
  ASSERT_TRUE(none) << none.error().ToString();
  EXPECT_TRUE(none->empty());
}

TEST_F(JoinedRunTest, SidesMayBeReadDifferently) {
  std::string csv = "name,body\n";
  for (const std::string& text : SyntheticCorpus(7, 30, 60).texts)
    csv += "n," + text + "\n";
  Write(folder_ / "a.csv", csv);
  DedupOptions first = Options({"b.jsonl"}, "first", [](auto*) {});
  first.save = folder_ / "saved";
  Run(first);
  MatchOptions match = Matching(Options({"a.csv"}, "asked", [](auto* o) {
    o->input.id_field = "name";
    o->input.text_field = "body";
    o->keep = {"longest"};
  }));
  match.against = {folder_ / "saved"};
  const auto asked = Match(match);
  ASSERT_TRUE(asked) << asked.error().ToString();
  match.out = folder_ / "read";
  match.against = {folder_ / "b.jsonl"};
  match.against_input.id_field = "id";
  match.against_input.text_field = "text";
  const auto read = Match(match);
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_GT(read->pairs, 5u);
  auto x = PromisedBytes(folder_ / "asked"),
       y = PromisedBytes(folder_ / "read");
  x.erase("summary.json");  // says how B was read
  y.erase("summary.json");
  EXPECT_EQ(x, y);
}

TEST_F(JoinedRunTest, RefusesWhatIsNotAlike) {
  DedupOptions first = Options({"a.jsonl"}, "first", [](auto*) {});
  first.save = folder_ / "saved";
  Run(first);
  const auto refused = [&](const std::string& word, const SetOptions& set) {
    SCOPED_TRACE(word);
    DedupOptions added = Options({"b.jsonl"}, "refused", [&](auto* o) {
      o->add = {folder_ / "saved"};
      o->reconsider = true;
      set(o);
    });
    const auto summary = Dedup(added);
    ASSERT_FALSE(summary);
    EXPECT_EQ(summary.error().code, ErrorCode::kUsage);
    EXPECT_NE(summary.error().ToString().find(word), std::string::npos)
        << summary.error().ToString();
    EXPECT_FALSE(std::filesystem::exists(folder_ / "refused"));
  };
  refused("shingle", [](auto* o) { o->features.shingle = "word:3"; });
  refused("permutations", [](auto* o) { o->method.permutations = 64; });
  refused("seed", [](auto* o) { o->method.seed = 2; });
  refused("method", [](auto* o) { o->method.name = "simhash"; });
  refused("content", [](auto* o) { o->features.content = ContentMode::kAll; });
  refused("max_df", [](auto* o) { o->max_df = 9; });
  refused("text_field", [](auto* o) { o->input.text_field = "body"; });
  refused("rank", [](auto* o) { o->keep = {"max:rank"}; });
  refused("texts", [](auto* o) { o->method.verify_text = true; });
  refused("in the saved run",
          [&](auto* o) { o->save = folder_ / "saved/again"; });
  refused("no saved run", [&](auto* o) { o->add = {folder_ / "first"}; });
  Write(folder_ / "key", "0123456789abcdef0123456789abcdef");
  refused("--key", [&](auto* o) { o->resources.key = folder_ / "key"; });

  MatchOptions match = Matching(Options({"b.jsonl"}, "refused", [](auto*) {}));
  match.against = {folder_ / "saved"};
  match.method.measure = Measure::kContainment;
  EXPECT_FALSE(Match(match));
  match.method.measure = Measure::kJaccard;
  match.against_input.format = InputFormat::kCsv;
  EXPECT_FALSE(Match(match));
  match.against_input.format.reset();
  match.against.push_back(folder_ / "b.jsonl");
  EXPECT_FALSE(Match(match));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "refused"));
  // Its secret was taken out.
  std::filesystem::remove(folder_ / "saved/verify.key");
  refused("key", [](auto*) {});
}

// Stopped at every report of progress, then resumed.
TEST_F(JoinedRunTest, Resumed) {
  DedupOptions first = Options({"a.jsonl"}, "first", [](auto*) {});
  first.save = folder_ / "saved";
  Run(first);
  Run(Options({"a.jsonl", "b.jsonl"}, "whole", [](auto*) {}));
  int stopped = 0;
  for (int reports = 1; reports < 120; reports += 3) {
    std::atomic<bool> stop = false;
    int seen = 0;
    DedupOptions added = Options({"b.jsonl"}, "added", [](auto*) {});
    added.add = {folder_ / "saved"};
    added.reconsider = true;
    added.stop = &stop;
    added.on_progress = [&](const Progress&) { stop = ++seen >= reports; };
    if (const auto summary = Dedup(added); !summary) {
      ASSERT_EQ(summary.error().code, ErrorCode::kInterrupted);
      ++stopped;
      added.stop = nullptr;
      added.overwrite = false;
      added.resume = true;
      Run(added);
    }
    EXPECT_EQ(PromisedBytes(folder_ / "added"),
              PromisedBytes(folder_ / "whole"));
  }
  EXPECT_GE(stopped, 4);
}

// A first side without a word is refused. Others ask for little, or everything,
// or more than there is room for.
TEST_F(JoinedRunTest, FirstSidesOfEverySize) {
  Write(folder_ / "empty.jsonl", "{\"id\":\"e\",\"text\":\"\"}\n");
  Write(folder_ / "one.jsonl", ReadLines(folder_ / "a.jsonl")[0] + "\n");
  DedupOptions first = Options({"a.jsonl"}, "first", [](auto*) {});
  first.save = folder_ / "saved";
  Run(first);
  MatchOptions match = Matching(Options({"empty.jsonl"}, "r", [](auto*) {}));
  match.keep = {"longest"};
  for (const char* against : {"a.jsonl", "saved"}) {
    match.against = {folder_ / against};
    const auto refused = Match(match);
    ASSERT_FALSE(refused) << against;
    EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt)
        << refused.error().ToString();
  }
  for (const char* input : {"one.jsonl", "a.jsonl", "c.jsonl"}) {
    SCOPED_TRACE(input);
    match = Matching(Options({input}, "read", [](auto*) {}));
    match.keep = {"longest"};
    match.against = {folder_ / "a.jsonl"};
    ASSERT_TRUE(Match(match));
    match.out = folder_ / "asked";
    match.against = {folder_ / "saved"};
    const auto asked = Match(match);
    ASSERT_TRUE(asked) << asked.error().ToString();
    EXPECT_EQ(PromisedBytes(folder_ / "asked"),
              PromisedBytes(folder_ / "read"));
    const uint64_t taken = TakenBy(*asked);
    if (input == std::string("one.jsonl")) {
      EXPECT_LT(taken, 60u);
    }
    if (input == std::string("a.jsonl")) {
      // Each finds itself.
      EXPECT_EQ(taken, 120 - ReadLines(folder_ / "asked/empty.txt").size());
    }
  }
}

// The keys of the first side take more than a quarter of the memory: every
// document of the saved run is taken.
TEST_F(JoinedRunTest, KeysThatDoNotFit) {
  const SetOptions set = [](auto* o) {
    o->method.name = "minhash";
    o->method.bands = 128;
    o->method.rows = 1;
    o->resources.memory_bytes = 64 << 20;
    o->keep = {"longest"};
  };
  Write(folder_ / "many.jsonl", SyntheticCorpus(11, 4400, 16).Jsonl());
  Write(folder_ / "few.jsonl", SyntheticCorpus(11, 80, 16).Jsonl());
  DedupOptions first = Options({"few.jsonl"}, "first", set);
  first.save = folder_ / "saved";
  Run(first);
  MatchOptions match = Matching(Options({"many.jsonl"}, "read", set));
  match.against = {folder_ / "few.jsonl"};
  ASSERT_TRUE(Match(match));
  match.out = folder_ / "asked";
  match.against = {folder_ / "saved"};
  const auto asked = Match(match);
  ASSERT_TRUE(asked) << asked.error().ToString();
  EXPECT_GT(asked->pairs, 50u);
  EXPECT_EQ(TakenBy(*asked), asked->documents_b);
  EXPECT_EQ(PromisedBytes(folder_ / "asked"), PromisedBytes(folder_ / "read"));
}

TEST_F(JoinedRunTest, AMatchIsResumed) {
  DedupOptions first = Options({"a.jsonl"}, "first", [](auto*) {});
  first.save = folder_ / "saved";
  Run(first);
  MatchOptions match = Matching(Options({"b.jsonl"}, "whole", [](auto*) {}));
  match.keep = {"longest"};
  match.against = {folder_ / "saved"};
  ASSERT_TRUE(Match(match));
  match.out = folder_ / "asked";
  int stopped = 0;
  for (int reports = 1; reports < 120; reports += 3) {
    std::atomic<bool> stop = false;
    int seen = 0;
    match.stop = &stop;
    match.overwrite = true;
    match.resume = false;
    match.on_progress = [&](const Progress&) { stop = ++seen >= reports; };
    if (const auto summary = Match(match); !summary) {
      ASSERT_EQ(summary.error().code, ErrorCode::kInterrupted);
      ++stopped;
      match.stop = nullptr;
      match.overwrite = false;
      match.resume = true;
      MatchOptions other = match;
      other.keep = {"shortest"};
      EXPECT_FALSE(Match(other));
      const auto resumed = Match(match);
      ASSERT_TRUE(resumed) << resumed.error().ToString();
    }
    EXPECT_EQ(PromisedBytes(folder_ / "asked"),
              PromisedBytes(folder_ / "whole"));
  }
  EXPECT_GE(stopped, 4);
}

// Files of a saved run that are damaged: an error, or the right answer, as not
// every file is read.
TEST_F(JoinedRunTest, DamageIsAnError) {
  DedupOptions first = Options({"a.jsonl"}, "first", [](auto*) {});
  first.save = folder_ / "saved";
  Run(first);
  Run(Options({"a.jsonl", "b.jsonl"}, "whole", [](auto*) {}));
  const auto whole = PromisedBytes(folder_ / "whole");
  SplitMix64 random(5);
  for (const auto& entry :
       std::filesystem::directory_iterator(folder_ / "saved")) {
    const std::string name = entry.path().filename();
    if (name == ".twinset") continue;
    SCOPED_TRACE(name);
    const std::string bytes = Read(entry.path());
    for (int i = 0; i < 3; ++i) {
      std::string damaged = bytes;
      damaged[random.Below(bytes.size())] ^=
          static_cast<char>(1 << random.Below(8));
      Write(entry.path(), damaged);
      DedupOptions added = Options({"b.jsonl"}, "added", [](auto*) {});
      added.add = {folder_ / "saved"};
      added.reconsider = true;
      const auto summary = Dedup(added);
      ASSERT_FALSE(summary);
      EXPECT_TRUE(summary.error().code == ErrorCode::kCorrupt ||
                  summary.error().code == ErrorCode::kUnsupported)
          << summary.error().ToString();
    }
    Write(entry.path(), bytes);
  }
}

}  // namespace
}  // namespace twinset::testing
