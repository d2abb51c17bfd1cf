#include "evaluate/evaluate_timing.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <fstream>
#include <sstream>

namespace twinset {

void ResetPeak(const EvaluateOptions& options) {
  if (!options.measure_memory) return;
#ifdef __GLIBC__
  ::malloc_trim(0);  // what earlier methods left to the allocator
#endif
  std::ofstream("/proc/self/clear_refs") << "5";
}
uint64_t PeakResident(const EvaluateOptions& options) {
  if (!options.measure_memory) return 0;
  std::ifstream status("/proc/self/status");
  std::string key;
  for (std::string line; std::getline(status, line);) {
    std::istringstream words(line);
    uint64_t kilobytes = 0;
    if (words >> key >> kilobytes && key == "VmHWM:") return kilobytes << 10;
  }
  return 0;
}

Status Timed(Run* run, const std::string& name, Status (*stage)(Run*)) {
  const auto begin = EvaluationClock::now();
  run->stage = name;
  run->step.clear();
  TWINSET_TRY(stage(run));
  run->stage_seconds[name] += SecondsSince(begin);
  return run->CheckStop();
}

}  // namespace twinset
