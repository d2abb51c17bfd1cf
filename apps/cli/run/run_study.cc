// twinset study.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/json.h"
#include "twinset/study.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kStudyName = "study";

std::string PartOfWhole(const Json& share) {
  return fmt::format("{} of {}", Grouped(share.value("part", uint64_t{0})),
                     Grouped(share.value("whole", uint64_t{0})));
}

void WriteStudyTable(const StudyResult& result, const std::string& folder,
                     Output* out) {
  const Json study = Json::Parse(result.study_json);
  for (const Json& step : study["mixes"])
    for (const Json& mix : step["mixes"])
      out->Line(fmt::format("{:<5} {:<16} found {:>9}  precision {}",
                            step.value("content", ""), mix.value("mix", ""),
                            Grouped(mix.value("found", uint64_t{0})),
                            PartOfWhole(mix["precision"])));
  for (const Json& step : study["transfer"])
    out->Line(fmt::format("{:<5} judgements with a target: {}",
                          step.value("content", ""),
                          PartOfWhole(step["judgements_with_target"])));
  for (const char* condition : {"mapped", "anew", "anew_condensed"}) {
    const Json& tau = study["carry_over"][condition]["tau_b"];
    if (tau.is_number())
      out->Line(fmt::format("tau {:<15} {:.3f}", condition, tau.get<double>()));
  }
  out->Line(fmt::format("{}/report.html shows all of it", Printable(folder)));
}

}  // namespace

int RunStudyFile(const Request& request) {
  if (request.operands.size() != 1)
    return TellError(kStudyName, {ErrorCode::kUsage,
                                  "one configuration file is wanted",
                                  {},
                                  "twinset study STUDY.toml --out DIR"});
  StudyOptions options;
  options.config = request.operands[0];
  options.resources = request.options.resources;
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  options.resume = request.options.resume;
  const StopOnSignal stop;
  options.stop = stop.flag();
  if (!request.quiet)
    options.on_step = [](const std::string& step) { Tell(kStudyName, step); };
  const auto result = RunStudy(options);
  if (!result)
    return TellErrorOrStop(kStudyName, result.error(), stop.signal());
  TellWarnings(kStudyName, result->warnings);
  Output out;
  if (request.json)
    out.Write(result->study_json);
  else if (!request.quiet)
    WriteStudyTable(*result, options.out, &out);
  return out.Finish(kStudyName);
}

}  // namespace twinset::cli
