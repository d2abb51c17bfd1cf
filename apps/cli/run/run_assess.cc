// twinset assess.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/studies.h"
#include "cli/values.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kAssessName = "assess";

void WriteSample(const AssessResult& result, bool quiet, Output* out) {
  if (quiet) return;
  out->Line(fmt::format("{:>10} {:>7}  {}", "pairs", "drawn", "stratum"));
  for (const AssessMethod& method : result.methods) {
    for (const AssessStratum& stratum : method.strata)
      out->Line(fmt::format("{:>10} {:>7}  {}: {}", Grouped(stratum.pairs),
                            Grouped(stratum.drawn), Printable(method.name),
                            Printable(stratum.name)));
  }
  out->Line(fmt::format("{} pairs to judge: {}", Grouped(result.pairs),
                        Printable(result.page)));
}

void WriteShare(std::string_view question, const std::string& name,
                const LabelShare& share, Output* out) {
  const uint64_t decided = share.yes + share.no;
  const std::string percent =
      decided == 0 ? "-" : fmt::format("{:.1f} %", 100 * share.share);
  out->Line(fmt::format(
      "{:<10} {:>10} {:>6} {:>6} {:>6} {:>8}  {:.3f} to {:.3f}  {}", question,
      Grouped(share.pairs), Grouped(share.yes), Grouped(share.no),
      Grouped(share.unsure), percent, share.low, share.high, Printable(name)));
}

void WriteScore(const ScoreResult& result, bool quiet, Output* out) {
  out->Line(fmt::format("{:<10} {:>10} {:>6} {:>6} {:>6} {:>8}  {:<14}  {}",
                        "same", "pairs", "yes", "no", "unsure", "share", "95 %",
                        "of"));
  for (const auto& [question, name] : kChoices<LabelQuestion>) {
    const QuestionScore& score =
        result.questions[static_cast<size_t>(question)];
    for (const MethodScore& method : score.methods) {
      WriteShare(name, method.name, method.all, out);
      if (method.strata.size() < 2) continue;
      for (const LabelShare& share : method.strata)
        WriteShare(name, "  " + share.name, share, out);
    }
    for (const PairAgreement& one : score.agreements) {
      out->Line(
          fmt::format("{:<10} kappa {} of {} and {}: {} of {} alike", name,
                      one.kappa ? fmt::format("{:.3f} ({:.3f} to {:.3f})",
                                              *one.kappa, one.low, one.high)
                                : "undefined",
                      Printable(one.x), Printable(one.y), Grouped(one.agreed),
                      Grouped(one.pairs)));
    }
  }
  if (quiet) return;
  for (const Disagreement& one : result.disagreements) {
    std::string answers;
    for (size_t i = 0; i < one.answers.size(); ++i) {
      if (one.answers[i].empty()) continue;
      answers += fmt::format("{}{} {}", answers.empty() ? "" : ", ",
                             Printable(result.assessors[i]), one.answers[i]);
    }
    out->Line(fmt::format("pair {} ({}, {}), same {}: {}", one.pair,
                          Printable(one.a), Printable(one.b),
                          ChoiceName(one.question), answers));
  }
}

int RunScore(const Request& request) {
  ScoreOptions options;
  if (request.operands.size() > 1) options.sample = request.operands[1];
  if (request.operands.size() > 2)
    options.labels.assign(request.operands.begin() + 2, request.operands.end());
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  options.report = request.options.report;
  const auto result = ScoreLabels(options);
  if (!result) return TellError(kAssessName, result.error());
  TellWarnings(kAssessName, result->warnings);
  Output out;
  if (request.json)
    out.Write(result->summary_json);
  else
    WriteScore(*result, request.quiet, &out);
  return out.Finish(kAssessName);
}

}  // namespace

int RunAssess(const Request& request) {
  if (!request.operands.empty() && request.operands[0] == "score")
    return RunScore(request);
  if (request.options.report)
    return TellError(kAssessName, {ErrorCode::kUsage,
                                   "--report is of assess score",
                                   {},
                                   "the page to judge is written without it"});
  AssessOptions options = request.study->assess;
  options.runs = request.operands;
  options.input = request.options.input;
  options.input.inputs = request.in;
  options.against = request.against;
  options.features = request.options.features;
  options.resources = request.options.resources;
  options.seed = request.options.method.seed;
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  ProgressTeller progress(kAssessName, request);
  options.on_progress = [&progress](const Progress& now) {
    progress.Update(now);
  };
  const auto result = DrawAssessment(options);
  progress.Clear();
  if (!result) return TellError(kAssessName, result.error());
  TellWarnings(kAssessName, result->warnings);
  Output out;
  if (request.json)
    out.Write(result->summary_json);
  else
    WriteSample(*result, request.quiet, &out);
  return out.Finish(kAssessName);
}

}  // namespace twinset::cli
