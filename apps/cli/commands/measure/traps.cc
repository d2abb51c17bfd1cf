// twinset traps.
#include "twinset/measure/traps.h"

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/values.h"
#include "twinset/measure/fetch.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kTrapsName = "traps";

int RunTraps(const Request& request) {
  auto options = JobOptionsOf<TrapsOptions>(request, request.operands);
  options.fetching = request.Of<FetchOptions>();
  return RunToResult(kTrapsName, request, options, FindTraps);
}

std::vector<Flag> TrapsFlags() {
  return {
      {.name = "--threshold",
       .short_name = 't',
       .value = "T",
       .help = "least resemblance of the pages of a trap, above 0, at most 1",
       .default_text = "0.9",
       .set = SetShare<&TrapsOptions::threshold>},
      {.name = "--least-urls",
       .value = "N",
       .help = "addresses that lead to one page, from which on it is a trap",
       .default_text = "10",
       .set = SetInt<2, 1000000000, &TrapsOptions::least_urls>},
      {.name = "--share",
       .value = "S",
       .help = "least share of the host's addresses of that pattern that do",
       .default_text = "0.3",
       .set = SetShare<&TrapsOptions::share>},
      {.name = "--short-tokens",
       .value = "N",
       .help = "words that the page of a soft 404 has at most",
       .default_text = "100",
       .set = SetCount<&TrapsOptions::short_tokens>},
      {.name = "--samples",
       .value = "N",
       .help = "addresses shown of each trap",
       .default_text = "5",
       .set = SetInt<0, 1000, &TrapsOptions::samples>},
      {.name = "--probe",
       .help = "ask the host of each trap for an address of the pattern that "
               "was not crawled",
       .long_help = "One request a trap, politely, robots.txt first. Whether "
                    "the trap's page comes, or a 404, decides between soft-404 "
                    "and other. Without it nobody is asked.",
       .set = SetSwitch<&TrapsOptions::probe>},
      {.name = "--record",
       .value = "FILE",
       .help = "--probe: answers are kept here and not asked for twice",
       .long_help =
           "The same command again takes them from there, without the network.",
       .default_text = "(not kept)",
       .kind = ValueKind::kFile,
       .set = SetText<&TrapsOptions::record>}};
}

Command TrapsCommand() {
  return {
      .name = "traps",
      .group = CommandGroup::kStudies,
      .operands = "INPUT...",
      .help = "hosts whose many addresses lead to one page",
      .long_help =
          "Finds near-duplicates within each host and lists those that many "
          "addresses lead to, with the pattern of the addresses: soft 404s "
          "(anything leads to one short page), calendars (dates or numbers "
          "walk on), session ids (one random-looking part), and "
          "others.\n\nDocuments need an address (--url-field). The input is "
          "read twice; with --probe once more, and hosts are then asked what "
          "they say to an address that nobody has crawled. Work files stand in "
          "--tmp, by default in the system's folder for such, and are removed.",
      .prints_rows = true,
      .examples = {{"twinset traps crawl.warc.gz", "a table"},
                   {"twinset traps crawl.warc.gz --json --least-urls 50",
                    "a row of JSON for each trap"},
                   {"twinset traps crawl.warc.gz --out traps --report",
                    "traps.jsonl, summary.json and report.html"},
                   {"twinset traps crawl.warc.gz --probe --record probes",
                    "the hosts are asked too; their answers are kept"}},
      .everyday = {"--out", "--threshold", "--least-urls", "--share",
                   "--samples", "--probe", "--record", "--networks",
                   "--url-field", "--text-field", "--report", "--json",
                   "--overwrite", "--threads", "--memory", "--quiet"},
      .parameters = {.also = {"tokens", "content"}},
      .shared = Join({kRecordFlags,
                      {"--out", "--report", "--overwrite", "--json", "--digest",
                       "--threads", "--memory", "--tmp", "--progress",
                       "--config", "--delay", "--timeout"}}),
      .texts =
          {{.name = "--out",
            .help = "folder for the rows; without it they are printed",
            .long_help =
                "Holds traps.jsonl and summary.json. A folder that exists is "
                "refused unless --overwrite is given, and always when it holds "
                "an input or anything that twinset did not make."},
           {.name = "--json", .help = "print one JSON object a row and line"},
           {.name = "--timeout", .long_help = "", .default_text = "(20)"}},
      .flags = TrapsFlags(),
      .refusals = {kDrawsNothing, kBeginsAnew, kPassesOver, kPrintsText},
      .run = RunTraps};
}

}  // namespace

const Registration kTraps(TrapsCommand);

}  // namespace twinset::cli
