#include "candidate/value_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "base/hash.h"
#include "candidate/join.h"
#include "core/packed_values.h"

namespace twinset {
namespace {

// Sketches of few different values, so that many agree.
std::vector<Sketch> RandomSketches(uint64_t seed, size_t count, size_t values,
                                   uint64_t different) {
  SplitMix64 random(seed);
  std::vector<Sketch> sketches(count, Sketch(values));
  for (Sketch& sketch : sketches) {
    for (uint32_t& value : sketch)
      value = static_cast<uint32_t>(random.Below(different));
  }
  return sketches;
}

using Pairs = std::set<std::pair<uint64_t, uint64_t>>;

// Candidates by keys, of which the filter keeps some: the way of the pipeline.
Pairs ByKeys(const std::vector<Sketch>& sketches, const KeyGenerator& generator,
             const PairFilter& filter) {
  std::vector<Posting> postings;
  std::vector<uint64_t> keys;
  for (size_t d = 0; d < sketches.size(); ++d) {
    keys.clear();
    generator.Keys({&sketches[d], 1}, 0, &keys);
    for (const uint64_t key : keys)
      postings.push_back(Posting::Make(key, d, d, 1));
  }
  std::sort(postings.begin(), postings.end());
  Pairs pairs;
  JoinRules rules;
  rules.bucket_limit = 0;
  BucketJoin join(rules, [&](const CandidatePair& pair) -> Status {
    const SketchView a(sketches[pair.a]), b(sketches[pair.b]);
    if (filter.Passes({&a, 1}, {&b, 1})) pairs.insert({pair.a, pair.b});
    return {};
  });
  for (const Posting& posting : postings) EXPECT_TRUE(join.Add(posting));
  EXPECT_TRUE(join.Finish());
  return pairs;
}

// The definition: values of `words` words that are equal at the same place.
size_t EqualPlaces(const Sketch& a, const Sketch& b, size_t words) {
  size_t equal = 0;
  for (size_t i = 0; i + words <= a.size(); i += words) {
    bool same = true;
    for (size_t w = 0; w < words; ++w) same = same && a[i + w] == b[i + w];
    equal += same;
  }
  return equal;
}

Pairs BruteForce(const std::vector<Sketch>& sketches, size_t words,
                 size_t agree) {
  Pairs pairs;
  for (size_t a = 0; a < sketches.size(); ++a) {
    for (size_t b = a + 1; b < sketches.size(); ++b) {
      if (EqualPlaces(sketches[a], sketches[b], words) >= agree)
        pairs.insert({a, b});
    }
  }
  return pairs;
}

// The pair counting of BGMZ97 as it is written down: emit (value, document),
// sort; expand each value to its pairs, sort; count.
Pairs SortedPairCounts(const std::vector<Sketch>& sketches, size_t agree) {
  std::vector<std::tuple<size_t, uint32_t, size_t>> entries;
  for (size_t d = 0; d < sketches.size(); ++d) {
    for (size_t i = 0; i < sketches[d].size(); ++i)
      entries.emplace_back(i, sketches[d][i], d);
  }
  std::sort(entries.begin(), entries.end());
  std::vector<std::pair<uint64_t, uint64_t>> expanded;
  for (size_t i = 0; i < entries.size(); ++i) {
    for (size_t j = i + 1; j < entries.size() &&
                           std::get<0>(entries[j]) == std::get<0>(entries[i]) &&
                           std::get<1>(entries[j]) == std::get<1>(entries[i]);
         ++j) {
      expanded.emplace_back(std::get<2>(entries[i]), std::get<2>(entries[j]));
    }
  }
  std::sort(expanded.begin(), expanded.end());
  Pairs pairs;
  for (size_t i = 0; i < expanded.size();) {
    size_t j = i;
    while (j < expanded.size() && expanded[j] == expanded[i]) ++j;
    if (j - i >= agree) pairs.insert(expanded[i]);
    i = j;
  }
  return pairs;
}

TEST(ValueKeysTest, PairCountsEqualBruteForce) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const auto sketches = RandomSketches(seed, 60, 20, 3);
    for (const size_t agree : {1, 5, 8, 10, 12}) {
      const Pairs expected = BruteForce(sketches, 1, agree);
      EXPECT_EQ(ByKeys(sketches, *MakeValueKeys(1, true),
                       *MakeAgreementFilter(0, 1, agree)),
                expected);
      EXPECT_EQ(SortedPairCounts(sketches, agree), expected);
    }
  }
}

TEST(ValueKeysTest, PackedValuesEqualBruteForceOfTheirBits) {
  for (const int bits : {1, 2, 5, 8, 31}) {
    const auto whole = RandomSketches(7, 40, 24, 64);
    std::vector<Sketch> packed, kept;
    for (const Sketch& sketch : whole) {
      packed.push_back(PackValues(sketch, bits));
      kept.emplace_back();
      UnpackValues(packed.back(), sketch.size(), bits, &kept.back());
    }
    for (const size_t agree : {1, 3, 9, 14}) {
      EXPECT_EQ(
          ByKeys(packed, *MakePackedKeys(MakeValueKeys(1, true), 24, bits),
                 *MakePackedAgreementFilter(0, 24, bits, agree)),
          BruteForce(kept, 1, agree));
    }
  }
}

TEST(ValueKeysTest, BandsOfPackedValuesAreBandsOfTheirBits) {
  const auto keys = MakePackedKeys(*MakeBandKeys(16, 3, 48), 48, 1);
  SplitMix64 random(8);
  size_t equal = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto values = RandomSketches(random.Next(), 2, 48, 2);
    std::vector<uint64_t> a, b;
    keys->Keys(std::vector<Sketch>{PackValues(values[0], 1)}, 5, &a);
    keys->Keys(std::vector<Sketch>{PackValues(values[1], 1)}, 5, &b);
    for (size_t band = 0; band < 16; ++band) {
      const auto part = [&](const Sketch& of) {
        return Sketch(of.begin() + static_cast<ptrdiff_t>(3 * band),
                      of.begin() + static_cast<ptrdiff_t>(3 * band + 3));
      };
      EXPECT_EQ(a[band] == b[band], part(values[0]) == part(values[1]));
      equal += a[band] == b[band];
      for (size_t other = 0; other < band; ++other)
        EXPECT_NE(a[band], b[other]);
    }
  }
  EXPECT_GT(equal, 400u);
}

// One equal mega-shingle iff two equal super-shingles, on every pair.
TEST(ValueKeysTest, OneMegaShingleIsTwoSuperShingles) {
  const auto six_of_two_words = RandomSketches(3, 80, 12, 2);
  const auto pairs = MakeValuePairKeys(2);
  std::vector<std::set<uint64_t>> keys;
  for (const Sketch& sketch : six_of_two_words) {
    std::vector<uint64_t> list;
    pairs->Keys({&sketch, 1}, 0, &list);
    EXPECT_EQ(list.size(), 15u);
    keys.emplace_back(list.begin(), list.end());
    EXPECT_EQ(keys.back().size(), 15u);
  }
  size_t agreeing = 0;
  for (size_t a = 0; a < keys.size(); ++a) {
    for (size_t b = a + 1; b < keys.size(); ++b) {
      const bool mega =
          std::any_of(keys[a].begin(), keys[a].end(),
                      [&](uint64_t key) { return keys[b].count(key) > 0; });
      const bool super =
          EqualPlaces(six_of_two_words[a], six_of_two_words[b], 2) >= 2;
      EXPECT_EQ(mega, super);
      agreeing += super;
    }
  }
  EXPECT_GT(agreeing, 100u);
  EXPECT_LT(agreeing, 80u * 79 / 2 - 100);
}

TEST(ValueKeysTest, KeysAreSaltedByPlaceAndScope) {
  const std::vector<Sketch> equal = {Sketch(6, 5)};
  std::vector<uint64_t> placed, set, other;
  MakeValueKeys(1, true)->Keys(equal, 1, &placed);
  MakeValueKeys(1, false)->Keys(equal, 1, &set);
  MakeValueKeys(1, false)->Keys(equal, 2, &other);
  EXPECT_EQ(std::set<uint64_t>(placed.begin(), placed.end()).size(), 6u);
  EXPECT_EQ(std::set<uint64_t>(set.begin(), set.end()).size(), 1u);
  EXPECT_NE(set[0], other[0]);
  std::vector<uint64_t> none;
  MakeValueKeys(2, false)->Keys(std::vector<Sketch>{{}}, 1, &none);
  EXPECT_TRUE(none.empty());
}

// The law of docs/methods/minhash.md: 160 of 200 values agree.
TEST(ValueKeysTest, AgreementFollowsTheBinomialLaw) {
  EXPECT_NEAR(AgreementProbability(.70, 200, 160), .0009, 5e-5);
  EXPECT_NEAR(AgreementProbability(.75, 200, 160), .0578, 5e-5);
  EXPECT_NEAR(AgreementProbability(.78, 200, 160), .279, 5e-4);
  EXPECT_NEAR(AgreementProbability(.80, 200, 160), .542, 5e-4);
  EXPECT_NEAR(AgreementProbability(.82, 200, 160), .798, 5e-4);
  EXPECT_NEAR(AgreementProbability(.85, 200, 160), .978, 5e-4);
  EXPECT_NEAR(AgreementProbability(.90, 200, 160), 1, 1e-4);
  // docs/methods/super-shingle.md: two of six super-shingles.
  for (const auto& [j, p] : std::map<double, double>{{.7, .0007},
                                                     {.8, .0258},
                                                     {.9, .4151},
                                                     {.95, .8786},
                                                     {.98, .9957},
                                                     {.99, .9998}}) {
    EXPECT_NEAR(AgreementProbability(std::pow(j, 14), 6, 2), p, 5e-5);
  }
  EXPECT_EQ(AgreementProbability(1, 200, 200), 1.0);
  EXPECT_EQ(AgreementProbability(0, 200, 1), 0.0);
  EXPECT_NEAR(AgreementProbability(.5, 4096, 2048), .5, .01);
  EXPECT_NEAR(AgreementProbability(.8, 4096, 0), 1, 1e-12);
}

TEST(ValueKeysTest, LeastAgreementReachesTheThreshold) {
  EXPECT_EQ(LeastAgreement(.8, 200), 160);
  EXPECT_EQ(LeastAgreement(.8, 128), 103);
  EXPECT_EQ(LeastAgreement(1, 128), 128);
  EXPECT_EQ(LeastAgreement(.001, 128), 1);
  for (int values = 1; values <= 256; ++values) {
    for (int k = 1; k <= values; ++k) {
      ASSERT_EQ(LeastAgreement(static_cast<double>(k) / values, values), k);
    }
  }
}

}  // namespace
}  // namespace twinset
