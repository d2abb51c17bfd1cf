// twinset mirrors.
#include "twinset/corpora/mirrors.h"

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/output.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kMirrorsName = "mirrors";

void TellBadDead(const MirrorsResult& result) {
  const uint64_t bad = result.dead_counts ? result.dead_counts->bad_lines : 0;
  if (bad > 0)
    Tell(kMirrorsName, CountText(bad, "line") + " of --dead " +
                           (bad == 1 ? "is no address" : "are no addresses"));
}

int RunMirrors(const Request& request) {
  if (request.operands.empty())
    return TellError(
        kMirrorsName,
        {ErrorCode::kUsage, "no run is given", {}, "twinset mirrors RUN"});
  auto options = JobOptionsOf<MirrorsOptions>(
      request, {request.operands.begin() + 1, request.operands.end()});
  options.run = request.operands[0];
  return RunToResult(kMirrorsName, request, options, FindMirrors, TellBadDead);
}

std::vector<Flag> MirrorsFlags() {
  return {
      {.name = "--least-pages",
       .value = "N",
       .help = "parallel duplicates that make a mirror",
       .default_text = "3",
       .set = SetInt<1, 1000000000, &MirrorsOptions::least_pages>},
      {.name = "--share",
       .value = "S",
       .help = "least share of duplicates among the parallel pages of a mirror",
       .default_text = "0.5",
       .set = SetShare<&MirrorsOptions::share>},
      {.name = "--overlap",
       .value = "S",
       .help =
           "least share of the smaller side's pages that are parallel to one",
       .default_text = "0.5",
       .set = SetShare<&MirrorsOptions::overlap>},
      {.name = "--dead",
       .value = "FILE",
       .help =
           "addresses that are gone, one a line: alternatives are looked for",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .set = SetText<&MirrorsOptions::dead>}};
}

Command MirrorsCommand() {
  return {
      .name = "mirrors",
      .group = CommandGroup::kStudies,
      .operands = "RUN [INPUT...]",
      .help = "hosts and folders that mirror each other",
      .long_help =
          "RUN is a folder of dedup --out. Two prefixes of addresses are "
          "mirrors when enough of their parallel pages, those with the same "
          "rest of the address, are duplicates. The addresses of pages in no "
          "cluster are read again from the inputs of the run; INPUT says where "
          "these are now.\n\nWith --out, degrees.jsonl says of each document "
          "how many mirrors have it too: a table for dedup --fields. With "
          "--dead, live alternatives of addresses that are gone are looked for "
          "among duplicates and mirrors.",
      .examples =
          {{"twinset mirrors dups", "a table"},
           {"twinset mirrors dups --dead gone.txt --out mirrors --report",
            "also alternatives of dead addresses; rows and report.html"}},
      .everyday = {"--out", "--dead", "--least-pages", "--share", "--overlap",
                   "--report", "--text-field", "--id-field", "--url-field",
                   "--json", "--overwrite", "--memory", "--quiet"},
      .shared = Join({kRecordFlags,
                      {"--out", "--report", "--overwrite", "--json", "--memory",
                       "--progress", "--config"}}),
      .texts =
          {{.name = "--out",
            .help = "folder for the rows; without it they are printed",
            .long_help =
                "Holds mirrors.jsonl, degrees.jsonl, with --dead "
                "alternatives.jsonl, and summary.json. A folder that exists is "
                "refused unless --overwrite is given, and always when it holds "
                "an input or anything that twinset did not make."}},
      .flags = MirrorsFlags(),
      .refusals = {kReadsRunOnOneThread, kNoWorkFiles, kDrawsNothing,
                   kBeginsAnew, kPassesOver, kPrintsText},
      .run = RunMirrors};
}

}  // namespace

const Registration kMirrors(MirrorsCommand);

}  // namespace twinset::cli
