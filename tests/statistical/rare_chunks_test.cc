// Heintze's reasons for a selection that depends on the content
// (docs/methods/rare-chunks.md): a document against itself, and against
// strangers.
#include "sketch/learnt/rare_chunks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

std::set<uint64_t> Selection(const std::string& text, int chunks,
                             ChunkChoice choice, const PrefixRarity& rarity) {
  Sketch sketch;
  (*MakeRareChunkSketcher(chunks, choice, rarity))->Compute(text, &sketch);
  std::set<uint64_t> values;
  for (size_t i = 0; i < sketch.size(); i += 2)
    values.insert(uint64_t{sketch[i + 1]} << 32 | sketch[i]);
  return values;
}

size_t Common(const std::set<uint64_t>& x, const std::set<uint64_t>& y) {
  std::vector<uint64_t> common;
  std::set_intersection(x.begin(), x.end(), y.begin(), y.end(),
                        std::back_inserter(common));
  return common.size();
}

std::string Letters(SplitMix64* random, size_t count) {
  constexpr char kConsonants[] = "bcdfghjklmnpqrstvwxyz";
  std::string text;
  for (size_t i = 0; i < count; ++i) text += kConsonants[random->Below(21)];
  return text;
}

// 100 chunks stored, 1000 asked, of 50,000: chosen at random, 2 are common on
// average (hypergeometric); chosen by rarity or by hash, all 100.
TEST(RareChunkLaw, ADocumentAgainstItself) {
  SplitMix64 random(1);
  const std::string text = Letters(&random, 50000 + 19);
  for (const ChunkChoice choice :
       {ChunkChoice::kRarest, ChunkChoice::kLowest}) {
    const auto stored = Selection(text, 100, choice, PrefixRarity({}));
    const auto asked = Selection(text, 1000, choice, PrefixRarity({}));
    EXPECT_EQ(stored.size(), 100u);
    EXPECT_EQ(asked.size(), 1000u);
    EXPECT_EQ(Common(stored, asked), 100u);
  }
  const auto every =
      Selection(text, 100000, ChunkChoice::kLowest, PrefixRarity({}));
  ASSERT_EQ(every.size(), 50000u);
  const std::vector<uint64_t> chunks(every.begin(), every.end());
  const auto pick = [&](size_t count) {
    std::set<uint64_t> picked;
    while (picked.size() < count)
      picked.insert(chunks[random.Below(chunks.size())]);
    return picked;
  };
  constexpr int kRounds = 400;
  size_t common = 0;
  for (int round = 0; round < kRounds; ++round)
    common += Common(pick(100), pick(1000));
  const double mean = 1000.0 * 100 / 50000;
  EXPECT_NEAR(static_cast<double>(common) / kRounds, mean,
              3 * std::sqrt(mean / kRounds));
}

// Documents of their own words around a stock of phrases that all share, as
// boilerplate does.
struct Corpus {
  std::vector<std::string> documents;
  explicit Corpus(uint64_t seed) {
    SplitMix64 random(seed);
    std::vector<std::string> phrases;
    for (int i = 0; i < 20; ++i) phrases.push_back(Letters(&random, 40));
    for (int d = 0; d < 200; ++d) {
      std::string text = Letters(&random, 200);
      for (int i = 0; i < 10; ++i) {
        text += phrases[random.Below(phrases.size())];
        text += Letters(&random, 100);
      }
      documents.push_back(std::move(text));
    }
  }
};

PrefixRarity Learn(const std::vector<std::string>& documents) {
  std::vector<uint64_t> all, prefixes;
  for (const std::string& document : documents) {
    ChunkPrefixes(document, &prefixes);
    all.insert(all.end(), prefixes.begin(), prefixes.end());
  }
  std::sort(all.begin(), all.end());
  std::vector<uint64_t> features;
  std::vector<uint32_t> frequencies;
  for (const uint64_t prefix : all) {
    if (features.empty() || features.back() != prefix) {
      features.push_back(prefix);
      frequencies.push_back(0);
    }
    ++frequencies.back();
  }
  return PrefixRarity(FrequencyTable(documents.size(), features, frequencies));
}

// Unrelated documents have phrases in common; rare chunks avoid them, the
// lowest hashes do not.
TEST(RareChunkLaw, NoiseOfUnrelatedDocuments) {
  const Corpus corpus(2);
  const PrefixRarity rarity = Learn(corpus.documents);
  size_t noise[2] = {};
  for (const ChunkChoice choice :
       {ChunkChoice::kRarest, ChunkChoice::kLowest}) {
    std::vector<std::set<uint64_t>> selections;
    for (const std::string& document : corpus.documents)
      selections.push_back(Selection(document, 100, choice, rarity));
    for (size_t i = 0; i < selections.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        noise[choice == ChunkChoice::kLowest] +=
            Common(selections[i], selections[j]) > 0;
      }
    }
  }
  EXPECT_GT(noise[1], 5000u) << "the corpus has no noise to avoid";
  EXPECT_LT(noise[0] * 20, noise[1]);
}

// The selections of a text with one letter in a hundred changed keep about as
// much as all chunks do: 0.99^20 = 82 %.
TEST(RareChunkLaw, EditedDocumentsStillMeet) {
  const Corpus corpus(3);
  const PrefixRarity rarity = Learn(corpus.documents);
  SplitMix64 random(4);
  double kept = 0;
  for (const std::string& document : corpus.documents) {
    std::string edited = document;
    for (char& letter : edited) {
      if (random.Below(100) == 0) letter = Letters(&random, 1)[0];
    }
    const auto x = Selection(document, 100, ChunkChoice::kRarest, rarity);
    const auto y = Selection(edited, 100, ChunkChoice::kRarest, rarity);
    kept += static_cast<double>(Common(x, y)) / 100;
  }
  kept /= static_cast<double>(corpus.documents.size());
  EXPECT_GT(kept, 0.6);
  EXPECT_LT(kept, 0.9);
}

}  // namespace
}  // namespace twinset
