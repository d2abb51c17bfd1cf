#include "candidate/complete/short_count.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

template <int kBits>
void CheckOrder(uint32_t most) {
  uint32_t last = 0;
  for (uint64_t count = 0; count <= UINT32_MAX; count += 1 + count / 999) {
    const auto exact = static_cast<uint32_t>(count);
    const uint32_t brief = ShortCount<kBits>(exact);
    ASSERT_GE(brief, last) << count;
    const uint32_t least = LongCount<kBits>(brief);
    ASSERT_EQ(ShortCount<kBits>(least), brief) << count;
    ASSERT_LE(least, exact);
    ASSERT_LE(exact - least, exact >> (kBits - 1));
    if (count < 1u << kBits) {
      ASSERT_EQ(brief, exact);
    }
    last = brief;
  }
  EXPECT_LE(ShortCount<kBits>(UINT32_MAX), most);
}

TEST(ShortCount, KeepsTheOrderAndTheFirstBits) {
  CheckOrder<4>(UINT8_MAX);
  CheckOrder<12>(UINT16_MAX);
}

}  // namespace
}  // namespace twinset
