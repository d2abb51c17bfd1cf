// twinset dedup
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "commands.h"
#include "job.h"
#include "output.h"
#include "progress.h"
#include "summary.h"
#include "twinset/dedup.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kName = "dedup";

// Whether a flag is about documents that are alike: it says nothing to a run
// over units.
bool IsOfDocuments(const Flag& flag) {
  constexpr std::string_view kNames[] = {"--shingle", "--ignore",   "--max-df",
                                         "--near",    "--template", "--site"};
  return flag.group == FlagGroup::kMethod ||
         flag.group == FlagGroup::kClusters ||
         flag.group == FlagGroup::kScope ||
         std::find(std::begin(kNames), std::end(kNames), flag.name) !=
             std::end(kNames);
}

Status CheckUnitFlags(const Request& request) {
  const bool units = !request.options.unit.empty();
  for (const auto& [name, value] : request.given) {
    for (const Flag& flag : Flags()) {
      if (flag.name != name) continue;
      if (units && IsOfDocuments(flag))
        return Fail(ErrorCode::kUsage,
                    fmt::format("{} does not go with --unit", name), {},
                    "it is about documents that are alike");
      if (!units && flag.group == FlagGroup::kUnits)
        return Fail(ErrorCode::kUsage, fmt::format("{} needs --unit", name), {},
                    "--unit paragraph, line or sentence");
    }
  }
  return {};
}

Status CheckRequest(const Request& request) {
  TWINSET_TRY(CheckJob(request));
  return CheckUnitFlags(request);
}

}  // namespace

int RunDedup(const Request& request) {
  if (const Status status = CheckRequest(request); !status)
    return TellError(kName, status.error());
  ProgressLine progress(StderrIsTerminal() && !request.quiet);
  StopOnSignal stop;
  DedupOptions options = request.options;
  options.input.inputs = request.operands;
  options.stop = stop.flag();
  options.on_progress = [&progress](const Progress& now) {
    progress.Update(now);
  };

  const auto summary = Dedup(options);
  progress.Clear();
  if (!summary) {
    if (summary.error().code == ErrorCode::kInterrupted && stop.signal() != 0)
      return TellInterrupted(kName, request, stop.signal());
    return TellError(kName, summary.error());
  }
  for (const std::string& warning : summary->warnings)
    Tell(kName, "warning: " + warning);
  TellQuarantined(kName, request, summary->quarantined);
  Output out;
  if (request.json) {
    out.Write(summary->summary_json);
    if (summary->summary_json.empty() || summary->summary_json.back() != '\n')
      out.Write("\n");
  } else if (!request.quiet) {
    out.Write(SummaryText(request, *summary, progress.bytes()));
  }
  const int finished = out.Finish(kName);
  if (!summary->complete) {
    Tell(kName, IncompleteText(request, *summary));
    return kExitFailed;
  }
  return finished;
}

}  // namespace twinset::cli
