// MinHash and its kin as methods: which pairs they propose, and the laws that
// say how often.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "candidate/value_keys.h"
#include "methods/methods_testing.h"
#include "methods/minhash_parts.h"
#include "verify/measures.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

// Two sets of random features of which `common` are in both and `own` are in
// one alone, half of them each: their resemblance is common / (common + own).
std::pair<std::string, std::string> SetsAlike(size_t common, size_t own,
                                              SplitMix64* random) {
  std::vector<uint64_t> a, b;
  for (size_t i = 0; i < common + own; ++i) {
    const uint64_t feature = random->Next();
    if (i < common || i % 2 == 0) a.push_back(feature);
    if (i < common || i % 2 == 1) b.push_back(feature);
  }
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return {Stored(a), Stored(b)};
}

// How many of `trials` pairs of resemblance common / (common + own) share a key
// and pass the filter.
size_t CountFound(const MethodOptions& options, size_t common, size_t own,
                  size_t trials) {
  const MethodParts parts = PartsOf(options);
  SplitMix64 random(17);
  size_t found = 0;
  for (size_t i = 0; i < trials; ++i) {
    const auto [a, b] = SetsAlike(common, own, &random);
    const std::vector<Sketch> x = {SketchOf(parts, a)},
                              y = {SketchOf(parts, b)};
    found +=
        AnyCommon(KeysOf(parts, x), KeysOf(parts, y)) && Passes(parts, x, y);
  }
  return found;
}

// At most four standard errors from the law.
void ExpectShare(size_t found, size_t trials, double law, const char* what) {
  const auto n = static_cast<double>(trials);
  EXPECT_NEAR(static_cast<double>(found) / n, law,
              4 * std::sqrt(law * (1 - law) / n) + 1 / n)
      << what;
}

// Pr[a band agrees] of 200 values: standard S-curve (Leskovec, Rajaraman and
// Ullman, Mining of Massive Datasets, 3.4.2), recomputed.
TEST(MinHashMethodsTest, TheRecallOfBandsAtTheThreshold) {
  struct Case {
    int bands, rows;
    double similarity, recall;
  };
  for (const Case& c :
       {Case{20, 10, .7, .4362}, Case{20, 10, .8, .8969},
        Case{20, 10, .9, .9998}, Case{20, 10, .5, .0194},
        Case{25, 8, .5, .0932}, Case{25, 8, .7, .7734}, Case{25, 8, .8, .9899},
        Case{40, 5, .5, .7192}, Case{50, 4, .4, .7266}}) {
    MethodOptions options = Named("minhash");
    options.permutations = 200;
    options.bands = c.bands;
    options.rows = c.rows;
    options.threshold = c.similarity;
    const MethodParts parts = PartsOf(options);
    ASSERT_TRUE(parts.expected_recall);
    EXPECT_NEAR(*parts.expected_recall, c.recall, 6e-5) << c.bands;
    EXPECT_EQ(parts.bands, c.bands);
    EXPECT_EQ(parts.rows, c.rows);
  }
}

TEST(MinHashMethodsTest, BandsFindAsManyPairsAsTheLawSays) {
  for (const char* name : {"minhash", "fss", "one-permutation"}) {
    MethodOptions options = Named(name);
    options.permutations = 64;
    options.bands = 16;
    options.rows = 4;
    const size_t trials = 300;
    // J = 0.6: 1 - (1 - 0.6^4)^16.
    ExpectShare(CountFound(options, 60, 40, trials), trials,
                1 - std::pow(1 - std::pow(.6, 4), 16), name);
  }
}

TEST(MinHashMethodsTest, ThePlanOfBandsPromises99PercentAtTheThreshold) {
  for (double threshold = 0.5; threshold < 0.995; threshold += 0.05) {
    MethodOptions options = Named("minhash");
    options.threshold = threshold;
    const MethodParts parts = PartsOf(options);
    ASSERT_TRUE(parts.expected_recall) << threshold;
    EXPECT_GE(*parts.expected_recall, 0.99) << threshold;
    EXPECT_LE(parts.bands * parts.rows, options.permutations);
    EXPECT_NEAR(*parts.expected_recall,
                1 - std::pow(1 - std::pow(threshold, parts.rows), parts.bands),
                1e-12);
    // One more value in each band would no longer keep the promise.
    const int fewer = options.permutations / (parts.rows + 1);
    EXPECT_LT(1 - std::pow(1 - std::pow(threshold, parts.rows + 1), fewer),
              0.99)
        << threshold;
  }
}

TEST(MinHashMethodsTest, BandsAndRowsGoTogether) {
  MethodOptions options = Named("minhash");
  options.bands = 16;
  auto made = MethodCalled("minhash").make(options, nullptr);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "--bands and --rows must be given together");
  options.bands = 0;
  options.rows = 4;
  EXPECT_FALSE(MethodCalled("minhash").make(options, nullptr));
  options.bands = 33;  // 132 values of 128
  EXPECT_FALSE(MethodCalled("minhash").make(options, nullptr));
  options.bands = 32;
  EXPECT_TRUE(MethodCalled("minhash").make(options, nullptr));
}

// With b bits a value agrees by chance too: J + (1 - J) / 2^b (Li and König
// 2010, theorem 1 for large sets).
TEST(MinHashMethodsTest, FewBitsAgreeByChanceAndTheLawKnows) {
  MethodOptions options = Named("minhash");
  options.permutations = 64;
  options.value_bits = 2;
  options.bands = 8;
  options.rows = 8;
  options.threshold = 0.6;
  const double share = .6 + .4 / 4;
  const double law = 1 - std::pow(1 - std::pow(share, 8), 8);
  const MethodParts parts = PartsOf(options);
  ASSERT_TRUE(parts.expected_recall);
  EXPECT_NEAR(*parts.expected_recall, law, 1e-12);
  ExpectShare(CountFound(options, 60, 40, 300), 300, law, "two bits");
  options.value_bits = 32;
  EXPECT_NEAR(*PartsOf(options).expected_recall,
              1 - std::pow(1 - std::pow(.6, 8), 8), 1e-12);
}

// 160 of 200 values (lecture 19 of Manning, Raghavan and Schütze's course: "t =
// 80 % agree"): Pr at some similarities, recomputed from the binomial law.
TEST(MinHashMethodsTest, TheRuleOf160Of200) {
  for (const auto& [similarity, chance] : {std::pair(.70, .0009),
                                           {.75, .0578},
                                           {.78, .279},
                                           {.80, .542},
                                           {.82, .798},
                                           {.85, .978}}) {
    MethodOptions options = Named("minhash");
    options.generator = "sorted";
    options.permutations = 200;
    options.agree = 160;
    options.threshold = similarity;
    EXPECT_NEAR(*PartsOf(options).expected_recall, chance, 6e-4) << similarity;
  }
}

TEST(MinHashMethodsTest, SortedAsksForTheSharesOfTheThreshold) {
  MethodOptions options = Named("minhash");
  options.generator = "sorted";
  options.permutations = 8;
  options.threshold = 0.5;
  const MethodParts parts = PartsOf(options);
  Sketch base(8);
  for (uint32_t i = 0; i < 8; ++i) base[i] = 100 + i;
  for (size_t equal = 0; equal <= 8; ++equal) {
    Sketch other = base;
    for (size_t i = equal; i < 8; ++i) other[i] = static_cast<uint32_t>(i);
    EXPECT_EQ(Passes(parts, {base}, {other}), equal >= 4) << equal;
    EXPECT_EQ(AnyCommon(KeysOf(parts, {base}), KeysOf(parts, {other})),
              equal > 0);
  }
  // The same value at another place is none.
  Sketch turned = base;
  std::rotate(turned.begin(), turned.begin() + 1, turned.end());
  EXPECT_FALSE(AnyCommon(KeysOf(parts, {base}), KeysOf(parts, {turned})));
  EXPECT_FALSE(Passes(parts, {base}, {turned}));
}

// A filter of bands that asks for more values withdraws the promise of bands.
TEST(MinHashMethodsTest, AgreementBesideBandsPromisesNothing) {
  MethodOptions options = Named("minhash");
  EXPECT_EQ(PartsOf(options).filter, nullptr);
  options.agree = 100;
  const MethodParts parts = PartsOf(options);
  EXPECT_NE(parts.filter, nullptr);
  EXPECT_EQ(parts.expected_recall, std::nullopt);
}

// ---- super-shingles ----

// Pr[2 of 6 groups of 14 agree], the law of Broder (2000) and Fetterly, Manasse
// and Najork (2003).
TEST(MinHashMethodsTest, TheLawOfSuperShingles) {
  for (const char* name : {"super-shingle", "mega-shingle"}) {
    for (const auto& [similarity, chance] : {std::pair(.7, .0007),
                                             {.8, .0258},
                                             {.9, .4151},
                                             {.95, .8786},
                                             {.98, .9957},
                                             {.99, .9998}}) {
      MethodOptions options = Named(name);
      options.threshold = similarity;
      EXPECT_NEAR(*PartsOf(options).expected_recall, chance, 5e-5)
          << name << similarity;
    }
  }
}

TEST(MinHashMethodsTest, SuperShinglesFindAsManyPairsAsTheLawSays) {
  MethodOptions options = Named("super-shingle");
  options.threshold = 0.9;
  ExpectShare(CountFound(options, 90, 10, 300), 300, .4151, "super-shingle");
}

// Two equal super-shingles are one equal mega-shingle: the same pairs, for
// every pattern of equal groups.
TEST(MinHashMethodsTest, MegaShinglesFindWhatTwoOfSixSuperShinglesFind) {
  const MethodParts super = PartsOf(Named("super-shingle"));
  const MethodParts mega = PartsOf(Named("mega-shingle"));
  Sketch a(12);
  for (uint32_t i = 0; i < 12; ++i) a[i] = 1000 + i;
  for (uint32_t equal = 0; equal < 64; ++equal) {
    Sketch b = a;
    for (size_t group = 0; group < 6; ++group)
      if ((equal >> group & 1) == 0) b[2 * group] += 77;
    const bool passes = std::popcount(equal) >= 2;
    EXPECT_EQ(Passes(super, {a}, {b}), passes);
    EXPECT_EQ(AnyCommon(KeysOf(mega, {a}), KeysOf(mega, {b})), passes);
    EXPECT_EQ(AnyCommon(KeysOf(super, {a}), KeysOf(super, {b})), equal != 0);
  }
  EXPECT_EQ(KeysOf(super, {a}).size(), 6u);
  EXPECT_EQ(KeysOf(mega, {a}).size(), 15u);  // 6 over 2
}

TEST(MinHashMethodsTest, AgreementOfSuperShinglesHasItsLimits) {
  MethodOptions options = Named("super-shingle");
  EXPECT_EQ(SuperShinglesToAgree(options), 2);
  options.agree = 3;
  EXPECT_EQ(SuperShinglesToAgree(options), 3);
  MethodParts parts;
  options.groups = 2;
  const Status status = AddSuperShingles(options, &parts);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "--agree 3 is more than the 2 super-shingles");
  EXPECT_TRUE(parts.sketchers.empty());
  options = Named("mega-shingle");
  options.agree = 3;
  const auto mega = MethodCalled("mega-shingle").make(options, nullptr);
  ASSERT_FALSE(mega);
  EXPECT_THAT(mega.error().message, HasSubstr("--agree 3"));
  EXPECT_THAT(mega.error().remedy, HasSubstr("--method super-shingle"));
  // Grouped by value, no law holds.
  options = Named("super-shingle");
  options.group_by = GroupBy::kValue;
  EXPECT_EQ(PartsOf(options).expected_recall, std::nullopt);
  // A default of two of one super-shingle cannot be met either.
  options.groups = 1;
  EXPECT_FALSE(MethodCalled("super-shingle").make(options, nullptr));
}

TEST(MinHashMethodsTest, SuperShinglesAreAppendedBehindOtherSketchers) {
  MethodOptions options = Named("super-shingle");
  MethodParts parts;
  ASSERT_TRUE(AddSuperShingles(options, &parts));
  ASSERT_TRUE(AddSuperShingles(options, &parts));
  EXPECT_EQ(parts.sketchers.size(), 2u);
  // The filter looks at the second sketch.
  const Sketch x(12, 1), y(12, 2);
  EXPECT_TRUE(Passes(parts, {x, x}, {y, x}));
  EXPECT_FALSE(Passes(parts, {x, x}, {x, y}));
}

// ---- henzinger-combined ----

TEST(MinHashMethodsTest, TheCombinationPassesWhatBothPass) {
  const MethodParts parts = PartsOf(Named("henzinger-combined"));
  ASSERT_EQ(parts.sketchers.size(), 2u);
  EXPECT_EQ(parts.expected_recall, std::nullopt);
  const Sketch shingles(12, 1), others(12, 2), bits = {0, 0}, near = {7, 0},
                                               far = {15, 0};
  EXPECT_TRUE(Passes(parts, {shingles, bits}, {shingles, near}));
  EXPECT_FALSE(Passes(parts, {shingles, bits}, {shingles, far}));
  EXPECT_FALSE(Passes(parts, {shingles, bits}, {others, bits}));
}

TEST(MinHashMethodsTest, TheCombinationSeesTwoKindsOfFeatures) {
  MethodOptions options = Named("henzinger-combined");
  auto views = MethodCalled("henzinger-combined").views(options);
  ASSERT_TRUE(views);
  ASSERT_EQ(views->size(), 3u);
  EXPECT_EQ((*views)[1].shingle, "word:8");
  EXPECT_EQ((*views)[1].form, FeatureForm::kShingles);
  EXPECT_EQ((*views)[2].shingle, "word:1");
  EXPECT_EQ((*views)[2].form, FeatureForm::kBag);
  options.sketch_shingle = "word:3";
  options.weights = FeatureWeights::kSet;
  options.feature_hash = FeatureHash::kRabin;
  views = MethodCalled("henzinger-combined").views(options);
  ASSERT_TRUE(views);
  EXPECT_EQ((*views)[1].shingle, "word:3");
  EXPECT_EQ((*views)[1].hash, FeatureHash::kRabin);
  EXPECT_EQ((*views)[2].form, FeatureForm::kShingles);
  // Rabin's bits are no fair votes unless they are mixed.
  EXPECT_EQ((*views)[2].hash, FeatureHash::kRabinMixed);
}

// ---- mod-m ----

TEST(MinHashMethodsTest, ModMKeepsTheMultiples) {
  MethodOptions options = Named("mod-m");
  for (const int modulus : {1, 2, 25, 1 << 30}) {
    options.modulus = modulus;
    const MethodParts parts = PartsOf(options);
    SplitMix64 random(4);
    std::vector<uint64_t> set = {0, static_cast<uint64_t>(modulus),
                                 ~uint64_t{0}};
    for (int i = 0; i < 200; ++i) set.push_back(random.Next());
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    Sketch expected;
    for (const uint64_t x : set) {
      if (x % static_cast<uint64_t>(modulus) != 0) continue;
      expected.push_back(static_cast<uint32_t>(x));
      expected.push_back(static_cast<uint32_t>(x >> 32));
    }
    EXPECT_EQ(SketchOf(parts, Stored(set)), expected) << modulus;
  }
}

// With modulus 1 a sketch is the set itself: then its filter must lose no pair
// that reaches the threshold, by any measure of sets.
TEST(MinHashMethodsTest, TheFilterOfModMLosesNoPairOfAnyMeasure) {
  for (const Measure measure :
       {Measure::kJaccard, Measure::kContainment, Measure::kDice,
        Measure::kCosine, Measure::kS3}) {
    for (const double threshold : {0.3, 0.5, 0.8, 1.0}) {
      MethodOptions options = Named("mod-m");
      options.modulus = 1;
      options.measure = measure;
      options.threshold = threshold;
      const MethodParts parts = PartsOf(options);
      size_t refused = 0;
      for (uint64_t a = 1; a < 64; ++a) {
        const std::string of_a = Stored(SetOfBits(a));
        const std::vector<Sketch> x = {SketchOf(parts, of_a)};
        for (uint64_t b = 1; b < 64; ++b) {
          const std::string of_b = Stored(SetOfBits(b));
          const std::vector<Sketch> y = {SketchOf(parts, of_b)};
          const bool passes = Passes(parts, x, y);
          refused += !passes;
          if (!parts.verifier->Compare(of_a, of_b).accepted) continue;
          ASSERT_TRUE(passes && AnyCommon(KeysOf(parts, x), KeysOf(parts, y)))
              << ChoiceName(measure) << threshold << " " << a << " " << b;
        }
      }
      EXPECT_GT(refused, 500u) << "a filter that lets all pass is none";
    }
  }
}

TEST(MinHashMethodsTest, DirectedModMAsksForTheFirstInTheSecond) {
  MethodOptions options = Named("mod-m");
  options.modulus = 1;
  options.measure = Measure::kContainment;
  options.threshold = 0.6;
  const auto made = MethodCalled("mod-m").directed->make(options, nullptr);
  ASSERT_TRUE(made);
  for (uint64_t a = 1; a < 32; ++a) {
    for (uint64_t b = 1; b < 32; ++b) {
      const auto x = SetOfBits(a), y = SetOfBits(b);
      const bool stands = static_cast<double>(std::popcount(a & b)) >=
                          0.6 * static_cast<double>(std::popcount(a));
      EXPECT_EQ(Passes(*made, {SketchOf(*made, Stored(x))},
                       {SketchOf(*made, Stored(y))}),
                stands && (a & b) != 0);
      EXPECT_EQ(made->verifier->Compare(Stored(x), Stored(y)).accepted, stands);
    }
  }
}

}  // namespace
}  // namespace twinset
