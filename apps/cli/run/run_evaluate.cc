// twinset evaluate
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/method_spec.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/values.h"
#include "twinset/evaluate.h"
#include "twinset/names.h"

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

// Three lines a method and threshold: one for each set of its pairs.
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

}  // namespace

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
    out.Write(summary->evaluation_json);
  else if (!request.quiet)
    out.Write(Tables(*summary) +
              fmt::format("\n{} documents; charts and kinds of difference:\n"
                          "  {}\n",
                          Grouped(summary->documents),
                          NameText(options->out + "/evaluation.html")));
  return out.Finish(kEvaluateName);
}

}  // namespace twinset::cli
