// twinset leak.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/line_counts.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/studies.h"
#include "cli/values.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kLeakName = "leak";

void WriteTable(const LeakResult& result, bool quiet, Output* out) {
  out->Line(fmt::format("{:>9} {:>9} {:>9} {:>9} {:>9} {:>9}  {}", "items",
                        "whole", "embedded", "share", "short", "s. embed.",
                        "split"));
  for (const LeakSplit& split : result.splits) {
    out->Line(fmt::format("{:>9} {:>9} {:>9} {:>7.1f} % {:>9} {:>9}  {}",
                          Grouped(split.items), Grouped(split.whole),
                          Grouped(split.embedded),
                          100 * static_cast<double>(split.leaked()) /
                              static_cast<double>(split.items),
                          Grouped(split.shorts), Grouped(split.short_embedded),
                          Printable(split.name)));
  }
  if (!quiet)
    out->Line(fmt::format("{} of {} items stand in {} of {} training documents",
                          Grouped(result.leaked()), Grouped(result.items()),
                          Grouped(result.leaking_documents),
                          Grouped(result.training_documents)));
  if (!quiet) WriteSides(result.sides, out);
}

}  // namespace

int RunLeak(const Request& request) {
  LeakOptions options = request.study->leak;
  options.input = request.options.input;
  options.input.inputs = request.operands;
  options.features = request.options.features;
  CopyFolder(request, &options);
  ProgressTeller progress(kLeakName, request);
  const StopOnSignal stop;
  options.stop = stop.flag();
  options.on_progress = [&progress](const Progress& now) {
    progress.Update(now);
  };
  const auto result = FindLeaks(options);
  progress.Clear();
  if (!result) return TellErrorOrStop(kLeakName, result.error(), stop.signal());
  TellWarnings(kLeakName, result->warnings);
  TellQuarantined(kLeakName, result->quarantined);
  Output out;
  if (request.json)
    out.Write(result->summary_json);
  else
    WriteTable(*result, request.quiet, &out);
  return out.Finish(kLeakName);
}

}  // namespace twinset::cli
