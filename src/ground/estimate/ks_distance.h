// How far weighted values are from a reference
// (docs/methods/chain-diagnostics.md). Results are the same doubles on every
// machine.
#ifndef TWINSET_SRC_GROUND_ESTIMATE_KS_DISTANCE_H_
#define TWINSET_SRC_GROUND_ESTIMATE_KS_DISTANCE_H_

#include <span>

#include "twinset/error.h"

namespace twinset {

// The largest difference between the distribution function of weighted values
// and that of a reference (all of equal weight): a distance without p. weights
// above 0, one per value. kUsage for empty input or lengths that differ.
Result<double> KsWeighted(std::span<const double> values,
                          std::span<const double> weights,
                          std::span<const double> reference);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_KS_DISTANCE_H_
