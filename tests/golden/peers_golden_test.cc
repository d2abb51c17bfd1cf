// The sketches of other packages, from the text on: values that the packages
// themselves gave (versions named at each).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sketch/peer_minhash.h"
#include "text/tokens/features.h"

namespace twinset {
namespace {

std::vector<uint64_t> ShinglesOf(const std::string& text, TokenRule rule,
                                 const std::string& shingle, FeatureHash hash,
                                 bool sequence) {
  const FeatureExtractor extractor(rule, *ParseShingles(shingle), hash);
  FeatureScratch scratch;
  Features features;
  if (sequence) {
    extractor.Sequence(text, &scratch, &features);
  } else {
    extractor.Extract(text, &scratch, &features);
  }
  return features.shingles;
}

Sketch MinHashOf(HashFamily family, uint64_t seed,
                 const std::vector<uint64_t>& shingles) {
  Sketch sketch;
  (*MakePeerMinHashSketcher(family, 8, seed))
      ->Compute({reinterpret_cast<const char*>(shingles.data()),
                 shingles.size() * sizeof(uint64_t)},
                &sketch);
  return sketch;
}

// datasketch 2.0.0: MinHash(num_perm=8, seed, scheme), updated with the pairs
// of words joined by a space.
TEST(PeersGoldenTest, Datasketch) {
  const auto shingles =
      ShinglesOf("the quick brown fox jumps over the lazy dog",
                 TokenRule::kUnicode, "word:2", FeatureHash::kSha1_32, false);
  EXPECT_EQ(MinHashOf(HashFamily::kDatasketch, 1, shingles),
            (Sketch{87511844, 646447938, 568966711, 176419556, 175067588,
                    39134723, 473975527, 607464164}));
  EXPECT_EQ(MinHashOf(HashFamily::kDatasketch, 42, shingles),
            (Sketch{1722258191, 443437826, 1940363038, 76122948, 135094544,
                    79285804, 614774330, 213431171}));
  EXPECT_EQ(MinHashOf(HashFamily::kDatasketch2, 1, shingles),
            (Sketch{327807514, 354999831, 637136038, 432869323, 266487366,
                    245111498, 638829303, 730723046}));
}

const char* const kFox =
    "The quick brown Fox, jumps over the lazy dog -- \u03a3\u0391\u03a3 1_2!";

// text-dedup 0.4.0: minhash.embed_func with 8 permutations, hash_bits 64, and
// sha1 of 5-grams, xxh3 of 2-grams.
TEST(PeersGoldenTest, TextDedupMinHash) {
  EXPECT_EQ(MinHashOf(HashFamily::kTextDedup, 42,
                      ShinglesOf(kFox, TokenRule::kNonwordSplit, "word:5",
                                 FeatureHash::kSha1_32, false)),
            (Sketch{157135808, 106207670, 99802756, 286171312, 1602631357,
                    297402388, 185374432, 611031076}));
  EXPECT_EQ(MinHashOf(HashFamily::kTextDedup, 42,
                      ShinglesOf(kFox, TokenRule::kNonwordSplit, "word:2",
                                 FeatureHash::kXxh3_32, false)),
            (Sketch{467304350, 205906085, 162750870, 23541242, 274118158,
                    612086874, 157088161, 70772888}));
}

// One vote a feature, its frequency included where `features` repeats it.
uint64_t Votes(const std::vector<uint64_t>& features) {
  uint64_t value = 0;
  for (int bit = 0; bit < 64; ++bit) {
    int64_t votes = 0;
    for (const uint64_t hash : features) votes += hash >> bit & 1 ? 1 : -1;
    if (votes > 0) value |= uint64_t{1} << bit;
  }
  return value;
}

// text-dedup 0.4.0: simhash.compute of the xxh3_64_digest of the 3-grams.
TEST(PeersGoldenTest, TextDedupSimHash) {
  EXPECT_EQ(Votes(ShinglesOf(kFox, TokenRule::kNonwordSplit, "word:3",
                             FeatureHash::kXxh3, false)),
            0x0882104961829c06u);
}

// simhash 2.1.2 (1e0ng): Simhash(text).value.
TEST(PeersGoldenTest, SimHashOf1e0ng) {
  const auto value = [](const char* text) {
    return Votes(ShinglesOf(text, TokenRule::kJoinedWords, "char:4",
                            FeatureHash::kMd5Low, true));
  };
  EXPECT_EQ(value(kFox), 0x242a1290530a888au);
  EXPECT_EQ(value("How are you? I Am fine. ablar ablar xyz blar blar blar blar "
                  "blar blar blar Thanks."),
            0xf421c1f243161c7au);
  EXPECT_EQ(value("abc"), 0xd6963f7d28e17f72u);
  EXPECT_EQ(value("\u4f60\u597d\uff0c\u4e16\u754c\uff01\u4f60\u597d\uff0c"
                  "\u4e16\u754c\uff01"),
            0xeaacd1c60125f73cu);
  EXPECT_EQ(value("aaaaaaaaaaaaaaaa b"), 0xd33f80c4663dc5e5u);
}
// Values that the tests of 1e0ng/simhash (commit 78f3b8d) give for features
// with weights.
TEST(PeersGoldenTest, WeightedFeaturesOf1e0ng) {
  const auto value = [](const std::vector<std::pair<std::string, int>>& all) {
    std::vector<uint64_t> votes;
    for (const auto& [feature, weight] : all) {
      votes.insert(votes.end(), static_cast<size_t>(weight),
                   HashFeature(FeatureHash::kMd5Low, feature));
    }
    return Votes(votes);
  };
  EXPECT_EQ(value({{"aaa", 1}, {"bbb", 1}}), 57087923692560392u);
  std::vector<std::pair<std::string, int>> single, weighted;
  for (int i = 0; i < 500; ++i) {
    single.emplace_back(std::to_string(i), 1);
    weighted.emplace_back(std::to_string(i), i);  // in units of 50
  }
  EXPECT_EQ(value(single), 7984652473404407437u);
  EXPECT_EQ(value(weighted), 3372825719632739723u);
}

}  // namespace
}  // namespace twinset
