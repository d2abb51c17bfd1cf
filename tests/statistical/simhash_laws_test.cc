// The laws of SimHash and of block-permuted tables. Seeds are fixed; every
// bound is four standard errors of what is measured.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/hash.h"
#include "candidate/join.h"
#include "candidate/tables.h"
#include "sketch/simhash.h"

namespace twinset {
namespace {

constexpr double kPi = std::numbers::pi;

double Uniform(SplitMix64* random) {
  return (static_cast<double>(random->Next() >> 11) + 0.5) / 9007199254740992.0;
}

double Gaussian(SplitMix64* random) {
  const double radius = std::sqrt(-2 * std::log(Uniform(random)));
  return radius * std::cos(2 * kPi * Uniform(random));
}

double Cosine(const std::vector<double>& x, const std::vector<double>& y) {
  double xy = 0, xx = 0, yy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xy += x[i] * y[i];
    xx += x[i] * x[i];
    yy += y[i] * y[i];
  }
  return xy / std::sqrt(xx * yy);
}

// Four standard errors of the mean of `trials` counts of `bits` bits, each set
// with chance q.
double Bound(int bits, double q, int trials) {
  return 4 * std::sqrt(bits * q * (1 - q) / trials);
}

// Goemans and Williamson 1995: a random hyperplane parts two vectors with
// chance angle / pi.
TEST(SimHashLawsTest, RandomHyperplanesPartByTheAngle) {
  SplitMix64 random(1);
  constexpr int kBits = 64, kTrials = 1000, kDimensions = 5;
  for (int pair = 0; pair < 10; ++pair) {
    std::vector<double> x, y;
    for (int i = 0; i < kDimensions; ++i) {
      x.push_back(Uniform(&random));
      y.push_back(Uniform(&random) * (pair % 3) + x.back());
    }
    const double q = std::acos(std::min(1.0, Cosine(x, y))) / kPi;
    int64_t differing = 0;
    for (int plane = 0; plane < kBits * kTrials; ++plane) {
      double of_x = 0, of_y = 0;
      for (int i = 0; i < kDimensions; ++i) {
        const double normal = Gaussian(&random);
        of_x += normal * x[static_cast<size_t>(i)];
        of_y += normal * y[static_cast<size_t>(i)];
      }
      differing += (of_x > 0) != (of_y > 0);
    }
    EXPECT_NEAR(static_cast<double>(differing) / kTrials, kBits * q,
                Bound(kBits, q, kTrials) + 1e-9);
  }
}

// Occurrences of features in two documents, and the cosine of the two.
struct TwoDocuments {
  std::vector<uint64_t> a, b;
  std::vector<double> weights_a, weights_b;

  void Add(uint64_t feature, int in_a, int in_b, double weight) {
    a.insert(a.end(), static_cast<size_t>(in_a), feature);
    b.insert(b.end(), static_cast<size_t>(in_b), feature);
    weights_a.push_back(in_a * weight);
    weights_b.push_back(in_b * weight);
  }
};

int Distance(const SimHash& simhash, const TwoDocuments& documents) {
  const Sketch x = simhash.Fingerprint(simhash.Votes(documents.a));
  const Sketch y = simhash.Fingerprint(simhash.Votes(documents.b));
  int distance = 0;
  for (size_t i = 0; i < x.size(); ++i) distance += std::popcount(x[i] ^ y[i]);
  return distance;
}

// With +1 and -1 from the bits of hashes in the place of normals, the same law
// holds for many features, of any number of bits. All sums are odd, so that no
// vote is a tie.
TEST(SimHashLawsTest, HashedFeaturesPartByTheAngle) {
  constexpr int kTrials = 300, kFeatures = 601;
  for (const int bits : {32, 64, 128, 384}) {
    for (const double shared : {0.3, 0.6, 0.9, 0.98}) {
      SplitMix64 random(static_cast<uint64_t>(bits) * 1000 +
                        static_cast<uint64_t>(shared * 100));
      const SimHash simhash(bits);
      double expected = 0, q_sum = 0;
      int64_t differing = 0;
      for (int trial = 0; trial < kTrials; ++trial) {
        TwoDocuments documents;
        for (int i = 0; i < kFeatures; ++i) {
          const int times = 1 + 2 * static_cast<int>(random.Below(2));
          if (Uniform(&random) < shared) {
            documents.Add(random.Next(), times, times, 1);
          } else {
            documents.Add(random.Next(), times, 0, 1);
            documents.Add(random.Next(), 0, times, 1);
          }
        }
        const double q =
            std::acos(Cosine(documents.weights_a, documents.weights_b)) / kPi;
        expected += bits * q;
        q_sum += q;
        differing += Distance(simhash, documents);
      }
      EXPECT_NEAR(static_cast<double>(differing) / kTrials, expected / kTrials,
                  Bound(bits, q_sum / kTrials, kTrials))
          << bits << " bits, " << shared << " shared";
    }
  }
}

TEST(SimHashLawsTest, IdfWeightsPartByTheirAngle) {
  constexpr int kBits = 64, kTrials = 300, kFeatures = 801;
  SplitMix64 random(2);
  double expected = 0, q_sum = 0;
  int64_t differing = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<uint64_t> features(kFeatures);
    for (uint64_t& feature : features) feature = random.Next();
    std::sort(features.begin(), features.end());
    std::vector<uint32_t> frequencies;
    for (int i = 0; i < kFeatures; ++i) {
      frequencies.push_back(2 + static_cast<uint32_t>(random.Below(1000)));
    }
    const auto idf =
        std::make_shared<FrequencyTable>(1 << 20, features, frequencies);
    TwoDocuments documents;
    for (const uint64_t feature : features) {
      const int in_a = static_cast<int>(random.Below(4));
      const int in_b = random.Below(4) == 0 ? 0 : in_a;
      documents.Add(feature, in_a, in_b, idf->Idf(feature));
    }
    const double q =
        std::acos(Cosine(documents.weights_a, documents.weights_b)) / kPi;
    expected += kBits * q;
    q_sum += q;
    differing += Distance(SimHash(kBits, idf), documents);
  }
  EXPECT_NEAR(static_cast<double>(differing) / kTrials, expected / kTrials,
              Bound(kBits, q_sum / kTrials, kTrials));
}

// 1 - angle / pi against the cosine: never below 0.9459 of it, and growing with
// it, but not in proportion.
TEST(SimHashLawsTest, LeastRatioToTheCosine) {
  double least = 1, at = 0, before = 2;
  for (int i = 0; i < 1570000; ++i) {
    const double angle = i * 1e-6;
    const double ratio = (1 - angle / kPi) / std::cos(angle);
    if (ratio < least) least = ratio, at = angle;
    ASSERT_LT(1 - angle / kPi, before);
    before = 1 - angle / kPi;
  }
  EXPECT_NEAR(least, 0.9459, 0.00005);
  EXPECT_NEAR(at, 0.343, 0.0005);
  EXPECT_GT(least, 0.878);
  // The constant of Goemans and Williamson is that of another ratio.
  double other = 2;
  for (int i = 1; i < 31415; ++i) {
    const double angle = i * 1e-4;
    other = std::min(other, 2 / kPi * angle / (1 - std::cos(angle)));
  }
  EXPECT_NEAR(other, 0.87857, 0.00001);
  EXPECT_NEAR((1 - std::acos(0.9) / kPi) / 0.9, 0.9517, 0.001);
  EXPECT_NEAR((1 - std::acos(0.5) / kPi) / 0.5, 1.3333, 0.001);
}

// A look-up meets fingerprints / 2^key bits of a table by chance.
TEST(TableLawsTest, CandidatesByChance) {
  constexpr uint64_t kFingerprints = 40000, kQueries = 4000;
  for (const auto& [text, bits] :
       {std::pair{"4", 32}, {"5", 32}, {"4", 64}, {"2/2", 24}}) {
    const int distance = text[1] == '/' ? 1 : 3;
    const TableDesign design = *ParseTableDesign(text, bits, distance);
    const auto keys = MakeTableKeys(design, 0);
    SplitMix64 random(3);
    const auto next = [&, bits = bits] {
      Sketch sketch = {static_cast<uint32_t>(random.Next())};
      if (bits == 64) sketch.push_back(static_cast<uint32_t>(random.Next()));
      if (bits < 32) sketch[0] &= (uint32_t{1} << bits) - 1;
      return std::vector<Sketch>{sketch};
    };
    std::vector<Posting> postings;
    std::vector<uint64_t> of_one;
    for (uint64_t i = 0; i < kFingerprints; ++i) {
      of_one.clear();
      keys->Keys(next(), 0, &of_one);
      for (const uint64_t key : of_one) {
        postings.push_back(Posting::Make(key, i, i, 1));
      }
    }
    const StoredPostings stored(std::move(postings));
    uint64_t met = 0;
    for (uint64_t i = 0; i < kQueries; ++i) {
      of_one.clear();
      keys->Keys(next(), 0, &of_one);
      for (const uint64_t key : of_one) met += stored.Bucket(key).size();
    }
    // A sum over queries and fingerprints of nearly independent rare events;
    // those that share a fingerprint or a query vary no more than Poisson's.
    const double expected =
        ExpectedCandidates(design, kFingerprints) * kQueries;
    EXPECT_NEAR(static_cast<double>(met), expected, 4 * std::sqrt(expected))
        << text << " of " << bits;
  }
}

}  // namespace
}  // namespace twinset
