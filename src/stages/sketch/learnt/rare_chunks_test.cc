#include "sketch/learnt/rare_chunks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

// The consonants of ASCII tokens.
std::string Consonants(const std::string& tokens) {
  std::string letters;
  for (const char c : tokens) {
    if (std::string(" aeiou").find(c) == std::string::npos) letters += c;
  }
  return letters;
}

std::vector<TextChunk> Chunks(const std::string& tokens) {
  std::vector<TextChunk> chunks;
  ChunkStream stream(tokens);
  TextChunk chunk;
  while (stream.Next(&chunk)) chunks.push_back(chunk);
  EXPECT_FALSE(stream.Next(&chunk));
  return chunks;
}

std::string RandomText(SplitMix64* random, size_t words) {
  std::string text;
  for (size_t i = 0; i < words; ++i) {
    if (i > 0) text += ' ';
    for (uint64_t n = 1 + random->Below(8); n > 0; --n)
      text += static_cast<char>('a' + random->Below(26));
  }
  return text;
}

std::set<uint64_t> SketchOf(const Sketcher& sketcher, const std::string& text) {
  Sketch sketch = {7};
  sketcher.Compute(text, &sketch);
  std::set<uint64_t> values;
  for (size_t i = 0; i < sketch.size(); i += 2)
    values.insert(uint64_t{sketch[i + 1]} << 32 | sketch[i]);
  EXPECT_EQ(values.size() * 2, sketch.size());
  return values;
}

// Equal substrings of the consonants, and only those, are equal chunks.
TEST(ChunkStream, IsEverySubstringOfTwentyConsonants) {
  SplitMix64 random(1);
  std::map<std::string, uint64_t> hashes, prefixes;
  for (int round = 0; round < 50; ++round) {
    const std::string text = RandomText(&random, 60) + " " +
                             RandomText(&random, 3) +
                             " the same end of it all "
                             "where every letter counts twice or thrice";
    const std::string letters = Consonants(text);
    const std::vector<TextChunk> chunks = Chunks(text);
    ASSERT_EQ(chunks.size(), letters.size() - 19);
    for (size_t i = 0; i < chunks.size(); ++i) {
      const auto [at, fresh] =
          hashes.emplace(letters.substr(i, 20), chunks[i].hash);
      EXPECT_EQ(at->second, chunks[i].hash);
      const auto [prefix, fresh_prefix] =
          prefixes.emplace(letters.substr(i, 5), chunks[i].prefix);
      EXPECT_EQ(prefix->second, chunks[i].prefix);
    }
  }
  std::set<uint64_t> distinct;
  for (const auto& [letters, hash] : hashes) distinct.insert(hash);
  EXPECT_EQ(distinct.size(), hashes.size());
  distinct.clear();
  for (const auto& [letters, prefix] : prefixes) distinct.insert(prefix);
  EXPECT_EQ(distinct.size(), prefixes.size());
}

TEST(ChunkStream, SpacesAndVowelsDoNotCount) {
  const std::string text = "the quick brown fox jumps over the lazy dog again";
  const auto with = Chunks(text), without = Chunks(Consonants(text));
  ASSERT_EQ(with.size(), without.size());
  for (size_t i = 0; i < with.size(); ++i)
    EXPECT_EQ(with[i].hash, without[i].hash);
}

TEST(ChunkStream, ShortTexts) {
  EXPECT_TRUE(Chunks("").empty());
  EXPECT_TRUE(Chunks("a eau oui").empty());
  ASSERT_EQ(Chunks("b").size(), 1u);
  ASSERT_EQ(Chunks(std::string(19, 'b')).size(), 1u);
  ASSERT_EQ(Chunks(std::string(20, 'b')).size(), 1u);
  std::set<uint64_t> hashes;
  for (size_t n = 1; n <= 20; ++n)
    hashes.insert(Chunks(std::string(n, 'b'))[0].hash);
  EXPECT_EQ(hashes.size(), 20u);
  // Other scripts: every code point is a letter.
  EXPECT_EQ(Chunks("\xe6\x97\xa5 \xe6\x9c\xac").size(), 1u);
  EXPECT_EQ(Chunks("\xff\xfe\x80").size(), 1u) << "no crash on what is no text";
}

TEST(ChunkPrefixes, AreDistinctAndAscending) {
  SplitMix64 random(2);
  const std::string text = RandomText(&random, 40000);
  std::set<uint64_t> expected;
  for (const TextChunk& chunk : Chunks(text)) expected.insert(chunk.prefix);
  std::vector<uint64_t> prefixes;
  ChunkPrefixes(text, &prefixes);
  EXPECT_EQ(prefixes, std::vector<uint64_t>(expected.begin(), expected.end()));
}

TEST(PrefixRarity, ClassesDoubleFromSixteen) {
  std::vector<uint64_t> prefixes;
  std::vector<uint32_t> frequencies;
  for (uint64_t i = 0; i < 5000; ++i) prefixes.push_back(Mix64(i));
  std::sort(prefixes.begin(), prefixes.end());
  for (uint32_t i = 0; i < 5000; ++i) frequencies.push_back(2 + i);
  const PrefixRarity rarity(FrequencyTable(10000, prefixes, frequencies));
  for (size_t i = 0; i < prefixes.size(); ++i) {
    uint8_t expected = 0;
    while (frequencies[i] >= (16u << expected)) ++expected;
    ASSERT_EQ(rarity.Class(prefixes[i]), expected);
    ASSERT_EQ(rarity.Class(prefixes[i] + 1), 0);
  }
  EXPECT_EQ(PrefixRarity(FrequencyTable()).Class(5), 0);
}

// All chunks, sorted by class and hash, cut off: the definition.
TEST(RareChunks, EqualsTheDefinition) {
  SplitMix64 random(3);
  for (const size_t words : {1, 5, 30, 400, 5000}) {
    const std::string text = RandomText(&random, words);
    std::vector<uint64_t> prefixes;
    ChunkPrefixes(text, &prefixes);
    std::vector<uint32_t> frequencies;
    for (size_t i = 0; i < prefixes.size(); ++i)
      frequencies.push_back(
          1 + static_cast<uint32_t>(random.Below(1 + random.Below(5000))));
    const PrefixRarity rarity(FrequencyTable(5000, prefixes, frequencies));
    for (const int size : {1, 7, 100, 2000}) {
      for (const ChunkChoice choice :
           {ChunkChoice::kRarest, ChunkChoice::kLowest}) {
        std::set<std::pair<int, uint64_t>> order;
        for (const TextChunk& chunk : Chunks(text)) {
          order.emplace(
              choice == ChunkChoice::kRarest ? rarity.Class(chunk.prefix) : 0,
              chunk.hash);
        }
        std::set<uint64_t> expected;
        for (const auto& [rare, hash] : order) {
          if (expected.size() < static_cast<size_t>(size))
            expected.insert(hash);
        }
        const auto sketcher = *MakeRareChunkSketcher(size, choice, rarity);
        EXPECT_EQ(SketchOf(*sketcher, text), expected);
      }
    }
  }
}

TEST(RareChunks, RepeatsTakeNoPlace) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "bcdfghjklmnpqrstvwxz ";
  const auto sketcher =
      *MakeRareChunkSketcher(100, ChunkChoice::kRarest, PrefixRarity({}));
  EXPECT_EQ(SketchOf(*sketcher, text).size(), 20u);
  Sketch a, b;
  sketcher->Compute(text, &a);
  sketcher->Compute(text + text, &b);
  EXPECT_EQ(a, b);
  EXPECT_EQ(sketcher->Estimate(a, b), 1);
  EXPECT_EQ(sketcher->Estimate(a, {}), 0);
}

TEST(RareChunks, BadParametersAreRefused) {
  for (const int chunks : {0, -1, 100001})
    EXPECT_FALSE(
        MakeRareChunkSketcher(chunks, ChunkChoice::kRarest, PrefixRarity({}))
            .has_value());
}

}  // namespace
}  // namespace twinset
