#include "sketch/learnt/spex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

using Tokens = std::vector<uint64_t>;

// Documents of tokens from a small vocabulary, some with stretches of earlier
// ones.
std::vector<Tokens> SomeDocuments(size_t count, uint64_t words, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<Tokens> documents(count);
  for (size_t d = 0; d < count; ++d) {
    Tokens& document = documents[d];
    const uint64_t size = random.Below(40);
    while (document.size() < size) {
      if (d > 0 && random.Below(8) == 0) {
        const Tokens& other = documents[random.Below(d)];
        if (other.empty()) continue;
        const auto begin =
            other.begin() + static_cast<ptrdiff_t>(random.Below(other.size()));
        document.insert(document.end(), begin,
                        begin + std::min<ptrdiff_t>(9, other.end() - begin));
      } else {
        document.push_back(Mix64(random.Below(words)));
      }
    }
  }
  return documents;
}

SpexModel Build(const std::vector<Tokens>& documents, int length, int bits,
                std::vector<uint64_t>* occupancy = nullptr) {
  MemoryBudget budget(1 << 28);
  auto builder = *SpexBuilder::Create(length, bits, &budget);
  for (int pass = 0; pass < length; ++pass) {
    for (const Tokens& document : documents) builder.Add(document);
    builder.EndPass();
  }
  if (occupancy != nullptr) *occupancy = builder.occupancy();
  return builder.Finish();
}

// The chunks of a document by the definition, as sequences.
std::set<Tokens> ChunksOf(const Tokens& document, size_t length) {
  std::set<Tokens> chunks;
  if (document.size() < length && !document.empty()) chunks.insert(document);
  for (size_t i = 0; i + length <= document.size(); ++i)
    chunks.insert(
        Tokens(document.begin() + static_cast<ptrdiff_t>(i),
               document.begin() + static_cast<ptrdiff_t>(i + length)));
  return chunks;
}

std::set<uint64_t> Found(const SpexModel& model, const Tokens& document) {
  std::vector<uint64_t> chunks;
  model.Chunks(document, &chunks);
  return {chunks.begin(), chunks.end()};
}

// Chunks of at least two documents, and how many of them SPEX finds; with what
// it finds beside.
struct Outcome {
  uint64_t duplicated = 0, missed = 0, found = 0;
};
Outcome Compare(const std::vector<Tokens>& documents, size_t length,
                const SpexModel& model) {
  std::map<Tokens, int> frequency;
  for (const Tokens& document : documents) {
    for (const Tokens& chunk : ChunksOf(document, length)) ++frequency[chunk];
  }
  Outcome outcome;
  for (const Tokens& document : documents) {
    const std::set<uint64_t> found = Found(model, document);
    outcome.found += found.size();
    uint64_t duplicated = 0;
    for (const Tokens& chunk : ChunksOf(document, length)) {
      if (frequency[chunk] < 2) continue;
      ++duplicated;
      // A chunk of a short text is known by another hash.
      if (chunk.size() == length)
        outcome.missed += !found.contains(SpexChunk(chunk.data(), length));
    }
    if (document.size() < length) outcome.missed += duplicated > found.size();
    outcome.duplicated += duplicated;
  }
  return outcome;
}

TEST(Spex, NothingIsLostWithAnyTable) {
  for (uint64_t seed = 1; seed <= (TWINSET_SLOW_BUILD ? 1 : 3); ++seed) {
    const auto documents = SomeDocuments(300, 300, seed);
    for (const int length : {2, 3, 5, 8}) {
      for (const int bits : {6, 8, 10, 14, 20}) {
        const Outcome outcome = Compare(documents, static_cast<size_t>(length),
                                        Build(documents, length, bits));
        EXPECT_EQ(outcome.missed, 0u) << length << " " << bits;
        EXPECT_GE(outcome.found, outcome.duplicated);
      }
    }
  }
}

TEST(Spex, ALargeTableFindsNothingElse) {
  const auto documents = SomeDocuments(300, 300, 4);
  for (const int length : {2, 3, 5, 8}) {
    const Outcome outcome = Compare(documents, static_cast<size_t>(length),
                                    Build(documents, length, 24));
    EXPECT_GT(outcome.duplicated, 100u);
    EXPECT_EQ(outcome.found, outcome.duplicated);
    EXPECT_EQ(outcome.missed, 0u);
  }
}

// A larger table never finds what a table half as large rules out in its last
// pass: slots are prefixes of hashes, so counters of the smaller are sums.
TEST(Spex, SmallerTablesOnlyAddChunks) {
  const auto documents = SomeDocuments(200, 2000, 5);
  uint64_t before = ~uint64_t{0};
  for (const int bits : {6, 8, 10, 12, 14, 16, 18}) {
    const Outcome outcome = Compare(documents, 4, Build(documents, 4, bits));
    EXPECT_LE(outcome.found, before);
    before = outcome.found;
  }
}

TEST(Spex, PassesCountLessAndLess) {
  std::vector<uint64_t> occupancy;
  Build(SomeDocuments(2000, 3000, 6), 6, 20, &occupancy);
  ASSERT_EQ(occupancy.size(), 6u);
  // Pairs of frequent words are many; from there on chunks only get rarer.
  for (size_t i = 2; i < occupancy.size(); ++i)
    EXPECT_LT(occupancy[i], occupancy[i - 1]) << i;
}

TEST(Spex, RepeatsInsideADocumentAreNoDuplicates) {
  Tokens repeated;
  for (int i = 0; i < 20; ++i)
    for (uint64_t t = 0; t < 7; ++t) repeated.push_back(Mix64(t));
  const Tokens other = {Mix64(50), Mix64(51), Mix64(52), Mix64(53)};
  const SpexModel model = Build({repeated, other}, 3, 20);
  EXPECT_TRUE(Found(model, repeated).empty());
  const SpexModel both = Build({repeated, other, repeated}, 3, 20);
  EXPECT_EQ(Found(both, repeated).size(), 7u);
  EXPECT_TRUE(Found(both, other).empty());
}

TEST(Spex, ShortTextsAreOneChunk) {
  const Tokens two = {1, 2};
  const SpexModel model = Build({two, {1, 2, 3, 4, 5, 6}, two, {}, {9}}, 5, 20);
  EXPECT_EQ(Found(model, two).size(), 1u);
  EXPECT_TRUE(Found(model, {1, 2, 3, 4, 5, 6}).empty());
  EXPECT_TRUE(Found(model, {9}).empty());
  EXPECT_TRUE(Found(model, {}).empty());
}

TEST(SpexModel, EncodedAndBack) {
  const auto documents = SomeDocuments(100, 100, 7);
  for (const int bits : {6, 10, 20}) {
    const SpexModel model = Build(documents, 3, bits);
    const Result<SpexModel> back = SpexModel::Decode(model.Encode());
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->length(), 3);
    EXPECT_EQ(back->Encode(), model.Encode());
    for (const Tokens& document : documents)
      ASSERT_EQ(Found(*back, document), Found(model, document));
  }
}

TEST(SpexModel, DamageIsFound) {
  const std::string good = Build(SomeDocuments(30, 20, 8), 2, 6).Encode();
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bytes = good;
    bytes[i] = static_cast<char>(bytes[i] ^ (1 << (i % 8)));
    EXPECT_FALSE(SpexModel::Decode(bytes).has_value()) << i;
    EXPECT_FALSE(SpexModel::Decode(good.substr(0, i)).has_value()) << i;
  }
  EXPECT_FALSE(SpexModel::Decode(good + good).has_value());
}

TEST(Spex, BadParametersAreRefused) {
  MemoryBudget budget(1 << 20);
  for (const int length : {0, 1, 65})
    EXPECT_EQ(SpexBuilder::Create(length, 10, &budget).error().code,
              ErrorCode::kUsage);
  EXPECT_EQ(SpexBuilder::Create(5, 31, &budget).error().code,
            ErrorCode::kUsage);
  EXPECT_EQ(SpexBuilder::Create(5, 26, &budget).error().code,
            ErrorCode::kMemory);
}

TEST(Spex, SketchIsTheSetOfChunks) {
  const auto documents = SomeDocuments(100, 60, 9);
  const SpexModel model = Build(documents, 3, 18);
  const auto sketcher = MakeSpexSketcher(model);
  for (const Tokens& document : documents) {
    Sketch sketch;
    sketcher->Compute(
        {reinterpret_cast<const char*>(document.data()), document.size() * 8},
        &sketch);
    std::vector<uint64_t> values;
    for (size_t i = 0; i < sketch.size(); i += 2)
      values.push_back(uint64_t{sketch[i + 1]} << 32 | sketch[i]);
    const std::set<uint64_t> found = Found(model, document);
    EXPECT_EQ(values, std::vector<uint64_t>(found.begin(), found.end()));
    EXPECT_EQ(sketcher->Estimate(sketch, sketch), sketch.empty() ? 0 : 1);
  }
}

}  // namespace
}  // namespace twinset
