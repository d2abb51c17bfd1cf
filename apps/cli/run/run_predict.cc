// twinset predict.
#include <fmt/format.h>

#include <span>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/line_counts.h"
#include "cli/output.h"
#include "cli/studies.h"
#include "cli/values.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kPredictName = "predict";
constexpr size_t kShownRules = 20;

void WriteRules(const std::vector<RewriteRule>& rules, Output* out) {
  if (rules.empty()) return;
  out->Line(fmt::format("{:>10} {:>8} {:>9}  {}", "support", "errors",
                        "at least", "rule"));
  for (size_t i = 0; i < rules.size() && i < kShownRules; ++i) {
    const RewriteRule& rule = rules[i];
    out->Line(fmt::format(
        "{:>10} {:>6.1f} % {:>7.1f} %  {} {}{}{}", Grouped(rule.support),
        100 * rule.error_rate(), 100 * rule.low(), ChoiceName(rule.kind),
        Printable(rule.from),
        rule.to.empty() ? "" : " to " + Printable(rule.to),
        rule.host.empty() ? "" : " at " + Printable(rule.host)));
  }
  if (rules.size() > kShownRules)
    out->Line(fmt::format("{} more rules: rules.jsonl",
                          Grouped(rules.size() - kShownRules)));
}

void WriteSavings(std::string_view folds, std::span<const Saving> savings,
                  Output* out) {
  for (const Saving& saving : savings)
    out->Line(fmt::format(
        "{} at {:.2f}: {} of {} duplicates not fetched, {} of {} pages lost",
        folds, saving.probability, Grouped(saving.saved),
        Grouped(saving.duplicates), Grouped(saving.lost),
        Grouped(saving.pages)));
}

void WritePredicted(const PredictOptions& options, const PredictResult& result,
                    Output* out) {
  WriteRules(result.rules, out);
  if (result.validated) {
    WriteSavings("new hosts", result.validation.hosts, out);
    WriteSavings("known hosts", result.validation.pages, out);
  }
  out->Line(fmt::format(
      "{} rule{} from {} addresses", Grouped(result.rules.size()),
      result.rules.size() == 1 ? "" : "s", Grouped(result.addresses)));
  if (!options.urls.empty())
    out->Line(fmt::format(
        "{} of {} addresses are predicted to be duplicates, {} are known",
        Grouped(result.predicted), Grouped(result.lines - result.bad_lines),
        Grouped(result.known)));
  WriteSides(result.sides, out);
}

}  // namespace

int RunPredict(const Request& request) {
  PredictOptions options = request.study->predict;
  if (!request.operands.empty()) {
    options.run = request.operands[0];
    options.urls.assign(request.operands.begin() + 1, request.operands.end());
  }
  options.input = request.options.input;
  options.input.inputs.clear();
  options.seed = request.options.method.seed;
  CopyFolder(request, &options);
  const StopOnSignal stop;
  options.stop = stop.flag();
  const auto result = PredictDuplicates(options);
  if (!result)
    return TellErrorOrStop(kPredictName, result.error(), stop.signal());
  TellWarnings(kPredictName, result->warnings);
  if (result->bad_lines > 0)
    Tell(kPredictName, fmt::format("{} line{} no address{}; see bad.jsonl",
                                   Grouped(result->bad_lines),
                                   result->bad_lines == 1 ? " is" : "s are",
                                   result->bad_lines == 1 ? "" : "es"));
  Output out;
  if (request.json)
    out.Write(result->summary_json);
  else if (!request.quiet)
    WritePredicted(options, *result, &out);
  return out.Finish(kPredictName);
}

}  // namespace twinset::cli
