// twinset sample.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/commands.h"
#include "cli/draw.h"
#include "cli/output.h"
#include "cli/studies.h"
#include "cli/values.h"
#include "twinset/names.h"
#include "twinset/sample.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kSampleName = "sample";

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
    return TellError(kSampleName, status.error());
  if (request.study->sample.sampler.name == "random-ip")
    return RunRandomIp(request);
  SampleOptions options = request.study->sample;
  options.engines = request.operands;
  options.fetching = request.study->fetching;
  options.sampler.seed = request.options.method.seed;
  options.report = request.options.report;
  if (!request.quiet) {
    const double delay_s = options.fetching.delay_ms.value_or(1000) / 1000.0;
    options.on_forecast = [delay_s](const SampleForecast& forecast) {
      const double requests = forecast.queries + forecast.fetches;
      Tell(kSampleName,
           fmt::format("{}: about {:.0f} of {} queries and {:.0f} fetches to "
                       "come; {:.1f} hours where one takes {:g} s",
                       Printable(forecast.engine), forecast.queries,
                       forecast.pool, forecast.fetches,
                       requests * delay_s / 3600, delay_s));
    };
  }
  const std::string rows = request.options.out + "/sample.jsonl";
  return DrawAndTell(
      kSampleName, request, std::move(options),
      [](const SampleOptions& chosen) { return DrawSample(chosen); },
      [&rows](const SampleSummary& summary) {
        return EngineTable(summary) + OverlapTable(summary) +
               fmt::format("\n{} pages are in {}\n", Grouped(summary.rows),
                           NameText(rows));
      });
}

}  // namespace twinset::cli
