// twinset urls.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/line_counts.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/studies.h"
#include "cli/values.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kUrlsName = "urls";
constexpr size_t kShownTopLevels = 10;

std::string Percent(uint64_t part, uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format(
      "{:.2f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

void WriteRules(const UrlsResult& result, Output* out) {
  out->Line(fmt::format("{:<15} {:>15} {:>9}   {:>15} {:>9}", "rule",
                        "alone: in both", "A in B", "so far: in both",
                        "A in B"));
  const auto row = [&](std::string_view name, const UrlOverlap& alone,
                       const UrlOverlap& so_far) {
    out->Line(fmt::format(
        "{:<15} {:>15} {:>9}   {:>15} {:>9}", name, Grouped(alone.common),
        Percent(alone.a_in_b, result.counts.a), Grouped(so_far.common),
        Percent(so_far.a_in_b, result.counts.a)));
  };
  row("as written", result.raw, result.raw);
  for (const UrlRuleOverlap& rule : result.rules)
    row(ChoiceName(rule.rule), rule.alone, rule.so_far);
}

void WriteTopLevels(const UrlsResult& result, Output* out) {
  out->Line(fmt::format("{:<15} {:>15} {:>15} {:>9}   {}", "domain", "A",
                        "A in B", "share", "95 %"));
  for (size_t i = 0; i < result.top_levels.size() && i < kShownTopLevels; ++i) {
    const UrlGroup& group = result.top_levels[i];
    const UrlShare share = ShareOf(group.counts.a_found, group.counts.a);
    out->Line(fmt::format(
        "{:<15} {:>15} {:>15} {:>9}   {:.1f} to {:.1f}", Printable(group.name),
        Grouped(group.counts.a), Grouped(group.counts.a_found),
        Percent(share.part, share.whole), 100 * share.low, 100 * share.high));
  }
  out->Line(fmt::format("public suffix list of {} ({})", result.suffixes_date,
                        result.suffixes_origin));
}

void WriteJudged(const UrlsResult& result, Output* out) {
  const UrlCounts& c = result.counts;
  out->Line(fmt::format(
      "of {} judged ids A has {}; of these {} ({}) have their address in B",
      Grouped(result.judged), Grouped(c.judged_a), Grouped(c.judged_a_found),
      Percent(c.judged_a_found, c.judged_a)));
  out->Line(fmt::format("B has {}; of these {} have theirs in A",
                        Grouped(c.judged_b), Grouped(c.judged_b_found)));
}

void TellBad(std::string_view list, const UrlSide& side) {
  uint64_t lines = 0;
  std::string reasons;
  for (const auto& [reason, count] : side.bad) {
    lines += count;
    reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ",
                           Grouped(count), reason);
  }
  if (lines == 0) return;
  Tell(kUrlsName,
       fmt::format("{} line{} of {} {} no address{}: {}", Grouped(lines),
                   lines == 1 ? "" : "s", list, lines == 1 ? "is" : "are",
                   lines == 1 ? "" : "es", reasons));
}

}  // namespace

int RunUrls(const Request& request) {
  if (request.operands.size() != 2)
    return TellError(kUrlsName, {ErrorCode::kUsage,
                                 "two lists of addresses are needed",
                                 {},
                                 "twinset urls A B"});
  UrlsOptions options = request.study->urls;
  options.input = request.options.input;
  options.a = request.operands[0];
  options.b = request.operands[1];
  CopyFolder(request, &options);
  ProgressTeller progress(kUrlsName, request);
  const StopOnSignal stop;
  options.stop = stop.flag();
  options.on_progress = [&progress](const Progress& now) {
    progress.Update(now);
  };
  const auto result = CompareUrls(options);
  progress.Clear();
  if (!result) return TellErrorOrStop(kUrlsName, result.error(), stop.signal());
  TellWarnings(kUrlsName, result->warnings);
  TellBad("A", result->a);
  TellBad("B", result->b);
  if (result->bad_judgements > 0)
    Tell(kUrlsName, fmt::format("{} line{} of --qrels {} no judgement{}",
                                Grouped(result->bad_judgements),
                                result->bad_judgements == 1 ? "" : "s",
                                result->bad_judgements == 1 ? "is" : "are",
                                result->bad_judgements == 1 ? "" : "s"));
  Output out;
  if (request.json) {
    out.Write(result->summary_json);
  } else {
    const UrlCounts& c = result->counts;
    out.Line(
        fmt::format("{} of {} addresses of A stand in B ({}), {} as "
                    "written ({})",
                    Grouped(c.a_found), Grouped(c.a), Percent(c.a_found, c.a),
                    Grouped(c.a_raw), Percent(c.a_raw, c.a)));
    if (!request.quiet) {
      WriteRules(*result, &out);
      WriteTopLevels(*result, &out);
      if (!options.qrels.empty()) WriteJudged(*result, &out);
      WriteSides(result->sides, &out);
    }
  }
  return out.Finish(kUrlsName);
}

}  // namespace twinset::cli
