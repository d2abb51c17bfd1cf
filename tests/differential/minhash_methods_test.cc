// The rows of the MinHash family and Henzinger's combination, end to end:
// against the naive truth, against brute force over sketches, against each
// other; and what they refuse.
#include <cmath>
#include <functional>

#include "kernels/kernels.h"
#include "sketch/minhash_family.h"
#include "support/dedup_fixture.h"
#include "text/tokens/features.h"
#include "twinset/methods.h"

namespace twinset::testing {
namespace {

using Pair = std::pair<size_t, size_t>;
using Change = std::function<void(MethodOptions*)>;

size_t Number(const Json& id) {
  return std::stoul(id.get<std::string>().substr(1));
}

class MinHashMethodsTest : public ::testing::Test {
 protected:
  void SetUp() override { Write(folder_ / "in.jsonl", corpus_.Jsonl()); }

  // Pairs of a run, with their similarities.
  std::map<Pair, double> PairsOf(const Change& change, int threads = 1,
                                 const std::string& simd = "") {
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "out");
    options.overwrite = true;
    options.resources.threads = threads;
    options.resources.simd = simd;
    change(&options.method);
    MustDedup(options);
    std::map<Pair, double> pairs;
    for (const Json& row : ReadRows(folder_ / "out/pairs.jsonl")) {
      pairs[{Number(row["a"]), Number(row["b"])}] =
          row["similarity"].get<double>();
    }
    return pairs;
  }
  // The sketches of all documents, as a run makes them of `shingle`.
  std::vector<Sketch> Sketches(const Sketcher& sketcher, int words) {
    ShingleKind kind;
    kind.n = static_cast<uint32_t>(words);
    const FeatureExtractor extractor(TokenRule::kUnicode, {kind});
    FeatureScratch scratch;
    Features features;
    std::vector<Sketch> sketches(corpus_.texts.size());
    for (size_t d = 0; d < sketches.size(); ++d) {
      extractor.Extract(corpus_.texts[d], &scratch, &features);
      const auto& set = features.shingles;
      sketcher.Compute(
          {reinterpret_cast<const char*>(set.data()), 8 * set.size()},
          &sketches[d]);
    }
    return sketches;
  }

  TemporaryFolder folder_;
  SyntheticCorpus corpus_{23, 700};
};

Change Named(std::string name, Change more = {}) {
  return [=](MethodOptions* method) {
    method->name = name;
    if (more) more(method);
  };
}

// No false pair; the recall that the law promises.
TEST_F(MinHashMethodsTest, PairsAreTrueAndFewAreMissed) {
  const auto truth = NaiveTruth(corpus_.texts).Pairs(0.8);
  ASSERT_GT(truth.size(), 500u);
  struct Case {
    Change change;
    double recall;
  };
  for (const Case& c : std::vector<Case>{
           {Named("minhash"), .99},
           {Named("minhash", [](auto* m) { m->value_bits = 8; }), .99},
           {Named("minhash", [](auto* m) { m->generator = "sorted"; }), .85},
           {Named("fss"), .99},
           {Named("fss", [](auto* m) { m->value_bits = 4; }), .99},
           {Named("one-permutation"), .97},
           {Named("one-permutation", [](auto* m) { m->value_bits = 1; }), .97},
           {Named("rabin-minhash"), .99},
           {Named("rabin-minhash",
                  [](auto* m) { m->hash_family = HashFamily::kMixed; }),
            .99},
           {Named("mod-m", [](auto* m) { m->modulus = 2; }), .75},
           {Named("super-shingle"), .4},
           {Named("mega-shingle"), .4},
           {Named("henzinger-combined"), .3}}) {
    MethodOptions options;
    c.change(&options);
    const auto pairs = PairsOf(c.change);
    size_t found = 0;
    for (const auto& [pair, similarity] : pairs) {
      const auto expected = truth.find(pair);
      ASSERT_NE(expected, truth.end()) << options.name;
      EXPECT_NEAR(similarity, expected->second, 1e-12);
      ++found;
    }
    EXPECT_GE(found, std::ceil(c.recall * static_cast<double>(truth.size())))
        << options.name << " " << options.generator << options.value_bits;
    EXPECT_EQ(PairsOf(c.change, 3), pairs) << options.name;
  }
}

// Pair counting equals all pairs of sketches compared: "at least 160 of 200".
TEST_F(MinHashMethodsTest, SortedPairsEqualBruteForceOverSketches) {
  const auto sketcher = *MakeMinHashSketcher(200, 7);
  const auto sketches = Sketches(*sketcher, 5);
  for (const int agree : {40, 160, 198}) {
    std::map<Pair, double> expected;
    for (size_t a = 0; a < sketches.size(); ++a) {
      for (size_t b = a + 1; b < sketches.size(); ++b) {
        const double share = sketcher->Estimate(sketches[a], sketches[b]);
        if (share * 200 >= agree - 0.5) expected[{a, b}] = share;
      }
    }
    EXPECT_EQ(PairsOf(Named("minhash",
                            [&](auto* m) {
                              m->generator = "sorted";
                              m->permutations = 200;
                              m->seed = 7;
                              m->agree = agree;
                              m->verify = false;
                            })),
              expected);
    EXPECT_GT(expected.size(), 300u);
  }
}

TEST_F(MinHashMethodsTest, MegaShinglesAreSuperShinglesTwice) {
  for (const bool verify : {false, true}) {
    const auto with = [=](auto* m) {
      m->verify = verify;
      m->threshold = 0.5;
    };
    const auto super = PairsOf(Named("super-shingle", with));
    EXPECT_EQ(PairsOf(Named("mega-shingle", with)), super);
    EXPECT_GT(super.size(), 300u);
  }
}

// The combination is a subset of algorithm B: all of it when any two
// fingerprints are near enough, less when they must be equal.
TEST_F(MinHashMethodsTest, CombinedIsASubsetOfB) {
  const auto b = PairsOf(Named("super-shingle", [](auto* m) {
    m->sketch_shingle = "word:8";
    m->verify = false;
  }));
  size_t last = b.size() + 1;
  for (const int distance : {63, 6, 3, 1, 0}) {
    const auto combined = PairsOf(Named("henzinger-combined", [&](auto* m) {
      m->distance = distance;
      m->verify = false;
    }));
    for (const auto& [pair, estimate] : combined) {
      ASSERT_TRUE(b.contains(pair));
      EXPECT_EQ(estimate, b.at(pair));
    }
    if (distance == 63) {
      EXPECT_EQ(combined.size(), b.size());
    }
    EXPECT_LE(combined.size(), last);
    last = combined.size();
  }
  EXPECT_LT(last, b.size());
  EXPECT_GT(last, 100u);
  const auto published = PairsOf(Named("henzinger-combined", [](auto* m) {
    m->bits = 384;
    m->distance = 384 - 355;
    m->verify = false;
  }));
  for (const auto& [pair, estimate] : published) ASSERT_TRUE(b.contains(pair));
  EXPECT_GT(published.size(), 100u);
}

// Documents without a kept shingle are flagged; they are in no pair but with
// documents that are equal to them.
TEST_F(MinHashMethodsTest, EmptyModSketchesAreFlaggedNotMatched) {
  constexpr int kModulus = 200;
  const auto sketches =
      Sketches(**MakeModShingleSketcher(kModulus, SetShare::kUnion), 5);
  const auto pairs = PairsOf(Named("mod-m", [](auto* m) {
    m->modulus = kModulus;
    m->threshold = 0.3;
    m->verify = false;
  }));
  std::set<std::string> flagged;
  for (size_t d = 0; d < sketches.size(); ++d) {
    if (sketches[d].empty()) flagged.insert(corpus_.texts[d]);
  }
  for (const auto& [pair, estimate] : pairs) {
    const bool empty =
        sketches[pair.first].empty() || sketches[pair.second].empty();
    EXPECT_TRUE(!empty ||
                corpus_.texts[pair.first] == corpus_.texts[pair.second]);
  }
  EXPECT_GT(flagged.size(), 50u);
  EXPECT_GT(pairs.size(), 300u);
}

TEST_F(MinHashMethodsTest, RefusesBadParametersWithARemedy) {
  struct Case {
    Change change;
    std::string part;  // of the message
  };
  for (const Case& c : std::vector<Case>{
           {Named("fss", [](auto* m) { m->permutations = 0; }), "4096"},
           {Named("fss", [](auto* m) { m->generator = "tables"; }), "bands"},
           {Named("fss", [](auto* m) { m->rows = 3; }), "together"},
           {Named("fss", [](auto* m) { m->bands = 50, m->rows = 3; }),
            "does not fit"},
           {Named("fss", [](auto* m) { m->value_bits = 33; }), "1..32"},
           {Named("minhash", [](auto* m) { m->permutations = 12; }),
            "multiple of 8"},
           {Named("minhash",
                  [](auto* m) { m->hash_family = HashFamily::kMixed; }),
            "mixed"},
           {Named("minhash",
                  [](auto* m) { m->generator = "sorted", m->agree = 129; }),
            "0..permutations"},
           {Named("rabin-minhash",
                  [](auto* m) { m->hash_family = HashFamily::kDatasketch; }),
            "mixed"},
           {Named("mod-m", [](auto* m) { m->modulus = 0; }), ">= 1"},
           {Named("mod-m", [](auto* m) { m->generator = "bands"; }), "sorted"},
           {Named("super-shingle", [](auto* m) { m->agree = 7; }), "1..groups"},
           {Named("super-shingle",
                  [](auto* m) { m->group_by = static_cast<GroupBy>(9); }),
            "permutation|value"},
           {Named("super-shingle", [](auto* m) { m->group_size = 5000; }),
            "1..64"},
           {Named("super-shingle", [](auto* m) { m->generator = "bands"; }),
            "does not read --generator"},
           {Named("super-shingle", [](auto* m) { m->groups = 1; }),
            "at most --groups"},
           {Named("mega-shingle", [](auto* m) { m->agree = 3; }),
            "super-shingle"},
           {Named("henzinger-combined", [](auto* m) { m->distance = 64; }),
            "0..bits - 1"},
           {Named("henzinger-combined",
                  [](auto* m) { m->weights = FeatureWeights::kTfIdf; }),
            "set|tf"}}) {
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "bad");
    c.change(&options.method);
    const auto summary = Dedup(options);
    ASSERT_FALSE(summary) << c.part;
    EXPECT_EQ(summary.error().code, ErrorCode::kUsage);
    EXPECT_NE(summary.error().ToString().find(c.part), std::string::npos)
        << summary.error().ToString();
  }
}

// Every kernel target gives the same pairs.
TEST_F(MinHashMethodsTest, SimdTargetsAgree) {
  for (const std::string name : {"fss", "one-permutation", "super-shingle"}) {
    const auto expected = PairsOf(Named(name));
    for (const std::string& target : SimdTargets()) {
      EXPECT_EQ(PairsOf(Named(name), 1, target), expected)
          << name << " " << target;
    }
    ASSERT_TRUE(kernels::ForceTarget(""));
  }
}

}  // namespace
}  // namespace twinset::testing
