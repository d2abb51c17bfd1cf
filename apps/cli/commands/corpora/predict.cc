// twinset predict.
#include "twinset/corpora/predict.h"

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kPredictName = "predict";
void TellBadAddresses(const PredictResult& result) {
  const uint64_t bad = result.lists ? result.lists->bad_lines : 0;
  if (bad > 0)
    Tell(kPredictName,
         CountText(bad, "line is no address", "lines are no addresses") +
             "; see bad.jsonl");
}

int RunPredict(const Request& request) {
  auto options = JobOptionsOf<PredictOptions>(request);
  if (!request.operands.empty()) {
    options.run = request.operands[0];
    options.urls.assign(request.operands.begin() + 1, request.operands.end());
  }
  options.seed = request.options.method.seed;
  return RunToResult(kPredictName, request, options, PredictDuplicates,
                     TellBadAddresses);
}

std::vector<Flag> PredictFlags() {
  return {
      {.name = "--rules",
       .value = "FILE",
       .help = "rules.jsonl of an earlier folder, in place of learning",
       .default_text = "(learnt from the run)",
       .kind = ValueKind::kFile,
       .set = SetText<&PredictOptions::rules>},
      {.name = "--probability",
       .value = "P",
       .help =
           "least probability at which an address is said to be a duplicate",
       .default_text = "0.8",
       .set = SetShare<&PredictOptions::probability>},
      {.name = "--least-support",
       .value = "N",
       .help = "pages that a rule must have been tried on",
       .default_text = "5",
       .set = SetInt<1, 1000000000, &PredictOptions::least_support>},
      {.name = "--folds",
       .value = "N",
       .help = "folds of the cross-validation, 2 to 20; 0: none",
       .default_text = "5",
       .set = SetInt<0, 20, &PredictOptions::folds>}};
}

Command PredictCommand() {
  return {
      .name = "predict",
      .group = CommandGroup::kStudies,
      .operands = "RUN [URLS...]",
      .help = "which addresses are duplicates, without fetching them",
      .long_help =
          "Learns from a finished run of dedup what in an address says nothing "
          "of its page: parameters, mirrored hosts and folders, parts as "
          "/print/, spellings as www. Each rule has the pages it was tried on, "
          "its errors and a lower bound. For each address of URLS, lists of "
          "any size, predictions.jsonl says of which page of the run it is a "
          "duplicate, by which rule, and how probably.\n\nCross-validation "
          "tells how many downloads are saved and how many new pages lost at "
          "three probabilities, on new hosts and on known ones.",
      .examples = {{"twinset predict dups --out rules --report",
                    "rules, what they save"},
                   {"twinset predict dups frontier.txt --out answers",
                    "and answers for a list"},
                   {"twinset predict dups new.txt --rules rules/rules.jsonl "
                    "--out answers",
                    "with rules that were learnt before"}},
      .everyday = {"--out", "--rules", "--probability", "--least-support",
                   "--folds", "--seed", "--report", "--id-field", "--url-field",
                   "--json", "--overwrite", "--memory", "--quiet"},
      .parameters = {.also = {"seed"}},
      .shared = Join({kRecordFlags,
                      {"--out", "--report", "--overwrite", "--json", "--memory",
                       "--progress", "--config"}}),
      .texts = {{.name = "--seed", .help = "of the folds", .long_help = ""},
                {.name = "--out",
                 .help = "folder for the rules and the answers",
                 .long_help =
                     "Holds rules.jsonl, validation.csv, page.json and "
                     "summary.json, and with URLS predictions.jsonl and "
                     "bad.jsonl. A folder that exists is refused unless "
                     "--overwrite is given, and always when it holds an input "
                     "or anything that twinset did not make."}},
      .flags = PredictFlags(),
      .refusals = {kReadsRunOnOneThread, kNoWorkFiles, kBeginsAnew, kPassesOver,
                   kPrintsText},
      .run = RunPredict};
}

}  // namespace

const Registration kPredict(PredictCommand);

}  // namespace twinset::cli
