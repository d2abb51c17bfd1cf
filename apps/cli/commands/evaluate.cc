// twinset evaluate
#include "twinset/evaluate.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/method_spec.h"
#include "cli/values.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kEvaluateName = "evaluate";

Result<EvaluateOptions> OptionsOf(const Request& request) {
  TWINSET_TRY(CheckJob(request));
  auto options = JobOptionsOf<EvaluateOptions>(request, request.operands);
  TWINSET_ASSIGN(options.methods, ParseMethodSpecs(request));
  options.against = request.against;
  options.measure = request.options.method.measure;
  options.floor = request.floor;
  options.measure_memory = true;
  return options;
}

int RunEvaluate(const Request& request) {
  auto options = OptionsOf(request);
  if (!options) return TellError(kEvaluateName, options.error());
  return RunToResult(kEvaluateName, request, *options, Evaluate);
}

Status Thresholds(const Values& values, Request* request) {
  TWINSET_ASSIGN(const Values items, SplitLists(values));
  std::vector<double> thresholds;
  for (const std::string& item : items) {
    TWINSET_ASSIGN(const double threshold, ParseNumber(item));
    if (!(threshold > 0 && threshold <= 1))
      return Fail(ErrorCode::kUsage,
                  fmt::format("'{}' is not above 0 and at most 1", item));
    thresholds.push_back(threshold);
  }
  if (!thresholds.empty())
    request->Of<EvaluateOptions>().thresholds = std::move(thresholds);
  return {};
}

// One of the rules, or a file of judged pairs.
Status TruthOf(const Values& values, Request* request) {
  const auto truth = FindChoice<TruthKind>(values.back());
  if (!truth && values.back().empty())
    return Fail(ErrorCode::kUsage, "no file of judged pairs is named");
  auto& options = request->Of<EvaluateOptions>();
  options.judged = truth ? "" : values.back();
  options.truth = truth.value_or(TruthKind::kComplete);
  return {};
}

std::vector<Flag> EvaluateFlags() {
  return {
      {.name = "--methods",
       .value = "SPEC,...",
       .help = "methods to compare; a SPEC is NAME or NAME@FLAG=VALUE@...",
       .long_help = "NAME is a method or a preset of one, FLAG a flag of a "
                    "method or of what is compared, without its dashes: "
                    "simhash@distance=5@sketch-shingle=word:2+word:3. Flags "
                    "given beside --methods count for all. May be repeated.",
       .kind = ValueKind::kMethod,
       .list = true,
       .set = SetRepeated<&Request::methods>},
      {.name = "--thresholds",
       .value = "T,...",
       .help = "least similarities of a true pair, each above 0 and at most 1",
       .long_help = "Methods whose parameters follow from the threshold are "
                    "run anew for each.",
       .default_text = "0.8",
       .list = true,
       .set = Thresholds},
      {.name = "--truth",
       .value = "WHAT",
       .help = "complete, none, or a file of judged pairs",
       .long_help = "complete: every pair at the threshold, by the complete "
                    "join. none: recall is estimated by capture-recapture over "
                    "the methods. A file has rows with a, b and label or "
                    "similarity; with labels, only these pairs are judged.",
       .default_text = "complete",
       .kind = ValueKind::kFile,
       .choices = {"complete", "none"},
       .set = TruthOf},
      {.name = "--relevant",
       .value = "LABEL",
       .help = "with --truth FILE, labels from here on count as duplicates",
       .default_text = "1",
       .needs = "--truth",
       .set = SetNumber<&EvaluateOptions::relevant>},
      {.name = "--sample",
       .value = "N",
       .help = "true pairs whose kind of difference is looked at; 0: none",
       .long_help = "And a quarter as many false pairs of each method.",
       .default_text = "1000",
       .set = SetCount<&EvaluateOptions::sample>}};
}

Command EvaluateCommand() {
  return {
      .name = "evaluate",
      .group = CommandGroup::kStudies,
      .front_page = 9,
      .operands = "INPUT...",
      .help = "methods measured against the truth on a corpus of your own",
      .long_help =
          "Runs each method and compares the pairs that it names by itself, "
          "before any is verified exactly, with all true pairs: precision, "
          "recall and F1 with intervals, candidates, time and memory, apart "
          "for pairs of one host and of two, by similarity, and by kind of "
          "difference. The folder given with --out gets evaluation.json, .csv "
          "and .html.",
      .examples = {{"twinset evaluate corpus.jsonl --methods minhash,simhash "
                    "--thresholds 0.8,0.9 --out study",
                    "two methods at two thresholds"},
                   {"twinset evaluate corpus.jsonl --methods "
                    "simhash@distance=3,simhash@distance=5 --out study",
                    "a method with itself"},
                   {"twinset evaluate corpus.jsonl --methods minhash,simhash "
                    "--truth labels.tsv --out study",
                    "against labelled pairs"}},
      .everyday = {"--methods", "--thresholds", "--truth", "--out",
                   "--relevant", "--sample", "--measure", "--shingle",
                   "--text-field", "--id-field", "--json", "--overwrite",
                   "--threads", "--memory", "--quiet"},
      .parameters = {.groups = kComparing,
                     .but = {"method", "threshold", "bucket-limit", "verify",
                             "max-df"}},
      .shared = Join(
          {kRecordFlags,
           {"--out", "--overwrite", "--json", "--floor", "--site", "--against",
            "--files-from", "--null", "--features-field", "--language",
            "--page-kind", "--digest", "--threads", "--memory", "--tmp",
            "--key", "--simd", "--progress", "--config"}}),
      .texts = {{.name = "--bands", .default_text = "(from --thresholds)"},
                {.name = "--rows", .default_text = "(from --thresholds)"},
                {.name = "--out",
                 .help = "folder for the tables",
                 .long_help =
                     "Holds evaluation.json, evaluation.csv and "
                     "evaluation.html. A folder that exists is refused unless "
                     "--overwrite is given, and always when it holds an input "
                     "or anything that twinset did not make."},
                {.name = "--json",
                 .help = "print evaluation.json instead of a table"},
                kPresetsOfMethods,
                kTmpInResults},
      .flags = EvaluateFlags(),
      .refusals = {{{"--report"},
                    "it always writes evaluation.html into --out",
                    "leave it out"},
                   kBeginsAnew,
                   kPassesOver,
                   {{"--format"}, "it writes JSON, CSV and HTML"}},
      .run = RunEvaluate};
}

}  // namespace

const Registration kEvaluate(EvaluateCommand);

}  // namespace twinset::cli
