// Confidence intervals of proportions (docs/methods/intervals.md). Only + - * /
// and sqrt: the same doubles on every machine.
#ifndef TWINSET_SRC_GROUND_ESTIMATE_INTERVALS_H_
#define TWINSET_SRC_GROUND_ESTIMATE_INTERVALS_H_

#include <cstdint>

namespace twinset {

struct Interval {
  double low = 0, high = 0;
  bool Contains(double value) const { return low <= value && value <= high; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

// The normal quantile of a two-sided interval of 95 %.
inline constexpr double kZ95 = 1.959963984540054;

// The score interval of Wilson (JASA 1927) for `successes` of `trials`
// independent draws. Within [0, 1]; [0, 1] without any trial. successes <=
// trials.
Interval WilsonInterval(uint64_t successes, uint64_t trials, double z = kZ95);
// The same of a share of `trials` that need be no whole number; above 0.
Interval WilsonOfShare(double share, double trials, double z = kZ95);

// F1 = 2 c / (found + real) with c in both, and its interval. F1 = 2 q / (1 +
// q) for q = c / |found or real|, which is a proportion, and rises with it: the
// ends are those of q's Wilson interval. 0 with [0, 1] when both are empty.
// correct <= min(found, real).
double F1Score(uint64_t correct, uint64_t found, uint64_t real);
// From the interval of q.
Interval F1OfOverlap(const Interval& q);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_INTERVALS_H_
