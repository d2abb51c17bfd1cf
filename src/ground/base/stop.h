// Why work ends before it is done: a flag that a signal handler sets and long
// work looks at, or memory that is not there.
#ifndef TWINSET_SRC_GROUND_BASE_STOP_H_
#define TWINSET_SRC_GROUND_BASE_STOP_H_

#include <atomic>
#include <new>  // IWYU pragma: export

#include "twinset/error.h"

namespace twinset {

// kInterrupted when the flag is there and set.
inline Status CheckStop(const std::atomic<bool>* stop) {
  if (stop == nullptr || !stop->load(std::memory_order_relaxed)) return {};
  return Fail(ErrorCode::kInterrupted, "stopped by a signal", "",
              "the same command with --resume goes on");
}

// What a function of the library returns where memory that it asks for is not
// there, so that nothing is thrown across the API:
//
//   Result<Answer> v1::Ask(const Options& options) try {
//     ...
//   } catch (const std::bad_alloc&) {
//     return NoMemory();
//   }
inline tl::unexpected<Error> NoMemory() {
  return Fail(ErrorCode::kMemory, "out of memory", "",
              "give a smaller memory budget, or the process more memory");
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_STOP_H_
