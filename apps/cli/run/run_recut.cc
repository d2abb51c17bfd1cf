// twinset recut
#include "cli/commands.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/summary.h"
#include "twinset/recut.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kRecutName = "recut";

Status CheckRecut(const Request& request) {
  if (request.operands.size() != 1) {
    return Fail(ErrorCode::kUsage,
                request.operands.empty() ? "no saved run is given"
                                         : "more than one saved run is given",
                {}, "a folder of dedup --save");
  }
  if (request.options.out.empty()) {
    return Fail(ErrorCode::kUsage, "no folder for the results is given", {},
                "--out DIR");
  }
  return {};
}

RecutOptions OptionsOf(const Request& request) {
  const FlagOptions& from = request.options;
  RecutOptions options;
  options.saved = request.operands[0];
  options.out = from.out;
  options.report = from.report;
  options.kinds = from.kinds;
  options.overwrite = from.overwrite;
  options.resources = from.resources;
  const auto take = [&](std::string_view flag, const auto& value, auto* to) {
    if (IsGiven(request, flag)) *to = value;
  };
  take("--threshold", from.method.threshold, &options.threshold);
  take("--keep", from.keep, &options.keep);
  take("--prefer", from.prefer, &options.prefer);
  take("--stats-by", from.stats_by, &options.stats_by);
  take("--cluster", from.cluster, &options.cluster);
  take("--pairs", from.pairs, &options.pairs);
  take("--action", from.action, &options.action);
  take("--format", from.output_format, &options.output_format);
  return options;
}

}  // namespace

int RunRecut(const Request& request) {
  if (const Status status = CheckRecut(request); !status)
    return TellError(kRecutName, status.error());
  ProgressTeller progress(kRecutName, request);
  StopOnSignal stop;
  RecutOptions options = OptionsOf(request);
  options.stop = stop.flag();
  options.on_progress = [&progress](const Progress& now) {
    progress.Update(now);
  };
  const auto summary = Recut(options);
  progress.Clear();
  if (!summary) {
    if (summary.error().code == ErrorCode::kInterrupted && stop.signal() != 0) {
      Tell(kRecutName,
           "stopped by a signal: nothing is kept, and the saved run is as it "
           "was; begin anew with --overwrite");
      return 128 + stop.signal();
    }
    return TellError(kRecutName, summary.error());
  }
  TellWarnings(kRecutName, summary->warnings);
  Output out;
  if (request.json) {
    out.Write(summary->summary_json);
  } else if (!request.quiet) {
    Request shown = request;
    shown.operands.clear();  // no inputs that explain could look into
    out.Write(SummaryText(shown, *summary, progress.bytes()));
  }
  const int finished = out.Finish(kRecutName);
  if (!summary->complete) {
    Tell(kRecutName, IncompleteText(request, *summary));
    return kExitFailed;
  }
  return finished;
}

}  // namespace twinset::cli
