// twinset sample.
#include <fmt/format.h>

#include <algorithm>

#include "commands.h"
#include "output.h"
#include "progress.h"
#include "studies.h"
#include "twinset/sample.h"
#include "values.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kName = "sample";

std::string EngineTable(const SampleSummary& summary) {
  size_t width = 6;
  for (const SampledEngine& engine : summary.engines)
    width = std::max(width, engine.name.size());
  std::string text =
      fmt::format("{:<{}} {:>8} {:>9} {:>8} {:>8} {:>11} {:>9} {:>9}\n",
                  "engine", width, "pages", "queries", "failed", "empty",
                  "overflowing", "fetched", "rejected");
  for (const SampledEngine& engine : summary.engines) {
    text += fmt::format("{:<{}} {:>8} {:>9} {:>8} {:>8} {:>11} {:>9} {:>9}\n",
                        Printable(engine.name), width, Grouped(engine.rows),
                        Grouped(engine.asked), Grouped(engine.failed),
                        Grouped(engine.empty), Grouped(engine.overflowing),
                        Grouped(engine.fetched), Grouped(engine.rejected));
  }
  return text;
}

std::string OverlapTable(const SampleSummary& summary) {
  if (summary.overlaps.empty()) return "";
  size_t width = 6;
  for (const SampledOverlap& overlap : summary.overlaps)
    width = std::max({width, overlap.x.size(), overlap.y.size()});
  std::string text =
      fmt::format("\n{:<{}} {:<{}} {:>8} {:>8} {:>9}\n", "of", width, "in",
                  width, "share", "found", "checked");
  for (const SampledOverlap& overlap : summary.overlaps) {
    text += fmt::format("{:<{}} {:<{}} {:>8.4f} {:>8} {:>9}\n",
                        Printable(overlap.x), width, Printable(overlap.y),
                        width, overlap.fraction, Grouped(overlap.found),
                        Grouped(overlap.checked));
  }
  return text;
}

}  // namespace

int RunSample(const Request& request) {
  if (const Status status = CheckRandomIpFlags(request); !status)
    return TellError(kName, status.error());
  if (request.study->sample.sampler.name == "random-ip")
    return RunRandomIp(request);
  SampleOptions options = request.study->sample;
  options.engines = request.operands;
  options.sampler.seed = request.options.method.seed;
  options.out = request.options.out;
  options.report = request.options.report;
  options.overwrite = request.options.overwrite;
  options.resume = request.options.resume;
  ProgressLine progress(StderrIsTerminal() && !request.quiet);
  StopOnSignal stop;
  options.stop = stop.flag();
  options.on_progress = [&progress](const Progress& now) {
    progress.Update(now);
  };
  const auto summary = DrawSample(options);
  progress.Clear();
  if (!summary) {
    if (summary.error().code == ErrorCode::kInterrupted && stop.signal() != 0) {
      Tell(kName,
           "stopped by a signal; the same command with --resume goes on");
      return 128 + stop.signal();
    }
    return TellError(kName, summary.error());
  }
  for (const std::string& warning : summary->warnings)
    Tell(kName, "warning: " + warning);
  Output out;
  if (request.json) {
    out.Write(summary->summary_json);
  } else if (!request.quiet) {
    out.Write(EngineTable(*summary) + OverlapTable(*summary) +
              fmt::format("\n{} pages are in {}\n", Grouped(summary->rows),
                          Printable(options.out + "/sample.jsonl")));
  }
  return out.Finish(kName);
}

}  // namespace twinset::cli
