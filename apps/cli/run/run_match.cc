// twinset match
#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "cli/commands.h"
#include "cli/forecast_text.h"
#include "cli/job.h"
#include "cli/summary.h"
#include "cli/values.h"
#include "twinset/match.h"
#include "twinset/recut.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kMatchName = "match";

std::string Row(std::string_view head, const std::string& text) {
  return fmt::format("  {:<12} {}\n", head, text);
}

// The command that explains the first pair; empty where explain cannot read
// both sides alike.
std::string ExplainPair(const Request& request) {
  for (const auto& [name, value] : request.given)
    if (name.starts_with("--against-")) return {};
  for (const std::string& side : request.against)
    if (IsSavedRun(side)) return {};
  Request both = request;
  both.operands.insert(both.operands.end(), request.against.begin(),
                       request.against.end());
  return ExplainCommand(both);
}

std::string MatchText(const Request& request, const MatchSummary& summary) {
  const bool containment =
      request.options.method.measure == Measure::kContainment;
  std::string text =
      fmt::format("{} of {} documents of A stand in B ({} documents)\n",
                  Grouped(summary.matched), Grouped(summary.documents_a),
                  Grouped(summary.documents_b));
  if (request.options.limit > 0)
    text += Row("limit", fmt::format("at most {} documents of each side were "
                                     "read",
                                     Grouped(request.options.limit)));
  text += Row("read", Printable(SidesText(summary.sides)));
  text += Row("pairs", Grouped(summary.pairs));
  if (containment) text += Row("passages", Grouped(summary.passages));
  text += Row("dropped", Grouped(summary.dropped));
  text += PlaceRows(request.options);
  text += Row("time", HumanSeconds(summary.seconds));
  if (const std::string explain = ExplainPair(request); !explain.empty())
    text += fmt::format("\nWhat made the first pair one? Try:\n  {}\n",
                        Printable(explain));
  const std::string advice = PageAdvice(request.options);
  if (summary.pairs > 0 && !advice.empty()) text += "\n" + advice;
  return text;
}

}  // namespace

int RunMatch(const Request& request) {
  if (const Status status = CheckJob(request); !status)
    return TellError(kMatchName, status.error());
  if (request.against.empty())
    return TellError(kMatchName, {ErrorCode::kUsage,
                                  "there is nothing to match against",
                                  {},
                                  "--against INPUT"});
  auto options = RunOptionsOf<MatchOptions>(request);
  options.window = request.options.window;
  options.action = request.options.action;
  options.against = request.against;
  options.against_input = request.against_input;
  options.passage_tokens = request.passage_tokens;
  options.passage_gap = request.passage_gap;
  if (request.dry_run)
    return TellForecast(kMatchName, request, std::move(options), ForecastMatch);
  return RunJob(
      kMatchName, request, std::move(options), Match,
      [&](const MatchSummary& summary, uint64_t) {
        return MatchText(request, summary);
      },
      [](const MatchSummary&) {
        return "an input could not be read to its end: the results are of the "
               "rest";
      });
}

}  // namespace twinset::cli
