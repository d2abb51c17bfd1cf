// The functions behind p-values and laws, by + - * /, sqrt and base/pinned_math
// alone: the same doubles on every machine.
#ifndef TWINSET_SRC_GROUND_ESTIMATE_SPECIAL_FUNCTIONS_H_
#define TWINSET_SRC_GROUND_ESTIMATE_SPECIAL_FUNCTIONS_H_

#include <cstdint>

namespace twinset {

// ln of the gamma function, x > 0 (Stirling's series above 15). Relative error
// of the gamma function below 1e-13 for x < 1000, and about x ln x 2^-53 above.
double LogGamma(double x);

// Q(a, x): the upper regularised incomplete gamma function, a > 0, x >= 0 (the
// series or Lentz's continued fraction). About 10 sqrt(a) steps.
double UpperGamma(double a, double x);

// The share of a standard normal beyond |z| on both sides.
double NormalTwoSided(double z);

// The two-sided 95 % quantile of Student's law, freedom >= 1: to 4 digits.
double StudentQuantile95(uint64_t freedom);

// zeta(s, q) = sum over k >= 0 of (k + q)^-s, s > 1, q > 0 (Euler-Maclaurin).
// Relative error below 1e-12 for s < 30.
double HurwitzZeta(double s, double q);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_SPECIAL_FUNCTIONS_H_
