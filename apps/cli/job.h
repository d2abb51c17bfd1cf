// What the commands that write a result folder have in common.
#ifndef TWINSET_APPS_CLI_JOB_H_
#define TWINSET_APPS_CLI_JOB_H_

#include <concepts>
#include <cstdint>
#include <functional>
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
  Options options = request.Of<Options>();
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

// The options of the command alone, over the given inputs, with what other
// commands are given too.
template <typename Options>
Options JobOptionsOf(const Request& request,
                     std::vector<std::string> inputs = {}) {
  Options options = request.Of<Options>();
  const auto& given = request.options;
  if constexpr (requires { options.input; }) {
    options.input = given.input;
    options.input.inputs = std::move(inputs);
  }
  if constexpr (requires { options.features; })
    options.features = given.features;
  if constexpr (requires { options.resources; })
    options.resources = given.resources;
  if constexpr (requires { options.out; }) options.out = given.out;
  if constexpr (requires { options.overwrite; })
    options.overwrite = given.overwrite;
  if constexpr (requires { options.report; }) options.report = given.report;
  if constexpr (requires { options.write; }) options.write = given.write;
  if constexpr (requires { options.compression_level; })
    options.compression_level = given.compression_level;
  if constexpr (requires { options.resume; }) options.resume = given.resume;
  return options;
}

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

// Prints the rows of a result as they come, one JSON object a line, where JSON
// is asked for; else there is nobody who takes them: the page tells of them.
template <typename Row>
std::function<bool(const Row&)> RowsIfJson(const Request& request,
                                           Output* out) {
  if (!request.json) return nullptr;
  return [out](const Row& row) { return out->Line(RowJson(row).dump()); };
}

// "results: DIR, report: DIR/report.html", where a result stands in a folder or
// file. `page`: the file of its page in it; empty: none.
std::string PlacesText(const Request& request, std::string_view page);

// Prints the page of a result for a person. --quiet leaves the sentences out,
// and prints nothing where the result stands in a folder.
template <typename Result>
void PrintPage(const Request& request, const Result& result, Output* out) {
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

// How a run ends when a signal stops it.
struct StopManner {
  // It has something to write then, and gets time for it.
  bool concludes = false;
  // What is said of it, where it cannot be resumed.
  std::string_view text = "interrupted; nothing was written";
};

// Tells of a run without a result and returns the exit code. `signal`: that
// stopped it, or 0. `last`: where it stood, for what can be resumed.
int TellNoResult(std::string_view command, const Request& request,
                 const Error& error, int signal, const Progress* last,
                 std::string_view stopped);

// Runs `job(options)`, or `job(options, out)` where it prints rows as they
// come, with progress until it is done or a signal stops it, and tells what
// came of it: the error, or the warnings and notices, and what
// `show(result, bytes of input read, out)` prints. What that returns says why
// the result is not complete; empty: it is. Returns the exit code. What of
// stop, on_progress, on_notice and resume the options have is used.
template <typename Options, typename Job, typename Show>
int RunShown(std::string_view command, const Request& request, Options options,
             const StopManner& manner, const Job& job, const Show& show) {
  ProgressTeller progress(command, request);
  Output out;
  std::optional<StopOnSignal> stop;
  if constexpr (requires { options.stop; })
    options.stop = stop.emplace().flag();
  if constexpr (requires { options.on_progress; })
    options.on_progress = [&](const Progress& now) {
      if (stop && manner.concludes) stop->LetConclude();
      // Rows on the same terminal say how far it is.
      if (out.is_used() && StdoutIsTerminal() && StderrIsTerminal())
        progress.Clear();
      else
        progress.Update(now);
    };
  if constexpr (requires { options.on_notice; })
    options.on_notice = [&](const std::string& cost) {
      progress.Clear();
      Tell(command, cost);
    };
  const auto result = [&] {
    if constexpr (std::invocable<const Job&, const Options&, Output*>)
      return job(std::as_const(options), &out);
    else
      return job(std::as_const(options));
  }();
  progress.Clear();
  if (!result) {
    out.Finish(command);
    constexpr bool can_resume = requires { options.resume; };
    return TellNoResult(command, request, result.error(),
                        stop ? stop->signal() : 0,
                        can_resume ? &progress.last() : nullptr,
                        out.is_used() ? "interrupted; the rows are those found "
                                        "so far"
                                      : manner.text);
  }
  if constexpr (requires { result->warnings; })
    TellWarnings(command, result->warnings);
  if constexpr (requires { result->notices; }) {
    for (const std::string& notice : result->notices)
      if (!request.quiet) Tell(command, notice);
  }
  const std::string incomplete = show(*result, progress.bytes(), &out);
  const int finished = out.Finish(command);
  if (incomplete.empty()) return finished;
  Tell(command, incomplete);
  return kExitFailed;
}

// As RunShown: prints the result, after what `tell(result)` says on standard
// error.
template <typename Options, typename Job, typename Tell>
int RunToResult(std::string_view command, const Request& request,
                Options options, const Job& job, const Tell& tell) {
  constexpr bool prints_rows =
      std::invocable<const Job&, const Options&, Output*>;
  // What can be resumed may have a result to write when it is stopped.
  constexpr bool can_resume = requires { options.resume; };
  return RunShown(command, request, std::move(options),
                  {.concludes = prints_rows || can_resume}, job,
                  [&](const auto& result, uint64_t, Output* out) {
                    if constexpr (requires { result.quarantined; })
                      TellQuarantined(command, result.quarantined);
                    tell(result);
                    if (!request.json)
                      PrintPage(request, result, out);
                    else if constexpr (!prints_rows)
                      out->Write(JsonText(result));
                    return std::string();
                  });
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

// As RunShown, over the documents of the inputs: `text(summary, bytes read)` is
// for people, `incomplete(summary)` for an input that could not be read to its
// end.
template <typename Options, typename Job, typename Text, typename Incomplete>
int RunJob(std::string_view command, const Request& request, Options options,
           const Job& job, const Text& text, const Incomplete& incomplete,
           const StopManner& manner = {}) {
  return RunShown(command, request, std::move(options), manner, job,
                  [&](const auto& summary, uint64_t bytes, Output* out) {
                    bool is_all = false;  // which `incomplete` says
                    if constexpr (requires { summary.records; })
                      is_all = summary.quarantined == summary.records;
                    if (!is_all)
                      TellQuarantined(command, request, summary.quarantined);
                    if (request.json)
                      out->Write(JsonText(summary));
                    else if (!request.quiet)
                      out->Write(text(summary, bytes));
                    return summary.complete ? std::string()
                                            : std::string(incomplete(summary));
                  });
}

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_JOB_H_
