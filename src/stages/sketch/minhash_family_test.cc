#include "sketch/minhash_family.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "base/hash.h"
#include "base/math/primes.h"
#include "core/packed_values.h"

namespace twinset {
namespace {

std::string_view Bytes(const std::vector<uint64_t>& hashes) {
  return {reinterpret_cast<const char*>(hashes.data()),
          hashes.size() * sizeof(uint64_t)};
}

std::vector<uint64_t> RandomSet(uint64_t seed, size_t size) {
  SplitMix64 random(seed);
  std::vector<uint64_t> set(size);
  for (uint64_t& x : set) x = random.Next();
  std::sort(set.begin(), set.end());
  return set;
}

Sketch SketchOf(const Sketcher& sketcher, const std::vector<uint64_t>& set) {
  Sketch sketch;
  sketcher.Compute(Bytes(set), &sketch);
  return sketch;
}

TEST(FastSimilarityTest, MatchesItsDefinition) {
  constexpr size_t kValues = 24;
  const auto sketcher = *MakeFastSimilaritySketcher(kValues, 9);
  for (const size_t size : {1, 5, 24, 200}) {
    const auto set = RandomSet(size, size);
    SplitMix64 random(9);
    std::vector<uint64_t> a, b;
    for (size_t i = 0; i < 2 * kValues; ++i) {
      a.push_back(random.Next() | 1);
      b.push_back(random.Next());
    }
    Sketch expected(kValues);
    for (size_t i = 0; i < kValues; ++i) {
      // The first round that puts anything into bin i, and the least of it.
      uint64_t key = 0;
      for (size_t round = 0; key == 0; ++round) {
        uint64_t least = ~0ull;
        for (const uint64_t x : set) {
          const uint64_t y = a[round] * x + b[round];
          const bool here = round < kValues ? (y >> 32) * kValues >> 32 == i
                                            : round == kValues + i;
          if (here) least = std::min(least, y);
        }
        if (least != ~0ull) key = uint64_t{round} << 51 | least >> 13;
      }
      expected[i] = static_cast<uint32_t>(Mix64(key));
    }
    EXPECT_EQ(SketchOf(*sketcher, set), expected) << size;
  }
}

TEST(OnePermutationTest, FilledBinsKeepTheirLeastAndOthersBorrow) {
  constexpr size_t kValues = 64;
  const auto sketcher = *MakeOnePermutationSketcher(kValues, 3);
  SplitMix64 random(3);
  const uint64_t a = random.Next() | 1, b = random.Next();
  for (const size_t size : {1, 2, 10, 64, 1000}) {
    const auto set = RandomSet(size, size);
    std::vector<uint64_t> least(kValues, ~0ull);
    for (const uint64_t x : set) {
      const uint64_t y = a * x + b;
      least[y >> 58] = std::min(least[y >> 58], y);
    }
    std::set<uint32_t> values;
    for (const uint64_t y : least) {
      if (y != ~0ull) values.insert(static_cast<uint32_t>(Mix64(y)));
    }
    const Sketch sketch = SketchOf(*sketcher, set);
    for (size_t i = 0; i < kValues; ++i) {
      if (least[i] != ~0ull) {
        EXPECT_EQ(sketch[i], static_cast<uint32_t>(Mix64(least[i])));
      } else {
        EXPECT_EQ(values.count(sketch[i]), 1u);
      }
    }
    EXPECT_EQ(std::set<uint32_t>(sketch.begin(), sketch.end()), values);
  }
}

// Whom an empty bin borrows from depends on which bins are filled alone: two
// sets with the same filled bins borrow from the same ones.
TEST(OnePermutationTest, EqualFilledBinsBorrowAlike) {
  const auto sketcher = *MakeOnePermutationSketcher(128, 5);
  SplitMix64 random(5);
  const uint64_t a = random.Next() | 1, b = random.Next();
  uint64_t inverse = a;
  for (int i = 0; i < 6; ++i) inverse *= 2 - a * inverse;
  const auto in_bin = [&](uint64_t bin, uint64_t rest) {
    return (((bin << 57) | rest) - b) * inverse;
  };
  const std::vector<uint64_t> one = {in_bin(3, 7), in_bin(77, 1)};
  const std::vector<uint64_t> other = {in_bin(3, 8), in_bin(77, 1)};
  const Sketch x = SketchOf(*sketcher, one), y = SketchOf(*sketcher, other);
  size_t borrowed_of_3 = 0;
  for (size_t i = 0; i < 128; ++i) {
    EXPECT_EQ(x[i] == x[3], y[i] == y[3]);
    EXPECT_EQ(x[i] == x[77], y[i] == y[77]);
    borrowed_of_3 += x[i] == x[3];
  }
  EXPECT_NEAR(static_cast<double>(borrowed_of_3), 64, 3 * 5.7);
}

TEST(RabinMinHashTest, IsTheLeastRemainder) {
  for (const bool mixed : {false, true}) {
    const auto sketcher = *MakeRabinMinHashSketcher(50, 11, mixed);
    auto set = RandomSet(1, 300);
    set.push_back(~0ull);
    set.push_back(0);
    SplitMix64 random(11);
    Sketch expected;
    for (int i = 0; i < 50; ++i) {
      const uint64_t prime = RandomPrime(32, &random);
      const uint64_t salt = mixed ? random.Next() : 0;
      uint64_t least = ~0ull;
      for (const uint64_t x : set)
        least = std::min(least, (mixed ? Mix64(x + salt) : x) % prime);
      expected.push_back(static_cast<uint32_t>(least));
    }
    EXPECT_EQ(SketchOf(*sketcher, set), expected);
  }
}

TEST(ValueBitsTest, KeepsTheLowBitsAndCorrectsForChance) {
  const auto set = RandomSet(4, 100);
  const Sketch whole = SketchOf(**MakeMinHashSketcher(16, 1), set);
  const auto sketcher =
      *MakeValueBitsSketcher(*MakeMinHashSketcher(16, 1), 16, 4);
  EXPECT_EQ(SketchOf(*sketcher, set), PackValues(whole, 4));
  // 12 of 16 values agree: (3/4 - 1/16) / (15/16).
  Sketch values(16, 5), other = values;
  for (size_t i = 0; i < 4; ++i) other[i] = 6;
  EXPECT_DOUBLE_EQ(
      sketcher->Estimate(PackValues(values, 4), PackValues(other, 4)),
      (0.75 - 1.0 / 16) / (15.0 / 16));
  // The error is that of 16 values, in however many words they are packed.
  EXPECT_DOUBLE_EQ(
      *sketcher->StandardError(PackValues(values, 4), PackValues(other, 4)),
      std::sqrt(0.75 * 0.25 / 16) / (15.0 / 16));
  EXPECT_EQ(
      sketcher->Estimate(PackValues(values, 4), PackValues(Sketch(16, 1), 4)),
      0.0);
  EXPECT_EQ(sketcher->Estimate(PackValues(values, 4), Sketch{}), 0.0);
  EXPECT_EQ(
      SketchOf(**MakeValueBitsSketcher(*MakeMinHashSketcher(16, 1), 16, 32),
               set),
      whole);
}

TEST(SuperShinglesTest, HashGroupsOfClassicValues) {
  SuperShingleGroups groups;
  groups.groups = 3;
  groups.group_size = 5;
  const auto set = RandomSet(6, 200);
  Sketch values = SketchOf(**MakeMinHashSketcher(16, 8), set);
  values.resize(15);
  for (const bool by_value : {false, true}) {
    groups.by_value = by_value;
    if (by_value) std::sort(values.begin(), values.end());
    const Sketch sketch = SketchOf(**MakeSuperShingleSketcher(groups, 8), set);
    ASSERT_EQ(sketch.size(), 6u);
    for (size_t g = 0; g < 3; ++g) {
      const uint64_t hash =
          Hash64({reinterpret_cast<const char*>(values.data() + 5 * g), 20}, g);
      EXPECT_EQ(sketch[2 * g], static_cast<uint32_t>(hash));
      EXPECT_EQ(sketch[2 * g + 1], static_cast<uint32_t>(hash >> 32));
    }
  }
}

TEST(SuperShinglesTest, EstimateIsTheResemblanceOfThatShare) {
  const auto sketcher = *MakeSuperShingleSketcher({}, 1);
  Sketch a(12, 1), b(12, 1);
  EXPECT_EQ(sketcher->Estimate(a, b), 1.0);
  for (size_t equal = 6; equal-- > 0;) {
    b[2 * equal + 1] = 2;
    EXPECT_NEAR(sketcher->Estimate(a, b), std::pow(equal / 6.0, 1 / 14.0),
                1e-12);
  }
}

TEST(ModShinglesTest, KeepsTheMultiplesOfTheModulus) {
  auto set = RandomSet(12, 5000);
  for (uint64_t x = 0; x < 300; ++x) set.push_back(x);
  set.push_back(~0ull);
  for (const uint64_t modulus :
       {1ull, 2ull, 3ull, 8ull, 25ull, 96ull, 1000000007ull}) {
    Sketch expected;
    for (const uint64_t x : set) {
      if (x % modulus != 0) continue;
      expected.push_back(static_cast<uint32_t>(x));
      expected.push_back(static_cast<uint32_t>(x >> 32));
    }
    EXPECT_EQ(SketchOf(**MakeModShingleSketcher(static_cast<int64_t>(modulus),
                                                SetShare::kUnion),
                       set),
              expected)
        << modulus;
  }
}

TEST(ModShinglesTest, EstimatesResemblanceAndContainment) {
  const auto resemblance = *MakeModShingleSketcher(25, SetShare::kUnion);
  const auto containment = *MakeModShingleSketcher(25, SetShare::kSmaller);
  const auto directed = *MakeModShingleSketcher(25, SetShare::kFirst);
  const Sketch a = {1, 0, 2, 0, 3, 0, 0, 7};
  const Sketch b = {2, 0, 0, 7};
  const Sketch c = {2, 0, 3, 0, 9, 9};
  EXPECT_EQ(resemblance->Estimate(a, b), 0.5);
  EXPECT_EQ(containment->Estimate(a, b), 1.0);
  EXPECT_EQ(resemblance->Estimate(a, c), 2.0 / 5);
  EXPECT_EQ(containment->Estimate(c, a), 2.0 / 3);
  EXPECT_EQ(directed->Estimate(a, b), 0.5);
  EXPECT_EQ(directed->Estimate(b, a), 1.0);
  EXPECT_EQ(directed->Estimate({}, a), 0.0);
  EXPECT_DOUBLE_EQ(*directed->StandardError(a, b), std::sqrt(0.5 * 0.5 / 4));
  EXPECT_EQ(resemblance->Estimate({}, {}), 0.0);
  EXPECT_EQ(containment->Estimate({}, a), 0.0);
  EXPECT_DOUBLE_EQ(*resemblance->StandardError(a, c), std::sqrt(0.4 * 0.6 / 5));
  EXPECT_FALSE(resemblance->StandardError({}, {}));
}

TEST(MinHashFamilyTest, RefusesBadParameters) {
  const auto usage = [](const auto& made) {
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::kUsage);
  };
  for (const int values : {0, -1, 4097}) {
    usage(MakeFastSimilaritySketcher(values, 1));
    usage(MakeOnePermutationSketcher(values, 1));
    usage(MakeRabinMinHashSketcher(values, 1, false));
  }
  usage(MakeValueBitsSketcher(*MakeMinHashSketcher(8, 1), 8, 0));
  usage(MakeValueBitsSketcher(*MakeMinHashSketcher(8, 1), 8, 33));
  usage(MakeSuperShingleSketcher({.groups = 0}, 1));
  usage(MakeSuperShingleSketcher({.groups = 6, .group_size = 0}, 1));
  usage(MakeSuperShingleSketcher({.groups = 1000, .group_size = 1000}, 1));
  usage(MakeModShingleSketcher(0, SetShare::kUnion));
}

}  // namespace
}  // namespace twinset
