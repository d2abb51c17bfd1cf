// twinset assess.
#include "twinset/corpora/assess.h"

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/output.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kAssessName = "assess";

int RunScore(const Request& request) {
  auto options = JobOptionsOf<ScoreOptions>(request);
  if (request.operands.size() > 1) options.sample = request.operands[1];
  if (request.operands.size() > 2)
    options.labels.assign(request.operands.begin() + 2, request.operands.end());
  return RunToResult(kAssessName, request, options, ScoreLabels);
}

int RunAssess(const Request& request) {
  if (!request.operands.empty() && request.operands[0] == "score")
    return RunScore(request);
  if (request.options.report)
    return TellError(kAssessName, {ErrorCode::kUsage,
                                   "--report is of assess score",
                                   {},
                                   "the page to judge is written without it"});
  auto options = JobOptionsOf<AssessOptions>(request, request.in);
  options.runs = request.operands;
  options.against = request.against;
  options.seed = request.options.method.seed;
  return RunToResult(kAssessName, request, options, DrawAssessment);
}

std::vector<Flag> AssessFlags() {
  return {
      {.name = "--sample",
       .value = "N",
       .help = "pairs of each run that are drawn",
       .long_help = "Strata share them by their sizes.",
       .default_text = "100",
       .set = SetCount<&AssessOptions::sample>},
      {.name = "--per-stratum",
       .value = "N",
       .help = "pairs of each stratum instead",
       .default_text = "(by --sample)",
       .set = SetInt<1, 10000, &AssessOptions::per_stratum>},
      {.name = "--strata",
       .value = "NAME",
       .help = "what the pairs are divided by: both, similarity, kind or none",
       .long_help = "By twentieths of similarity, by kind where the run has "
                    "kinds, by both, or not at all: a simple sample.",
       .default_text = "both",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<AssessStrata>(),
       .set = SetPick<&AssessOptions::strata>}};
}

Command AssessCommand() {
  return {
      .name = "assess",
      .group = CommandGroup::kStudies,
      .operands = "RUN... | score DIR LABELS...",
      .help = "pairs for people to judge, and what their labels say",
      .long_help =
          "RUN is a folder of --out of dedup, match or recut, or a file of "
          "pairs with --in. Draws pairs from each stratum and writes one page, "
          "assess.html, that any browser opens without a server: both texts "
          "side by side, two questions answered by keys, the similarity "
          "hidden. The page keeps the labels, exports and imports them. A pair "
          "of several runs is judged once.\n\nscore reads the labels of one "
          "assessor or more: the share of pairs that are duplicates, weighted "
          "by the sizes of the strata, with intervals; Cohen's kappa; and what "
          "they disagree on. A file of labels, and truth.jsonl of score, are a "
          "truth for 'twinset evaluate --truth'.",
      .examples =
          {{"twinset assess dups --out judge", "100 pairs by strata, one page"},
           {"twinset assess m2 m3 --strata none --sample 100 --out judge",
            "a simple sample of each of two runs"},
           {"twinset assess score judge labels-*.json --out scores --report",
            "precision with intervals; agreement; a report"}},
      .everyday = {"--out", "--sample", "--per-stratum", "--strata", "--seed",
                   "--in", "--against", "--text-field", "--id-field",
                   "--report", "--json", "--overwrite", "--memory", "--quiet"},
      .parameters = {.also = {"seed", "tokens", "content"}},
      .shared =
          Join({kRecordFlags,
                {"--out", "--report", "--overwrite", "--json", "--against",
                 "--in", "--digest", "--memory", "--progress", "--config"}}),
      .texts =
          {{.name = "--seed", .help = "of the sample", .long_help = ""},
           {.name = "--out",
            .help = "folder for the page; of score, for the tables",
            .long_help =
                "Holds assess.html, sample.json and summary.json; of score "
                "shares.csv, truth.jsonl and disagreements.jsonl too. A folder "
                "that exists is refused unless --overwrite is given, and "
                "always when it holds an input or anything that twinset did "
                "not make."},
           {.name = "--against",
            .help = "where the texts of the second side are"},
           {.name = "--in",
            .help = "where the texts are; by default where the run read them"}},
      .flags = AssessFlags(),
      .refusals = {kReadsRunOnOneThread, kNoWorkFiles, kBeginsAnew, kPassesOver,
                   kPrintsText},
      .run = RunAssess};
}

}  // namespace

const Registration kAssess(AssessCommand);

}  // namespace twinset::cli
