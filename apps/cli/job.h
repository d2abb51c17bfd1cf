// What the commands that write a result folder have in common.
#ifndef TWINSET_APPS_CLI_JOB_H_
#define TWINSET_APPS_CLI_JOB_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/flags/flags.h"
#include "commands.h"
#include "output.h"
#include "progress.h"
#include "twinset/error.h"
#include "twinset/plain_words.h"
#include "twinset/results.h"

namespace twinset::cli {

// Inputs and a folder are given, and no flags that contradict each other.
Status CheckJob(const Request& request);

// The options of a run over the operands of the command.
template <typename Options>
Options RunOptionsOf(const Request& request) {
  Options options;
  CopyParts<RunOptions, ComparisonOptions, CorpusOptions, PriorityOptions,
            ClusterOptions, ScopeOptions, UnitOptions>(request.options,
                                                       &options);
  options.checkpoint_seconds =
      SecondsFor("TWINSET_CHECKPOINT_SECONDS", options.checkpoint_seconds);
  options.notice_seconds =
      SecondsFor("TWINSET_NOTICE_SECONDS", options.notice_seconds);
  options.input.inputs = request.operands;
  return options;
}

// How a command runs, and where its results go.
template <typename Options>
void CopyFolder(const Request& request, Options* options) {
  options->resources = request.options.resources;
  options->out = request.options.out;
  options->overwrite = request.options.overwrite;
  options->report = request.options.report;
}

// After a signal that came when the run stood at `last`: says what is kept and
// how to go on, returns the exit code.
int TellInterrupted(std::string_view command, const Request& request,
                    const Progress& last, int signal);

// The JSON of a result as its summary.json has it, on one line where the result
// says so, or its rows, one a line.
template <typename Result>
std::string JsonText(const Result& result) {
  if constexpr (requires { RowsJson(result); }) {
    std::string lines;
    for (const Json& row : RowsJson(result)) lines += row.dump() + "\n";
    return lines;
  } else {
    constexpr bool is_line = requires { Result::kSummaryIsLine; };
    return SummaryJson(result).dump(is_line ? -1 : 2) + "\n";
  }
}

// "results: DIR, report: DIR/report.html", where a result stands in a folder or
// file. `page`: the file of its page in it; empty: none.
std::string PlacesText(const Request& request, std::string_view page);

// Prints a result: its JSON, or its page for a person. --quiet leaves the
// sentences out, and prints nothing where the result stands in a folder.
template <typename Result>
void PrintResult(const Request& request, const Result& result, Output* out) {
  if (request.json) {
    out->Write(JsonText(result));
    return;
  }
  if (request.quiet && !request.options.out.empty()) return;
  TextStyle style = StyleOfStdout();
  style.brief = request.quiet;
  // Rows that no folder has.
  if constexpr (requires { Result::kShowsAllRows; })
    style.most_rows = std::numeric_limits<size_t>::max();
  out->Write(result.page.Text(style));
  if (request.quiet) return;
  std::string places;
  if constexpr (requires { Result::kPageFile; })
    places = PlacesText(request, Result::kPageFile);
  else
    places = PlacesText(request, request.options.report ? "report.html" : "");
  if constexpr (requires { result.sides; }) {
    if (!result.sides.empty())
      places = "read: " + Printable(SidesText(result.sides)) + "\n" + places;
  }
  if (!places.empty()) out->Write("\n" + places);
}

// Runs `job(options)` with progress until it is done or a signal stops it, and
// tells what came of it: the error, or the warnings, what `tell(result)` says
// on standard error, and the result. Returns the exit code. What of stop,
// on_progress and resume the options have is used.
template <typename Options, typename Job, typename Tell>
int RunToResult(std::string_view command, const Request& request,
                Options options, const Job& job, const Tell& tell) {
  ProgressTeller progress(command, request);
  std::optional<StopOnSignal> stop;
  if constexpr (requires { options.stop; })
    options.stop = stop.emplace().flag();
  if constexpr (requires { options.on_progress; })
    options.on_progress = [&](const Progress& now) {
      // What can be resumed may have a result to write when it is stopped.
      if constexpr (requires { options.resume; }) stop->LetConclude();
      progress.Update(now);
    };
  const auto result = job(std::as_const(options));
  progress.Clear();
  const int signal = stop ? stop->signal() : 0;
  if (!result) {
    if constexpr (requires { options.resume; }) {
      if (result.error().code == ErrorCode::kInterrupted && signal != 0)
        return TellInterrupted(command, request, progress.last(), signal);
    }
    return TellErrorOrStop(command, result.error(), signal);
  }
  if constexpr (requires { result->warnings; })
    TellWarnings(command, result->warnings);
  if constexpr (requires { result->quarantined; })
    TellQuarantined(command, result->quarantined);
  tell(*result);
  Output out;
  PrintResult(request, *result, &out);
  return out.Finish(command);
}
template <typename Options, typename Job>
int RunToResult(std::string_view command, const Request& request,
                Options options, const Job& job) {
  return RunToResult(command, request, std::move(options), job,
                     [](const auto&) {});
}

// One line about quarantined records, if there are any and the closing summary
// does not say so on the same terminal.
void TellQuarantined(std::string_view command, const Request& request,
                     uint64_t quarantined);

// Runs `job` with progress, to be stopped by a signal, and tells what came of
// it: `text(summary, bytes read)` is for people, `incomplete(summary)` for an
// input that could not be read to its end. Returns the exit code.
template <typename Options, typename Job, typename Text, typename Incomplete>
int RunJob(std::string_view command, const Request& request, Options options,
           const Job& job, const Text& text, const Incomplete& incomplete) {
  ProgressTeller progress(command, request);
  StopOnSignal stop;
  options.stop = stop.flag();
  options.on_progress = [&progress](const Progress& now) {
    progress.Update(now);
  };
  options.on_notice = [&](const std::string& cost) {
    progress.Clear();
    Tell(command, cost);
  };
  const auto summary = job(options);
  progress.Clear();
  if (!summary) {
    if (summary.error().code == ErrorCode::kInterrupted && stop.signal() != 0)
      return TellInterrupted(command, request, progress.last(), stop.signal());
    return TellError(command, summary.error());
  }
  for (const std::string& warning : summary->warnings)
    Tell(command, "warning: " + warning);
  if constexpr (requires { summary->notices; }) {
    for (const std::string& notice : summary->notices)
      if (!request.quiet) Tell(command, notice);
  }
  bool is_all = false;  // which `incomplete` says
  if constexpr (requires { summary->records; })
    is_all = summary->quarantined == summary->records;
  if (!is_all) TellQuarantined(command, request, summary->quarantined);
  Output out;
  if (request.json)
    out.Write(JsonText(*summary));
  else if (!request.quiet)
    out.Write(text(*summary, progress.bytes()));
  const int finished = out.Finish(command);
  if (summary->complete) return finished;
  Tell(command, incomplete(*summary));
  return kExitFailed;
}

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_JOB_H_
