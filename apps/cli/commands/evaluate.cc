// twinset evaluate
#include "twinset/evaluate.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/method_spec.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/values.h"
#include "twinset/names.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kEvaluateName = "evaluate";

std::string Share(const Proportion& p) {
  if (p.value == 0 && p.low == 0 && p.high == 1 && p.no_interval.empty())
    return "-";
  return fmt::format("{:.4f}", p.value);
}

std::string ShareWords(uint64_t count, uint64_t all) {
  return all == 0 ? "-"
                  : fmt::format("{:.4f}", static_cast<double>(count) /
                                              static_cast<double>(all));
}

// Three lines per method and threshold: one for each set of its pairs.
std::string Table(const EvaluationSummary& summary, size_t width) {
  std::string text = fmt::format(
      "{:<{}} {:>5} {:<10} {:>9} {:>9} {:>9} {:>9} {:>7} {:>7} {:>9} {:>7}\n",
      "method", width, "at", "pairs", "true", "found", "correct", "precision",
      "recall", "F1", "documents", "best");
  for (const EvaluationRow& row : summary.rows) {
    for (const EvaluatedSet& set : row.sets) {
      const DocumentFigures& documents = set.documents;
      text += fmt::format(
          "{:<{}} {:>5} {:<10} {:>9} {:>9} {:>9} {:>9} {:>7} {:>7} {:>9} "
          "{:>7}\n",
          Printable(row.label), width, row.threshold, PairSetName(set.set),
          row.real, set.found, set.correct, Share(set.precision),
          Share(set.recall), Share(set.f1),
          ShareWords(documents.found, documents.with_true),
          ShareWords(documents.best_found, documents.with_true));
    }
  }
  return text;
}

std::string CostTable(const EvaluationSummary& summary, size_t width) {
  std::string text = fmt::format(
      "{:<{}} {:>5} {:>9} {:>6} {:>6} {:>7} {:>7} {:>8} {:>6} {:>8} {:>7}\n",
      "candidates", width, "at", "pairs/doc", "median", "75 %", "99 %", "most",
      "sketch B", "keys", "seconds", "peak MB");
  for (const EvaluationRow& row : summary.rows) {
    text += fmt::format(
        "{:<{}} {:>5} {:>9.3f} {:>6} {:>6} {:>7} {:>7} {:>8.1f} {:>6.1f} "
        "{:>8.2f} {:>7.1f}\n",
        Printable(row.label), width, row.threshold, row.candidates_per_document,
        row.spread.median, row.spread.quartile3, row.spread.percentile99,
        row.spread.most, row.sketch_bytes_per_document, row.keys_per_document,
        row.seconds, static_cast<double>(row.peak_bytes) / 1e6);
  }
  return text;
}

std::string Tables(const EvaluationSummary& summary) {
  size_t width = 10;
  for (const EvaluationRow& row : summary.rows)
    width = std::max(width, row.label.size());
  return Table(summary, width) +
         "\ncandidates: what the method proposes. decision: what its sketches "
         "alone accept.\nverified: what exact comparison keeps of it. "
         "documents: share of those with a\ntrue pair of which one is found; "
         "best: the most similar one.\n\n" +
         CostTable(summary, width) +
         "\npairs/doc: pairs proposed, by documents. median to most: of one "
         "document, where a\npair counts at both and copies count too.\n";
}

Result<EvaluateOptions> OptionsOf(const Request& request) {
  TWINSET_TRY(CheckJob(request));
  EvaluateOptions options;
  TWINSET_ASSIGN(options.methods, ParseMethodSpecs(request));
  options.input = request.options.input;
  options.input.inputs = request.operands;
  options.against = request.against;
  options.features = request.options.features;
  options.measure = request.options.method.measure;
  if (!request.thresholds.empty()) options.thresholds = request.thresholds;
  options.floor = request.floor;
  options.truth = request.truth;
  options.judged = request.judged;
  options.relevant = request.relevant;
  options.sample = request.sample;
  options.measure_memory = true;
  options.resources = request.options.resources;
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  return options;
}

int RunEvaluate(const Request& request) {
  auto options = OptionsOf(request);
  if (!options) return TellError(kEvaluateName, options.error());
  ProgressTeller progress(kEvaluateName, request);
  StopOnSignal stop;
  options->stop = stop.flag();
  options->on_progress = [&progress](const Progress& now) {
    progress.Update(now);
  };
  const auto summary = Evaluate(*options);
  progress.Clear();
  if (!summary) {
    if (summary.error().code == ErrorCode::kInterrupted && stop.signal() != 0) {
      Tell(kEvaluateName, "stopped by a signal; nothing can be resumed");
      return 128 + stop.signal();
    }
    return TellError(kEvaluateName, summary.error());
  }
  TellWarnings(kEvaluateName, summary->warnings);
  Output out;
  if (request.json)
    out.Write(SummaryJson(*summary).dump(2) + "\n");
  else if (!request.quiet)
    out.Write(Tables(*summary) +
              fmt::format("\n{} documents; charts and kinds of difference:\n"
                          "  {}\n",
                          NumberText(summary->documents),
                          NameText(options->out + "/evaluation.html")));
  return out.Finish(kEvaluateName);
}

Status Thresholds(const Values& values, Request* request) {
  TWINSET_ASSIGN(const Values items, SplitLists(values));
  request->thresholds.clear();
  for (const std::string& item : items) {
    TWINSET_ASSIGN(const double threshold, ParseNumber(item));
    if (!(threshold > 0 && threshold <= 1))
      return Fail(ErrorCode::kUsage,
                  fmt::format("'{}' is not above 0 and at most 1", item));
    request->thresholds.push_back(threshold);
  }
  return {};
}

// One of the rules, or a file of judged pairs.
Status TruthOf(const Values& values, Request* request) {
  const auto truth = FindChoice<TruthKind>(values.back());
  if (!truth && values.back().empty())
    return Fail(ErrorCode::kUsage, "no file of judged pairs is named");
  request->judged = truth ? "" : values.back();
  request->truth = truth.value_or(TruthKind::kComplete);
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
       .set = SetNumber<&Request::relevant>},
      {.name = "--sample",
       .value = "N",
       .help = "true pairs whose kind of difference is looked at; 0: none",
       .long_help = "And a quarter as many false pairs of each method.",
       .default_text = "1000",
       .set = SetCount<&Request::sample>}};
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
                {.name = "--preset",
                 .long_help =
                     "A preset of a method sets the text and method flags as "
                     "'twinset presets' shows; flags given beside it count "
                     "more. One preset of each kind may be given."},
                {.name = "--tmp", .default_text = "(in the result folder)"}},
      .flags = EvaluateFlags(),
      .refusals = {{{"--report"}, "it always writes evaluation.html"},
                   {{"--resume"}, "it begins anew; give --overwrite"},
                   {{"--strict"},
                    "it passes over bad records and says how many"},
                   {{"--format"}, "it writes JSON, CSV and HTML"}},
      .run = RunEvaluate};
}

}  // namespace

const Registration kEvaluate(EvaluateCommand);

}  // namespace twinset::cli
