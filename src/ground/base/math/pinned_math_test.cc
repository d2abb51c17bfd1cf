#include "base/math/pinned_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/hash.h"

namespace twinset {
namespace {

// libm is exact to about one unit in the last place: a check, not a source.
TEST(PinnedMath, AgreesWithTheLibraryOverAllMagnitudes) {
  SplitMix64 random(1);
  for (int i = 0; i < 200000; ++i) {
    const double exponent =
        static_cast<double>(random.Below(1400000)) / 1000 - 700;
    const double x = std::exp(exponent);
    EXPECT_NEAR(PinnedLog(x), std::log(x),
                4e-16 * std::max(1.0, std::abs(std::log(x))));
    EXPECT_NEAR(PinnedExp(exponent) / x, 1, 1e-15) << exponent;
    const double near_one = 1 + exponent * 1e-9;
    EXPECT_NEAR(PinnedLog(near_one), std::log(near_one), 1e-21);
  }
}

TEST(PinnedMath, EndsAreDefined) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(PinnedLog(1), 0);
  EXPECT_EQ(PinnedExp(0), 1);
  EXPECT_EQ(PinnedLog(0), -infinity);
  EXPECT_EQ(PinnedLog(infinity), infinity);
  EXPECT_TRUE(std::isnan(PinnedLog(-1)));
  EXPECT_EQ(PinnedExp(1000), infinity);
  EXPECT_EQ(PinnedExp(-1000), 0);
  EXPECT_NEAR(PinnedLog(5e-324), std::log(5e-324), 1e-12);
  EXPECT_NEAR(PinnedExp(-740) / std::exp(-740), 1,
              1e-2);  // subnormal: few bits
  EXPECT_NEAR(PinnedPow(2, 10), 1024, 1e-11);
  EXPECT_EQ(PinnedPow(7, 0), 1);
}

}  // namespace
}  // namespace twinset
