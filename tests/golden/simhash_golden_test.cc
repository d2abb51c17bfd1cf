// Worked SimHash values: recomputed by scripts from their definitions, and
// those that public packages state in their tests.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "read/rows/given_features.h"
#include "sketch/simhash.h"
#include "text/tokens/feature_hash.h"
#include "text/tokens/features.h"
#include "text/tokens/given_weights.h"

namespace twinset {
namespace {

std::vector<std::string> Words(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ' ') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

// All n-grams of `text`, joined by one space, as MD5 numbers.
std::vector<uint64_t> Ngrams(const std::string& text,
                             const std::vector<size_t>& lengths) {
  const std::vector<std::string> words = Words(text);
  std::vector<uint64_t> features;
  for (const size_t n : lengths) {
    for (size_t i = 0; i + n <= words.size(); ++i) {
      std::string gram = words[i];
      for (size_t j = 1; j < n; ++j) gram += " " + words[i + j];
      features.push_back(HashFeature(FeatureHash::kMd5, gram));
    }
  }
  return features;
}

Sketch Compute(int bits, const std::vector<uint64_t>& features) {
  Sketch sketch;
  const auto sketcher = *MakeSimHashSketcher(bits);
  sketcher->Compute({reinterpret_cast<const char*>(features.data()),
                     features.size() * sizeof(uint64_t)},
                    &sketch);
  return sketch;
}

std::string Hex(int bits, const std::vector<uint64_t>& features) {
  return (*MakeSimHashSketcher(bits))->Written(Compute(bits, features));
}

uint64_t Value64(const std::vector<uint64_t>& features) {
  const Sketch sketch = Compute(64, features);
  return uint64_t{sketch[1]} << 32 | sketch[0];
}

const char* const kRose = "a rose is a rose is a rose";

TEST(SimHashGoldenTest, RoseOfFourBits) {
  const std::vector<uint64_t> features = Ngrams(kRose, {1});
  // Leading bits: a 0000, rose 1111, is 1010.
  EXPECT_EQ(HashFeature(FeatureHash::kMd5, "a") >> 60, 0b0000u);
  EXPECT_EQ(HashFeature(FeatureHash::kMd5, "rose") >> 60, 0b1111u);
  EXPECT_EQ(HashFeature(FeatureHash::kMd5, "is") >> 60, 0b1010u);
  const SimHash simhash(4);
  const std::vector<int64_t> votes = simhash.Votes(features);
  std::vector<int64_t> written;
  for (int place = 0; place < 4; ++place) {
    written.push_back(votes[FingerprintBit(4, place)]);
  }
  EXPECT_EQ(written, (std::vector<int64_t>{2, -2, 2, -2}));
  EXPECT_EQ(simhash.Fingerprint(votes), Sketch{0b1010});
  EXPECT_EQ(Hex(4, features), "a");
}

TEST(SimHashGoldenTest, RoseOf64Bits) {
  EXPECT_EQ(Hex(64, Ngrams(kRose, {1})), "acc571a245e28ea2");
  EXPECT_EQ(Hex(64, Ngrams(kRose, {2})), "47d7dfa9eb1df662");
  EXPECT_EQ(Hex(64, Ngrams(kRose, {3})), "021f06040dadd40d");
  EXPECT_EQ(Hex(64, Ngrams(kRose, {5})), "301110e204b10414");
  EXPECT_EQ(Hex(64, Ngrams(kRose, {2, 3})), "43df460dcb3dd66f");
  EXPECT_EQ(Hex(64, Ngrams(kRose, {3, 5})), "0217040404a51405");
}

TEST(SimHashGoldenTest, LeadingBitsOfShorterFingerprintsAgree) {
  const std::vector<uint64_t> features = Ngrams(kRose, {1});
  EXPECT_EQ(Hex(32, features), "acc571a2");
  EXPECT_EQ(Hex(8, features), "ac");
  EXPECT_EQ(Hex(48, features), "acc571a245e2");
  EXPECT_EQ(Hex(128, features).substr(0, 16), "acc571a245e28ea2");
}

TEST(SimHashGoldenTest, London) {
  const std::vector<uint64_t> d1 =
      Ngrams("jack london traveled to oakland", {1});
  const std::vector<uint64_t> d2 =
      Ngrams("jack london traveled to the city of oakland", {1});
  const std::vector<uint64_t> d3 =
      Ngrams("jack traveled from oakland to london", {1});
  EXPECT_EQ(Hex(64, d1), "5d74ac2a5c148891");
  EXPECT_EQ(Hex(64, d2), "0fd48c6a4d100891");
  EXPECT_EQ(Hex(64, d3), "59100c2848148000");
  const auto sketcher = *MakeSimHashSketcher(64);
  const Sketch s1 = Compute(64, d1), s2 = Compute(64, d2), s3 = Compute(64, d3);
  EXPECT_EQ(sketcher->Estimate(s1, s2), 1 - 11.0 / 64);
  EXPECT_EQ(sketcher->Estimate(s1, s3), 1 - 13.0 / 64);
  EXPECT_EQ(sketcher->Estimate(s2, s3), 1 - 18.0 / 64);
}

// Votes of numbers as they are, from the tests of the package 1e0ng/simhash,
// revision 78f3b8d.
TEST(SimHashGoldenTest, VotesOfNumbers) {
  EXPECT_EQ(Value64({}), 0u);
  EXPECT_EQ(Value64(std::vector<uint64_t>(100, 0xDEADBEEF)), 3735928559u);
  EXPECT_EQ(Value64({0xDEADBEEF, ~uint64_t{0xDEADBEEF}}), 0u);  // ties are 0
  EXPECT_EQ(Value64({0xABCD, 0xBCDE, 0xCDEF}), 44495u);
}

// The same package's values of MD5, its last 8 bytes.
TEST(SimHashGoldenTest, LastBytesOfMd5) {
  const auto hash = [](const std::string& text) {
    return HashFeature(FeatureHash::kMd5Low, text);
  };
  EXPECT_EQ(Value64({hash("aaa"), hash("bbb")}), 57087923692560392u);
  std::vector<uint64_t> plain, weighted;
  for (size_t i = 0; i < 500; ++i) {
    plain.push_back(hash(std::to_string(i)));
    weighted.insert(weighted.end(), 50 * i, plain.back());
  }
  EXPECT_EQ(Value64(plain), 7984652473404407437u);
  EXPECT_EQ(Value64(weighted), 3372825719632739723u);
  // The same as weights beside the features.
  std::vector<uint64_t> pairs;
  for (size_t i = 0; i < 500; ++i)
    pairs.insert(pairs.end(), {plain[i], 50 * uint64_t{i}});
  Sketch sketch;
  (*MakeWeightedSimHashSketcher(64, false))
      ->Compute({reinterpret_cast<const char*>(pairs.data()),
                 pairs.size() * sizeof(uint64_t)},
                &sketch);
  EXPECT_EQ(uint64_t{sketch[1]} << 32 | sketch[0], 3372825719632739723u);
}

// The term vector of the rose as features of a row, its weights in any unit.
TEST(SimHashGoldenTest, GivenFeatures) {
  const FeatureExtractor extractor(TokenRule::kFeatures,
                                   *ParseShingles("word:1"), FeatureHash::kMd5);
  for (const char* row :
       {R"({"a": 3, "rose": 3, "is": 2})",
        R"({"is": 1, "rose": 1.5, "a": 1.5})",
        R"([["rose", 2.5], "is", ["a", 3], ["rose", 0.5], "is"])",
        R"(["a", "rose", "is", "a", "rose", "is", "a", "rose"])"}) {
    std::string text;
    ASSERT_EQ(GivenFeatures().Read(row, &text), "");
    FeatureScratch scratch;
    Features features;
    extractor.Sequence(text, &scratch, &features);
    GivenWeights weights(text);
    std::vector<uint64_t> pairs;
    for (const uint64_t feature : features.shingles)
      pairs.insert(pairs.end(), {feature, weights.Next()});
    for (const auto& [bits, written] :
         {std::pair(4, "a"), std::pair(64, "acc571a245e28ea2")}) {
      const auto sketcher = *MakeWeightedSimHashSketcher(bits, false);
      Sketch sketch;
      sketcher->Compute({reinterpret_cast<const char*>(pairs.data()),
                         pairs.size() * sizeof(uint64_t)},
                        &sketch);
      EXPECT_EQ(sketcher->Written(sketch), written) << row;
    }
  }
}

// Pinned: what 65 bits and more are derived from (docs/methods/simhash.md).
TEST(SimHashGoldenTest, LongerFingerprintsAreSplitMix64) {
  const uint64_t feature = 0x0123456789abcdef;
  SplitMix64 sequence(feature);
  std::string expected = "0123456789abcdef";
  for (int i = 1; i < 6; ++i) {
    const uint64_t number = sequence.Next();
    for (int digit = 60; digit >= 0; digit -= 4) {
      expected += "0123456789abcdef"[number >> digit & 15];
    }
  }
  EXPECT_EQ(Hex(384, {feature}), expected);
}

}  // namespace
}  // namespace twinset
