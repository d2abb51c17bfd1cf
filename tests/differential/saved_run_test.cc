// A saved run decided again gives the bytes of a run from scratch: methods,
// measures, rules, classes of equal documents, hot buckets, thresholds at ties.
#include "store/saved_run.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>

#include "support/dedup_fixture.h"
#include "support/rows_of_everything.h"
#include "twinset/saved_run.h"

namespace twinset::testing {
namespace {

using Set = std::function<void(DedupOptions*)>;

struct Again {
  std::string name;
  std::function<void(RecutOptions*)> recut;
  Set whole;  // the same of a run from scratch
};

// The rules of keeping read documents, not the method: `all_rules` for one
// method of each family is enough.
std::vector<Again> EveryWay(double higher, bool all_rules) {
  std::vector<Again> ways = {{"as it was", [](auto*) {}, [](auto*) {}}};
  for (const double threshold : {higher, 1.0}) {
    ways.push_back({"threshold " + std::to_string(threshold),
                    [=](auto* o) { o->threshold = threshold; },
                    [=](auto* o) { o->method.threshold = threshold; }});
  }
  std::vector<std::string> rules = {"shortest", "max:score"};
  if (all_rules)
    rules = {"shortest",  "first",        "newest",    "oldest",    "https",
             "canonical", "shortest-url", "max:score", "min:score", "longest"};
  for (const std::string& keep : rules) {
    const std::vector<std::string> rule = {keep, "https"};
    ways.push_back({"keep " + keep, [=](auto* o) { o->keep = rule; },
                    [=](auto* o) { o->keep = rule; }});
  }
  ways.push_back({"components",
                  [](auto* o) {
                    o->cluster = ClusterRule::kComponents;
                    o->pairs = ListedPairs::kAll;
                    o->action = Action::kDropAll;
                    o->output_format = OutputFormat::kCsv;
                  },
                  [](auto* o) {
                    o->cluster = ClusterRule::kComponents;
                    o->pairs = ListedPairs::kAll;
                    o->action = Action::kDropAll;
                    o->output_format = OutputFormat::kCsv;
                  }});
  ways.push_back({"all at once",
                  [=](auto* o) {
                    o->threshold = higher;
                    o->keep = {"newest", "max:score"};
                    o->prefer = {"b.jsonl"};
                    o->cluster = ClusterRule::kComponents;
                    o->pairs = ListedPairs::kStar;
                    o->report = true;
                  },
                  [=](auto* o) {
                    o->method.threshold = higher;
                    o->keep = {"newest", "max:score"};
                    o->prefer = {"b.jsonl"};
                    o->cluster = ClusterRule::kComponents;
                    o->pairs = ListedPairs::kStar;
                    o->report = true;
                  }});
  return ways;
}

// What counts candidates differs where candidates of a lower threshold were
// kept.
std::map<std::string, std::string> Comparable(const std::string& out,
                                              bool other_candidates) {
  auto files = PromisedBytes(out);
  Json summary = Json::parse(files["summary.json"]);
  if (other_candidates) {
    summary.erase("candidates");
    summary["pairs"].erase("compared");
    summary.erase("flagged");
    files.erase("report.html");
  }
  // Given or derived, they are the same.
  files["summary.json"] = summary.dump();
  return files;
}

class SavedRunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Write(folder_ / "a.jsonl", RowsOfEverything(7, 150));
    Write(folder_ / "b.jsonl", RowsOfEverything(8, 60));
  }

  DedupOptions Options(const Set& set) {
    DedupOptions options = OptionsFor(folder_ / "a.jsonl", folder_ / "out");
    options.input.inputs.push_back(folder_ / "b.jsonl");
    options.method.threshold = 0.5;
    options.keep = {"longest", "max:score"};
    options.overwrite = true;
    set(&options);
    return options;
  }

  void Save(const Set& set) {
    DedupOptions options = Options(set);
    options.save = folder_ / "saved";
    const auto summary = Dedup(options);
    ASSERT_TRUE(summary) << summary.error().ToString();
    const Json json = Json::parse(summary->json.dump());
    bands_ = json["parameters"].value("bands", 0);
    rows_ = json["parameters"].value("rows", 0);
  }

  // The saved run of `set`, decided again in every way, against whole runs.
  void ExpectSame(const std::string& name, const Set& set,
                  bool all_rules = false) {
    SCOPED_TRACE(name);
    Save(set);
    if (HasFatalFailure()) return;
    int compared = 0;
    for (const Again& way : EveryWay(0.75, all_rules)) {
      SCOPED_TRACE(way.name);
      RecutOptions recut;
      recut.saved = folder_ / "saved";
      recut.out = folder_ / "recut";
      recut.overwrite = true;
      recut.resources.threads = 2;
      way.recut(&recut);
      const auto again = Recut(recut);
      DedupOptions options = Options(set);
      way.whole(&options);
      options.method.bands = bands_;
      options.method.rows = rows_;
      if (bands_ == 0) options.method.rows = 0;
      const auto whole = Dedup(options);
      ASSERT_EQ(again.has_value(), whole.has_value())
          << (again ? whole.error() : again.error()).ToString();
      if (!again) continue;
      ++compared;
      EXPECT_GT(again->pairs, way.name == "all at once" ? 0u : 5u);
      const bool kept =
          Json::parse(again->json.dump())["run"]["recut"]["candidates"] ==
          "kept";
      const bool other = kept && recut.threshold.has_value();
      EXPECT_EQ(Comparable(folder_ / "recut", other),
                Comparable(folder_ / "out", other));
    }
    EXPECT_GE(compared, all_rules ? 12 : 5);
  }

  TemporaryFolder folder_;
  int bands_ = 0, rows_ = 0;
};

TEST_F(SavedRunTest, MinHash) {
  ExpectSame(
      "minhash", [](auto* o) { o->method.name = "minhash"; }, true);
}

TEST_F(SavedRunTest, CompleteJoins) {
  ExpectSame(
      "complete", [](auto* o) { o->method.name = "complete"; }, true);
}

TEST_F(SavedRunTest, OtherMethods) {
  for (const char* method :
       {"super-shingle", "simhash", "one-permutation", "mod-m", "i-match",
        "rare-chunks", "spex", "henzinger-combined"}) {
    ExpectSame(method, [=](auto* o) { o->method.name = method; });
  }
}

TEST_F(SavedRunTest, EqualTexts) {
  for (const char* level : {"bytes", "text", "tokens"}) {
    Save([=](auto* o) {
      o->method.name = "exact";
      o->method.level = *FindChoice<CopyLevel>(level);
    });
    RecutOptions recut;
    recut.saved = folder_ / "saved";
    recut.out = folder_ / "recut";
    recut.overwrite = true;
    recut.keep = {"newest"};
    recut.cluster = ClusterRule::kComponents;
    ASSERT_TRUE(Recut(recut));
    ASSERT_TRUE(Dedup(Options([=](auto* o) {
      o->method.name = "exact";
      o->method.level = *FindChoice<CopyLevel>(level);
      o->keep = {"newest"};
      o->cluster = ClusterRule::kComponents;
    })));
    EXPECT_EQ(PromisedBytes(folder_ / "recut"), PromisedBytes(folder_ / "out"));
  }
}

TEST_F(SavedRunTest, MeasuresAndSketchesThatSeeMoreThanFeatures) {
  for (const char* measure :
       {"containment", "dice", "cosine-tf", "cosine-tf-idf", "edit"}) {
    ExpectSame(measure, [=](auto* o) {
      o->method.measure = *FindChoice<Measure>(measure);
      o->features.shingle = "word:2";
    });
  }
  ExpectSame("simhash of word:2", [](auto* o) {
    o->method.name = "simhash";
    o->method.sketch_shingle = "word:2";
  });
}

TEST_F(SavedRunTest, HotBuckets) {
  ExpectSame("bucket-limit 2", [](auto* o) {
    o->method.name = "minhash";
    o->method.bucket_limit = 2;
    o->method.bands = 40;
    o->method.rows = 1;
  });
}

TEST_F(SavedRunTest, VerifyNoneAndText) {
  ExpectSame("none", [](auto* o) {
    o->method.name = "minhash";
    o->method.verify = false;
  });
  ExpectSame("none of simhash", [](auto* o) {
    o->method.verify = false;
    o->method.name = "simhash";
  });
  ExpectSame("text", [](auto* o) { o->method.verify_text = true; });
}

TEST_F(SavedRunTest, ScopesAndCommonText) {
  ExpectSame("within", [](auto* o) { o->within = "host"; });
  ExpectSame("across", [](auto* o) { o->across = "host"; });
  ExpectSame("window", [](auto* o) { o->window = "date:60d"; });
  ExpectSame("max-df", [](auto* o) { o->max_df = 8; });
}

// Thresholds that are the similarity of pairs, to the last bit.
TEST_F(SavedRunTest, ThresholdsAtTies) {
  Save([](auto*) {});
  std::set<double> ties;
  for (const Json& row : ReadRows(folder_ / "out/pairs.jsonl"))
    ties.insert(row["similarity"].get<double>());
  ASSERT_GT(ties.size(), 4u);
  for (auto tie = ties.begin(); tie != ties.end();
       std::advance(tie, std::min<long>(7, std::distance(tie, ties.end())))) {
    RecutOptions recut;
    recut.saved = folder_ / "saved";
    recut.out = folder_ / "recut";
    recut.overwrite = true;
    recut.threshold = *tie;
    ASSERT_TRUE(Recut(recut));
    ASSERT_TRUE(Dedup(Options([&](auto* o) {
      o->method.threshold = *tie;
      o->method.bands = bands_;
      o->method.rows = rows_;
    })));
    EXPECT_EQ(Comparable(folder_ / "recut", true),
              Comparable(folder_ / "out", true));
  }
}

// Pages whose template was left out are compared with it, and --ignore counts,
// though neither inputs nor files of --ignore are there.
TEST_F(SavedRunTest, PagesWithoutTheirInputs) {
  std::string rows;
  const SyntheticCorpus corpus(3, 60, 60);
  for (size_t i = 0; i < corpus.texts.size(); ++i) {
    const std::string site = std::to_string(i % 3);
    Json row;
    row["url"] = "http://site" + site + ".example/" + std::to_string(i);
    row["html"] = "<html><body><p>menu of site " + site +
                  " with home and news and contact and imprint and more "
                  "links that stand on every page of it</p><p>" +
                  corpus.texts[i] + "</p></body></html>";
    rows += row.dump() + "\n";
  }
  Write(folder_ / "pages.jsonl", rows);
  Write(folder_ / "footer.txt", corpus.texts[0].substr(0, 120));
  const auto options = [&](auto* o) {
    o->input.inputs = {folder_ / "pages.jsonl"};
    o->input.html_field = "html";
    o->keep = {"longest"};
    o->features.content = ContentMode::kAll;
    o->ignore = {folder_ / "footer.txt"};
  };
  DedupOptions whole = Options(options);
  whole.keep = {"shortest"};
  ASSERT_TRUE(Dedup(whole));
  const auto expected = PromisedBytes(folder_ / "out");
  EXPECT_NE(expected.at("clusters.jsonl").find("template_differs"),
            std::string::npos);
  Save(options);
  std::filesystem::remove(folder_ / "pages.jsonl");
  std::filesystem::remove(folder_ / "footer.txt");
  RecutOptions recut;
  recut.saved = folder_ / "saved";
  recut.out = folder_ / "recut";
  recut.keep = {"shortest"};
  const auto again = Recut(recut);
  ASSERT_TRUE(again) << again.error().ToString();
  auto files = PromisedBytes(folder_ / "recut");
  EXPECT_EQ(files, expected);
}

// What the stop words left of the texts is stored, and so is which they were.
TEST_F(SavedRunTest, WithoutItsStopWords) {
  Write(folder_ / "stop.txt", "the\nof\nw1\n");
  const auto options = [&](auto* o) {
    o->features.stop_words = folder_ / "stop.txt";
    o->features.stem = "porter";
  };
  DedupOptions whole = Options(options);
  whole.keep = {"shortest"};
  ASSERT_TRUE(Dedup(whole));
  const auto expected = PromisedBytes(folder_ / "out");
  Save(options);
  for (const bool is_there : {true, false}) {
    if (is_there) {
      Write(folder_ / "stop.txt", "other\nwords\n");
    } else {
      std::filesystem::remove(folder_ / "stop.txt");
    }
    RecutOptions recut;
    recut.saved = folder_ / "saved";
    recut.out = folder_ / "recut";
    recut.keep = {"shortest"};
    recut.overwrite = true;
    const auto again = Recut(recut);
    ASSERT_TRUE(again) << again.error().ToString();
    EXPECT_EQ(PromisedBytes(folder_ / "recut"), expected);
  }
}

TEST_F(SavedRunTest, RefusesWhatWasNotKept) {
  Save([](auto*) {});
  const auto refused = [&](const std::function<void(RecutOptions*)>& set) {
    RecutOptions recut;
    recut.saved = folder_ / "saved";
    recut.out = folder_ / "recut";
    set(&recut);
    const auto again = Recut(recut);
    EXPECT_FALSE(again);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "recut"));
    return again ? Error() : again.error();
  };
  const Error low = refused([](auto* o) { o->threshold = 0.4; });
  EXPECT_EQ(low.code, ErrorCode::kUsage);
  EXPECT_NE(low.message.find("0.5"), std::string::npos) << low.message;
  const Error field = refused([](auto* o) { o->keep = {"max:rank"}; });
  EXPECT_EQ(field.code, ErrorCode::kUsage);
  EXPECT_NE(field.message.find("rank"), std::string::npos) << field.message;
  const Error none = refused([&](auto* o) { o->saved = folder_ / "out"; });
  EXPECT_EQ(none.code, ErrorCode::kUsage);
}

// Every file of a saved run cut short, with a flipped bit, or gone.
TEST_F(SavedRunTest, DamageIsAnError) {
  Save([](auto*) {});
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(folder_ / "saved"))
    names.push_back(entry.path().filename());
  SplitMix64 random(5);
  size_t damaged = 0;
  for (const std::string& name : names) {
    if (name == ".twinset") continue;
    const std::string path = folder_ / ("saved/" + name);
    const std::string whole = Read(path);
    const auto expect_refused = [&](const std::string& what) {
      SCOPED_TRACE(name + " " + what);
      RecutOptions recut;
      recut.saved = folder_ / "saved";
      recut.out = folder_ / "recut";
      const auto again = Recut(recut);
      ASSERT_FALSE(again);
      EXPECT_TRUE(again.error().code == ErrorCode::kCorrupt ||
                  again.error().code == ErrorCode::kUnsupported)
          << again.error().ToString();
      EXPECT_FALSE(again.error().where.empty());
      EXPECT_FALSE(std::filesystem::exists(folder_ / "recut"));
      ++damaged;
    };
    for (int i = 0; i < 4; ++i) {
      std::string bytes = whole;
      bytes.resize(random.Below(whole.size()));
      Write(path, bytes);
      expect_refused("cut short");
      bytes = whole;
      bytes[random.Below(whole.size())] ^=
          static_cast<char>(1 << random.Below(8));
      Write(path, bytes);
      expect_refused("with a flipped bit");
    }
    if (name != SavedRun::kManifest && name != SavedRun::kKey) {
      std::filesystem::remove(path);
      expect_refused("gone");
    }
    Write(path, whole);
  }
  EXPECT_GT(damaged, 100u);
  ASSERT_TRUE(SavedRun::Open(folder_ / "saved"));
  // Without its key it can still be decided again.
  std::filesystem::remove(folder_ / "saved/verify.key");
  RecutOptions recut;
  recut.saved = folder_ / "saved";
  recut.out = folder_ / "recut";
  recut.threshold = 0.8;
  EXPECT_TRUE(Recut(recut));
}

// A manifest that is whole, by the check that anybody can compute, and lies.
TEST_F(SavedRunTest, AManifestThatLiesIsAnError) {
  Save([](auto*) {});
  const std::string folder = folder_ / "saved";
  const std::string path = folder + "/" + SavedRun::kManifest;
  const std::string whole = Read(path);
  const auto expect_refused =
      [&](const std::function<void(twinset::Json*)>& change) {
        Write(path, whole);
        std::vector<std::string> names;
        twinset::Json description;
        {
          const auto saved = SavedRun::Open(folder);
          ASSERT_TRUE(saved);
          description = saved->description();
          for (const ManifestFile& file : saved->files())
            names.push_back(file.name);
        }
        change(&description);
        ASSERT_TRUE(SavedRun::Write(folder, description, names));
        RecutOptions recut;
        recut.saved = folder;
        recut.out = folder_ / "recut";
        recut.overwrite = true;
        const auto again = Recut(recut);
        ASSERT_FALSE(again);
        EXPECT_EQ(again.error().code, ErrorCode::kCorrupt)
            << again.error().ToString();
      };
  expect_refused([&](twinset::Json* run) {
    (*run)["current"]["documents"] = "../saved/documents.blob";
  });
  expect_refused(
      [](twinset::Json* run) { (*run)["current"]["features"] = ""; });
  expect_refused(
      [](twinset::Json* run) { (*run)["current"]["views"] = "nowhere"; });
  for (const uint64_t count : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 60}) {
    expect_refused([&](twinset::Json* run) {
      (*run)["counts"]["read"]["documents"] = count;
    });
  }
  // Counts that are missing, of another type, or of another number of sources,
  // fields or rules.
  using twinset::Json;
  expect_refused([](Json* run) { run->erase("counts"); });
  for (const char* stage :
       {"read", "template", "prune", "order", "candidate", "verify"}) {
    SCOPED_TRACE(stage);
    expect_refused([&](Json* run) { (*run)["counts"].erase(stage); });
    expect_refused([&](Json* run) { (*run)["counts"][stage] = "x"; });
    expect_refused([&](Json* run) { (*run)["counts"][stage] = {{"x", 1}}; });
  }
  expect_refused(
      [](Json* run) { (*run)["counts"]["verify"]["accepted"] = -1; });
  expect_refused([](Json* run) {
    (*run)["counts"]["candidate"]["hot_buckets"].erase("count");
  });
  expect_refused([](Json* run) {
    (*run)["counts"]["order"]["keep_missing"].push_back(1);
  });
  expect_refused([](Json* run) {
    (*run)["counts"]["read"]["sides"][0]["present"] = Json::array();
  });
  for (const char* sources : {"", "1,1,1", "1x18446744073709551615", "one"}) {
    expect_refused([&](Json* run) {
      (*run)["counts"]["read"]["source_documents"] = sources;
    });
  }
}

// Stopped after each file: no saved run is there, and a resumed run makes it.
TEST_F(SavedRunTest, StoppedWhileItIsSaved) {
  for (const int files : {1, 2, 9, 20}) {
    std::atomic<bool> stop = false;
    int saved = 0;
    DedupOptions options = Options([](auto*) {});
    options.save = folder_ / "saved";
    options.stop = &stop;
    options.on_progress = [&](const Progress& now) {
      if (now.stage == "save" && ++saved == files) stop = true;
    };
    const auto stopped = Dedup(options);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
    RecutOptions recut;
    recut.saved = folder_ / "saved";
    recut.out = folder_ / "recut";
    recut.overwrite = true;
    const auto none = Recut(recut);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::kUsage);
    stop = false;
    options.on_progress = {};
    options.overwrite = false;
    options.resume = true;
    const auto resumed = Dedup(options);
    ASSERT_TRUE(resumed) << resumed.error().ToString();
    ASSERT_TRUE(Recut(recut));
    EXPECT_EQ(Comparable(folder_ / "recut", false)["clusters.jsonl"],
              Comparable(folder_ / "out", false)["clusters.jsonl"]);
  }
}

// Neither the saved run nor its files' times or links change.
TEST_F(SavedRunTest, IsNeverWritten) {
  Save([](auto*) {});
  const auto snapshot = [&] {
    std::map<std::string, std::string> seen;
    for (const auto& entry :
         std::filesystem::directory_iterator(folder_ / "saved")) {
      seen[entry.path().filename()] =
          Read(entry.path()) +
          std::to_string(entry.last_write_time().time_since_epoch().count()) +
          std::to_string(entry.hard_link_count());
    }
    return seen;
  };
  const auto before = snapshot();
  for (const Again& way : EveryWay(0.8, true)) {
    RecutOptions recut;
    recut.saved = folder_ / "saved";
    recut.out = folder_ / "recut";
    recut.overwrite = true;
    way.recut(&recut);
    ASSERT_TRUE(Recut(recut));
  }
  RecutOptions into;
  into.saved = into.out = folder_ / "saved";
  into.overwrite = true;
  EXPECT_FALSE(Recut(into));
  into.out = folder_ / "saved/below";
  EXPECT_FALSE(Recut(into));
  into.out = folder_ / "recut";
  into.resources.tmp = folder_ / "saved";
  EXPECT_FALSE(Recut(into));
  EXPECT_EQ(snapshot(), before);
}

}  // namespace
}  // namespace twinset::testing
