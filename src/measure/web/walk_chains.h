// The chains of a walk, by the sampler that the options name.
#ifndef TWINSET_SRC_MEASURE_WEB_WALK_CHAINS_H_
#define TWINSET_SRC_MEASURE_WEB_WALK_CHAINS_H_

#include <cstdint>
#include <functional>

#include "twinset/measure/walk.h"
#include "web/walk_discovery.h"
#include "web/walk_trace.h"

namespace twinset {

inline constexpr uint32_t kGraphChains = 4;  // where they cost no request

// One chain after another, each with a seed of its own. Of several starts each
// takes the next; the directed walk returns to any of them. `before` (may be
// empty) prepares a chain. A web at its budget ends the one that is under way.
Result<WalkTrace> RunChains(LinkSource* web, const WalkOptions& options,
                            const WalkBudget& budget, uint32_t chains,
                            const std::function<void(uint32_t)>& before);

WeightTrust TrustOf(const WalkOptions& options, bool index_complete);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_WALK_CHAINS_H_
