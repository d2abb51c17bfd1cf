// Tests that tell whether two systems differ, from their values for the same
// topics (docs/methods/run-evaluation.md).
#ifndef TWINSET_SRC_GROUND_ESTIMATE_PAIRED_TESTS_H_
#define TWINSET_SRC_GROUND_ESTIMATE_PAIRED_TESTS_H_

#include <cstdint>
#include <span>

namespace twinset {

// The share of Student's law beyond |t| on both sides, freedom >= 1: the
// regularised incomplete beta function I_x(freedom / 2, 1 / 2) at x = freedom /
// (freedom + t^2), by Lentz's continued fraction. Error below 1e-12.
double StudentTwoSided(double t, double freedom);

struct PairedTest {
  double difference = 0;  // mean of x - y
  double t = 0;           // 0 where all differences are equal
  double p = 1;           // two-sided
};
// Student's paired t test. p is 1 below two topics and where no topic differs,
// 0 where all differ by the same.
PairedTest PairedT(std::span<const double> x, std::span<const double> y);

// Fisher's randomisation test of the mean difference: the sign of each topic's
// difference is drawn `draws` times; p = (1 + as extreme) / (1 + draws). All
// sign patterns are counted instead where they are no more than `draws`; p is
// then exact. Seeded by SplitMix64, the same on every machine.
double RandomisationTest(std::span<const double> x, std::span<const double> y,
                         uint64_t draws, uint64_t seed);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_PAIRED_TESTS_H_
