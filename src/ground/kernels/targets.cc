// Which Highway target the kernels run on.
#include <atomic>

#include "kernels/kernels.h"
#include "kernels/simd_targets.h"
// simd_targets.h first: it says which targets exist.
#include "hwy/highway.h"

namespace twinset::kernels {
namespace {

struct NamedTarget {
  const char* name;
  int64_t bit;
};

// Best first. The bits of better targets are smaller.
constexpr NamedTarget kTargets[] = {
#if HWY_ARCH_X86
    {"AVX3_DL", HWY_AVX3_DL},
    {"AVX3", HWY_AVX3},
    {"AVX2", HWY_AVX2},
    {"SSE4", HWY_SSE4},
    {"SSSE3", HWY_SSSE3},
#endif
    {"scalar", 0},
};

// What the CPU has, whatever is forced at the moment.
int64_t CpuTargets() {
  static const int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return targets;
}

bool Runs(const NamedTarget& target) {
  return target.bit == 0 || (CpuTargets() & target.bit) != 0;
}

std::atomic<const NamedTarget*> forced{nullptr};

}  // namespace

std::vector<std::string> Targets() {
  std::vector<std::string> names;
  for (const NamedTarget& target : kTargets) {
    if (Runs(target)) names.emplace_back(target.name);
  }
  return names;
}

Status ForceTarget(std::string_view name) {
  if (name.empty()) {
    forced = nullptr;
    hwy::GetChosenTarget().Update(CpuTargets());
    return {};
  }
  for (const NamedTarget& target : kTargets) {
    if (name != target.name || !Runs(target)) continue;
    forced = &target;
    // The target and all worse ones: Highway's own library (the sort) is not
    // compiled for each of ours and takes the next one. No bit at all selects
    // the last entry of every dispatch table, the fallback.
    hwy::GetChosenTarget().Update(
        target.bit == 0 ? 0 : CpuTargets() & ~(target.bit - 1));
    return {};
  }
  std::string known;
  for (const std::string& target : Targets()) {
    known += (known.empty() ? "" : ", ") + target;
  }
  return Fail(ErrorCode::kUsage,
              "this CPU has no kernel target '" + std::string(name) + "'", {},
              "one of " + known);
}

std::string CurrentTarget() {
  if (const NamedTarget* target = forced.load()) return target->name;
  return Targets().front();
}

}  // namespace twinset::kernels
