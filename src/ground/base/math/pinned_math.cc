#include "base/math/pinned_math.h"

#include <bit>
#include <cstdint>
#include <limits>

namespace twinset {

namespace {

// ln 2 in two parts: the first has 21 zero bits at the end, so that its product
// with an exponent is exact.
constexpr double kLn2High = 6.93147180369123816490e-01;
constexpr double kLn2Low = 1.90821492927058770002e-10;
constexpr double kInverseLn2 = 1.44269504088896338700;
constexpr double kSqrtHalf = 0.70710678118654752440;

// 2^exponent by its bits; exponent within the normal range.
double PowerOfTwo(int exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

}  // namespace

double PinnedLog(double x) {
  if (x != x || x < 0) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (x == std::numeric_limits<double>::infinity()) return x;
  int exponent = 0;
  if (x < std::numeric_limits<double>::min()) {  // subnormal
    x *= PowerOfTwo(54);
    exponent = -54;
  }
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  exponent += static_cast<int>(bits >> 52) - 1022;
  double m = std::bit_cast<double>((bits & 0xfffffffffffffull) |
                                   (uint64_t{1022} << 52));  // [1/2, 1)
  if (m < kSqrtHalf) {
    m *= 2;
    --exponent;
  }
  // ln m = 2 atanh(s), s = (m - 1) / (m + 1), |s| < 0.172: s^24 / 25 is below
  // 2^-64.
  const double s = (m - 1) / (m + 1), square = s * s;
  double sum = 0;
  for (int k = 25; k >= 3; k -= 2) sum = (sum + 1.0 / k) * square;
  const double e = exponent;
  return e * kLn2High + (2 * s + (2 * s * sum + e * kLn2Low));
}

double PinnedExp(double x) {
  if (x != x) return x;
  if (x > 709.782712893384) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0;
  const double scaled = x * kInverseLn2;
  const int n = static_cast<int>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  const double r = (x - n * kLn2High) - n * kLn2Low;  // |r| <= 0.347
  double sum = 1;
  for (int k = 18; k >= 1; --k) sum = 1 + sum * r / k;
  // In two steps, as results may be subnormal or 2^1024 too large for one.
  const int half = n / 2;
  return sum * PowerOfTwo(half) * PowerOfTwo(n - half);
}

double PinnedPow(double x, double y) {
  return y == 0 ? 1 : PinnedExp(y * PinnedLog(x));
}

}  // namespace twinset
