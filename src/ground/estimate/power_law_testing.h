// Draws of a power law, for tests.
#ifndef TWINSET_SRC_GROUND_ESTIMATE_POWER_LAW_TESTING_H_
#define TWINSET_SRC_GROUND_ESTIMATE_POWER_LAW_TESTING_H_

#include <cmath>
#include <cstdint>

#include "base/math/pinned_math.h"
#include "estimate/bootstrap.h"

namespace twinset {

// A draw of the law with x_min = 1 (Devroye 1986, X.6.1; alpha > 1), and by
// rejection above it.
inline uint64_t DrawPowerLaw(double alpha, uint64_t x_min, SplitMix64* random) {
  const double b = PinnedPow(2, alpha - 1);
  for (;;) {
    const double u = 1 - UniformDraw(random), v = UniformDraw(random);
    const double x = std::floor(PinnedPow(u, -1 / (alpha - 1)));
    if (!(x < 9e15)) continue;
    const double t = PinnedPow(1 + 1 / x, alpha - 1);
    if (v * x * (t - 1) / (b - 1) > t / b) continue;
    const auto value = static_cast<uint64_t>(x);
    if (value >= x_min) return value;
  }
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_POWER_LAW_TESTING_H_
