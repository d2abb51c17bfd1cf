// Do intervals hold what they promise? For tests.
#ifndef TWINSET_SRC_GROUND_ESTIMATE_COVERAGE_TESTING_H_
#define TWINSET_SRC_GROUND_ESTIMATE_COVERAGE_TESTING_H_

#include <gtest/gtest.h>

#include <cstdint>

#include "estimate/uniformity_testing.h"

namespace twinset {

// Simulated studies of each interval.
inline constexpr uint64_t kCoverageRuns = TWINSET_SLOW_BUILD ? 100 : 400;

// `covered` of kCoverageRuns intervals of 95 % held the truth: refuted when so
// few would be found with a probability below 1 in 1000 if each covered with
// `least` (the nominal 95 %, less what the method is known to lose at this
// size).
inline void ExpectCovers(uint64_t covered, double least = 0.95) {
  EXPECT_GT(BinomialTest(covered, kCoverageRuns, least).low, 0.001)
      << covered << " of " << kCoverageRuns;
}
// The wrong method must not.
inline void ExpectDoesNotCover(uint64_t covered, double most = 0.9) {
  EXPECT_LT(BinomialTest(covered, kCoverageRuns, most).low, 0.001)
      << covered << " of " << kCoverageRuns;
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_COVERAGE_TESTING_H_
