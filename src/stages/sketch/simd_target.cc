#include "sketch/simd_target.h"

#include <mutex>

#include "kernels/kernels.h"

namespace twinset {

std::vector<std::string> ListSimdTargets() { return kernels::Targets(); }

namespace {

// What all holds of the process have in common.
struct Held {
  std::mutex mutex;
  size_t holds = 0;
  std::string before;  // the target while none is held
};
Held& TheHeld() {
  static Held held;
  return held;
}

}  // namespace

Result<SimdTargetHold> SimdTargetHold::Take(std::string_view name) {
  SimdTargetHold hold;
  if (name.empty()) return hold;
  Held& held = TheHeld();
  const std::lock_guard lock(held.mutex);
  const std::string current = kernels::CurrentTarget();
  if (held.holds > 0 && current != name) {
    return Fail(ErrorCode::kUsage,
                "another run of this process works on kernel target " +
                    current + " and not on " + std::string(name),
                {}, "run them one after the other, or in two processes");
  }
  if (held.holds == 0) {
    TWINSET_TRY(kernels::ForceTarget(name));
    held.before = current;
  }
  ++held.holds;
  hold.holds_ = true;
  return hold;
}

SimdTargetHold::~SimdTargetHold() {
  if (!holds_) return;
  Held& held = TheHeld();
  const std::lock_guard lock(held.mutex);
  if (--held.holds == 0) (void)kernels::ForceTarget(held.before);
}

std::string CurrentSimdTarget() { return kernels::CurrentTarget(); }

}  // namespace twinset
