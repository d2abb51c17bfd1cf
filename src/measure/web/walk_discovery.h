// What a walk has not seen, as far as it can know, and whether its draws bear
// intervals (docs/methods/chain-diagnostics.md).
#ifndef TWINSET_SRC_MEASURE_WEB_WALK_DISCOVERY_H_
#define TWINSET_SRC_MEASURE_WEB_WALK_DISCOVERY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "web/walk_trace.h"

namespace twinset {

// Different pages after so many moves of all chains side by side.
struct DiscoveryPoint {
  uint64_t moves = 0, pages = 0;
};

struct Discovery {
  std::vector<DiscoveryPoint> curve;  // at kCurvePoints equal distances
  // Good and Turing (1953): the share of the weight that is on pages visited
  // once. It estimates the share of the pages that was not seen, and is too
  // small for a walk that comes back to where it just was.
  double good_turing = 0;
  // The same by halves: the share of the weight of the second half of each
  // chain that is on pages its first half had not seen. Returns within a half
  // do not disturb it. It is what the first half had not seen.
  double unseen = 0;
};
inline constexpr uint64_t kCurvePoints = 20;

Discovery FindDiscovery(const WalkTrace& trace, double burn_in);

// How far the weights of draws can be trusted.
enum class WeightTrust {
  kKnown,      // known as soon as a page is visited
  kEstimated,  // from all that was visited: wrong while much is unseen
  // Estimated by returns to the start: pages far from it are out of reach
  // however long the walk is, and it does not see what it misses.
  kNear,
  // The rank that a page has among what was visited, however long the walk is.
  kVisited,
};

// Discovery has levelled off: measured, docs/studies/sampling-walks.md. Weights
// that are known need less than those that are estimated.
inline constexpr double kMostUnseenExact = 0.2;
inline constexpr double kMostUnseenEstimated = 0.05;
inline constexpr double kMostRHat = 1.1;
// Chains that are shorter and seem to have seen most sit in a corner.
inline constexpr uint64_t kLeastMoves = 10000;

// Why draws from a walk bear no interval of 95 %; empty: they do. `r_hat`: the
// highest of the functions looked at.
std::string WhyNoInterval(const WalkTrace& trace, const Discovery& discovery,
                          WeightTrust trust, double r_hat);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_WALK_DISCOVERY_H_
