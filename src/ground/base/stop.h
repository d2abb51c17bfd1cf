// Asked to stop: a flag that a signal handler sets and long work looks at.
#ifndef TWINSET_SRC_GROUND_BASE_STOP_H_
#define TWINSET_SRC_GROUND_BASE_STOP_H_

#include <atomic>

#include "twinset/error.h"

namespace twinset {

// kInterrupted when the flag is there and set.
inline Status CheckStop(const std::atomic<bool>* stop) {
  if (stop == nullptr || !stop->load(std::memory_order_relaxed)) return {};
  return Fail(ErrorCode::kInterrupted, "stopped by a signal", "",
              "the same command with --resume goes on");
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_STOP_H_
