// twinset study.
#include "twinset/study.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kStudyName = "study";

std::string PartOfWhole(const Json& share) {
  return fmt::format("{} of {}", NumberText(share.value("part", uint64_t{0})),
                     NumberText(share.value("whole", uint64_t{0})));
}

void WriteStudyTable(const StudyResult& result, const std::string& folder,
                     Output* out) {
  const Json study = result.json;
  for (const Json& step : study["mixes"])
    for (const Json& mix : step["mixes"])
      out->Line(fmt::format("{:<5} {:<16} found {:>9}  precision {}",
                            step.value("content", ""), mix.value("mix", ""),
                            NumberText(mix.value("found", uint64_t{0})),
                            PartOfWhole(mix["precision"])));
  for (const Json& step : study["transfer"])
    out->Line(fmt::format("{:<5} judgements with a target: {}",
                          step.value("content", ""),
                          PartOfWhole(step["judgements_with_target"])));
  for (const Json& step : study["carry_over_by_content"]) {
    for (const char* condition : {"mapped", "anew", "anew_condensed"}) {
      const Json& part = step[condition];
      const std::string content = step.value("content", "");
      if (part["tau_b"].is_number())
        out->Line(fmt::format("{:<5} tau {:<15} {:.3f}", content, condition,
                              part["tau_b"].get<double>()));
      else if (part["undefined"].is_string())
        out->Line(fmt::format("{:<5} tau {:<15} undefined: {}", content,
                              condition, part.value("undefined", "")));
    }
  }
  std::string read;
  for (const Json& side : study["sides"]) {
    const bool is_documents = side.contains("documents");
    read += fmt::format(
        "{}{} {}: {} {} of {} records", read.empty() ? "" : "; ",
        side.value("side", ""), side.value("input", ""),
        NumberText(
            side.value(is_documents ? "documents" : "judgements", uint64_t{0})),
        is_documents ? "documents" : "judgements",
        NumberText(side.value("records", uint64_t{0})));
  }
  out->Line("read: " + Printable(read));
  out->Line(fmt::format("{}/report.html shows all of it", Printable(folder)));
}

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
    options.on_step = [](const StudyStep& step) {
      std::string text =
          fmt::format("step {} of {}: {}", step.number, step.of, step.name);
      if (step.seconds >= 1)
        text += fmt::format(", {} so far", SecondsText(step.seconds));
      if (step.search_seconds_left && *step.search_seconds_left >= 1)
        text += fmt::format("; the searches left take about {}",
                            SecondsText(*step.search_seconds_left));
      Tell(kStudyName, text);
    };
  const auto result = RunStudy(options);
  if (!result)
    return TellErrorOrStop(kStudyName, result.error(), stop.signal());
  TellWarnings(kStudyName, result->warnings);
  Output out;
  if (request.json)
    out.Write(SummaryJson(*result).dump(2) + "\n");
  else if (!request.quiet)
    WriteStudyTable(*result, options.out, &out);
  return out.Finish(kStudyName);
}

Command StudyCommand() {
  return {
      .name = "study",
      .group = CommandGroup::kStudies,
      .operands = "STUDY.toml",
      .help = "whether judgements of one collection serve another",
      .long_help =
          "STUDY.toml names collections A and B, the judgements of A and, to "
          "compare systems, topics; docs/formats/study.md has its keys. Paths "
          "in it are relative to its folder.\n\nIn order: grades of the "
          "judgements, common addresses and how alike their documents are, "
          "candidates by segment of B and mix of n-grams, what each mix finds "
          "and misses, precision and recall, extrapolation from some segments "
          "to all, transferred judgements by grade and topic, and whether a "
          "comparison of retrieval systems carries over.",
      .examples = {{"twinset study STUDY.toml --out study",
                    "all steps, and report.html"},
                   {"twinset study STUDY.toml --out study --resume",
                    "goes on where it was stopped"},
                   {"twinset report study --figures figures",
                    "tables and drawings for a paper"}},
      .everyday = {"--out", "--json", "--overwrite", "--resume", "--threads",
                   "--memory", "--tmp", "--quiet"},
      .shared = {"--out", "--overwrite", "--resume", "--json", "--threads",
                 "--memory", "--tmp"},
      .texts =
          {{.name = "--out",
            .help = "folder for the study",
            .long_help = "Holds what each step found, numbers.csv, page.json, "
                         "report.html and study.json, which is written last. A "
                         "folder that exists is refused unless --overwrite or "
                         "--resume is given, and always when it holds an input "
                         "or anything that twinset did not make."},
           {.name = "--resume",
            .help = "keep the steps that an interrupted study has finished",
            .long_help = "Give the same command again and add this flag. A "
                         "changed configuration or input is refused."},
           {.name = "--json", .help = "print study.json instead of a table"}},
      .refusals = {{{"--seed"}, "the configuration names it"},
                   {{"--strict"}, "it passes over bad records"},
                   {{"--format"}, "it writes JSON, CSV and HTML"}},
      .run = RunStudyFile};
}

}  // namespace

const Registration kStudy(StudyCommand);

}  // namespace twinset::cli
