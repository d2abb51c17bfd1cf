// What the two halves of `twinset sample` share: run with progress, stop on a
// signal, tell warnings, print the summary.
#ifndef TWINSET_APPS_CLI_DRAW_H_
#define TWINSET_APPS_CLI_DRAW_H_

#include <string>
#include <string_view>
#include <utility>

#include "commands.h"
#include "job.h"
#include "output.h"
#include "progress.h"

namespace twinset::cli {

// `run(options)` gives a summary with `warnings`, `page` and SummaryJson, or an
// error. Options have out, overwrite, resume, stop and on_progress. Returns the
// exit code.
template <class Options, class Run>
int DrawAndTell(std::string_view command, const Request& request,
                Options options, const Run& run) {
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  options.resume = request.options.resume;
  ProgressTeller progress(command, request);
  StopOnSignal stop;
  options.stop = stop.flag();
  options.on_progress = [&](const Progress& now) {
    stop.LetConclude();
    progress.Update(now);
  };
  const auto summary = run(std::as_const(options));
  progress.Clear();
  if (!summary) {
    if (summary.error().code == ErrorCode::kInterrupted && stop.signal() != 0) {
      Tell(command,
           "stopped by a signal; the same command with --resume goes on");
      return 128 + stop.signal();
    }
    return TellError(command, summary.error());
  }
  TellWarnings(command, summary->warnings);
  Output out;
  PrintResult(request, *summary, &out);
  return out.Finish(command);
}

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_DRAW_H_
