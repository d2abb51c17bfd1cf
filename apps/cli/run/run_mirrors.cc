// twinset mirrors.
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

constexpr std::string_view kMirrorsName = "mirrors";

void WriteTable(const MirrorsOptions& options, const MirrorsResult& result,
                bool quiet, Output* out) {
  if (!result.mirrors.empty())
    out->Line(fmt::format("{:>10} {:>10} {:>8}  {}", "parallel", "duplicates",
                          "share", "prefixes"));
  for (const Mirror& mirror : result.mirrors)
    out->Line(fmt::format("{:>10} {:>10} {:>6.1f} %  {}  {}",
                          Grouped(mirror.parallel), Grouped(mirror.duplicates),
                          100 * mirror.share, Printable(mirror.a),
                          Printable(mirror.b)));
  for (const DeadPage& page : result.dead) {
    const bool any = !page.alternatives.empty();
    out->Line(fmt::format(
        "{}  {}", Printable(page.url),
        any ? fmt::format("{} ({} {:.3f})", Printable(page.alternatives[0].url),
                          page.alternatives[0].by,
                          page.alternatives[0].confidence)
            : "no alternative"));
  }
  if (quiet) return;
  out->Line(fmt::format("{} mirror{}; {} of {} documents stand on one too",
                        result.mirrors.size(),
                        result.mirrors.size() == 1 ? "" : "s",
                        Grouped(result.mirrored), Grouped(result.documents)));
  if (!options.dead.empty())
    out->Line(fmt::format("{} of {} dead addresses have an alternative",
                          Grouped(result.rescued),
                          Grouped(result.dead.size())));
  WriteSides(result.sides, out);
}

}  // namespace

int RunMirrors(const Request& request) {
  if (request.operands.empty())
    return TellError(
        kMirrorsName,
        {ErrorCode::kUsage, "no run is given", {}, "twinset mirrors RUN"});
  MirrorsOptions options = request.study->mirrors;
  options.run = request.operands[0];
  options.input = request.options.input;
  options.input.inputs.assign(request.operands.begin() + 1,
                              request.operands.end());
  CopyFolder(request, &options);
  ProgressTeller progress(kMirrorsName, request);
  const StopOnSignal stop;
  options.stop = stop.flag();
  options.on_progress = [&progress](const Progress& now) {
    progress.Update(now);
  };
  const auto result = FindMirrors(options);
  progress.Clear();
  if (!result)
    return TellErrorOrStop(kMirrorsName, result.error(), stop.signal());
  TellWarnings(kMirrorsName, result->warnings);
  if (result->bad_dead > 0)
    Tell(kMirrorsName, fmt::format("{} line{} of --dead {} no address{}",
                                   Grouped(result->bad_dead),
                                   result->bad_dead == 1 ? "" : "s",
                                   result->bad_dead == 1 ? "is" : "are",
                                   result->bad_dead == 1 ? "" : "es"));
  Output out;
  if (request.json)
    out.Write(result->summary_json);
  else
    WriteTable(options, *result, request.quiet, &out);
  return out.Finish(kMirrorsName);
}

}  // namespace twinset::cli
