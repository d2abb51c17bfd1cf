// twinset urls.
#include "twinset/corpora/urls.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/plain_words.h"
#include "twinset/text_choices.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kUrlsName = "urls";

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
       fmt::format("{} of {} {}: {}", CountText(lines, "line"), list,
                   WordFor(lines, "is no address", "are no addresses"),
                   reasons));
}

void TellBadJudgements(uint64_t lines) {
  if (lines == 0) return;
  Tell(kUrlsName, CountText(lines, "line of --qrels is no judgement",
                            "lines of --qrels are no judgements"));
}

int RunUrls(const Request& request) {
  if (request.operands.size() != 2)
    return TellError(kUrlsName, {ErrorCode::kUsage,
                                 "two lists of addresses are needed",
                                 {},
                                 "twinset urls A B"});
  auto options = JobOptionsOf<UrlsOptions>(request);
  options.a = request.operands[0];
  options.b = request.operands[1];
  return RunToResult(kUrlsName, request, options, CompareUrls,
                     [](const UrlsResult& result) {
                       TellBad("A", result.a);
                       TellBad("B", result.b);
                       if (result.judgements)
                         TellBadJudgements(result.judgements->bad_lines);
                     });
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
          "by top-level domain, registered domain and host. Lines that are no "
          "addresses are counted and, with --out, listed "
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
      .refusals = {kDrawsNothing, kBeginsAnew, kPassesOver, kPrintsText},
      .run = RunUrls};
}

}  // namespace

const Registration kUrls(UrlsCommand);

}  // namespace twinset::cli
