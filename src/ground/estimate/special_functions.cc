#include "estimate/special_functions.h"

#include <cmath>

#include "base/math/pinned_math.h"

namespace twinset {
namespace {

constexpr double kHalfLogTwoPi = 0.918938533204672741780329736406;
constexpr double kEpsilon = 1e-16;
// Enough for a = 10^10; what has not converged by then is far in a tail.
constexpr int kMostSteps = 1000000;

}  // namespace

double LogGamma(double x) {
  // gamma(x) = gamma(x + n) / (x (x + 1) ... (x + n - 1)).
  double product = 1;
  for (; x < 15; x += 1) product *= x;
  const double inverse = 1 / x, square = inverse * inverse;
  constexpr double kTerms[] = {-3617.0 / 122400, 1.0 / 156,   -691.0 / 360360,
                               1.0 / 1188,       -1.0 / 1680, 1.0 / 1260,
                               -1.0 / 360,       1.0 / 12};
  double series = 0;
  for (const double term : kTerms) series = series * square + term;
  return (x - 0.5) * PinnedLog(x) - x + kHalfLogTwoPi + series * inverse -
         PinnedLog(product);
}

double UpperGamma(double a, double x) {
  if (x <= 0) return 1;
  const double scale = PinnedExp(a * PinnedLog(x) - x - LogGamma(a));
  if (x < a + 1) {
    double term = 1 / a, sum = term;
    for (int n = 1; n < kMostSteps && term > sum * kEpsilon; ++n) {
      term *= x / (a + n);
      sum += term;
    }
    const double lower = scale * sum;
    return lower < 1 ? 1 - lower : 0;
  }
  constexpr double kTiny = 1e-300;
  double b = x + 1 - a, c = 1 / kTiny, d = 1 / b, fraction = d;
  for (int n = 1; n < kMostSteps; ++n) {
    const double factor = -n * (n - a);
    b += 2;
    d = factor * d + b;
    if (std::fabs(d) < kTiny) d = kTiny;
    c = b + factor / c;
    if (std::fabs(c) < kTiny) c = kTiny;
    d = 1 / d;
    const double step = d * c;
    fraction *= step;
    if (std::fabs(step - 1) < kEpsilon * 4) break;
  }
  return scale * fraction;
}

double NormalTwoSided(double z) { return UpperGamma(0.5, z * z / 2); }

double StudentQuantile95(uint64_t freedom) {
  constexpr double kFirst[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706};
  if (freedom <= 5) return kFirst[freedom < 1 ? 0 : freedom - 1];
  // Cornish and Fisher (1938), about the normal quantile.
  constexpr double z = 1.959963984540054;
  constexpr double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  const double v = static_cast<double>(freedom);
  return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
}

double HurwitzZeta(double s, double q) {
  // The first terms one by one, the rest by the integral and its corrections.
  double sum = 0, a = q;
  for (; a < 16; a += 1) sum += PinnedPow(a, -s);
  const double power = PinnedPow(a, -s);
  sum += a * power / (s - 1) + power / 2;
  // B_2j / (2j)! times s (s + 1) ... (s + 2j - 2) a^(-s - 2j + 1).
  constexpr double kBernoulli[] = {1.0 / 12,           -1.0 / 720,
                                   1.0 / 30240,        -1.0 / 1209600,
                                   1.0 / 47900160,     -691.0 / 1307674368000.0,
                                   1.0 / 74724249600.0};
  double factor = s * power / a;
  for (int j = 0; j < 7; ++j) {
    sum += kBernoulli[j] * factor;
    factor *= (s + 2 * j + 1) * (s + 2 * j + 2) / (a * a);
  }
  return sum;
}

}  // namespace twinset
