// How many there are, from how often two captures meet
// (docs/methods/relative-size.md). The same doubles on every machine.
#ifndef TWINSET_SRC_GROUND_ESTIMATE_CAPTURE_RECAPTURE_H_
#define TWINSET_SRC_GROUND_ESTIMATE_CAPTURE_RECAPTURE_H_

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
  // 95 %, in whole individuals and never below what was seen. Without an end
  // (infinite) when nothing was caught twice.
  Interval interval;
  uint64_t seen = 0;  // different individuals
};

// n1 n2 / m (Petersen 1896, Lincoln 1930). kUsage when m is 0, where it is
// undefined, and when m > min(n1, n2).
Result<double> LincolnPetersen(const Captures& captures);

// (n1 + 1)(n2 + 1) / (m + 1) - 1 (Chapman 1951) with Seber's variance (n1 +
// 1)(n2 + 1)(n1 - m)(n2 - m) / ((m + 1)^2 (m + 2)). Finite for m = 0; unbiased
// when n1 + n2 >= size. Captures that meet more often than chance (an
// individual that is easy for one is easy for the other) make it too small. The
// interval has all sizes under which neither so few nor so many meetings are
// rarer than 1 in 40 (exact, by the hypergeometric law). kUsage when
// m > min(n1, n2).
Result<SizeEstimate> Chapman(const Captures& captures, double z = kZ95);

// The sum of Chapman's estimates over strata that no individual leaves (Sekar
// and Deming 1949): less biased when what makes an individual easy is the
// stratum it is in. The interval is log-normal in the number of the unseen
// (Burnham; Chao 1987), that of Chapman's for one stratum.
Result<SizeEstimate> StratifiedChapman(std::span<const Captures> strata,
                                       double z = kZ95);

// An estimate of `individuals` that are caught in groups, which are worth as
// many as `groups` of equal size: the variance is so much larger, and the
// interval is log-normal in the number of the unseen with Student's quantile of
// the groups. As it was where these are as many.
SizeEstimate CaughtTogether(const SizeEstimate& estimate, double individuals,
                            double groups);

// Neighbours joined, from the last stratum to the first, until each has at
// least `least` individuals caught twice; what is left over joins the last one
// made. Chapman's estimate is far too small in strata where fewer meet: with 7
// the bias is below 2 % (Robson and Regier 1964; Seber 1982, 3.1.1).
inline constexpr uint64_t kLeastRecaptured = 7;
std::vector<Captures> JoinSmallStrata(std::span<const Captures> strata,
                                      uint64_t least = kLeastRecaptured);

// One of several captures: how many were caught, and how many of them had been
// caught before.
struct Occasion {
  uint64_t caught = 0, recaptured = 0;
};

struct SchnabelEstimate {
  double size = 0;            // sum C M / sum R (Schnabel 1938)
  double chapman = 0;         // sum C M / (sum R + 1): finite, less biased
  double standard_error = 0;  // of `size`, by that of 1 / size
  // 95 %: sum R as a Poisson count with its exact limits (Chapman 1948); wider
  // than needed when much of the population is caught each time. Never below
  // what was seen.
  Interval interval;
  uint64_t marked = 0;      // different individuals seen in all
  uint64_t recaptured = 0;  // sum R
};

// Lincoln-Petersen for many captures; M is what was marked before each. Needs
// the same chance for all individuals, as they do. kUsage for fewer than two
// captures, for more recaptured than caught or marked, and when nothing was
// caught twice (size undefined; chapman alone would say little).
Result<SchnabelEstimate> Schnabel(std::span<const Occasion> occasions);

// The exact 95 % limits of the mean of a Poisson law of which `count` was seen
// (Garwood 1936).
Interval PoissonInterval(uint64_t count);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_CAPTURE_RECAPTURE_H_
