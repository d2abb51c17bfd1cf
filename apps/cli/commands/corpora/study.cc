// twinset study.
#include "twinset/corpora/study.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/output.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kStudyName = "study";

int RunStudyFile(const Request& request) {
  if (request.operands.size() != 1)
    return TellError(kStudyName, {ErrorCode::kUsage,
                                  "one configuration file is wanted",
                                  {},
                                  "twinset study STUDY.toml --out DIR"});
  auto options = JobOptionsOf<StudyOptions>(request);
  options.config = request.operands[0];
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
  return RunToResult(kStudyName, request, options, RunStudy);
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
                   {{"--report"},
                    "it always writes report.html into --out",
                    "leave it out"},
                   {{"--strict"}, "it passes over bad records"},
                   {{"--format"}, "it writes JSON, CSV and HTML"}},
      .run = RunStudyFile};
}

}  // namespace

const Registration kStudy(StudyCommand);

}  // namespace twinset::cli
