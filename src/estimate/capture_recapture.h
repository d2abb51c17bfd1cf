// How many there are, from how often two captures meet
// (docs/methods/capture-recapture.md). Only + - * / and sqrt.
#ifndef TWINSET_SRC_ESTIMATE_CAPTURE_RECAPTURE_H_
#define TWINSET_SRC_ESTIMATE_CAPTURE_RECAPTURE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "estimate/intervals.h"
#include "twinset/error.h"

namespace twinset {

// Two captures of one population: n1 and n2 individuals, m of them in both.
struct Captures {
  uint64_t n1 = 0, n2 = 0, m = 0;
};

struct SizeEstimate {
  double size = 0, variance = 0, standard_error = 0;
  Interval interval;  // 95 %, normal; not cut at what was seen
};

// n1 n2 / m (Petersen 1896, Lincoln 1930). kUsage when m is 0, where it is
// undefined, and when m > min(n1, n2).
Result<double> LincolnPetersen(const Captures& captures);

// (n1 + 1)(n2 + 1) / (m + 1) - 1 (Chapman 1951) with Seber's variance (n1 +
// 1)(n2 + 1)(n1 - m)(n2 - m) / ((m + 1)^2 (m + 2)). Finite for m = 0; unbiased
// when n1 + n2 >= size. Captures that meet more often than chance (an
// individual that is easy for one is easy for the other) make it too small.
// kUsage when m > min(n1, n2).
Result<SizeEstimate> Chapman(const Captures& captures, double z = kZ95);

// The sum of Chapman's estimates over strata that no individual leaves (Sekar
// and Deming 1949): less biased when what makes an individual easy is the
// stratum it is in.
Result<SizeEstimate> StratifiedChapman(std::span<const Captures> strata,
                                       double z = kZ95);

// Neighbours joined, from the last stratum to the first, until each has at
// least `least` individuals caught twice; what is left over joins the last one
// made. Chapman's estimate is far too small in strata where fewer meet: with 7
// the bias is below 2 % (Robson and Regier 1964; Seber 1982, 3.1.1).
inline constexpr uint64_t kLeastRecaptured = 7;
std::vector<Captures> JoinSmallStrata(std::span<const Captures> strata,
                                      uint64_t least = kLeastRecaptured);

}  // namespace twinset

#endif  // TWINSET_SRC_ESTIMATE_CAPTURE_RECAPTURE_H_
