// twinset traps.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/studies.h"
#include "cli/values.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kTrapsName = "traps";

// Wide enough for "no answer"; nothing when no host was asked.
std::string ProbeColumn(const Trap& trap, std::string_view text) {
  return trap.probe ? fmt::format("{:<9}  ", text) : "";
}

void WriteTable(const TrapsResult& result, bool quiet, Output* out) {
  if (!result.traps.empty())
    out->Line(fmt::format(
        "{:>7} {:>7} {:>8}  {:<8}  {}{}", "urls", "of", "share", "kind",
        ProbeColumn(result.traps.front(), "probe"), "host and pattern"));
  for (const Trap& trap : result.traps)
    out->Line(fmt::format("{:>7} {:>7} {:>6.1f} %  {:<8}  {}{}{}", trap.urls,
                          trap.of, 100 * trap.share, ChoiceName(trap.kind),
                          ProbeColumn(trap, ProbeText(trap)),
                          Printable(trap.host), Printable(trap.pattern)));
  if (quiet) return;
  out->Line(fmt::format("{} trap{} with {} of {} documents, on {} host{}",
                        result.traps.size(),
                        result.traps.size() == 1 ? "" : "s",
                        Grouped(result.trapped), Grouped(result.documents),
                        Grouped(result.hosts), result.hosts == 1 ? "" : "s"));
}

// Hosts that gave no answer, with the reason of the first.
void TellSilent(const std::vector<Trap>& traps) {
  uint64_t silent = 0;
  std::string reason;
  for (const Trap& trap : traps) {
    if (!trap.probe || trap.probe->status != 0) continue;
    if (silent++ == 0) reason = trap.probe->reason;
  }
  if (silent == 0) return;
  Tell(kTrapsName,
       fmt::format("{} probe{} without an answer; the first: {}",
                   Grouped(silent), silent == 1 ? "" : "s", Printable(reason)));
}

}  // namespace

int RunTraps(const Request& request) {
  TrapsOptions options = request.study->traps;
  options.input = request.options.input;
  options.input.inputs = request.operands;
  options.features = request.options.features;
  CopyFolder(request, &options);
  options.fetching = request.study->fetching;
  const StopOnSignal stop;
  options.stop = stop.flag();
  uint64_t quarantined = 0;
  const auto result = FindTraps(options, [&](const RejectedRecord& record) {
    quarantined += record.quarantined;
  });
  if (!result)
    return TellErrorOrStop(kTrapsName, result.error(), stop.signal());
  Output out;
  if (request.json) {
    for (const Trap& trap : result->traps)
      if (!out.Line(TrapJson(trap))) break;
  } else {
    WriteTable(*result, request.quiet, &out);
  }
  TellQuarantined(kTrapsName, quarantined);
  if (result->without_url > 0)
    Tell(kTrapsName,
         fmt::format("{} document{} without an address; they are in no "
                     "trap",
                     Grouped(result->without_url),
                     result->without_url == 1 ? "" : "s"));
  TellSilent(result->traps);
  return out.Finish(kTrapsName);
}

}  // namespace twinset::cli
