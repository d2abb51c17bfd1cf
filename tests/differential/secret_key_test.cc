// What is verified is hashed under a secret: texts that were made to have the
// public hashes of others find nothing, and no result depends on the secret.
#include <sys/stat.h>

#include <algorithm>
#include <optional>

#include "base/keyed_hash.h"
#include "pipeline/read/text_check.h"
#include "support/dedup_fixture.h"
#include "text/tokens/features.h"
#include "twinset/dedup.h"
#include "twinset/evaluate.h"
#include "twinset/explain.h"

namespace twinset::testing {
namespace {

// Each five words on the left have, by the public hash, the shingle of the
// words on the right. Found by bench/bench_forge_shingles.cc; the first is the
// one that was first published against this program.
struct Forgery {
  const char* forged;
  const char* victim;
};
constexpr Forgery kForgeries[] = {
    {"xaadddcdbccaba xbccddcbacaada xcaddbbadccbca xdbaaccadadaaa "
     "xedbaaaaaaaaaa",
     "President signs climate bill today"},
    {"xabadddacbbaca xbddadadabbdca xcaccdbbbdcbda xdbacccccaddca "
     "xeaaaaaaaaaaaa",
     "the council will vote on"},
    {"xadabbaaaaccba xbdadacdbaaaba xcbcadbdcbbcca xdaaccbacdcaca "
     "xeaaaaaaaaaaaa",
     "council will vote on the"},
    {"xabccccdcabaca xbcadcbcdbdbda xcaabaaabbcaaa xddcadbccdacba "
     "xeaaaaaaaaaaaa",
     "will vote on the new"},
    {"xaabdaaccbcdba xbabbacddcaaba xcdcbbacacaaca xdcadbddadccda "
     "xeaaaaaaaaaaaa",
     "vote on the new budget"},
    {"xabcdddcccdaba xbaadadadadbda xcabdbadcbddca xdaadcdcdddbaa "
     "xeaaaaaaaaaaaa",
     "on the new budget for"},
    {"xaddababbcbcda xbcacaaccacbba xcddcbaadbacda xdcbaadcdadaba "
     "xebaaaaaaaaaaa",
     "the new budget for schools"},
    {"xacbcdbdbbbaaa xbbaccccccabca xcabbbaaddbcda xddccddabbcaaa "
     "xeaaaaaaaaaaaa",
     "new budget for schools next"},
    {"xaddbdaacdbdda xbdbdacdadbbba xccdbbdbabbdaa xdccdbcbadccca "
     "xeaaaaaaaaaaaa",
     "budget for schools next week"},
};
// Two words with one public hash.
constexpr char kTwins[2][17] = {"conifnoiikfbhhll", "kjbeebldojflgjdl"};

std::string Row(const std::string& id, const std::string& text) {
  return "{\"id\":\"" + id + "\",\"text\":\"" + text + "\"}\n";
}

std::vector<uint64_t> PublicShingles(std::string_view text,
                                     const char* shingle = "word:5") {
  FeatureScratch scratch;
  Features features;
  FeatureExtractor(TokenRule::kUnicode, *ParseShingles(shingle))
      .Extract(text, &scratch, &features);
  return features.shingles;
}

// A text of many words whose shingles are, by the public hash, those of the
// first few words of `victim` and others.
std::string AllForged() {
  std::string text;
  for (size_t i = 1; i < std::size(kForgeries); ++i)
    text += std::string(kForgeries[i].forged) + ". ";
  return text;
}

std::string LongVictim() {
  // The windows of one text, put together again.
  std::string text = kForgeries[1].victim;
  for (size_t i = 2; i < std::size(kForgeries); ++i) {
    const std::string window = kForgeries[i].victim;
    text += window.substr(window.rfind(' '));
  }
  return text;
}

TEST(ForgedTest, PublicHashesCollide) {
  for (const Forgery& forgery : kForgeries) {
    EXPECT_EQ(PublicShingles(forgery.forged), PublicShingles(forgery.victim));
  }
  EXPECT_EQ(PublicShingles(kTwins[0], "word:1"),
            PublicShingles(kTwins[1], "word:1"));
}

// By every method and measure of hashes.
TEST(ForgedTest, DedupFindsNoCopy) {
  TemporaryFolder folder;
  Write(folder / "in.jsonl",
        Row("victim", kForgeries[0].victim) +
            Row("forged", kForgeries[0].forged) +
            Row("one", std::string("a b ") + kTwins[0] + " d e f g") +
            Row("two", std::string("a b ") + kTwins[1] + " d e f g"));
  const auto expect_none = [&](const std::string& what,
                               const std::function<void(DedupOptions*)>& set) {
    DedupOptions options = OptionsFor(folder / "in.jsonl", folder / "out");
    options.overwrite = true;
    set(&options);
    const DedupSummary summary = MustDedup(options);
    EXPECT_EQ(summary.pairs, 0u) << what;
    EXPECT_EQ(summary.dropped, 0u) << what;
  };
  for (const char* method : {"minhash", "complete", "simhash", "mod-m"}) {
    expect_none(method, [&](DedupOptions* o) { o->method.name = method; });
    expect_none(method, [&](DedupOptions* o) {
      o->method.name = method;
      o->across = "source";
      o->across.clear();
      o->max_df = 3;
    });
  }
  for (const char* measure : {"containment", "dice", "cosine-tf", "hamming"}) {
    expect_none(measure, [&](DedupOptions* o) {
      o->method.measure = *FindChoice<Measure>(measure);
      o->method.threshold = .95;
    });
  }
  for (const char* shingle : {"chunk:2-5", "paragraph", "word:5+word:2"}) {
    expect_none(shingle,
                [&](DedupOptions* o) { o->features.shingle = shingle; });
  }
  expect_none("text", [&](DedupOptions* o) { o->method.verify_text = true; });
}

TEST(ForgedTest, ContainmentAndPassagesFindNothing) {
  TemporaryFolder folder;
  Write(folder / "a.jsonl",
        Row("victim", LongVictim()) + Row("short", kForgeries[0].victim));
  Write(folder / "b.jsonl", Row("forged", AllForged() + kForgeries[0].forged));
  // By the public hash the victim stands in the forged text as a whole.
  const auto forged = PublicShingles(AllForged() + kForgeries[0].forged);
  for (const uint64_t shingle : PublicShingles(LongVictim()))
    EXPECT_TRUE(std::binary_search(forged.begin(), forged.end(), shingle));
  MatchOptions options;
  options.input.inputs = {folder / "a.jsonl"};
  options.against = {folder / "b.jsonl"};
  options.out = folder / "out";
  options.method.measure = Measure::kContainment;
  const auto summary = Match(options);
  ASSERT_TRUE(summary) << summary.error().ToString();
  EXPECT_EQ(summary->pairs, 0u);
  EXPECT_EQ(summary->passages, 0u);
}

TEST(ForgedTest, ExplainMeasuresNothingInCommon) {
  const auto explained =
      ExplainTexts(kForgeries[0].victim, kForgeries[0].forged, {}, {});
  ASSERT_TRUE(explained);
  EXPECT_EQ(explained->common, 0u);
  EXPECT_EQ(explained->jaccard, 0);
  EXPECT_EQ(explained->estimate, 1);  // the public sketches
}

// ---- no result depends on the secret ----------------------------------------

constexpr const char* kKeys[] = {"00000000000000000000000000000001",
                                 "5f1d7084b9ae2c367f3ad218c9e460b5",
                                 "ffffffffffffffffffffffffffffffff"};

class SecretKeyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* key : kKeys) Write(folder_ / key, std::string(key) + "\n");
  }

  // `run` writes result files into the folder that it gets, under a key file
  // and with so many threads and so much memory.
  void ExpectSame(const std::string& what,
                  const std::function<void(const std::string&,
                                           const ResourceOptions&)>& run,
                  bool promises = true) {
    std::optional<std::map<std::string, std::string>> expected;
    for (size_t i = 0; i < std::size(kKeys); ++i) {
      const std::string out = folder_ / ("out-" + std::to_string(i));
      std::filesystem::remove_all(out);
      ResourceOptions resources;
      resources.key = folder_ / kKeys[i];
      resources.threads = i == 1 ? 3 : 1;
      resources.memory_bytes = uint64_t{i == 2 ? 64u : 256u} << 20;
      run(out, resources);
      auto files = PromisedBytes(out);
      if (!promises) {  // evaluate: JSON alone, without the run
        Json json = Json::parse(files.at("evaluation.json"));
        json.erase("run");
        files = {{"evaluation.json", json.dump()}};
      }
      if (!expected) {
        expected = std::move(files);
        continue;
      }
      ASSERT_EQ(files.size(), expected->size()) << what;
      for (const auto& [name, bytes] : *expected)
        EXPECT_EQ(files.at(name), bytes) << what << " " << name;
    }
  }
  TemporaryFolder folder_;
};

TEST_F(SecretKeyTest, DedupGivesTheSameBytes) {
  const SyntheticCorpus corpus(11, 500);
  Write(folder_ / "in.jsonl", corpus.Jsonl());
  Write(folder_ / "ignore.jsonl", Row("x", corpus.texts[0].substr(0, 300)));
  const auto expect_same = [&](const std::string& what,
                               const std::function<void(DedupOptions*)>& set) {
    ExpectSame(what,
               [&](const std::string& out, const ResourceOptions& resources) {
                 DedupOptions options = OptionsFor(folder_ / "in.jsonl", out);
                 options.resources = resources;
                 set(&options);
                 EXPECT_GT(MustDedup(options).pairs, 0u) << what;
               });
  };
  for (const char* method :
       {"minhash", "fss", "one-permutation", "rabin-minhash", "mod-m",
        "super-shingle", "simhash", "complete", "i-match", "rare-chunks",
        "spex", "text-profile", "henzinger-combined"}) {
    expect_same(method, [&](DedupOptions* o) { o->method.name = method; });
  }
  for (const char* measure :
       {"containment", "cosine", "s3", "cosine-tf", "cosine-tf-idf", "edit"}) {
    expect_same(measure, [&](DedupOptions* o) {
      o->method.measure = *FindChoice<Measure>(measure);
      o->method.threshold = .7;
    });
  }
  expect_same("max-df", [](DedupOptions* o) { o->max_df = 12; });
  expect_same("max-df simhash", [](DedupOptions* o) {
    o->max_df = 12;
    o->method.name = "simhash";
    o->method.sketch_shingle = "word:3";
  });
  expect_same("ignore",
              [&](DedupOptions* o) { o->ignore = {folder_ / "ignore.jsonl"}; });
  expect_same("components, text", [](DedupOptions* o) {
    o->cluster = ClusterRule::kComponents;
    o->method.verify_text = true;
  });
  expect_same("hot buckets", [](DedupOptions* o) {
    o->method.name = "minhash";
    o->method.bucket_limit = 2;
    o->pairs = ListedPairs::kAuto;
  });
  expect_same("char", [](DedupOptions* o) { o->features.shingle = "char:7"; });
  expect_same("verify none", [](DedupOptions* o) {
    o->method.name = "minhash";
    o->method.verify = false;
  });
}

TEST_F(SecretKeyTest, MatchUnitsAndEvaluateGiveTheSameBytes) {
  SyntheticCorpus corpus(12, 300);
  Write(folder_ / "in.jsonl", corpus.Jsonl());
  Write(folder_ / "b.jsonl", SyntheticCorpus(12, 100).Jsonl());
  for (const char* measure : {"jaccard", "containment"}) {
    ExpectSame(measure,
               [&](const std::string& out, const ResourceOptions& resources) {
                 MatchOptions options;
                 options.input.inputs = {folder_ / "in.jsonl"};
                 options.against = {folder_ / "b.jsonl"};
                 options.out = out;
                 options.method.measure = *FindChoice<Measure>(measure);
                 options.resources = resources;
                 const auto summary = Match(options);
                 ASSERT_TRUE(summary) << summary.error().ToString();
                 EXPECT_GT(summary->pairs, 0u);
               });
  }
  ExpectSame(
      "units", [&](const std::string& out, const ResourceOptions& resources) {
        auto options = FileOptionsFor<CutOptions>(folder_ / "in.jsonl", out);
        options.resources = resources;
        MustCut(options);
      });
  ExpectSame(
      "evaluate",
      [&](const std::string& out, const ResourceOptions& resources) {
        EvaluateOptions options;
        options.input.inputs = {folder_ / "in.jsonl"};
        options.out = out;
        for (const char* name : {"minhash", "simhash", "complete"}) {
          EvaluateMethod method;
          method.label = method.method.name = name;
          options.methods.push_back(method);
        }
        options.resources = resources;
        const auto summary = Evaluate(options);
        ASSERT_TRUE(summary) << summary.error().ToString();
      },
      /*promises=*/false);
}

// ---- the key itself ---------------------------------------------------------

// Stops a run in its middle and returns its work folder.
TEST_F(SecretKeyTest, TheKeyIsPrivateAndResumedWith) {
  Write(folder_ / "in.jsonl", SyntheticCorpus(13, 200).Jsonl());
  DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "out");
  std::atomic<bool> stop{false};
  options.stop = &stop;
  options.on_progress = [&](const Progress& progress) {
    if (progress.stage != "read") stop = true;
  };
  ASSERT_FALSE(Dedup(options));
  const std::string key = folder_ / "out/.work/verify.key";
  struct stat info;
  ASSERT_EQ(::stat(key.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  const std::string digits = Read(key).substr(0, 32);
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder_ / "out")) {
    if (!entry.is_regular_file() || entry.path() == key) continue;
    EXPECT_EQ(Read(entry.path()).find(digits), std::string::npos);
  }
  stop = false;
  options.on_progress = {};
  options.resume = true;
  options.resources.key = folder_ / kKeys[1];
  auto refused = Dedup(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  options.resources.key.clear();
  const std::string whole = Read(key);
  // Damaged or lost, the run cannot go on: its features would mean nothing.
  std::string damaged = whole;
  damaged[3] = damaged[3] == '0' ? '1' : '0';
  const auto write_key = [&](const std::string& bytes) {
    Write(key, bytes);
    std::filesystem::permissions(key, std::filesystem::perms(0600));
  };
  write_key(damaged);
  refused = Dedup(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
  std::filesystem::remove(key);
  refused = Dedup(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
  write_key(whole);
  MustDedup(options);
  EXPECT_FALSE(FileExists(key));
  DedupOptions again = OptionsFor(folder_ / "in.jsonl", folder_ / "again");
  MustDedup(again);
  EXPECT_EQ(PromisedBytes(folder_ / "again"), PromisedBytes(folder_ / "out"));
}

TEST_F(SecretKeyTest, WhatIsNoKeyIsRefused) {
  Write(folder_ / "in.jsonl", Row("a", "some words"));
  for (const char* text : {"", "123", "0123456789abcdef0123456789abcdeg",
                           "00000000000000000000000000000000"}) {
    Write(folder_ / "bad", text);
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "out");
    options.resources.key = folder_ / "bad";
    const auto refused = Dedup(options);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  }
}

// ---- --verify text ----------------------------------------------------------

// Nobody can make two texts collide under a secret, so here are hashes that do.
TEST(VerifyTextTest, EqualHashesOfOtherTextsAreToldApart) {
  const auto stored = [](const std::vector<uint64_t>& hashes) {
    return std::string(reinterpret_cast<const char*>(hashes.data()),
                       8 * hashes.size());
  };
  const std::string three = stored({1, 2, 3}), two = stored({1, 2});
  const CheckedText a = {{{3, 0, "c"}, {1, 0, "a"}, {2, 0, "b"}}, three};
  CheckedText b = {{{1, 0, "a"}, {2, 0, "b"}}, two};
  EXPECT_FALSE(Distinguish(FeatureForm::kShingles, a, b));
  // Another text, or the same as another kind.
  for (const ShingleText other :
       {ShingleText{2, 0, "x"}, ShingleText{2, 1, "b"}}) {
    b.shingles[1] = other;
    const auto distinct = Distinguish(FeatureForm::kShingles, a, b);
    ASSERT_TRUE(distinct);
    const auto verdict = MakeSetVerifier(Measure::kJaccard, .5)
                             ->CompareFully(distinct->a, distinct->b);
    EXPECT_EQ(verdict.overlap.a, 3u);
    EXPECT_EQ(verdict.overlap.b, 2u);
    EXPECT_EQ(verdict.overlap.common, 1u);
  }
  // Within one text: a set of two where the hashes say one.
  b.shingles = {{1, 0, "a"}, {2, 0, "b"}, {2, 0, "x"}};
  const auto within = Distinguish(FeatureForm::kShingles, a, b);
  ASSERT_TRUE(within);
  EXPECT_EQ(within->b.size(), 3 * sizeof(uint64_t));
  // What is left out of the features does not count.
  b.shingles = {{1, 0, "a"}, {3, 0, "z"}};
  b.stored = std::string_view(two).substr(0, 8);
  EXPECT_FALSE(Distinguish(FeatureForm::kShingles, a, b));
  // In the order of the text.
  const std::string sequence = stored({2, 1, 2});
  const CheckedText x = {{{2, 0, "b"}, {1, 0, "a"}, {2, 0, "b"}}, sequence};
  const CheckedText y = {{{2, 0, "b"}, {1, 0, "a"}, {2, 0, "x"}}, sequence};
  EXPECT_FALSE(Distinguish(FeatureForm::kSequence, x, x));
  const auto ordered = Distinguish(FeatureForm::kSequence, x, y);
  ASSERT_TRUE(ordered);
  EXPECT_EQ(ordered->a, sequence);
  EXPECT_EQ(ordered->b.substr(0, 16), sequence.substr(0, 16));
  EXPECT_NE(ordered->b, sequence);
}

TEST(VerifyTextTest, ShinglesAreTextsThatDiffer) {
  const FeatureExtractor extractor(
      TokenRule::kUnicode, *ParseShingles("word:2+char:3+line"), {1, 2});
  std::string buffer;
  const std::string text = "A rose is a rose\nis A-rose";
  const auto texts = extractor.Texts(text, &buffer);
  std::map<uint64_t, std::string> by_hash;
  std::set<std::string> distinct;
  for (const ShingleText& shingle : texts) {
    const std::string whole =
        std::to_string(shingle.kind) + ":" + std::string(shingle.text);
    EXPECT_EQ(by_hash.emplace(shingle.hash, whole).first->second, whole);
    distinct.insert(whole);
  }
  EXPECT_EQ(distinct.size(), by_hash.size());
  FeatureScratch scratch;
  Features features;
  extractor.Extract(text, &scratch, &features);
  EXPECT_EQ(features.shingles.size(), by_hash.size());
}

TEST(VerifyTextTest, CorrectsNothingWhereNothingCollides) {
  TemporaryFolder folder;
  Write(folder / "in.jsonl", SyntheticCorpus(14, 400).Jsonl());
  for (const char* measure : {"jaccard", "cosine-tf", "edit"}) {
    std::map<std::string, std::string> files[2];
    for (const bool texts : {false, true}) {
      DedupOptions options = OptionsFor(folder / "in.jsonl", folder / "out");
      options.overwrite = true;
      options.max_df = std::string(measure) == "jaccard" ? 20 : 0;
      options.method.measure = *FindChoice<Measure>(measure);
      options.method.verify_text = texts;
      MustDedup(options);
      Json summary = Json::parse(Read(folder / "out/summary.json"));
      EXPECT_EQ(summary.contains("verify"), texts);
      if (texts) {
        EXPECT_EQ(summary["verify"]["corrected"], 0);
      }
      files[texts] = PromisedBytes(folder / "out");
      files[texts].erase("summary.json");
    }
    EXPECT_EQ(files[0], files[1]);
  }
}

// Large texts are compared one pair after the other, or refused before they are
// in memory; equal ones need no comparison.
TEST(VerifyTextTest, LargeTextsFitOrAreRefused) {
  TemporaryFolder folder;
  const auto text = [](uint64_t seed) {
    std::string words;
    for (uint64_t i = 0; words.size() < 400'000; ++i)
      words += "w" +
               std::to_string(Mix64(i + (i % 50 == 0 ? seed : 0)) % 9999) + " ";
    return words;
  };
  const auto row = [](const std::string& id, const std::string& words) {
    return R"({"id":")" + id + R"(","text":")" + words + "\"}\n";
  };
  const auto run = [&](bool texts, uint64_t memory_bytes) {
    DedupOptions options = OptionsFor(folder / "in.jsonl", folder / "out");
    options.overwrite = true;
    options.features.shingle = "char:9";
    options.method.verify_text = texts;
    options.resources.memory_bytes = memory_bytes;
    return Dedup(options);
  };
  constexpr uint64_t kSmall = 64 << 20, kLarge = 512 << 20;
  Write(folder / "in.jsonl",
        row("a", text(1)) + row("b", text(2)) + row("c", text(3)));
  const auto refused = run(true, kSmall);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kMemory);
  EXPECT_NE(refused.error().remedy.find("--memory"), std::string::npos);
  ASSERT_TRUE(run(false, kLarge));
  const std::string expected = Read(folder / "out/pairs.jsonl");
  EXPECT_NE(expected, "");
  const auto compared = run(true, kLarge);
  ASSERT_TRUE(compared) << compared.error().ToString();
  EXPECT_EQ(Read(folder / "out/pairs.jsonl"), expected);
  Write(folder / "in.jsonl", row("a", text(1)) + row("b", text(1)));
  const auto equal = run(true, kSmall);
  ASSERT_TRUE(equal) << equal.error().ToString();
  EXPECT_EQ(equal->clusters, 1u);
}

}  // namespace
}  // namespace twinset::testing
