#include "verify/measures.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/hash.h"
#include "verify/edit.h"

namespace twinset {
namespace {

constexpr Measure kAll[] = {Measure::kJaccard, Measure::kContainment,
                            Measure::kDice, Measure::kCosine, Measure::kS3};

std::vector<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<uint64_t> Hashes(const std::vector<std::string>& words) {
  std::vector<uint64_t> hashes;
  for (const std::string& word : words) hashes.push_back(Hash64(word));
  return hashes;
}

std::set<std::string> Bigrams(const std::string& text) {
  const std::vector<std::string> words = Words(text);
  std::set<std::string> grams;
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    grams.insert(words[i] + " " + words[i + 1]);
  }
  return grams;
}

Overlap OverlapOf(const std::set<std::string>& a,
                  const std::set<std::string>& b) {
  Overlap overlap{a.size(), b.size(), 0};
  for (const std::string& element : a) overlap.common += b.count(element);
  return overlap;
}

// The worked example of the lecture on three sentences about London.
const std::string kD1 = "jack london traveled to oakland";
const std::string kD2 = "jack london traveled to the city of oakland";
const std::string kD3 = "jack traveled from oakland to london";

TEST(Measures, LondonGolden) {
  const auto d1 = Bigrams(kD1), d2 = Bigrams(kD2), d3 = Bigrams(kD3);
  const Overlap o12 = OverlapOf(d1, d2);
  EXPECT_EQ(o12, (Overlap{4, 7, 3}));
  EXPECT_EQ(Jaccard(o12), 0.375);
  EXPECT_EQ(ContainmentAB(o12), 0.75);
  EXPECT_NEAR(ContainmentBA(o12), 0.4286, 5e-5);
  EXPECT_NEAR(Dice(o12), 0.5455, 5e-5);
  EXPECT_EQ(Score(Measure::kContainment, o12), 0.75);
  EXPECT_EQ(Jaccard(OverlapOf(d1, d3)), 0.0);
  EXPECT_EQ(Jaccard(OverlapOf(d2, d3)), 0.0);
}

TEST(Measures, LondonEditAndCosine) {
  const struct {
    std::string a, b;
    uint64_t words, characters;
    double cosine;
  } cases[] = {{kD1, kD2, 3, 12, 0.7906},
               {kD1, kD3, 4, 20, 0.9129},
               {kD2, kD3, 6, 26, 0.7217}};
  for (const auto& c : cases) {
    const auto a = Hashes(Words(c.a)), b = Hashes(Words(c.b));
    EXPECT_EQ(EditDistance(a, b, 1 << 20).distance, c.words);
    const std::vector<uint64_t> ca(c.a.begin(), c.a.end());
    const std::vector<uint64_t> cb(c.b.begin(), c.b.end());
    EXPECT_EQ(EditDistance(ca, cb, 1 << 20).distance, c.characters);
    EXPECT_NEAR(CosineOfCounts(a, b), c.cosine, 5e-5);
  }
}

TEST(Measures, EmptySetsAreInNoPair) {
  for (const Measure measure : kAll) {
    EXPECT_EQ(Score(measure, Overlap{0, 0, 0}), 0.0);
    EXPECT_EQ(Score(measure, Overlap{0, 5, 0}), 0.0);
    EXPECT_EQ(Score(measure, Overlap{5, 0, 0}), 0.0);
    EXPECT_FALSE(CanReach(measure, 0, 0, 0.0));
    EXPECT_FALSE(CanReach(measure, 0, 9, 0.0));
  }
  EXPECT_EQ(ContainmentAB(Overlap{0, 5, 0}), 0.0);
  EXPECT_EQ(ContainmentBA(Overlap{5, 0, 0}), 0.0);
}

TEST(Measures, OfSetsAreTheFirstFive) {
  for (const auto& [measure, name] : kChoices<Measure>)
    EXPECT_EQ(IsSetMeasure(measure), static_cast<int>(measure) < 5) << name;
}

// All pairs of subsets of a universe of 6: the formulas against sets.
TEST(Measures, ExhaustiveOnSmallSets) {
  constexpr uint32_t kSubsets = 64;
  for (uint32_t a = 0; a < kSubsets; ++a) {
    for (uint32_t b = 0; b < kSubsets; ++b) {
      const uint64_t na = static_cast<uint64_t>(std::popcount(a));
      const uint64_t nb = static_cast<uint64_t>(std::popcount(b));
      const uint64_t common = static_cast<uint64_t>(std::popcount(a & b));
      const uint64_t all = static_cast<uint64_t>(std::popcount(a | b));
      const Overlap ab{na, nb, common}, ba{nb, na, common};
      if (all > 0) {
        EXPECT_EQ(Jaccard(ab),
                  static_cast<double>(common) / static_cast<double>(all));
      }
      EXPECT_EQ(ContainmentAB(ab), ContainmentBA(ba));
      EXPECT_EQ(Dice(ab), S3(ab));  // the same number by two definitions
      for (const Measure measure : kAll) {
        const double score = Score(measure, ab);
        EXPECT_EQ(score, Score(measure, ba));  // symmetric
        EXPECT_GE(score, 0.0);
        EXPECT_LE(score, 1.0);
        if (a == b && a != 0) {
          EXPECT_EQ(score, 1.0);
        }
        // The size filter never refuses what the score accepts.
        if (na > 0 && nb > 0) {
          EXPECT_TRUE(CanReach(measure, na, nb, score));
        }
      }
    }
  }
}

TEST(Measures, JaccardDistanceIsAMetric) {
  constexpr uint32_t kSubsets = 32;
  const auto distance = [](uint32_t a, uint32_t b) {
    if (a == b) return 0.0;
    return 1.0 - Jaccard({static_cast<uint64_t>(std::popcount(a)),
                          static_cast<uint64_t>(std::popcount(b)),
                          static_cast<uint64_t>(std::popcount(a & b))});
  };
  for (uint32_t a = 0; a < kSubsets; ++a) {
    for (uint32_t b = 0; b < kSubsets; ++b) {
      for (uint32_t c = 0; c < kSubsets; ++c) {
        EXPECT_LE(distance(a, c), distance(a, b) + distance(b, c) + 1e-12);
      }
    }
  }
}

// CanReach is exactly "the best overlap scores enough".
TEST(Measures, SizeFilterIsTight) {
  for (const Measure measure : kAll) {
    for (uint64_t a = 1; a <= 40; ++a) {
      for (uint64_t b = 1; b <= 40; ++b) {
        for (const double t : {0.1, 0.5, 0.8, 0.9, 1.0}) {
          bool possible = false;
          for (uint64_t common = 0; common <= std::min(a, b); ++common) {
            possible |= Score(measure, {a, b, common}) >= t;
          }
          EXPECT_EQ(CanReach(measure, a, b, t), possible);
        }
      }
    }
  }
}

TEST(Measures, SizeFiltersOfBagsAndSequences) {
  EXPECT_TRUE(CanReach(Measure::kCosineTf, 1, 1000, 1.0));
  EXPECT_TRUE(CanReach(Measure::kCosineTfIdf, 1, 1000, 1.0));
  EXPECT_TRUE(CanReach(Measure::kEdit, 8, 10, 0.8));
  EXPECT_FALSE(CanReach(Measure::kEdit, 7, 10, 0.8));
  EXPECT_TRUE(CanReach(Measure::kHamming, 7, 7, 0.8));
  EXPECT_FALSE(CanReach(Measure::kHamming, 7, 8, 0.1));
  for (const Measure measure : {Measure::kCosineTf, Measure::kCosineTfIdf,
                                Measure::kEdit, Measure::kHamming}) {
    EXPECT_FALSE(CanReach(measure, 0, 0, 0.1));
    EXPECT_FALSE(CanReach(measure, 3, 0, 0.1));
  }
}

TEST(Measures, LargeEqualSetsScoreExactlyOne) {
  SplitMix64 random(7);
  for (int i = 0; i < 10000; ++i) {
    const uint64_t n = 1 + random.Below(uint64_t{1} << 40);
    for (const Measure measure : kAll) {
      EXPECT_EQ(Score(measure, {n, n, n}), 1.0);
    }
  }
}

}  // namespace
}  // namespace twinset
