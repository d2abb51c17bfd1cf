// How far a job is: what its on_progress is called with.
#ifndef TWINSET_PROGRESS_H_
#define TWINSET_PROGRESS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace twinset::inline v1 {

// Told from one thread at a time, at the beginning of a stage, at that of each
// of its steps, and while they go on.
struct Progress {
  std::string stage;  // "read", "verify", ...
  std::string step;   // of the stage: "sketch"; empty when it has no name
  std::string_view unit = "documents";  // what is counted; a literal
  uint64_t done = 0;
  uint64_t total = 0;  // 0: not known
  double share = 0;    // of the step, 0 to 1; 0: not known
  uint64_t bytes = 0;  // read of the inputs by the stage, decoded
  // The stage goes on with what a former run has done, or, where `done` is 0,
  // begins behind stages that are done.
  bool resumed = false;
  // A run that is stopped now goes on here, and not where the stage begins.
  bool kept = false;
};

using ProgressSink = std::function<void(const Progress&)>;

}  // namespace twinset::inline v1

#endif  // TWINSET_PROGRESS_H_
