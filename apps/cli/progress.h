// How far a run is, said on standard error while it runs.
#ifndef TWINSET_APPS_CLI_PROGRESS_H_
#define TWINSET_APPS_CLI_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/flags/flags.h"
#include "cli/host.h"
#include "twinset/progress.h"

namespace twinset::cli {

// A line that is drawn again and again, or a line now and then: for people; or
// one JSON object a line: for programs.
enum class ProgressForm { kNone, kBar, kPlain, kJson };

// What --progress and --quiet ask for. By itself it is a bar on a terminal and
// plain lines elsewhere; --quiet is none, unless --progress names a form.
ProgressForm FormOf(const Request& request, bool terminal);

// What is known of the times of a step; what is not is absent.
struct StepTimes {
  double seconds = 0;
  std::optional<double> left_seconds, bytes_per_second;
};

// "candidate: sketch  12,345 of 100,000 documents  12 %  1 min 3 s left", with
// `separator` in place of the two blanks.
std::string ProgressText(const Progress& progress, const StepTimes& times,
                         std::string_view separator);
// {"stage":"candidate","step":"sketch","unit":"documents",...}
std::string ProgressJson(const Progress& progress, const StepTimes& times);
// "resuming: write stands at 12,345 of 100,000 documents"
std::string ResumedText(const Progress& progress);

// Not thread-safe; the library tells from one thread at a time.
class ProgressTeller {
 public:
  using Clock = std::chrono::steady_clock;

  // On standard error, as the request asks.
  ProgressTeller(std::string_view command, const Request& request);
  // For tests: hands its output to `write`.
  ProgressTeller(std::string_view command, ProgressForm form, size_t width,
                 std::function<void(std::string_view)> write);
  ~ProgressTeller() { Clear(); }
  ProgressTeller(const ProgressTeller&) = delete;
  ProgressTeller& operator=(const ProgressTeller&) = delete;

  // A bar is drawn at most five times per second, a JSON object once per
  // second, either at once when a step begins; a plain line every 30 seconds.
  void Update(const Progress& progress) { Update(progress, Clock::now()); }
  void Update(const Progress& progress, Clock::time_point now);
  // Removes the bar.
  void Clear();
  // The most bytes of input ever told: 0 when nothing was read.
  uint64_t bytes() const { return bytes_; }
  // What was told last; stage empty: nothing.
  const Progress& last() const { return last_; }

 private:
  bool IsDue(bool begins, Clock::time_point now) const;
  StepTimes TimesOf(const Progress& progress, Clock::time_point now) const;
  void Tell(std::string_view text);

  const std::string command_;
  const ProgressForm form_;
  const std::optional<size_t> width_;  // none: that of the terminal
  const std::function<void(std::string_view)> write_;
  Host* const host_ = nullptr;     // takes everything that is told, then
  const double json_seconds_ = 1;  // between two objects of a step
  Progress last_;
  Progress begin_;  // of the step
  Clock::time_point step_begin_, told_;
  uint64_t bytes_ = 0;
  bool visible_ = false;
};

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_PROGRESS_H_
