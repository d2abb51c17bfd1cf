// Methods simhash and fuzzy from rows to pairs.
#include <algorithm>
#include <bit>

#include "support/dedup_fixture.h"
#include "twinset/inspect.h"

namespace twinset::testing {
namespace {

using Pairs = std::set<std::pair<std::string, std::string>>;

const SyntheticCorpus& TheCorpus() {
  static const SyntheticCorpus corpus(11, 400);
  return corpus;
}

// Pairs from similarity 0.5 on, by the definition.
const std::map<std::pair<size_t, size_t>, double>& Truth() {
  static const auto truth = NaiveTruth(TheCorpus().texts).Pairs(0.5);
  return truth;
}

std::pair<std::string, std::string> Ids(std::pair<size_t, size_t> pair) {
  return {"d" + std::to_string(pair.first), "d" + std::to_string(pair.second)};
}

Pairs TruthFrom(double threshold) {
  Pairs pairs;
  for (const auto& [pair, similarity] : Truth()) {
    if (similarity >= threshold) pairs.insert(Ids(pair));
  }
  return pairs;
}

class SimHashRunTest : public ::testing::Test {
 protected:
  SimHashRunTest() { Write(folder_ / "in.jsonl", TheCorpus().Jsonl()); }

  DedupOptions Options(const std::string& method) {
    DedupOptions options = OptionsFor(
        folder_ / "in.jsonl", folder_ / ("out" + std::to_string(runs_++)));
    options.method.name = method;
    return options;
  }
  static Pairs PairsOf(const DedupOptions& options) {
    MustDedup(options);
    Pairs pairs;
    for (const Json& row : ReadRows(options.out + "/pairs.jsonl")) {
      pairs.emplace(row["a"].get<std::string>(), row["b"].get<std::string>());
    }
    return pairs;
  }
  // Written sketches in input order.
  std::vector<std::string> Sketches(const DedupOptions& options) {
    std::vector<std::string> sketches;
    EXPECT_TRUE(ForEachSketch(options.input, options.features, options.method,
                              [&](const SketchRow& row) {
                                sketches.push_back(row.sketch);
                                return true;
                              },
                              {}));
    return sketches;
  }
  // Pairs at the threshold whose sketches differ in few enough bits. Documents
  // with equal shingle sets are pairs before any sketch.
  Pairs Expected(const DedupOptions& options) {
    const std::vector<std::string> sketches = Sketches(options);
    Pairs expected;
    for (const auto& [pair, similarity] : Truth()) {
      if (similarity < options.method.threshold) continue;
      const std::string &x = sketches[pair.first], &y = sketches[pair.second];
      int differing = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        differing += std::popcount(Digit(x[i]) ^ Digit(y[i]));
      }
      if (similarity == 1 || differing <= options.method.distance) {
        expected.insert(Ids(pair));
      }
    }
    return expected;
  }
  static unsigned Digit(char hex) {
    return static_cast<unsigned>(hex <= '9' ? hex - '0' : hex - 'a' + 10);
  }

  TemporaryFolder folder_;
  int runs_ = 0;
};

TEST_F(SimHashRunTest, FindsExactlyThePairsWithinTheDistance) {
  for (const int bits : {20, 32, 64, 128, 384}) {
    for (const char* weights : {"set", "tf"}) {
      if (TWINSET_SLOW_BUILD && bits != 20 && bits != 384) continue;
      DedupOptions options = Options("simhash");
      options.method.threshold = 0.5;
      options.method.bits = bits;
      options.method.distance = bits >= 64 ? bits / 10 : 2;
      options.method.weights = *FindChoice<FeatureWeights>(weights);
      const Pairs expected = Expected(options);
      EXPECT_GT(expected.size(), 200u);
      EXPECT_EQ(PairsOf(options), expected) << bits << " " << weights;
    }
  }
}

TEST_F(SimHashRunTest, EveryGeneratorFindsTheSame) {
  DedupOptions options = Options("simhash");
  options.method.threshold = 0.5;
  const Pairs expected = Expected(options);
  for (const char* design : {"", "5", "6", "4/4", "20,14,10,20", "manku-20",
                             "manku-16", "manku-10", "manku-4"}) {
    DedupOptions by_tables = Options("simhash");
    by_tables.method.threshold = 0.5;
    by_tables.method.tables = design;
    EXPECT_EQ(PairsOf(by_tables), expected) << design;
  }
  for (const char* generator : {"tables", "hamming", "psm"}) {
    DedupOptions by_generator = Options("simhash");
    by_generator.method.threshold = 0.5;
    by_generator.method.generator = generator;
    EXPECT_EQ(PairsOf(by_generator), expected) << generator;
  }
}

TEST_F(SimHashRunTest, MoreProbesFindMore) {
  Pairs before;
  for (const uint64_t probes : {1, 20, 500, 0}) {
    DedupOptions options = Options("simhash");
    options.method.threshold = 0.5;
    options.method.generator = "psm";
    options.method.probes = probes;
    const Pairs found = PairsOf(options);
    EXPECT_TRUE(
        std::includes(found.begin(), found.end(), before.begin(), before.end()))
        << probes;
    before = found;
  }
  DedupOptions options = Options("simhash");
  options.method.threshold = 0.5;
  EXPECT_EQ(before, Expected(options));
}

TEST_F(SimHashRunTest, MixesAndIdfWeightsFindTruePairsOnly) {
  const Pairs truth = TruthFrom(0.8);
  for (const char* features :
       {"word:1", "word:2", "word:3", "word:2+word:3", "word:3+word:5"}) {
    for (const char* weights : {"set", "tf", "tf-idf"}) {
      DedupOptions options = Options("simhash");
      options.method.sketch_shingle = features;
      options.method.weights = *FindChoice<FeatureWeights>(weights);
      const Pairs found = PairsOf(options);
      EXPECT_TRUE(std::includes(truth.begin(), truth.end(), found.begin(),
                                found.end()));
      EXPECT_GT(found.size(), truth.size() / 3) << features << " " << weights;
    }
  }
}

TEST_F(SimHashRunTest, FuzzyFindsTruePairsOnly) {
  const Pairs truth = TruthFrom(0.8);
  const Pairs found = PairsOf(Options("fuzzy"));
  EXPECT_TRUE(
      std::includes(truth.begin(), truth.end(), found.begin(), found.end()));
  EXPECT_GT(found.size(), truth.size() * 8 / 10);
}

TEST_F(SimHashRunTest, NumbersAloneHaveNoFuzzyFingerprint) {
  Write(folder_ / "in.jsonl",
        "{\"id\":\"a\",\"text\":\"1 2 3 4 5 6\"}\n"
        "{\"id\":\"b\",\"text\":\"1 2 3 4 5 7\"}\n"
        "{\"id\":\"c\",\"text\":\"7 8 9 4 4 4\"}\n");
  DedupOptions options = Options("fuzzy");
  options.method.threshold = 0.1;
  EXPECT_TRUE(PairsOf(options).empty());
}

TEST_F(SimHashRunTest, WrongParametersAreRefusedWithARemedy) {
  const auto refuse = [this](const auto& set) {
    DedupOptions options = Options("simhash");
    set(&options.method);
    const auto run = Dedup(options);
    ASSERT_FALSE(run.has_value());
    EXPECT_EQ(run.error().code, ErrorCode::kUsage);
    EXPECT_FALSE(run.error().message.empty());
    EXPECT_FALSE(std::filesystem::exists(options.out));
  };
  using M = MethodOptions;
  refuse([](M* m) { m->bits = 0; });
  refuse([](M* m) { m->bits = 385; });
  refuse([](M* m) { m->distance = 64; });
  refuse([](M* m) { m->tables = "3"; });
  refuse([](M* m) { m->tables = "nonsense"; });
  refuse([](M* m) { m->tables = "manku-20", m->distance = 2; });
  refuse([](M* m) { m->weights = static_cast<FeatureWeights>(9); });
  refuse([](M* m) { m->generator = "bands"; });
  refuse([](M* m) { m->generator = "hamming", m->bits = 256; });
  refuse([](M* m) { m->generator = "psm", m->bits = 129; });
  refuse([](M* m) { m->feature_hash = FeatureHash::kSha1_32; });
  refuse([](M* m) { m->feature_hash = FeatureHash::kXxh3_32; });
  refuse([](M* m) { m->sketch_shingle = "word:0"; });
}

}  // namespace
}  // namespace twinset::testing
