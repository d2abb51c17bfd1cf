// twinset match
#include <fmt/format.h>

#include "commands.h"
#include "job.h"
#include "output.h"
#include "progress.h"
#include "twinset/match.h"
#include "values.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kName = "match";

std::string Row(std::string_view head, const std::string& text) {
  return fmt::format("  {:<12} {}\n", head, text);
}

std::string MatchText(const Request& request, const MatchSummary& summary) {
  const bool containment =
      request.options.method.measure == Measure::kContainment;
  std::string text =
      fmt::format("{} of {} documents of A stand in B ({} documents)\n",
                  Grouped(summary.matched), Grouped(summary.documents_a),
                  Grouped(summary.documents_b));
  text += Row("pairs", Grouped(summary.pairs));
  if (containment) text += Row("passages", Grouped(summary.passages));
  text += Row("dropped", Grouped(summary.dropped));
  text += Row("results", request.options.out);
  text += Row("time", HumanSeconds(summary.seconds));
  return text;
}

}  // namespace

int RunMatch(const Request& request) {
  if (const Status status = CheckJob(request); !status)
    return TellError(kName, status.error());
  if (request.against.empty())
    return TellError(kName, {ErrorCode::kUsage,
                             "there is nothing to match against",
                             {},
                             "--against INPUT"});
  ProgressTeller progress(kName, request);
  StopOnSignal stop;
  auto options = RunOptionsOf<MatchOptions>(request);
  options.window = request.options.window;
  options.action = request.options.action;
  options.stop = stop.flag();
  options.on_progress = [&progress](const Progress& now) {
    progress.Update(now);
  };
  options.against = request.against;
  options.against_input = request.against_input;
  options.passage_tokens = request.passage_tokens;
  options.passage_gap = request.passage_gap;
  const auto summary = Match(options);
  progress.Clear();
  if (!summary) {
    if (summary.error().code == ErrorCode::kInterrupted && stop.signal() != 0)
      return TellInterrupted(kName, request, progress.last(), stop.signal());
    return TellError(kName, summary.error());
  }
  for (const std::string& warning : summary->warnings)
    Tell(kName, "warning: " + warning);
  TellQuarantined(kName, request, summary->quarantined);
  Output out;
  if (request.json)
    out.Write(summary->summary_json);
  else if (!request.quiet)
    out.Write(MatchText(request, *summary));
  const int finished = out.Finish(kName);
  if (!summary->complete) {
    Tell(kName,
         "an input could not be read to its end: the results are of the "
         "rest");
    return kExitFailed;
  }
  return finished;
}

}  // namespace twinset::cli
