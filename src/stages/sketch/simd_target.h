// Which SIMD target the hot loops run on, for the stages above that may not
// know the loops.
#ifndef TWINSET_SRC_STAGES_SKETCH_SIMD_TARGET_H_
#define TWINSET_SRC_STAGES_SKETCH_SIMD_TARGET_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// Names of the targets this CPU runs, best first; "scalar" is the reference.
std::vector<std::string> ListSimdTargets();
std::string CurrentSimdTarget();

// The target is of the process. A run that asks for one holds it: runs that ask
// for the same share it, one that asks for another meanwhile is refused, and
// the last to let go restores what was before. Runs that ask for none take what
// there is: all targets give equal results. Thread-safe.
class SimdTargetHold {
 public:
  // "" holds nothing. kUsage for a target that this CPU lacks, or that is not
  // the one that is held.
  static Result<SimdTargetHold> Take(std::string_view name);
  SimdTargetHold() = default;
  SimdTargetHold(SimdTargetHold&& other) noexcept { *this = std::move(other); }
  SimdTargetHold& operator=(SimdTargetHold&& other) noexcept {
    std::swap(holds_, other.holds_);
    return *this;
  }
  ~SimdTargetHold();

 private:
  bool holds_ = false;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_SKETCH_SIMD_TARGET_H_
