// Verifiers of frequencies and sequences, and containment, against their
// definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "base/hash.h"
#include "verify/edit.h"
#include "verify/test_sequences.h"
#include "verify/verifier.h"

namespace twinset {
namespace {

std::string_view View(const Sequence& values) {
  return {reinterpret_cast<const char*>(values.data()),
          values.size() * sizeof(uint64_t)};
}

// Each different element counts once.
SharedFeatures NaiveShared(const Sequence& a, const Sequence& b) {
  const std::set<uint64_t> x(a.begin(), a.end()), y(b.begin(), b.end());
  SharedFeatures shared = {static_cast<uint32_t>(x.size()),
                           static_cast<uint32_t>(y.size()), 0};
  for (const uint64_t element : x) shared.common += y.contains(element);
  return shared;
}

constexpr double kThresholds[] = {0.1, 1.0 / 3, 0.5, 0.6, 0.75, 0.8, 0.9, 1.0};

uint64_t TableDistance(const Sequence& a, const Sequence& b) {
  std::vector<std::vector<uint64_t>> d(a.size() + 1,
                                       std::vector<uint64_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
      } else {
        d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1,
                            d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      }
    }
  }
  return d[a.size()][b.size()];
}

TEST(BoundedEditDistance, ExhaustiveAgainstTheTable) {
  const auto all = AllSequences(TWINSET_SLOW_BUILD ? 4 : 5, 3);
  for (const Sequence& a : all) {
    for (const Sequence& b : all) {
      const uint64_t expected = TableDistance(a, b);
      for (uint64_t most = 0; most <= 6; ++most) {
        ASSERT_EQ(BoundedEditDistance(a, b, most),
                  std::min(expected, most + 1));
      }
      ASSERT_EQ(BoundedEditDistance(a, b, uint64_t{1} << 40), expected);
    }
  }
}

TEST(BoundedEditDistance, RandomLongAgainstTheTable) {
  SplitMix64 random(12);
  for (int round = 0; round < 200; ++round) {
    const auto [a, b] = RandomEdits(250, 60, 80, &random);
    const uint64_t expected = TableDistance(a, b);
    for (const uint64_t most :
         {uint64_t{3}, expected / 2, expected - (expected > 0), expected,
          expected + 7}) {
      ASSERT_EQ(BoundedEditDistance(a, b, most), std::min(expected, most + 1));
      ASSERT_EQ(BoundedEditDistance(b, a, most), std::min(expected, most + 1));
    }
  }
}

TEST(EditVerifier, ExhaustiveAgainstTheDefinition) {
  const auto all = AllSequences(4, 3);
  for (const double t : kThresholds) {
    const auto verifier = MakeEditVerifier(t);
    for (const Sequence& a : all) {
      for (const Sequence& b : all) {
        const auto verdict = verifier->Compare(View(a), View(b));
        if (a.empty() || b.empty()) {
          ASSERT_FALSE(verdict.accepted);
          ASSERT_EQ(verdict.score, 0.0);
          continue;
        }
        const double longer = static_cast<double>(std::max(a.size(), b.size()));
        const double kept = longer - static_cast<double>(TableDistance(a, b));
        ASSERT_EQ(verdict.accepted, kept / longer >= t);
        if (verdict.accepted) {
          ASSERT_EQ(verdict.score, kept / longer);
          ASSERT_EQ(verdict.shared, NaiveShared(a, b));
          ASSERT_TRUE(verifier->CanReach(a.size(), b.size()));
        }
        const auto full = verifier->CompareFully(View(a), View(b));
        ASSERT_EQ(full.score, kept / longer);
        ASSERT_EQ(full.shared, NaiveShared(a, b));
        ASSERT_EQ(full.accepted, verdict.accepted);
        if (a == b) {
          ASSERT_EQ(verdict.score, 1.0);
        }
      }
    }
  }
}

TEST(EditVerifier, FullScoreOfTextsThatShareNothing) {
  Sequence a(700), b(900);
  for (size_t i = 0; i < a.size(); ++i) a[i] = i;
  for (size_t i = 0; i < b.size(); ++i) b[i] = 10000 + i;
  const auto verdict = MakeEditVerifier(0.8)->CompareFully(View(a), View(b));
  EXPECT_EQ(verdict.score, 0.0);
  EXPECT_FALSE(verdict.accepted);
  EXPECT_EQ(verdict.overlap, (Overlap{700, 900, 0}));
}

TEST(HammingVerifier, ExhaustiveAgainstTheDefinition) {
  const auto all = AllSequences(4, 3);
  for (const double t : kThresholds) {
    const auto verifier = MakeHammingVerifier(t);
    for (const Sequence& a : all) {
      for (const Sequence& b : all) {
        const auto verdict = verifier->Compare(View(a), View(b));
        double score = 0;
        if (a.size() == b.size() && !a.empty()) {
          for (size_t i = 0; i < a.size(); ++i) score += a[i] == b[i];
          score /= static_cast<double>(a.size());
        }
        ASSERT_EQ(verdict.score, score);
        ASSERT_EQ(verifier->CompareFully(View(a), View(b)).shared,
                  NaiveShared(a, b));
        if (verdict.accepted) {
          ASSERT_EQ(verdict.shared, NaiveShared(a, b));
        }
        ASSERT_EQ(verdict.accepted, score >= t);
        if (verdict.accepted) {
          ASSERT_TRUE(verifier->CanReach(a.size(), b.size()));
        }
        if (a == b && !a.empty()) {
          ASSERT_EQ(score, 1.0);
        }
      }
    }
  }
}

// Ascending bags of up to 4 of 3 features.
std::vector<Sequence> AllBags() {
  std::vector<Sequence> bags;
  for (Sequence& sequence : AllSequences(4, 3)) {
    if (std::is_sorted(sequence.begin(), sequence.end()))
      bags.push_back(std::move(sequence));
  }
  return bags;
}

double NaiveCosine(const Sequence& a, const Sequence& b,
                   const std::map<uint64_t, double>& weights) {
  std::map<uint64_t, double> in_a, in_b;
  for (const uint64_t x : a) in_a[x] += weights.at(x);
  for (const uint64_t x : b) in_b[x] += weights.at(x);
  double dot = 0, norm_a = 0, norm_b = 0;
  for (const auto& [x, weight] : in_a) {
    norm_a += weight * weight;
    if (in_b.count(x)) dot += weight * in_b[x];
  }
  for (const auto& entry : in_b) norm_b += entry.second * entry.second;
  return dot / std::sqrt(norm_a * norm_b);
}

TEST(CosineVerifiers, ExhaustiveAgainstTheDefinition) {
  const auto bags = AllBags();
  // 8 documents: features 0 and 1 in 4 and 8 of them, 2 in one.
  const auto table =
      std::make_shared<const OnePlusIdf>(FrequencyTable(8, {0, 1}, {4, 8}));
  const auto tf = MakeCosineTfVerifier(0.6);
  const auto tf_idf = MakeCosineTfIdfVerifier(table, 0.6);
  const std::map<uint64_t, double> ones = {{0, 1}, {1, 1}, {2, 1}};
  const std::map<uint64_t, double> idf = {{0, 2}, {1, 1}, {2, 4}};
  for (const Sequence& a : bags) {
    for (const Sequence& b : bags) {
      const auto x = tf->Compare(View(a), View(b));
      const auto y = tf_idf->Compare(View(a), View(b));
      if (a.empty() || b.empty()) {
        ASSERT_FALSE(x.accepted || y.accepted);
        ASSERT_EQ(x.score + y.score, 0.0);
        continue;
      }
      ASSERT_NEAR(x.score, NaiveCosine(a, b, ones), 1e-12);
      ASSERT_NEAR(y.score, NaiveCosine(a, b, idf), 1e-12);
      ASSERT_EQ(x.accepted, x.score >= 0.6);
      ASSERT_EQ(x.shared, NaiveShared(a, b));
      ASSERT_EQ(y.shared, NaiveShared(a, b));
      ASSERT_EQ(x.score, CosineOfCounts(a, b));
      ASSERT_LE(x.score, 1.0);
      ASSERT_LE(y.score, 1.0);
      if (a == b) {
        ASSERT_EQ(x.score, 1.0);
        ASSERT_EQ(y.score, 1.0);
      }
      ASSERT_TRUE(tf->CanReach(a.size(), b.size()));
    }
  }
  EXPECT_FALSE(tf->CanReach(0, 3));
}

TEST(CosineVerifiers, EqualBagsOfLargeWeightsScoreExactlyOne) {
  SplitMix64 random(3);
  for (int round = 0; round < 200; ++round) {
    Sequence bag(1 + random.Below(400));
    for (uint64_t& x : bag) x = random.Below(1 + random.Below(500));
    std::sort(bag.begin(), bag.end());
    std::vector<uint64_t> features;
    std::vector<uint32_t> frequencies;
    for (uint64_t x = 0; x < 500; ++x) {
      features.push_back(x);
      frequencies.push_back(2 + static_cast<uint32_t>(random.Below(1 << 30)));
    }
    const auto table = std::make_shared<const OnePlusIdf>(
        FrequencyTable(uint64_t{1} << 40, features, frequencies));
    EXPECT_EQ(MakeCosineTfVerifier(1)->Compare(View(bag), View(bag)).score,
              1.0);
    EXPECT_EQ(
        MakeCosineTfIdfVerifier(table, 1)->Compare(View(bag), View(bag)).score,
        1.0);
  }
}

TEST(ContainmentVerifier, SaysHowMuchOfTheFirstIsInTheSecond) {
  const Sequence a = {1, 2, 3, 4}, b = {2, 3, 4, 5, 6, 7, 8, 9};
  const auto verifier = MakeContainmentVerifier(0.75);
  const auto verdict = verifier->Compare(View(a), View(b));
  EXPECT_TRUE(verdict.accepted);
  EXPECT_EQ(verdict.score, 0.75);
  EXPECT_EQ(verdict.overlap, (Overlap{4, 8, 3}));
  EXPECT_FALSE(verifier->Compare(View(b), View(a)).accepted);
  EXPECT_EQ(verifier->CompareFully(View(b), View(a)).score, 0.375);
  EXPECT_FALSE(verifier->Compare(View({}), View(b)).accepted);
  EXPECT_FALSE(verifier->Compare(View(a), View({})).accepted);
  EXPECT_TRUE(verifier->CanReach(4, 3));
  EXPECT_FALSE(verifier->CanReach(4, 2));
  EXPECT_TRUE(verifier->CanReach(4, 1000));
  EXPECT_FALSE(verifier->CanReach(0, 5));
}

// Every subset of 6 elements with every other, at every threshold.
TEST(ContainmentVerifier, ExhaustiveAgainstTheDefinition) {
  const auto subset = [](uint64_t bits) {
    Sequence set;
    for (uint64_t i = 0; i < 6; ++i) {
      if ((bits >> i & 1) != 0) set.push_back(i);
    }
    return set;
  };
  for (const double t : kThresholds) {
    const auto verifier = MakeContainmentVerifier(t);
    for (uint64_t x = 0; x < 64; ++x) {
      for (uint64_t y = 0; y < 64; ++y) {
        const Sequence a = subset(x), b = subset(y), both = subset(x & y);
        const double score = a.empty() ? 0
                                       : static_cast<double>(both.size()) /
                                             static_cast<double>(a.size());
        const auto verdict = verifier->Compare(View(a), View(b));
        ASSERT_EQ(verdict.accepted, score >= t);
        if (verdict.accepted) {
          ASSERT_EQ(verdict.score, score);
          ASSERT_TRUE(verifier->CanReach(a.size(), b.size()));
        }
        ASSERT_EQ(verifier->CompareFully(View(a), View(b)).score, score);
      }
    }
  }
}

}  // namespace
}  // namespace twinset
