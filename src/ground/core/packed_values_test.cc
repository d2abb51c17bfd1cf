#include "core/packed_values.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace twinset {
namespace {

TEST(PackedValuesTest, StandsWhereThePageSays) {
  EXPECT_EQ(PackValues(Sketch{1, 2, 3, 0xfffffff0}, 4), (Sketch{0x0321}));
  EXPECT_EQ(PackValues(Sketch{1, 0, 1, 1}, 1), (Sketch{0b1101}));
  // The third value of 12 bits begins at bit 24 and goes over into word 1.
  EXPECT_EQ(PackValues(Sketch{0xabc, 0xdef, 0x123}, 12),
            (Sketch{0x23defabc, 0x1}));
  EXPECT_EQ(PackedWords(128, 1), 4u);
  EXPECT_EQ(PackedWords(3, 12), 2u);
}

TEST(PackedValuesTest, EveryWidthGivesTheLowBitsBackAndCountsThem) {
  SplitMix64 random(1);
  for (int bits = 1; bits <= 32; ++bits) {
    const auto mask = static_cast<uint32_t>((uint64_t{1} << bits) - 1);
    for (const size_t count : {0, 1, 7, 31, 32, 33, 128, 200}) {
      Sketch a(count), b(count);
      size_t equal = 0;
      for (size_t i = 0; i < count; ++i) {
        a[i] = static_cast<uint32_t>(random.Next());
        b[i] =
            random.Below(2) == 0 ? a[i] : static_cast<uint32_t>(random.Next());
        equal += (a[i] & mask) == (b[i] & mask);
      }
      const Sketch packed = PackValues(a, bits);
      EXPECT_EQ(packed.size(), PackedWords(count, bits));
      Sketch back;
      UnpackValues(packed, count, bits, &back);
      for (size_t i = 0; i < count; ++i) ASSERT_EQ(back[i], a[i] & mask);
      EXPECT_EQ(CountEqualPacked(packed, PackValues(b, bits), count, bits),
                equal);
    }
  }
}

}  // namespace
}  // namespace twinset
