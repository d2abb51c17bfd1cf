#include "evaluate/evaluate_timing.h"

#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <unistd.h>

#include "base/machine.h"

namespace twinset {

void ResetPeak(const EvaluateOptions& options) {
  if (!options.measure_memory) return;
#ifdef __GLIBC__
  ::malloc_trim(0);  // what earlier methods left to the allocator
#endif
  const int told = ::open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  if (told < 0) return;
  // Where it is not taken, the peak is that of the methods before, too.
  (void)!::write(told, "5", 1);
  ::close(told);
}
uint64_t PeakResident(const EvaluateOptions& options) {
  return options.measure_memory ? PeakResidentMemory() : 0;
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
