// twinset change.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/line_counts.h"
#include "cli/output.h"
#include "cli/studies.h"
#include "cli/values.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kChangeName = "change";

std::string Days(const std::optional<double>& days) {
  return days ? fmt::format("{:.1f}", *days) : "-";
}

void WriteTable(const ChangeOptions& options, const ChangeResult& result,
                bool quiet, Output* out) {
  if (!quiet) {
    const ChangeFinding finding = FindingOf(options, result);
    out->Line(finding.strong + " " + finding.text);
  }
  std::string head = fmt::format("{:<10}", "to");
  for (const auto& choice : kChoices<PageState>)
    head += fmt::format(" {:>10}", choice.name);
  out->Line(head + fmt::format(" {:>8} {:>8}", "Jaccard", "Dice"));
  for (const ChangeStep& step : result.steps) {
    std::string line = fmt::format("{:<10}", step.to.substr(0, 10));
    for (const uint64_t pages : step.states)
      line += fmt::format(" {:>10}", Grouped(pages));
    out->Line(line + fmt::format(" {:>8.3f} {:>8.3f}", step.mean_jaccard,
                                 step.mean_dice));
  }
  if (quiet) return;
  for (const ChangeCurve& curve : result.curves) {
    if (curve.group != "all") continue;
    out->Line(
        fmt::format("half-life of {}: {} days (95 %: {} to {}); {} of {} "
                    "ended",
                    curve.what, Days(curve.half_life),
                    Days(curve.half_life_low), Days(curve.half_life_high),
                    Grouped(curve.ends), Grouped(curve.watched)));
  }
  const auto needed = static_cast<size_t>(options.lasting) + 2;
  out->Line(
      result.dates.size() < needed
          ? fmt::format("whether new text lasts would show with {} snapshots",
                        needed)
          : fmt::format("{} of {} addresses had new text that lasted",
                        Grouped(result.worth), Grouped(result.pages)));
  std::vector<SideRead> sides = result.sides;
  for (const SideRead& visits : SidesOf({{"visits", &result.visit_lines}}))
    sides.push_back(visits);
  WriteSides(sides, out);
}

}  // namespace

int RunChange(const Request& request) {
  ChangeOptions options = request.study->change;
  options.input = request.options.input;
  options.snapshots = request.operands;
  options.features = request.options.features;
  CopyFolder(request, &options);
  const StopOnSignal stop;
  options.stop = stop.flag();
  const auto result = MeasureChange(options);
  if (!result)
    return TellErrorOrStop(kChangeName, result.error(), stop.signal());
  TellWarnings(kChangeName, result->warnings);
  TellLineCounts(kChangeName, "visits", result->visit_lines);
  TellQuarantined(kChangeName, result->quarantined);
  Output out;
  if (request.json)
    out.Write(result->summary_json);
  else
    WriteTable(options, *result, request.quiet, &out);
  return out.Finish(kChangeName);
}

}  // namespace twinset::cli
