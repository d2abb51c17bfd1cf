#include "sketch/simd_target.h"

#include "kernels/kernels.h"

namespace twinset {

std::vector<std::string> ListSimdTargets() { return kernels::Targets(); }

Status ForceSimdTarget(std::string_view name) {
  return kernels::ForceTarget(name);
}

std::string CurrentSimdTarget() { return kernels::CurrentTarget(); }

}  // namespace twinset
