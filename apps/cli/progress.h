// One line on a terminal that says how far a run is.
#ifndef TWINSET_APPS_CLI_PROGRESS_H_
#define TWINSET_APPS_CLI_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "twinset/options.h"

namespace twinset::cli {

// Not thread-safe; the library reports from one thread at a time.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  // Draws on standard error when `draw`; it always remembers the bytes read.
  explicit ProgressLine(bool draw);
  ~ProgressLine() { Clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Redraws at most five times a second, and at once when the stage changes.
  void Update(const Progress& progress);
  void Clear();
  // The most bytes of input ever reported: 0 when nothing was.
  uint64_t bytes() const { return bytes_; }

 private:
  const bool draw_;
  Clock::time_point stage_begin_, last_drawn_;
  std::string stage_;
  uint64_t bytes_ = 0;
  uint64_t stage_begin_bytes_ = 0;
  bool visible_ = false;
};

// The text of the line, for `seconds` into a stage that read `stage_bytes` so
// far, cut to `width` columns. "reading  12,345 documents  101.2 MB/s  0:42
// left"
std::string ProgressText(const Progress& progress, uint64_t stage_bytes,
                         double seconds, size_t width);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_PROGRESS_H_
