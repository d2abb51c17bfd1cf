// The laws of the MinHash family (docs/methods/minhash.md), on sets of known
// resemblance with fixed seeds. A mean of R runs may differ from the law by 4
// standard errors, a share by 3, a variance by 25 %.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "base/hash.h"
#include "candidate/bands.h"
#include "candidate/value_keys.h"
#include "sketch/minhash_family.h"

namespace twinset {
namespace {

constexpr int kValues = 200;

// `common` members in both sets and `rest` in each alone; mixed by Mix64, or
// with `mixed` false consecutive numbers.
struct TwoSets {
  std::vector<uint64_t> a, b;
  TwoSets(uint64_t common, uint64_t rest, uint64_t salt, bool mixed = true) {
    for (uint64_t i = 0; i < common + 2 * rest; ++i) {
      const uint64_t member = mixed ? Mix64(salt * 1'000'003 + i + 1) : i;
      if (i < common + rest) a.push_back(member);
      if (i >= rest) b.push_back(member);
    }
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
  }
};

Sketch SketchOf(const Sketcher& sketcher, const std::vector<uint64_t>& set) {
  Sketch sketch;
  sketcher.Compute({reinterpret_cast<const char*>(set.data()), 8 * set.size()},
                   &sketch);
  return sketch;
}

using Maker = std::function<Result<std::unique_ptr<Sketcher>>(uint64_t seed)>;

struct Family {
  const char* name;
  Maker make;
};

const std::vector<Family>& Families() {
  static const std::vector<Family> families = {
      {"minhash", [](uint64_t s) { return MakeMinHashSketcher(kValues, s); }},
      {"fss",
       [](uint64_t s) { return MakeFastSimilaritySketcher(kValues, s); }},
      {"one-permutation",
       [](uint64_t s) { return MakeOnePermutationSketcher(kValues, s); }},
      {"rabin-minhash",
       [](uint64_t s) { return MakeRabinMinHashSketcher(kValues, s, false); }},
      {"rabin-minhash mixed",
       [](uint64_t s) { return MakeRabinMinHashSketcher(kValues, s, true); }},
  };
  return families;
}

struct Moments {
  double mean = 0, variance = 0;
};

Moments Estimates(const Maker& make, const TwoSets& sets, int runs) {
  double sum = 0, squares = 0;
  for (int run = 1; run <= runs; ++run) {
    const auto sketcher = *make(static_cast<uint64_t>(run));
    const double estimate = sketcher->Estimate(SketchOf(*sketcher, sets.a),
                                               SketchOf(*sketcher, sets.b));
    sum += estimate;
    squares += estimate * estimate;
  }
  const double mean = sum / runs;
  return {mean, squares / runs - mean * mean};
}

double ShareOf(int runs, const std::function<bool(uint64_t)>& happens) {
  int times = 0;
  for (int run = 1; run <= runs; ++run)
    times += happens(static_cast<uint64_t>(run));
  return static_cast<double>(times) / runs;
}

double StandardError(double p, int runs) {
  return std::sqrt(p * (1 - p) / runs);
}

// All are unbiased on mixed hashes. The variance is the binomial one; without
// replacement, as in bins, it is smaller.
TEST(MinHashLaws, EstimatesAreUnbiasedWithAtMostTheBinomialVariance) {
  constexpr int kRuns = 300;
  for (const auto& [common, rest] : std::vector<std::pair<uint64_t, uint64_t>>{
           {320, 40}, {200, 100}, {40, 180}, {1800, 100}, {16, 2}}) {
    const double j =
        static_cast<double>(common) / static_cast<double>(common + 2 * rest);
    const double law = j * (1 - j) / kValues;
    const TwoSets sets(common, rest, common);
    for (const Family& family : Families()) {
      const Moments moments = Estimates(family.make, sets, kRuns);
      const bool binned = family.name == std::string("fss") ||
                          family.name == std::string("one-permutation");
      const double spread = std::max(law, moments.variance);
      EXPECT_NEAR(moments.mean, j, 4 * std::sqrt(spread / kRuns))
          << family.name << " J " << j;
      if (!binned) {
        EXPECT_NEAR(moments.variance, law, 0.25 * law) << family.name;
      } else if (family.name == std::string("fss") || common > kValues / 4) {
        // One permutation of few members fills few bins, and all others
        // borrow from these.
        EXPECT_LT(moments.variance, law) << family.name << " J " << j;
      }
    }
  }
}

TEST(MinHashLaws, FastSimilarityHasLessVariance) {
  // 2,000 members: every bin has several.
  const TwoSets sets(1200, 400, 5);
  const double law = 0.6 * 0.4 / kValues;
  EXPECT_LT(Estimates(Families()[1].make, sets, 400).variance, 0.97 * law);
}

// docs/methods/minhash.md: at least 160 of 200 values agree.
TEST(MinHashLaws, ThresholdOf160Of200FiresAsOftenAsTheBinomialSays) {
  constexpr int kRuns = 1500;
  for (const auto& [common, law] :
       std::vector<std::pair<uint64_t, double>>{{280, .0009},
                                                {300, .0578},
                                                {312, .279},
                                                {320, .542},
                                                {328, .798},
                                                {340, .978},
                                                {360, 1}}) {
    const TwoSets sets(common, (400 - common) / 2, common);
    const double share = ShareOf(kRuns, [&](uint64_t seed) {
      const auto sketcher = *MakeMinHashSketcher(kValues, seed);
      return sketcher->Estimate(SketchOf(*sketcher, sets.a),
                                SketchOf(*sketcher, sets.b)) >= 0.8;
    });
    EXPECT_NEAR(share, law, 3 * StandardError(std::min(law, .999), kRuns))
        << common / 400.0;
  }
}

// docs/methods/bands.md: bands over sketches of sets, against printed values.
TEST(MinHashLaws, BandsFollowTheSCurve) {
  constexpr int kRuns = 1500;
  struct Point {
    int bands, rows;
    uint64_t common;  // of a union of 400
    double law;
  };
  for (const Point& point : std::vector<Point>{{20, 10, 200, .0194},
                                               {20, 10, 280, .4362},
                                               {20, 10, 320, .8969},
                                               {20, 10, 360, .9998},
                                               {25, 8, 200, .0932},
                                               {25, 8, 280, .7734},
                                               {25, 8, 320, .9899},
                                               {40, 5, 200, .7192},
                                               {50, 4, 160, .7266}}) {
    const auto keys = *MakeBandKeys(point.bands, point.rows, kValues);
    const TwoSets sets(point.common, (400 - point.common) / 2, 9);
    const auto share = [&](const Maker& make) {
      return ShareOf(kRuns, [&](uint64_t seed) {
        const auto sketcher = *make(seed);
        std::vector<uint64_t> a, b;
        keys->Keys(std::vector<Sketch>{SketchOf(*sketcher, sets.a)}, 0, &a);
        keys->Keys(std::vector<Sketch>{SketchOf(*sketcher, sets.b)}, 0, &b);
        for (size_t i = 0; i < a.size(); ++i) {
          if (a[i] == b[i]) return true;
        }
        return false;
      });
    };
    const double tolerance = 3 * StandardError(point.law, kRuns);
    EXPECT_NEAR(share(Families()[0].make), point.law, tolerance)
        << point.bands << " x " << point.rows << " at " << point.common;
    // Bins draw without replacement: near the law, not on it.
    EXPECT_NEAR(share(Families()[1].make), point.law, tolerance + 0.015);
  }
}

// docs/methods/super-shingle.md. Grouping by value loses most of it.
TEST(MinHashLaws, SuperShinglesFollowTheirLawAndGroupsByValueDoNot) {
  constexpr int kRuns = 1500;
  const auto filter = MakeAgreementFilter(0, 2, 2);
  for (const auto& [common, law] :
       std::vector<std::pair<uint64_t, double>>{{320, .0258},
                                                {360, .4151},
                                                {380, .8786},
                                                {392, .9957},
                                                {396, .9998}}) {
    const TwoSets sets(common, (400 - common) / 2, common);
    const auto share = [&](bool by_value) {
      SuperShingleGroups groups;
      groups.by_value = by_value;
      return ShareOf(kRuns, [&](uint64_t seed) {
        const auto sketcher = *MakeSuperShingleSketcher(groups, seed);
        const Sketch a = SketchOf(*sketcher, sets.a);
        const Sketch b = SketchOf(*sketcher, sets.b);
        const SketchView x(a), y(b);
        return filter->Passes({&x, 1}, {&y, 1});
      });
    };
    EXPECT_NEAR(share(false), law,
                3 * StandardError(std::min(law, .999), kRuns));
    const double by_value = share(true);
    EXPECT_LT(by_value, law) << common / 400.0;
    if (common == 380) {
      EXPECT_LT(by_value, 0.7 * law);
    }
  }
}

// Remainders keep the order of numbers below the prime, so on a universe that
// is not mixed every prime has the same minimum.
TEST(MinHashLaws, RabinMinHashIsNotMinWise) {
  const auto slides = [](uint64_t s) {
    return MakeRabinMinHashSketcher(kValues, s, false);
  };
  const auto mixed = [](uint64_t s) {
    return MakeRabinMinHashSketcher(kValues, s, true);
  };
  // {0, ..., 149} and {50, ..., 199}: J = 1/2, minima 0 and 50.
  const TwoSets shifted(100, 50, 1, false);
  EXPECT_EQ(Estimates(slides, shifted, 20).mean, 0.0);
  EXPECT_NEAR(Estimates(mixed, shifted, 300).mean, 0.5,
              4 * std::sqrt(.25 / kValues / 300));
  // {0, ..., 99} in {0, ..., 199}: J = 1/2, all minima are 0.
  TwoSets nested(100, 50, 1, false);
  nested.a.resize(100);
  nested.b.resize(200);
  std::iota(nested.b.begin(), nested.b.end(), 0);
  EXPECT_EQ(Estimates(slides, nested, 20).mean, 1.0);
  EXPECT_NEAR(Estimates(mixed, nested, 300).mean, 0.5,
              4 * std::sqrt(.25 / kValues / 300));
}

// Linear functions are not min-wise either: on intervals their error shows.
TEST(MinHashLaws, LinearFunctionsNeedMixedShingles) {
  const TwoSets shifted(100, 50, 1, false);
  const Moments raw = Estimates(Families()[0].make, shifted, 300);
  const Moments well = Estimates(Families()[0].make, TwoSets(100, 50, 1), 300);
  EXPECT_GT(std::abs(raw.mean - 0.5), 8 * std::sqrt(.25 / kValues / 300));
  EXPECT_NEAR(well.mean, 0.5, 4 * std::sqrt(.25 / kValues / 300));
}

// Li and König: with P = J + (1 - J) 2^-b the variance of the corrected
// estimate is P (1 - P) / (n (1 - 2^-b)^2).
TEST(MinHashLaws, KeptBitsAreUnbiasedWithTheirVariance) {
  constexpr int kRuns = 300;
  const TwoSets sets(240, 80, 3);
  const double j = 0.6;
  for (const int bits : {1, 2, 4, 8}) {
    const double chance = std::pow(2, -bits), p = j + (1 - j) * chance;
    const double law = p * (1 - p) / kValues / ((1 - chance) * (1 - chance));
    for (const Family& family : Families()) {
      const Moments moments = Estimates(
          [&](uint64_t seed) {
            return MakeValueBitsSketcher(*family.make(seed), kValues, bits);
          },
          sets, kRuns);
      EXPECT_NEAR(moments.mean, j, 4 * std::sqrt(law / kRuns))
          << family.name << " " << bits;
      EXPECT_LT(moments.variance, 1.25 * law) << family.name << " " << bits;
    }
  }
}

// mod-m keeps each shingle with probability 1/m: of a union of U shingles about
// U/m are seen, each common with probability J.
TEST(MinHashLaws, ModShinglesEstimateResemblanceAndContainment) {
  constexpr int kRuns = 300, kModulus = 25;
  const auto resemblance = *MakeModShingleSketcher(kModulus, SetShare::kUnion);
  const auto containment =
      *MakeModShingleSketcher(kModulus, SetShare::kSmaller);
  double sum = 0, squares = 0, contained = 0, size = 0;
  for (int run = 1; run <= kRuns; ++run) {
    TwoSets sets(6000, 2000, static_cast<uint64_t>(run));
    const double estimate = resemblance->Estimate(
        SketchOf(*resemblance, sets.a), SketchOf(*resemblance, sets.b));
    sum += estimate;
    squares += estimate * estimate;
    size += static_cast<double>(SketchOf(*resemblance, sets.a).size()) / 2;
    // 6,000 of the 8,000 of a are in b; b alone has 10,000 with these.
    for (uint64_t i = 0; i < 2000; ++i)
      sets.b.push_back(Mix64(static_cast<uint64_t>(run) << 32 | i));
    std::sort(sets.b.begin(), sets.b.end());
    contained += containment->Estimate(SketchOf(*containment, sets.a),
                                       SketchOf(*containment, sets.b));
  }
  const double law = .6 * .4 / (10000.0 / kModulus), mean = sum / kRuns;
  EXPECT_NEAR(mean, .6, 4 * std::sqrt(law / kRuns));
  EXPECT_NEAR(squares / kRuns - mean * mean, law, 0.25 * law);
  EXPECT_NEAR(contained / kRuns, .75,
              4 * std::sqrt(.75 * .25 / (8000.0 / kModulus) / kRuns));
  EXPECT_NEAR(size / kRuns, 8000.0 / kModulus,
              4 * std::sqrt(8000.0 / kModulus / kRuns));
}

}  // namespace
}  // namespace twinset
