// What the commands that print a row for each document have in common.
#ifndef TWINSET_APPS_CLI_PRINTED_ROWS_H_
#define TWINSET_APPS_CLI_PRINTED_ROWS_H_

#include <cstdint>
#include <string_view>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "twinset/inspect.h"

namespace twinset::cli {

// The inputs of the command; kUsage when there are none.
Result<InputOptions> InputsOf(const Request& request);

// Counts what is no document, tells each quarantined record, and ends the run
// when asked to.
class Rejections {
 public:
  Rejections(std::string_view command, const Request& request)
      : command_(command),
        quiet_(request.quiet),
        strict_(request.options.strict) {}

  void Add(const RejectedRecord& record);
  bool GoOn() const { return !strict_ || quarantined_ == 0; }

  // The exit code, with one line on what was left out.
  int Finish(uint64_t documents) const;

 private:
  static constexpr uint64_t kTold = 10;
  const std::string_view command_;
  const bool quiet_, strict_;
  uint64_t skipped_ = 0, quarantined_ = 0;
};

// How many documents were printed; not on the terminal that they go to.
class PrintedProgress {
 public:
  PrintedProgress(std::string_view command, const Request& request)
      : teller_(command, request),
        draws_(!StdoutIsTerminal() || !StderrIsTerminal()) {
    progress_.stage = command;
  }
  void Add() {
    constexpr uint64_t kTellEvery = 64;
    if (++progress_.done % kTellEvery == 0 && draws_) teller_.Update(progress_);
  }
  void Clear() { teller_.Clear(); }

 private:
  ProgressTeller teller_;
  const bool draws_;
  Progress progress_;
};

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_PRINTED_ROWS_H_
