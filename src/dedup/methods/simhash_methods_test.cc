// SimHash as a method: its fingerprints, what its generators find, and what
// they refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "core/fingerprint.h"
#include "methods/methods_testing.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

constexpr const char* kRose = "a rose is a rose is a rose";

std::string Fingerprint(const MethodOptions& options, const std::string& text) {
  const MethodOnTexts seen(MethodCalled("simhash"), options, {text});
  return FingerprintToHex(seen.SketchesOf(0)[0], options.bits);
}

// The text of Graßegger (2014), figure 3.2, by features of its n-grams whose
// hash is the first eight bytes of their MD5; recomputed.
TEST(SimHashMethodsTest, TheFingerprintsOfTheRose) {
  MethodOptions options = Named("simhash");
  options.feature_hash = FeatureHash::kMd5;
  for (const auto& [shingle, fingerprint] :
       {std::pair("word:1", "acc571a245e28ea2"),
        {"word:2", "47d7dfa9eb1df662"},
        {"word:3", "021f06040dadd40d"},
        {"word:5", "301110e204b10414"},
        {"word:2+word:3", "43df460dcb3dd66f"},
        {"word:3+word:5", "0217040404a51405"}}) {
    options.sketch_shingle = shingle;
    EXPECT_EQ(Fingerprint(options, kRose), fingerprint) << shingle;
  }
  // The leading four bits of the MD5 are 0000 of a, 1111 of rose, 1010 of is;
  // they stand 3, 3 and 2 times: 2, -2, 2, -2.
  options.sketch_shingle = "word:1";
  options.bits = 4;
  EXPECT_EQ(Fingerprint(options, kRose), "a");
}

// Three sentences by single words (Manning, Raghavan and Schütze, chapter 19),
// lower-cased; recomputed.
TEST(SimHashMethodsTest, TheFingerprintsOfJackLondon) {
  MethodOptions options = Named("simhash");
  options.feature_hash = FeatureHash::kMd5;
  options.sketch_shingle = "word:1";
  EXPECT_EQ(Fingerprint(options, "Jack London traveled to Oakland"),
            "5d74ac2a5c148891");
  EXPECT_EQ(Fingerprint(options, "Jack London traveled to the city of Oakland"),
            "0fd48c6a4d100891");
  EXPECT_EQ(Fingerprint(options, "Jack traveled from Oakland to London"),
            "59100c2848148000");
}

// By the definition: a bit is 1 where the weights of the features that have it
// are more than those of the others.
std::string NaiveFingerprint(const std::vector<uint64_t>& hashes) {
  uint64_t value = 0;
  for (int bit = 0; bit < 64; ++bit) {
    int votes = 0;
    for (const uint64_t hash : hashes) votes += hash >> bit & 1 ? 1 : -1;
    if (votes > 0) value |= uint64_t{1} << bit;
  }
  return ToHex(value, 16);
}

TEST(SimHashMethodsTest, WeightsSayHowOftenAFeatureVotes) {
  const auto texts = RandomTexts(5, 30, 40, 12);  // many repeats
  const FeatureExtractor extractor(TokenRule::kUnicode,
                                   *ParseShingles("word:1"));
  size_t differ = 0;
  for (const std::string& text : texts) {
    std::vector<uint64_t> all;
    for (const ShingleSpan& span : extractor.Spans(text))
      all.push_back(span.hash);
    std::vector<uint64_t> once = all;
    std::sort(once.begin(), once.end());
    once.erase(std::unique(once.begin(), once.end()), once.end());
    MethodOptions options = Named("simhash");
    options.sketch_shingle = "word:1";
    options.weights = FeatureWeights::kTf;
    const std::string by_tf = Fingerprint(options, text);
    EXPECT_EQ(by_tf, NaiveFingerprint(all));
    options.weights = FeatureWeights::kSet;
    const std::string by_set = Fingerprint(options, text);
    EXPECT_EQ(by_set, NaiveFingerprint(once));
    differ += by_tf != by_set;
  }
  EXPECT_GT(differ, 25u);
}

// A word that every document has weighs nothing by its idf.
TEST(SimHashMethodsTest, InverseFrequenciesAreLearntOfTheCorpus) {
  std::vector<std::string> texts = {"common apple", "common pear",
                                    "common plum", "common"};
  MethodOptions options = Named("simhash");
  options.sketch_shingle = "word:1";
  options.weights = FeatureWeights::kTfIdf;
  const Method& method = MethodCalled("simhash");
  EXPECT_TRUE(method.learns(options));
  const MethodOnTexts seen(method, options, texts);
  ASSERT_NE(seen.model(), nullptr);
  const FeatureExtractor extractor(TokenRule::kUnicode,
                                   *ParseShingles("word:1"));
  const uint64_t apple = extractor.Spans("apple")[0].hash;
  EXPECT_EQ(FingerprintToHex(seen.SketchesOf(0)[0], 64), ToHex(apple, 16));
  // Where there are no votes, all bits are 0.
  EXPECT_EQ(FingerprintToHex(seen.SketchesOf(3)[0], 64), std::string(16, '0'));
  options.weights = FeatureWeights::kTf;
  EXPECT_FALSE(method.learns(options));
}

// The fingerprints as sketches of eight bits.
std::vector<Sketch> AllOfEightBits() {
  std::vector<Sketch> all;
  for (uint32_t value = 0; value < 256; ++value) all.push_back({value});
  return all;
}

// Manku, Jain and Das Sarma 2007: no pair within the distance is missed,
// whatever the design. All pairs of eight bits.
TEST(SimHashMethodsTest, TablesMissNoPairWithinTheDistance) {
  const auto all = AllOfEightBits();
  for (const auto& [distance, tables] : {std::pair(0, ""),
                                         {2, ""},
                                         {3, ""},
                                         {2, "4"},
                                         {1, "3,3,2"},
                                         {1, "2/2"}}) {
    MethodOptions options = Named("simhash");
    options.bits = 8;
    options.distance = distance;
    options.tables = tables;
    const MethodParts parts = PartsOf(options);
    EXPECT_TRUE(parts.ignores_threshold);
    std::vector<std::vector<uint64_t>> keys;
    for (const Sketch& sketch : all) keys.push_back(KeysOf(parts, {sketch}));
    size_t missed = 0, refused = 0;
    for (uint32_t a = 0; a < 256; a += TWINSET_SLOW_BUILD ? 7 : 1) {
      for (uint32_t b = 0; b < 256; ++b) {
        const bool near = std::popcount(a ^ b) <= distance;
        ASSERT_EQ(Passes(parts, {all[a]}, {all[b]}), near);
        const bool meet = AnyCommon(keys[a], keys[b]);
        missed += near && !meet;
        refused += !meet;
      }
    }
    EXPECT_EQ(missed, 0u) << distance << tables;
    EXPECT_GT(refused, TWINSET_SLOW_BUILD ? 500u : 5000u)
        << "tables that propose every pair are none";
  }
}

// The eight fingerprints of Graßegger (2014), example 3.4, in six tables of two
// blocks each; the self-join at two bits, recomputed.
TEST(SimHashMethodsTest, TheSelfJoinOfEightFingerprints) {
  const std::vector<std::string> printed = {"10101010", "11110110", "10101011",
                                            "10100000", "10011100", "00010110",
                                            "11110000", "00011100"};
  MethodOptions options = Named("simhash");
  options.bits = 8;
  options.distance = 2;
  options.tables = "4";
  options.feature_hash = FeatureHash::kBinary;
  options.sketch_shingle = "word:1";
  const MethodOnTexts seen(MethodCalled("simhash"), options, printed);
  EXPECT_EQ(seen.Keys(0).size(), 6u);
  std::vector<std::pair<size_t, size_t>> near;
  for (size_t a = 0; a < printed.size(); ++a) {
    EXPECT_EQ(FingerprintToHex(seen.SketchesOf(a)[0], 8),
              ToHex(std::stoull(printed[a], nullptr, 2), 2));
    for (size_t b = a + 1; b < printed.size(); ++b)
      if (seen.ShareKey(a, b) && seen.PassesFilter(a, b))
        near.emplace_back(a + 1, b + 1);
  }
  EXPECT_EQ(near, (std::vector<std::pair<size_t, size_t>>{
                      {1, 3}, {1, 4}, {2, 7}, {4, 7}, {5, 8}, {6, 8}}));
}

// Published designs for 64 bits and three bits that differ (Manku, Jain and Das
// Sarma 2007, table 1).
TEST(SimHashMethodsTest, ThePublishedDesignsHaveTheirTables) {
  for (const auto& [name, tables] : {std::pair("manku-20", 20u),
                                     {"manku-16", 16u},
                                     {"manku-10", 10u},
                                     {"manku-4", 4u},
                                     {"", 4u}}) {
    MethodOptions options = Named("simhash");
    options.tables = name;
    EXPECT_EQ(KeysOf(PartsOf(options), {{1, 2}}).size(), tables) << name;
  }
}

// Three ways to the pairs within the distance, and comparing all.
TEST(SimHashMethodsTest, TheGeneratorsFindTheSamePairs) {
  SplitMix64 random(11);
  std::vector<uint64_t> values;
  for (int i = 0; i < (TWINSET_SLOW_BUILD ? 60 : 180); ++i) {
    uint64_t value = i % 3 == 0 || i == 0 ? random.Next() : values.back();
    if (i % 3 == 1) value ^= uint64_t{1} << random.Below(64);
    if (i % 3 == 2)
      for (int flips = 0; flips < 4; ++flips)
        value ^= uint64_t{1} << random.Below(64);
    values.push_back(value);
  }
  std::set<std::pair<uint64_t, uint64_t>> expected;
  for (uint64_t a = 0; a < values.size(); ++a)
    for (uint64_t b = a + 1; b < values.size(); ++b)
      if (std::popcount(values[a] ^ values[b]) <= 3) expected.emplace(a, b);
  ASSERT_GT(expected.size(), TWINSET_SLOW_BUILD ? 15u : 60u);
  for (const char* generator : {"tables", "hamming", "psm"}) {
    MethodOptions options = Named("simhash");
    options.generator = generator;
    const MethodParts parts = PartsOf(options);
    std::vector<std::vector<Sketch>> sketches;
    for (const uint64_t value : values) {
      // One feature votes for its own bits; psm has the votes behind them.
      sketches.push_back({SketchOf(parts, Stored({value}))});
    }
    for (const int threads : {1, 3}) {
      std::set<std::pair<uint64_t, uint64_t>> found;
      const auto take = [&](uint64_t a, uint64_t b) {
        if (Passes(parts, sketches[a], sketches[b])) found.emplace(a, b);
      };
      if (parts.join) {
        const TestDir folder;
        MemoryBudget budget(256 << 20);
        CollectionJoinContext context;
        context.budget = &budget;
        context.memory_bytes = 128 << 20;
        context.threads = threads;
        context.directory = folder.path();
        context.sizes =
            [&](const std::function<void(uint64_t)>& body) -> Status {
          for (size_t d = 0; d < values.size(); ++d) body(1);
          return {};
        };
        auto join = parts.join(context);
        ASSERT_TRUE(join) << join.error().ToString();
        for (bool again = true; again;) {
          for (uint64_t d = 0; d < values.size(); ++d) {
            JoinMember member;
            member.document = d;
            member.size = 1;
            member.sketches = sketches[d];
            ASSERT_TRUE((*join)->Add(member));
          }
          const auto more = (*join)->EndPass();
          ASSERT_TRUE(more);
          again = *more;
        }
        ASSERT_TRUE((*join)->Join([&](const CandidatePair& pair) -> Status {
          take(pair.a, pair.b);
          return {};
        }));
      } else {
        std::vector<std::vector<uint64_t>> keys;
        for (const auto& own : sketches) keys.push_back(KeysOf(parts, own));
        for (uint64_t a = 0; a < values.size(); ++a)
          for (uint64_t b = a + 1; b < values.size(); ++b)
            if (AnyCommon(keys[a], keys[b])) take(a, b);
      }
      EXPECT_EQ(found, expected) << generator << threads;
    }
  }
}

TEST(SimHashMethodsTest, LongFingerprintsHaveTablesOnly) {
  for (const char* generator : {"hamming", "psm"}) {
    MethodOptions options = Named("simhash");
    options.generator = generator;
    options.bits = 128;
    EXPECT_TRUE(MethodCalled("simhash").make(options, nullptr)) << generator;
    options.bits = 129;
    const auto made = MethodCalled("simhash").make(options, nullptr);
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, HasSubstr("up to --bits 128, not 129"));
    EXPECT_EQ(made.error().remedy, "use --generator tables");
  }
  MethodOptions options = Named("simhash");
  options.bits = 384;
  const MethodParts parts = PartsOf(options);
  EXPECT_FALSE(parts.lookup) << "compressed look-up is for 64 bits";
  options.bits = 64;
  EXPECT_TRUE(PartsOf(options).lookup);
}

TEST(SimHashMethodsTest, ADesignThatCannotHoldIsRefused) {
  for (const char* tables : {"3", "nonsense", "16,16,16,15", "0", "64,0,0,0"}) {
    MethodOptions options = Named("simhash");
    options.tables = tables;
    const auto made = MethodCalled("simhash").make(options, nullptr);
    ASSERT_FALSE(made) << tables;
    EXPECT_EQ(made.error().code, ErrorCode::kUsage);
  }
}

// With a limit of probes psm may miss pairs, so no tables stand in for it.
TEST(SimHashMethodsTest, LimitedProbesHaveNoStandIn) {
  MethodOptions options = Named("simhash");
  options.generator = "psm";
  EXPECT_NE(PartsOf(options).generator, nullptr);
  options.probes = 100;
  EXPECT_EQ(PartsOf(options).generator, nullptr);
  options.generator = "tables";
  EXPECT_NE(PartsOf(options).generator, nullptr);
}

// ---- fuzzy ----

// Stein 2005: shares of word beginnings, so a text that stands twice has the
// same fingerprint, and so has any order of its words.
TEST(SimHashMethodsTest, FuzzyFingerprintsKnowNeitherOrderNorLength) {
  const std::string text = RandomTexts(8, 1, 120)[0];
  std::string turned;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    turned = text.substr(at, end - at) + (turned.empty() ? "" : " ") + turned;
    at = end + 1;
  }
  const MethodOnTexts seen(
      MethodCalled("fuzzy"), Named("fuzzy"),
      {text, text + " " + text, turned, RandomTexts(9, 1, 120, 20)[0]});
  EXPECT_EQ(seen.SketchesOf(0), seen.SketchesOf(1));
  EXPECT_EQ(seen.SketchesOf(0), seen.SketchesOf(2));
  EXPECT_NE(seen.SketchesOf(0), seen.SketchesOf(3));
  EXPECT_TRUE(seen.ShareKey(0, 1));
}

}  // namespace
}  // namespace twinset
