// What `evaluate` and `tune` say against naive references: true pairs by
// definition, a method's pairs by its sketches, captures against the truth.
#include "twinset/evaluate.h"

#include <bit>
#include <cmath>

#include "base/math/round_to.h"
#include "estimate/intervals.h"
#include "support/evaluate_fixture.h"
#include "twinset/inspect.h"
#include "twinset/tune.h"

namespace twinset::testing {
namespace {

// The files without what they say of the run.
std::map<std::string, std::string> PromisedEvaluation(const std::string& out) {
  std::map<std::string, std::string> files;
  Json json = Json::parse(Read(out + "/evaluation.json"));
  json.erase("run");
  files["json"] = json.dump();
  for (std::string line : ReadLines(out + "/evaluation.csv")) {
    line.erase(line.rfind(','));
    line.erase(line.rfind(','));
    files["csv"] += line + "\n";
  }
  std::string html = Read(out + "/evaluation.html");
  const size_t begin = html.find("\n<!-- run -->\n");
  html.erase(begin, html.find("\n<!-- /run -->\n") - begin);
  files["html"] = html;
  return files;
}

// SimHash fingerprints by document, as `sketch` writes them.
std::vector<uint64_t> Fingerprints(const std::string& input,
                                   const MethodOptions& method) {
  std::vector<uint64_t> values;
  InputOptions in;
  in.inputs = {input};
  EXPECT_TRUE(ForEachSketch(
      in, {}, method,
      [&](const SketchRow& row) {
        values.push_back(std::stoull(row.sketch.substr(0, 8), nullptr, 16) |
                         std::stoull(row.sketch.substr(8, 8), nullptr, 16)
                             << 32);
        return true;
      },
      {}));
  return values;
}

TEST(Evaluate, CountsEqualTheNaiveReference) {
  TemporaryFolder folder;
  const SyntheticCorpus corpus(5, 400);
  Write(folder / "in.jsonl", corpus.Jsonl());
  auto options = EvaluateFor(folder / "in.jsonl", folder / "out",
                             {Named("simhash"), Named("complete")});
  options.methods[0].method.distance = 6;
  options.thresholds = {0.6, 0.9};
  const EvaluationSummary summary = MustEvaluate(options);
  const auto prints =
      Fingerprints(folder / "in.jsonl", options.methods[0].method);
  ASSERT_EQ(prints.size(), corpus.texts.size());
  const NaiveTruth naive(corpus.texts);
  ASSERT_EQ(summary.rows.size(), 4u);
  for (size_t t = 0; t < 2; ++t) {
    const auto truth = naive.Pairs(options.thresholds[t]);
    uint64_t found = 0, correct = 0;
    for (size_t a = 0; a < prints.size(); ++a) {
      for (size_t b = a + 1; b < prints.size(); ++b) {
        if (std::popcount(prints[a] ^ prints[b]) > 6) continue;
        ++found;
        correct += truth.contains({a, b});
      }
    }
    const EvaluationRow& simhash = summary.rows[t];
    EXPECT_EQ(simhash.label, "simhash");
    EXPECT_EQ(simhash.threshold, options.thresholds[t]);
    EXPECT_EQ(simhash.real, truth.size());
    EXPECT_EQ(simhash.found, found);
    EXPECT_EQ(simhash.correct, correct);
    EXPECT_GT(found, correct / 2);
    EXPECT_LT(correct, truth.size());
    const EvaluationRow& join = summary.rows[2 + t];
    EXPECT_EQ(join.real, truth.size());
    EXPECT_EQ(join.correct, truth.size());
    EXPECT_EQ(join.recall.value, 1);
  }
}

// What a method stores beside that which the truth compares is made in the same
// pass; methods of other features need one of their own.
TEST(Evaluate, DocumentsAreReadOnceForTruthAndMethodsOfItsFeatures) {
  const TemporaryFolder folder;
  Write(folder / "in.jsonl", SyntheticCorpus(5, 200).Jsonl());
  const auto passes = [&](std::vector<EvaluateMethod> methods) {
    EvaluateOptions options =
        EvaluateFor(folder / "in.jsonl", folder / "out", std::move(methods));
    options.overwrite = true;
    int passes = 0;
    uint64_t before = ~uint64_t{0};
    options.on_progress = [&](const Progress& progress) {
      if (progress.stage != "read") return;
      passes += progress.done <= before;
      before = progress.done;
    };
    MustEvaluate(options);
    return passes;
  };
  EvaluateMethod other = Named("minhash");
  other.label = "other";
  other.features.shingle = "word:3";
  EXPECT_EQ(passes({Named("complete")}), 1);
  EXPECT_EQ(passes({Named("minhash")}), 1);
  EXPECT_EQ(passes({Named("minhash"), Named("fss")}), 1);
  EXPECT_EQ(passes({Named("complete"), Named("minhash"), other}), 2);
}

TEST(Evaluate, SameBytesWhateverTheMachine) {
  TemporaryFolder folder;
  const SyntheticCorpus corpus(6, 300);
  Write(folder / "in.jsonl", corpus.Jsonl());
  auto options = EvaluateFor(folder / "in.jsonl", folder / "a",
                             {Named("minhash"), Named("super-shingle")});
  options.sample = 50;
  MustEvaluate(options);
  options.out = folder / "b";
  options.resources.threads = 4;
  options.resources.memory_bytes = 64 << 20;
  options.resources.tmp = folder / "tmp";
  MustEvaluate(options);
  EXPECT_EQ(PromisedEvaluation(folder / "a"), PromisedEvaluation(folder / "b"));
  EXPECT_FALSE(FileExists(folder / "a/.work"));
  EXPECT_FALSE(FileExists(folder / "b/.work"));
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));
}

// Documents in pairs of every similarity, each pair alone: what one method
// finds of them says nothing of what it finds of the others.
std::string LonelyPairs(uint64_t seed, int pairs) {
  SplitMix64 random(seed);
  std::string lines;
  for (int i = 0; i < pairs; ++i) {
    std::vector<std::string> words;
    for (int w = 0; w < 100; ++w)
      words.push_back(SyntheticCorpus::Word(random.Below(1 << 20)));
    const uint64_t changes = random.Below(8);
    for (const char* side : {"x", "y"}) {
      std::string text;
      for (const std::string& word : words) text += word + " ";
      lines += Json{{"id", side + std::to_string(i)}, {"text", text}}.dump();
      lines += "\n";
      for (uint64_t c = 0; c < changes; ++c)
        words[random.Below(words.size())] = "other" + std::to_string(c);
    }
  }
  return lines;
}

// Independent detectors: the estimate must hold the truth, and the recall of
// each what it is.
TEST(Evaluate, CaptureRecaptureAgainstTheTruth) {
  constexpr int kRuns = 10;
  int held = 0;
  for (uint64_t seed = 1; seed <= kRuns; ++seed) {
    TemporaryFolder folder;
    Write(folder / "in.jsonl", LonelyPairs(seed, 600));
    std::vector<EvaluateMethod> methods;
    for (uint64_t s = 1; s <= 2; ++s) {
      EvaluateMethod method = Named("minhash");
      method.label += std::to_string(s);
      method.method.seed = 10 * seed + s;
      method.method.bands = 3;
      method.method.rows = 4;
      methods.push_back(method);
    }
    auto options = EvaluateFor(folder / "in.jsonl", folder / "exact", methods);
    options.thresholds = {0.6};
    options.sample = 0;
    const auto exact = MustEvaluate(options);
    options.truth = TruthKind::kNone;
    options.out = folder / "none";
    const auto none = MustEvaluate(options);
    const Json json = Json::parse(none.json.dump());
    const Json& estimate = json["capture_recapture"][0]["estimate"];
    const auto truth = static_cast<double>(exact.rows[0].real);
    EXPECT_GT(truth, 350);
    // A standard error is about 3 % of it.
    EXPECT_NEAR(estimate["size"].get<double>(), truth, 0.12 * truth);
    held += estimate["low"].get<double>() <= truth &&
            truth <= estimate["high"].get<double>();
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(none.rows[i].correct, exact.rows[i].correct);
      EXPECT_LT(exact.rows[i].recall.value, 0.9);
      EXPECT_NEAR(none.rows[i].recall.value, exact.rows[i].recall.value, 0.09);
    }
  }
  EXPECT_GE(held, kRuns - 3);
}

TEST(Evaluate, AFewGroupsBearNoInterval) {
  TemporaryFolder folder;
  // Pairs alone are independent draws.
  Write(folder / "in.jsonl", LonelyPairs(1, 60));
  auto options =
      EvaluateFor(folder / "in.jsonl", folder / "out", {Named("simhash")});
  const EvaluationRow alone = MustEvaluate(options).rows[0];
  const Interval recall = WilsonInterval(alone.correct, alone.real);
  EXPECT_LT(alone.correct, alone.real);
  EXPECT_EQ(alone.recall.low, RoundTo(recall.low, 6));
  EXPECT_EQ(alone.recall.high, RoundTo(recall.high, 6));
  // Beside 190 pairs of 20 documents they tell next to nothing.
  const SyntheticCorpus words(9, 1, 200);
  std::string group;
  for (int i = 0; i < 20; ++i)
    group += Json{{"id", "g" + std::to_string(i)},
                  {"text", words.texts[0] + " end" + std::to_string(i)}}
                 .dump() +
             "\n";
  Write(folder / "in.jsonl", LonelyPairs(1, 60) + group);
  options.overwrite = true;
  const EvaluationSummary summary = MustEvaluate(options);
  const EvaluationRow& row = summary.rows[0];
  EXPECT_EQ(row.real, alone.real + 190);
  EXPECT_FALSE(row.recall.no_interval.empty());
  EXPECT_FALSE(row.f1.no_interval.empty());
  const Json json = Json::parse(summary.json.dump());
  EXPECT_TRUE(json["methods"][0]["rows"][0]["recall"]["low"].is_null());
}

TEST(Evaluate, LabelledPairs) {
  TemporaryFolder folder;
  const SyntheticCorpus corpus(7, 60);
  Write(folder / "in.jsonl", corpus.Jsonl());
  const auto near = NaiveTruth(corpus.texts).Pairs(0.95);
  ASSERT_GT(near.size(), 4u);
  // The first pairs are judged in turn: duplicate, not, unclear.
  std::string tsv = "a\tb\tlabel\n";
  size_t n = 0, judged = 0, relevant = 0;
  for (const auto& [pair, similarity] : near) {
    const char* label = n % 3 == 0 ? "2" : n % 3 == 1 ? "0.5" : "unknown";
    // The order within a row does not matter.
    tsv += "d" + std::to_string(pair.second) + "\td" +
           std::to_string(pair.first) + "\t" + label + "\n";
    judged += n % 3 != 2;
    relevant += n % 3 == 0;
    ++n;
  }
  tsv += "d0\tnobody\t1\n";
  Write(folder / "labels.tsv", tsv);
  auto options =
      EvaluateFor(folder / "in.jsonl", folder / "out", {Named("minhash")});
  options.judged = folder / "labels.tsv";
  const auto summary = MustEvaluate(options);
  EXPECT_EQ(summary.rows[0].real, relevant);
  EXPECT_EQ(summary.rows[0].found, judged);
  EXPECT_EQ(summary.rows[0].correct, relevant);
  ASSERT_EQ(summary.warnings.size(), 2u);
  EXPECT_NE(summary.warnings[0].find("nobody"), std::string::npos);
  options.relevant = 0.5;
  options.overwrite = true;
  EXPECT_EQ(MustEvaluate(options).rows[0].real, judged);
  // A list of similarities says of all other pairs that they are none.
  std::string jsonl;
  for (const auto& [pair, similarity] : near)
    jsonl += "{\"a\":\"d" + std::to_string(pair.first) + "\",\"b\":\"d" +
             std::to_string(pair.second) + "\",\"similarity\":1}\n";
  Write(folder / "pairs.jsonl", jsonl);
  options.judged = folder / "pairs.jsonl";
  options.methods = {Named("complete")};
  options.thresholds = {0.5};
  const auto listed = MustEvaluate(options);
  EXPECT_EQ(listed.rows[0].real, near.size());
  EXPECT_EQ(listed.rows[0].correct, near.size());
  EXPECT_EQ(listed.rows[0].found, NaiveTruth(corpus.texts).Pairs(0.5).size());
  // The same pair twice, differently.
  Write(folder / "bad.tsv", "a\tb\tlabel\nd0\td1\t1\nd1\td0\t2\n");
  options.judged = folder / "bad.tsv";
  const auto refused = Evaluate(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
}

std::string Row(const std::string& id, const std::string& url,
                const std::string& html) {
  return Json{{"id", id}, {"url", url}, {"html", html}}.dump() + "\n";
}

// One pair of each kind; hosts of one kind or the other.
TEST(Evaluate, KindsAndHosts) {
  TemporaryFolder folder;
  const SyntheticCorpus words(8, 40, 200);
  const auto text = [&](size_t i) { return words.texts[i]; };
  std::vector<size_t> distinct;
  const NaiveTruth naive(words.texts);
  for (size_t i = 0; i < words.texts.size() && distinct.size() < 8; ++i) {
    bool alone = true;
    for (const size_t other : distinct) alone &= naive.Jaccard(i, other) == 0;
    if (alone) distinct.push_back(i);
  }
  ASSERT_EQ(distinct.size(), 8u);
  const auto page = [](const std::string& main) {
    return "<html><body><p>" + main + "</p></body></html>";
  };
  std::string rows;
  int n = 0;
  const auto add = [&](const std::string& one, const std::string& two,
                       bool same_host) {
    const std::string id = std::to_string(n++);
    rows += Row("x" + id, "http://a.example/x" + id, page(one));
    rows +=
        Row("y" + id, same_host ? "http://A.example/y" : "https://b.example/y",
            page(two));
  };
  const auto middle = [](const std::string& s) { return s.find(' ', 300); };
  const auto insert = [&](std::string s, const std::string& what) {
    return s.insert(middle(s), " " + what);
  };
  const std::string t[] = {text(distinct[0]), text(distinct[1]),
                           text(distinct[2]), text(distinct[3]),
                           text(distinct[4]), text(distinct[5]),
                           text(distinct[6])};
  add(t[0], t[0], true);
  add(insert(t[1], "http://x.example/1"), insert(t[1], "http://y.example/2/z"),
      true);
  add(insert(t[2], "on 2020-01-02 at 12:30"),
      insert(t[2], "on 2021-03-04 at 9:15"), true);
  add(insert(t[3], "item 17"), insert(t[3], "item 18"), false);
  add(t[4], insert(t[4], "zzz"), false);
  add(insert(t[5], "zzz"), t[5], false);
  const std::string tail = t[6].substr(middle(t[6]) + 1);
  add(t[6], tail + " " + t[6].substr(0, middle(t[6])), false);
  Write(folder / "in.jsonl", rows);
  auto options = EvaluateFor(folder / "in.jsonl", folder / "out",
                             {Named("complete"), Named("exact")});
  options.input.html_field = "html";
  options.features.content = ContentMode::kAll;
  options.thresholds = {0.7};
  MustEvaluate(options);
  const Json json = Json::parse(Read(folder / "out/evaluation.json"));
  const Json& row = json["methods"][0]["rows"][0];
  std::map<std::string, int> kinds;
  for (const Json& kind : row["kinds"]) {
    if (kind["true"] != 0) kinds[kind["kind"]] = kind["true"].get<int>();
    EXPECT_EQ(kind["true"], kind["found"]);
  }
  const std::map<std::string, int> expected = {
      {"identical text", 1}, {"only URLs", 1}, {"only dates and times", 1},
      {"only numbers", 1},   {"insertion", 1}, {"deletion", 1},
      {"reordering", 1}};
  EXPECT_EQ(kinds, expected);
  EXPECT_EQ(row["same_host"]["true"], 3);
  EXPECT_EQ(row["other_host"]["true"], 4);
  const Json& exact = json["methods"][1]["rows"][0];
  EXPECT_EQ(exact["correct"], 1);
  EXPECT_EQ(exact["kinds"][4]["kind"], "only boilerplate");
  EXPECT_EQ(exact["kinds"][1]["found"], 0);
  EXPECT_EQ(exact["kinds"][1]["example_missed"], (Json{"x1", "y1"}));
}

TEST(Evaluate, RefusesWithARemedy) {
  TemporaryFolder folder;
  Write(folder / "in.jsonl", SyntheticCorpus(9, 5).Jsonl());
  const auto good =
      EvaluateFor(folder / "in.jsonl", folder / "out", {Named("minhash")});
  const auto refused = [&](const std::function<void(EvaluateOptions*)>& spoil) {
    EvaluateOptions options = good;
    spoil(&options);
    const auto summary = Evaluate(options);
    EXPECT_FALSE(summary);
    EXPECT_FALSE(FileExists(folder / "out"));
    return !summary && summary.error().code == ErrorCode::kUsage;
  };
  EXPECT_TRUE(refused([](auto* o) { o->methods.clear(); }));
  EXPECT_TRUE(refused([](auto* o) { o->methods.push_back(o->methods[0]); }));
  EXPECT_TRUE(refused([](auto* o) { o->methods = {Named("nothing")}; }));
  EXPECT_TRUE(refused([](auto* o) { o->methods[0].method.bands = 1000; }));
  EXPECT_TRUE(refused([](auto* o) { o->thresholds = {}; }));
  EXPECT_TRUE(refused([](auto* o) { o->thresholds = {0.0, 0.5}; }));
  EXPECT_TRUE(refused([](auto* o) { o->thresholds = {1.5}; }));
  EXPECT_TRUE(refused([](auto* o) { o->floor = 0.9; }));
  EXPECT_TRUE(refused([](auto* o) { o->input.inputs = {"-"}; }));
  EXPECT_TRUE(refused([](auto* o) { o->truth = TruthKind::kNone; }));
}

TEST(Tune, LawBesideWhatWasMeasured) {
  TemporaryFolder folder;
  Write(folder / "in.jsonl", LonelyPairs(10, 400));
  std::vector<std::string> texts;
  for (const Json& row : ReadRows(folder / "in.jsonl"))
    texts.push_back(row["text"]);
  const NaiveTruth naive(texts);
  TuneOptions options;
  options.input.inputs = {folder / "in.jsonl"};
  options.method.threshold = 0.8;
  options.resources.memory_bytes = 256 << 20;
  options.resources.threads = 1;
  options.resources.tmp = folder / "tmp";
  const auto tuned = Tune(options);
  ASSERT_TRUE(tuned) << tuned.error().ToString();
  EXPECT_EQ(tuned->bands.bands, 16);
  EXPECT_EQ(tuned->bands.rows, 6);
  EXPECT_GE(tuned->expected_recall, 0.99);
  EXPECT_EQ(tuned->measured->documents, 800u);
  const auto truth = naive.Pairs(0.8);
  EXPECT_EQ(tuned->measured->true_pairs, truth.size());
  EXPECT_GE(static_cast<double>(tuned->measured->found_pairs),
            0.98 * static_cast<double>(truth.size()));
  uint64_t pairs = 0, found = 0;
  double expected = 0;
  for (const TunePoint& point : tuned->curve) {
    if (point.similarity < 0.5) {
      EXPECT_EQ(point.pairs, 0u);
    }
    pairs += point.pairs;
    found += point.found;
    expected += static_cast<double>(point.pairs) * point.expected;
  }
  EXPECT_EQ(pairs, naive.Pairs(0.5).size());
  EXPECT_NEAR(static_cast<double>(found), expected,
              0.05 * static_cast<double>(pairs));
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));
}

TEST(Tune, EachMethodReachesItsRecall) {
  for (const char* name : {"minhash", "simhash", "super-shingle"}) {
    TuneOptions options;
    options.method.name = name;
    options.method.threshold = 0.9;
    const auto tuned = Tune(options);
    ASSERT_TRUE(tuned) << name;
    EXPECT_GE(tuned->expected_recall, 0.99) << name;
    ASSERT_EQ(tuned->curve.size(), 101u);
    for (size_t i = 1; i <= 100; ++i)
      EXPECT_GE(tuned->curve[i].expected, tuned->curve[i - 1].expected - 1e-12);
    EXPECT_DOUBLE_EQ(tuned->curve[90].expected, tuned->expected_recall);
  }
}

// Super-shingles and their pairs follow one law, by other keys.
TEST(Tune, KeysAreThoseOfTheMethod) {
  TuneOptions options;
  options.method.threshold = 0.9;
  options.method.name = "super-shingle";
  const auto groups = Tune(options);
  options.method.name = "mega-shingle";
  const auto pairs = Tune(options);
  ASSERT_TRUE(groups && pairs);
  EXPECT_EQ(pairs->flags, groups->flags);
  EXPECT_EQ(pairs->groups, groups->groups);
  const auto g = static_cast<uint64_t>(groups->groups);
  EXPECT_EQ(groups->keys_per_document, g);
  EXPECT_EQ(pairs->keys_per_document, g * (g - 1) / 2);
  EXPECT_GT(pairs->keys_per_document, g);
  options.method.agree = 3;
  EXPECT_FALSE(Tune(options));
  options.method = {};
  options.method.name = "fss";
  const auto sketches = Tune(options);
  ASSERT_TRUE(sketches);
  EXPECT_EQ(sketches->keys_per_document,
            static_cast<uint64_t>(sketches->bands.bands));
  EXPECT_GE(sketches->expected_recall, 0.99);
}

TEST(Tune, RefusesWhatCannotBe) {
  TuneOptions options;
  options.method.threshold = 0.05;
  options.method.permutations = 8;
  EXPECT_FALSE(Tune(options));
  options.method.name = "super-shingle";
  EXPECT_FALSE(Tune(options));
  options = {};
  options.method.name = "mod-m";
  EXPECT_FALSE(Tune(options));
  options = {};
  options.method.name = "simhash";
  options.rule = BandRule::kDatasketch;
  EXPECT_FALSE(Tune(options));
  options = {};
  options.recall = 2;
  EXPECT_FALSE(Tune(options));
  for (const char* name : {"exact", "i-match"}) {
    options = {};
    options.method.name = name;
    EXPECT_TRUE(Tune(options)) << name;
    options.input.inputs = {"corpus.jsonl"};
    EXPECT_FALSE(Tune(options)) << name;
  }
  options = {};
  options.method.name = "exact";
  options.collisions.documents = 1;
  EXPECT_FALSE(Tune(options));
  options.collisions = {};
  options.collisions.tolerated = 0;
  EXPECT_FALSE(Tune(options));
  options.collisions = {};
  options.method.bits = 4;
  EXPECT_FALSE(Tune(options));
  options.method.bits = 64;
  options.recall = 0.9;
  EXPECT_FALSE(Tune(options));
  options = {};
  options.collisions.documents = 2;
  EXPECT_FALSE(Tune(options));
  options = {};
  options.differing_terms = 2;
  EXPECT_FALSE(Tune(options));
  options = {};
  options.method.name = "i-match";
  options.method.lexicon_drop = 0.001;
  options.differing_terms = 9;
  EXPECT_FALSE(Tune(options));
}

// Sauerhoff's theorem for a million pages of 1 KB: 4.096 * 10^18 primes, a
// fingerprint of 68 bits; the birthday number of 64 bits.
TEST(Tune, SizesFingerprintsOfCopies) {
  TuneOptions options;
  options.method.name = "exact";
  const auto tuned = Tune(options);
  ASSERT_TRUE(tuned) << tuned.error().ToString();
  EXPECT_NEAR(tuned->tenth / 1.9716e9, 1, 5e-5);
  ASSERT_EQ(tuned->fingerprints.size(), 3u);
  const TuneFingerprint &uniform = tuned->fingerprints[0],
                        &polynomial = tuned->fingerprints[1],
                        &prime = tuned->fingerprints[2];
  EXPECT_EQ(uniform.kind, "uniform");
  EXPECT_EQ(uniform.bits, 64);
  EXPECT_FALSE(uniform.is_bound);
  const double pairs = 1e6 * (1e6 - 1) / 2;
  EXPECT_DOUBLE_EQ(uniform.expected, pairs / 0x1p64);
  EXPECT_NEAR(uniform.probability, uniform.expected, 1e-14);
  EXPECT_EQ(uniform.least_bits, 49);  // 2^48 < 5 * 10^14 < 2^49
  EXPECT_EQ(polynomial.kind, "polynomial");
  EXPECT_DOUBLE_EQ(polynomial.fixed_pair, 8192 / 0x1p64);
  EXPECT_DOUBLE_EQ(polynomial.expected, pairs * 8192 / 0x1p64);
  EXPECT_EQ(polynomial.least_bits, 62);  // 13 bits more, for n = 2^13
  EXPECT_EQ(prime.kind, "prime");
  EXPECT_NEAR(prime.choices / 4.096e18, 1, 1e-5);
  EXPECT_NEAR(prime.length, 67.3, 0.05);
  EXPECT_EQ(prime.least_bits, 68);
  for (const TuneFingerprint& law : tuned->fingerprints) {
    // So many texts have the tolerated collisions, one more has more of them.
    const double per_pair = law.expected / pairs;
    const double texts = std::floor(law.documents);
    EXPECT_LE(texts * (texts - 1) / 2 * per_pair, 0.001 * (1 + 1e-9));
    EXPECT_GT((texts + 1) * texts / 2 * per_pair, 0.001 * (1 - 1e-9));
    options.method.bits = law.least_bits;
    const auto enough = Tune(options);
    options.method.bits = law.least_bits - 1;
    const auto less = Tune(options);
    ASSERT_TRUE(enough && less);
    for (size_t i = 0; i < 3; ++i) {
      if (enough->fingerprints[i].kind != law.kind) continue;
      EXPECT_LE(enough->fingerprints[i].expected, 0.001);
      EXPECT_GT(less->fingerprints[i].expected, 0.001);
    }
  }
  options = {};
  options.method.name = "rabin-mod-prime";
  const auto of_prime = Tune(options);
  ASSERT_TRUE(of_prime);
  EXPECT_EQ(of_prime->fingerprints[2].bits, 68);
  EXPECT_LE(of_prime->fingerprints[2].probability, 0.001);
}

// The law of lexicon randomisation at K = 10.
TEST(Tune, LexicaByTheirLaw) {
  const std::map<double, std::vector<double>> golden = {
      {0.1, {.6513, .0956, .0100}}, {0.33, {.9818, .6843, .3065, .1125}}};
  TuneOptions options;
  options.method.name = "i-match";
  for (const auto& [drop, law] : golden) {
    options.method.lexicon_drop = drop;
    options.method.given = {"lexicons"};
    const auto tuned = Tune(options);
    ASSERT_TRUE(tuned);
    EXPECT_EQ(tuned->lexicons, 10);
    EXPECT_EQ(tuned->keys_per_document, 11u);
    for (size_t i = 0; i < law.size(); ++i)
      EXPECT_NEAR(tuned->by_terms[i].expected, law[i], 5e-5)
          << drop << " " << i;
    options.method.given = {};
    const auto fewest = Tune(options);
    ASSERT_TRUE(fewest);
    EXPECT_GE(fewest->expected_recall, 0.99);
    EXPECT_LT(1 - std::pow(1 - drop, fewest->lexicons - 1), 0.99);
  }
}

}  // namespace
}  // namespace twinset::testing
