// How far a job is: the argument of its on_progress.
#ifndef TWINSET_PROGRESS_H_
#define TWINSET_PROGRESS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace twinset {
inline namespace v1 {

// A job reports this when a stage begins, when each of its steps begins, and
// during the steps. The function is called by the thread that called the job or
// by one that the job has started, one at a time, and never after the job has
// returned; what it does is done before it is called again. The job waits for
// it, so it may set the job's stop, but not call the job's objects.
struct Progress {
  std::string stage;  // "read", "verify", ...
  std::string step;   // of the stage: "sketch"; empty when it has no name
  std::string_view unit = "documents";  // what is counted; a literal
  uint64_t done = 0;
  uint64_t total = 0;  // 0: not known
  double share = 0;    // of the step, 0 to 1; 0: not known
  uint64_t bytes = 0;  // read of the inputs by the stage, decoded
  // The stage continues the work of an earlier run; if `done` is 0, it begins
  // behind stages that the earlier run finished.
  bool resumed = false;
  // A run that is stopped now resumes here, not at the beginning of the stage.
  bool kept = false;
};

using ProgressSink = std::function<void(const Progress&)>;

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_PROGRESS_H_
