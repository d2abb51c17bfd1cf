#include "sketch/peer_minhash.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace twinset {
namespace {

using Words = std::vector<uint64_t>;

Sketch SketchOf(HashFamily family, int permutations, uint64_t seed,
                const Words& features) {
  Sketch sketch;
  (*MakePeerMinHashSketcher(family, permutations, seed))
      ->Compute({reinterpret_cast<const char*>(features.data()),
                 features.size() * sizeof(uint64_t)},
                &sketch);
  return sketch;
}

// Drawn by NumPy 2.4.6: RandomState(seed).randint(low, high, dtype=uint64).
TEST(PeerMinHashTest, ConstantsAreNumPys) {
  const PeerConstants first = *MakePeerConstants(HashFamily::kDatasketch, 3, 1);
  EXPECT_EQ(first.a,
            (Words{775169054918279404, 2109959069025162, 401325382989534145}));
  EXPECT_EQ(first.b, (Words{1758426461858698312, 965365488286768773,
                            1703346441743126657}));
  const PeerConstants arrays =
      *MakePeerConstants(HashFamily::kTextDedup, 8, 42);
  EXPECT_EQ(
      Words(arrays.a.begin(), arrays.a.begin() + 3),
      (Words{2297359619001564596, 1396682528897996047, 1973689801170867272}));
  EXPECT_EQ(
      Words(arrays.b.begin(), arrays.b.begin() + 3),
      (Words{1865242737500154727, 1532418594269339778, 379716980844854580}));
  const PeerConstants affine =
      *MakePeerConstants(HashFamily::kDatasketch2, 8, 1);
  EXPECT_EQ(Words(affine.a.begin(), affine.a.begin() + 3),
            (Words{3582191691, 4270784983, 1892572953}));
  EXPECT_EQ(Words(affine.b.begin(), affine.b.begin() + 3),
            (Words{630311759, 1013994432, 396591248}));
}

// The same constants, whatever the number drawn, where a and b take turns.
TEST(PeerMinHashTest, LongerSketchesBeginAsShorterOnes) {
  const Words features = {1, 2, 3, 0xffffffff};
  const Sketch few = SketchOf(HashFamily::kDatasketch, 16, 7, features);
  const Sketch many = SketchOf(HashFamily::kDatasketch, 64, 7, features);
  EXPECT_EQ(few, Sketch(many.begin(), many.begin() + 16));
}

TEST(PeerMinHashTest, ValuesAreThoseOfTheFormula) {
  const Words features = {0, 1, 5, 0x12345678, 0xffffffff};
  constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;
  for (const HashFamily family :
       {HashFamily::kDatasketch, HashFamily::kTextDedup}) {
    const PeerConstants constants = *MakePeerConstants(family, 32, 3);
    Sketch expected;
    for (size_t i = 0; i < 32; ++i) {
      uint64_t least = 0xffffffff;
      for (const uint64_t x : features) {
        const uint64_t sum = constants.a[i] * x + constants.b[i];  // mod 2^64
        least = std::min(least, sum % kPrime & 0xffffffff);
      }
      expected.push_back(static_cast<uint32_t>(least));
    }
    EXPECT_EQ(SketchOf(family, 32, 3, features), expected);
  }
}

TEST(PeerMinHashTest, EstimatesByEqualValues) {
  const auto sketcher = *MakePeerMinHashSketcher(HashFamily::kDatasketch, 4, 1);
  const Sketch a = {1, 2, 3, 4}, b = {1, 9, 3, 9};
  EXPECT_EQ(sketcher->Estimate(a, b), 0.5);
  EXPECT_EQ(sketcher->name(), "minhash-datasketch");
}

TEST(PeerMinHashTest, RefusesWhatThePackagesRefuse) {
  EXPECT_FALSE(MakePeerMinHashSketcher(HashFamily::kMixed, 128, 1));
  EXPECT_FALSE(MakePeerMinHashSketcher(HashFamily::kDatasketch, 0, 1));
  EXPECT_FALSE(MakePeerMinHashSketcher(HashFamily::kDatasketch, 4097, 1));
  const auto seed =
      MakePeerMinHashSketcher(HashFamily::kDatasketch, 128, uint64_t{1} << 32);
  ASSERT_FALSE(seed);
  EXPECT_EQ(seed.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace twinset
