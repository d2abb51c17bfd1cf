// Time and memory of the stages of an evaluation.
#ifndef TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_TIMING_H_
#define TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_TIMING_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "pipeline/run/run.h"
#include "twinset/evaluate.h"

namespace twinset {

using EvaluationClock = std::chrono::steady_clock;

// The most memory that was resident since ResetPeak, where it is asked for and
// the system tells; else 0. Both are of the whole process.
void ResetPeak(const EvaluateOptions& options);
uint64_t PeakResident(const EvaluateOptions& options);

// Runs `stage` and adds its time under `name`.
Status Timed(Run* run, const std::string& name, Status (*stage)(Run*));

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_TIMING_H_
