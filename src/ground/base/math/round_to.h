// Numbers as files have them.
#ifndef TWINSET_SRC_GROUND_BASE_MATH_ROUND_TO_H_
#define TWINSET_SRC_GROUND_BASE_MATH_ROUND_TO_H_

#include <cstdint>

namespace twinset {

// The value to `decimals` (0..12) places, half away from zero. It is finite and
// below 2^52 / 10^decimals in size.
constexpr double RoundTo(double value, int decimals) {
  double scale = 1;
  for (int i = 0; i < decimals; ++i) scale *= 10;
  const double size = value < 0 ? -value : value;
  const double rounded =
      static_cast<double>(static_cast<uint64_t>(size * scale + 0.5)) / scale;
  return value < 0 ? -rounded : rounded;
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_MATH_ROUND_TO_H_
