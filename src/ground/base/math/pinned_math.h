// Logarithm and exponential by + - * / alone: the same doubles on every machine
// and with every C library, for values that decide or appear in results
// (docs/spec/1.md). Within 4 units in the last place of the true value.
#ifndef TWINSET_SRC_GROUND_BASE_MATH_PINNED_MATH_H_
#define TWINSET_SRC_GROUND_BASE_MATH_PINNED_MATH_H_

namespace twinset {

// Natural logarithm. x finite and above 0; -infinity for 0, NaN below.
double PinnedLog(double x);

// e^x. 0 below -745, infinity above 709.78.
double PinnedExp(double x);

// x^y for x > 0: PinnedExp(y * PinnedLog(x)), with an error that grows with |y
// log x| (about 1e-13 relative at 100).
double PinnedPow(double x, double y);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_MATH_PINNED_MATH_H_
