// Which SIMD target the hot loops run on, for the stages above that may not
// know the loops.
#ifndef TWINSET_SRC_SKETCH_SIMD_TARGET_H_
#define TWINSET_SRC_SKETCH_SIMD_TARGET_H_

#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// Names of the targets this CPU runs, best first; "scalar" is the reference.
std::vector<std::string> ListSimdTargets();
// Forces one of them for the process; "" is the best. kUsage for others. Not
// thread-safe: call before the first document.
Status ForceSimdTarget(std::string_view name);
std::string CurrentSimdTarget();

}  // namespace twinset

#endif  // TWINSET_SRC_SKETCH_SIMD_TARGET_H_
