// twinset evaluate
#include <fmt/format.h>

#include "commands.h"
#include "job.h"
#include "method_spec.h"
#include "output.h"
#include "progress.h"
#include "twinset/evaluate.h"
#include "values.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kName = "evaluate";

std::string Share(const Proportion& p) {
  if (p.value == 0 && p.low == 0 && p.high == 1 && p.no_interval.empty())
    return "-";
  return fmt::format("{:.4f}", p.value);
}

std::string Table(const EvaluationSummary& summary) {
  size_t width = 6;
  for (const EvaluationRow& row : summary.rows)
    width = std::max(width, row.label.size());
  std::string text = fmt::format(
      "{:<{}} {:>5} {:>9} {:>9} {:>9} {:>9} {:>7} {:>7} {:>9} {:>8} {:>7}\n",
      "method", width, "at", "true", "found", "correct", "precision", "recall",
      "F1", "cand/doc", "seconds", "peak MB");
  for (const EvaluationRow& row : summary.rows)
    text += fmt::format(
        "{:<{}} {:>5} {:>9} {:>9} {:>9} {:>9} {:>7} {:>7} {:>9.3f} {:>8.2f} "
        "{:>7.1f}\n",
        Printable(row.label), width, row.threshold, row.real, row.found,
        row.correct, Share(row.precision), Share(row.recall), Share(row.f1),
        row.candidates_per_document, row.seconds,
        static_cast<double>(row.peak_bytes) / 1e6);
  return text;
}

Result<EvaluateOptions> OptionsOf(const Request& request) {
  TWINSET_TRY(CheckJob(request));
  EvaluateOptions options;
  TWINSET_ASSIGN(options.methods, ParseMethodSpecs(request));
  options.input = request.options.input;
  options.input.inputs = request.operands;
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
  if (!options) return TellError(kName, options.error());
  ProgressTeller progress(kName, request);
  StopOnSignal stop;
  options->stop = stop.flag();
  options->on_progress = [&progress](const Progress& now) {
    progress.Update(now);
  };
  const auto summary = Evaluate(*options);
  progress.Clear();
  if (!summary) {
    if (summary.error().code == ErrorCode::kInterrupted && stop.signal() != 0) {
      Tell(kName, "stopped by a signal; nothing can be resumed");
      return 128 + stop.signal();
    }
    return TellError(kName, summary.error());
  }
  for (const std::string& warning : summary->warnings)
    Tell(kName, "warning: " + warning);
  Output out;
  if (request.json)
    out.Write(summary->evaluation_json);
  else if (!request.quiet)
    out.Write(Table(*summary) +
              fmt::format("\n{} documents; the rest is in {}\n",
                          Grouped(summary->documents), options->out));
  return out.Finish(kName);
}

}  // namespace twinset::cli
