#include "estimate/intervals.h"

#include <algorithm>
#include <cmath>

namespace twinset {

Interval WilsonInterval(uint64_t successes, uint64_t trials, double z) {
  if (trials == 0) return {0, 1};
  const double n = static_cast<double>(trials);
  return WilsonOfShare(static_cast<double>(successes) / n, n, z);
}

Interval WilsonOfShare(double p, double n, double z) {
  const double z2 = z * z;
  const double middle = p + z2 / (2 * n);
  const double half = z * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  const double scale = 1 + z2 / n;
  Interval interval{(middle - half) / scale, (middle + half) / scale};
  // At the ends the formula gives exactly 0 and 1, but for rounding.
  if (p == 0) interval.low = 0;
  if (p == 1) interval.high = 1;
  interval.low = std::clamp(interval.low, 0.0, 1.0);
  interval.high = std::clamp(interval.high, 0.0, 1.0);
  return interval;
}

double F1Score(uint64_t correct, uint64_t found, uint64_t real) {
  if (found + real == 0) return 0;
  return 2 * static_cast<double>(correct) / static_cast<double>(found + real);
}

Interval F1OfOverlap(const Interval& q) {
  return {2 * q.low / (1 + q.low), 2 * q.high / (1 + q.high)};
}

}  // namespace twinset
