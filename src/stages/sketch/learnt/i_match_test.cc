#include "sketch/learnt/i_match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

std::vector<uint64_t> Sorted(std::vector<uint64_t> values) {
  std::sort(values.begin(), values.end());
  return values;
}

// Terms are numbers; what the text stage would hand on is their hashes.
std::vector<uint64_t> Hashes(const std::vector<uint64_t>& terms) {
  std::vector<uint64_t> hashes;
  for (const uint64_t term : terms) hashes.push_back(Mix64(term + 1));
  hashes = Sorted(hashes);
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

std::vector<uint64_t> Range(uint64_t begin, uint64_t end) {
  std::vector<uint64_t> values;
  for (uint64_t i = begin; i < end; ++i) values.push_back(i);
  return values;
}

Sketch Of(const Sketcher& sketcher, const std::vector<uint64_t>& hashes) {
  Sketch sketch = {1, 2, 3};
  sketcher.Compute({reinterpret_cast<const char*>(hashes.data()),
                    hashes.size() * sizeof(uint64_t)},
                   &sketch);
  return sketch;
}

// A lexicon of terms 0..999.
std::unique_ptr<Sketcher> Make(IMatchOptions options = {}) {
  return *MakeIMatchSketcher(Hashes(Range(0, 1000)), options);
}

std::vector<uint64_t> With(std::vector<uint64_t> terms, uint64_t more) {
  terms.push_back(more);
  return terms;
}

TEST(IMatch, WordsOutsideTheLexiconDoNotCount) {
  const auto sketcher = Make();
  const std::vector<uint64_t> terms = With(Range(10, 40), 5000);
  const Sketch sketch = Of(*sketcher, Hashes(terms));
  ASSERT_EQ(sketch.size(), 22u);
  EXPECT_EQ(Of(*sketcher, Hashes(Range(10, 40))), sketch);
  EXPECT_EQ(Of(*sketcher, Hashes(With(Range(10, 40), 6000))), sketch);
}

TEST(IMatch, AWordOfTheLexiconChangesTheSignature) {
  const auto sketcher = Make();
  const Sketch sketch = Of(*sketcher, Hashes(Range(10, 40)));
  for (const uint64_t more : {0, 9, 40, 999}) {
    const Sketch other = Of(*sketcher, Hashes(With(Range(10, 40), more)));
    ASSERT_EQ(other.size(), sketch.size());
    EXPECT_TRUE(other[0] != sketch[0] || other[1] != sketch[1]);
  }
}

TEST(IMatch, ShortDocumentsAreFlagged) {
  const auto sketcher = Make({.min_terms = 4});
  EXPECT_TRUE(Of(*sketcher, Hashes({})).empty());
  EXPECT_TRUE(Of(*sketcher, Hashes(Range(0, 3))).empty());
  EXPECT_TRUE(Of(*sketcher, Hashes(Range(2000, 3000))).empty());
  EXPECT_EQ(Of(*sketcher, Hashes(Range(0, 4))).size(), 22u);
  // Nothing to match: an empty sketch has no value.
  EXPECT_EQ(sketcher->Estimate({}, {}), 0);
}

// A wider lexicon signs what is too short for the first, and only that; its
// signatures meet none of the first.
TEST(IMatch, ShortDocumentsHaveALexiconOfTheirOwn) {
  IMatchOptions options;
  options.short_terms = Hashes(Range(0, 2000));
  const auto plain = Make(), both = Make(options);
  const auto few = [](uint64_t begin, uint64_t more) {
    std::vector<uint64_t> terms = Range(begin, begin + 3);
    for (uint64_t i = 0; i < more; ++i) terms.push_back(1500 + i);
    return Hashes(terms);
  };
  // Long ones are signed as before.
  EXPECT_EQ(Of(*both, Hashes(Range(10, 40))),
            Of(*plain, Hashes(Range(10, 40))));
  EXPECT_TRUE(Of(*plain, few(10, 4)).empty());
  const Sketch sketch = Of(*both, few(10, 4));
  ASSERT_EQ(sketch.size(), 22u);
  // Words outside of both do not count, those of the second do.
  std::vector<uint64_t> more = few(10, 4);
  more.push_back(Mix64(5001));
  EXPECT_EQ(both->Estimate(Of(*both, Sorted(more)), sketch), 1);
  const Sketch other = Of(*both, few(10, 5));
  EXPECT_TRUE(other[0] != sketch[0] || other[1] != sketch[1]);
  // Too little of either is flagged.
  EXPECT_TRUE(Of(*both, few(10, 0)).empty());
  EXPECT_TRUE(Of(*both, Hashes(Range(3000, 3100))).empty());
  // The same retained set under either lexicon is not the same signature.
  const auto narrow = *MakeIMatchSketcher(Hashes(Range(0, 2000)), {});
  EXPECT_EQ(both->Estimate(Of(*narrow, few(10, 4)), sketch), 0);
}

// Lexica that leave fewer than min_terms terms do not make unlike documents
// equal.
TEST(IMatch, NearlyEverythingDropped) {
  const auto sketcher = Make({.lexicons = 20, .drop = 0.99, .min_terms = 4});
  const Sketch a = Of(*sketcher, Hashes(Range(0, 20)));
  const Sketch b = Of(*sketcher, Hashes(Range(500, 520)));
  ASSERT_EQ(a.size(), 42u);
  EXPECT_EQ(sketcher->Estimate(a, b), 0);
  EXPECT_EQ(sketcher->Estimate(a, a), 1);
}

TEST(IMatch, EstimateLooksAtTheSamePlaceOnly) {
  const auto sketcher = Make();
  EXPECT_EQ(sketcher->Estimate(Sketch{1, 2, 3, 4}, Sketch{9, 9, 3, 4}), 1);
  EXPECT_EQ(sketcher->Estimate(Sketch{1, 2, 3, 4}, Sketch{3, 4, 1, 2}), 0);
  EXPECT_EQ(sketcher->Estimate(Sketch{1, 2, 3, 4}, Sketch{1, 9, 3, 9}), 0);
}

TEST(IMatch, LexicaAreOfTheSeedNotOfTheDocument) {
  const LexiconDraw first(1, 0, 0.5), again(1, 0, 0.5), second(1, 1, 0.5),
      other(2, 0, 0.5);
  int differ_second = 0, differ_other = 0;
  for (uint64_t term = 0; term < 10000; ++term) {
    ASSERT_EQ(first.Drops(Mix64(term)), again.Drops(Mix64(term)));
    differ_second += first.Drops(Mix64(term)) != second.Drops(Mix64(term));
    differ_other += first.Drops(Mix64(term)) != other.Drops(Mix64(term));
  }
  // Independent draws of 1/2 differ in half of the terms; 5 sigma.
  EXPECT_NEAR(differ_second, 5000, 250);
  EXPECT_NEAR(differ_other, 5000, 250);
}

// The sketch written by hand: retained terms, each lexicon, each signature.
TEST(IMatch, EqualsTheDefinition) {
  SplitMix64 random(9);
  const IMatchOptions options{
      .lexicons = 3, .drop = 0.3, .min_terms = 2, .seed = 7};
  const std::vector<uint64_t> lexicon = Hashes(Range(0, 50));
  const auto sketcher = *MakeIMatchSketcher(lexicon, options);
  for (int round = 0; round < 2000; ++round) {
    std::vector<uint64_t> terms;
    for (uint64_t i = random.Below(12); i > 0; --i)
      terms.push_back(random.Below(100));
    const std::vector<uint64_t> document = Hashes(terms);
    std::vector<uint64_t> retained;
    std::set_intersection(document.begin(), document.end(), lexicon.begin(),
                          lexicon.end(), std::back_inserter(retained));
    const Sketch sketch = Of(*sketcher, document);
    if (retained.size() < 2) {
      EXPECT_TRUE(sketch.empty());
      continue;
    }
    const auto signature = [](const std::vector<uint64_t>& values,
                              uint64_t seed) {
      return Hash64(
          {reinterpret_cast<const char*>(values.data()), values.size() * 8},
          seed);
    };
    std::vector<uint64_t> expected = {signature(retained, 0x692d6d6174636832)};
    for (int i = 0; i < 3; ++i) {
      std::vector<uint64_t> kept;
      for (const uint64_t term : retained) {
        if (!LexiconDraw(7, i, 0.3).Drops(term)) kept.push_back(term);
      }
      expected.push_back(kept.size() < 2
                             ? signature(document, 0x692d6d6174636833)
                             : signature(kept, 0x692d6d6174636832));
    }
    ASSERT_EQ(sketch.size(), 8u);
    for (size_t i = 0; i < 4; ++i)
      EXPECT_EQ(uint64_t{sketch[2 * i + 1]} << 32 | sketch[2 * i], expected[i]);
  }
}

TEST(IMatch, BadParametersAreRefused) {
  for (const IMatchOptions& options :
       {IMatchOptions{.lexicons = -1}, IMatchOptions{.lexicons = 257},
        IMatchOptions{.drop = 0}, IMatchOptions{.drop = 1},
        IMatchOptions{.min_terms = 0}}) {
    const auto sketcher = MakeIMatchSketcher({}, options);
    ASSERT_FALSE(sketcher.has_value());
    EXPECT_EQ(sketcher.error().code, ErrorCode::kUsage);
  }
}

}  // namespace
}  // namespace twinset
