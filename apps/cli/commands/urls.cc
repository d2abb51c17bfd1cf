// twinset urls.
#include "twinset/urls.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/line_counts.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/values.h"
#include "twinset/plain_words.h"
#include "twinset/url_rule.h"

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
        "{:<15} {:>15} {:>9}   {:>15} {:>9}", name, NumberText(alone.common),
        Percent(alone.a_in_b, result.counts.a), NumberText(so_far.common),
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
        NumberText(group.counts.a), NumberText(group.counts.a_found),
        Percent(share.part, share.whole), 100 * share.low, 100 * share.high));
  }
  out->Line(fmt::format("public suffix list of {} ({})", result.suffixes_date,
                        result.suffixes_origin));
}

void WriteJudged(const UrlsResult& result, Output* out) {
  const UrlCounts& c = result.counts;
  out->Line(fmt::format(
      "of {} judged ids A has {}; of these {} ({}) have their address in B",
      NumberText(result.judged), NumberText(c.judged_a),
      NumberText(c.judged_a_found), Percent(c.judged_a_found, c.judged_a)));
  out->Line(fmt::format("B has {}; of these {} have theirs in A",
                        NumberText(c.judged_b), NumberText(c.judged_b_found)));
}

void TellBad(std::string_view list, const UrlSide& side) {
  uint64_t lines = 0;
  std::string reasons;
  for (const auto& [reason, count] : side.bad) {
    lines += count;
    reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ",
                           NumberText(count), reason);
  }
  if (lines == 0) return;
  Tell(kUrlsName,
       fmt::format("{} line{} of {} {} no address{}: {}", NumberText(lines),
                   lines == 1 ? "" : "s", list, lines == 1 ? "is" : "are",
                   lines == 1 ? "" : "es", reasons));
}

int RunUrls(const Request& request) {
  if (request.operands.size() != 2)
    return TellError(kUrlsName, {ErrorCode::kUsage,
                                 "two lists of addresses are needed",
                                 {},
                                 "twinset urls A B"});
  UrlsOptions options = request.Of<UrlsOptions>();
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
                                NumberText(result->bad_judgements),
                                result->bad_judgements == 1 ? "" : "s",
                                result->bad_judgements == 1 ? "is" : "are",
                                result->bad_judgements == 1 ? "" : "s"));
  Output out;
  if (request.json) {
    out.Write(SummaryJson(*result).dump(2) + "\n");
  } else {
    const UrlCounts& c = result->counts;
    out.Line(fmt::format(
        "{} of {} addresses of A stand in B ({}), {} as "
        "written ({})",
        NumberText(c.a_found), NumberText(c.a), Percent(c.a_found, c.a),
        NumberText(c.a_raw), Percent(c.a_raw, c.a)));
    if (!request.quiet) {
      WriteRules(*result, &out);
      WriteTopLevels(*result, &out);
      if (!options.qrels.empty()) WriteJudged(*result, &out);
      WriteSides(result->sides, &out);
    }
  }
  return out.Finish(kUrlsName);
}

Status Rules(const Values& values, Request* request) {
  TWINSET_ASSIGN(const Values names, SplitLists(values));
  auto& rules = request->Of<UrlsOptions>().rules;
  rules.clear();
  for (const std::string& name : names) {
    const auto rule = FindChoice<UrlRule>(name);
    if (!rule)
      return Fail(ErrorCode::kUsage, fmt::format("there is no rule '{}'", name),
                  {}, "known: " + OrList(ChoiceNames<UrlRule>()));
    rules.push_back(*rule);
  }
  return {};
}

std::vector<Flag> UrlsFlags() {
  return {{.name = "--rules",
           .value = "RULE,...",
           .help = "differences of spelling that do not count",
           .long_help = "rfc3986, final-dot, scheme, www, port, default-page, "
                        "session, tracking, empty-query, query-order, "
                        "trailing-slash, case. They are applied in this order, "
                        "and each is also counted alone. May be repeated.",
           .default_text = "(all)",
           .choices = ChoiceNames<UrlRule>(),
           .list = true,
           .set = Rules},
          {.name = "--qrels",
           .value = "FILE",
           .help = "judgements, whose ids are looked for in both lists",
           .long_help =
               "Of four columns (topic, iteration, id, grade) or five (topic, "
               "id, grade and two more). With --out, pairs.jsonl has the "
               "judged documents of A beside those of B with their address, "
               "for 'twinset qrels transfer --pairs'. May be repeated.",
           .default_text = "(none)",
           .kind = ValueKind::kFile,
           .list = true,
           .set = SetRepeated<&UrlsOptions::qrels>},
          {.name = "--suffixes",
           .value = "FILE",
           .help = "public suffix list, by which registered domains are told",
           .long_help = "In the format of publicsuffix.org. Every result names "
                        "the date of the list.",
           .default_text = "(the system's)",
           .kind = ValueKind::kFile,
           .set = SetText<&UrlsOptions::suffixes>}};
}

Command UrlsCommand() {
  return {
      .name = "urls",
      .group = CommandGroup::kStudies,
      .operands = "A B",
      .help = "how much of a list of addresses stands in another",
      .long_help =
          "A and B are lists of an address a line (an id may stand beside it), "
          "CDX, CDXJ, or anything else that is read and has addresses; files, "
          "folders or patterns, compressed or not.\n\nCounts the addresses of "
          "A in B as they are written, by each rule alone and by all of them, "
          "by top-level domain, registered domain and host, with intervals. "
          "Lines that are no addresses are counted and, with --out, listed "
          "with their places. A list that shares nothing as written is warned "
          "of, with the rule that would change it.\n\nLists of any length are "
          "joined on disk within --memory.",
      .examples = {{"twinset urls clueweb09.urls.gz clueweb12.urls.gz",
                    "the overlap of two crawls"},
                   {"twinset urls a.cdxj.gz b.cdx.gz --qrels web.qrels --out "
                    "urls --report",
                    "also of the judged documents; tables and report.html"},
                   {"twinset urls a.txt b.txt --rules rfc3986,www,scheme",
                    "these differences do not count"}},
      .everyday = {"--out", "--rules", "--qrels", "--suffixes", "--report",
                   "--input-format", "--id-field", "--url-field", "--json",
                   "--overwrite", "--threads", "--memory", "--tmp", "--quiet"},
      .shared =
          Join({kAddressFlags,
                {"--out", "--report", "--overwrite", "--json", "--threads",
                 "--memory", "--tmp", "--progress", "--config"}}),
      .texts = {{.name = "--out",
                 .help = "folder for the tables; without it they are printed",
                 .long_help =
                     "Holds tlds.csv, domains.csv, hosts.csv, rules.csv, "
                     "bad.jsonl and summary.json. A folder that exists is "
                     "refused unless --overwrite is given, and always when it "
                     "holds an input or anything that twinset did not make."}},
      .flags = UrlsFlags(),
      .refusals = {{{"--seed"}, "nothing is drawn at random"},
                   {{"--resume"}, "it begins anew; give --overwrite"},
                   {{"--strict"},
                    "it passes over bad records and says how many"},
                   {{"--format"}, "it prints text, or JSON with --json"}},
      .run = RunUrls};
}

}  // namespace

const Registration kUrls(UrlsCommand);

}  // namespace twinset::cli
