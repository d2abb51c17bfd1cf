// What a run may use of the machine.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_MACHINE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_MACHINE_H_

#include <cstdint>
#include <string>

#include "pipeline/run/plan_options.h"
#include "sketch/simd_target.h"
#include "twinset/error.h"

namespace twinset {

struct PlanMachine {
  int threads = 1;
  SimdTargetHold simd;
  uint64_t memory_bytes = 0;
  uint64_t window_bytes = 0;  // of each reader, beside memory_bytes
  std::string work;           // folder of the work files

  std::string WorkPath(const std::string& name) const {
    return work + "/" + name;
  }
};

// kUsage for a memory that is too small for the options, or a SIMD target that
// the machine or another run does not allow.
Result<PlanMachine> MakeMachine(const PlanOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_MACHINE_H_
