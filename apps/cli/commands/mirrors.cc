// twinset mirrors.
#include "twinset/mirrors.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/line_counts.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/values.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kMirrorsName = "mirrors";

void WriteTable(const MirrorsOptions& options, const MirrorsResult& result,
                bool quiet, Output* out) {
  if (!result.mirrors.empty())
    out->Line(fmt::format("{:>10} {:>10} {:>8}  {}", "parallel", "duplicates",
                          "share", "prefixes"));
  for (const Mirror& mirror : result.mirrors)
    out->Line(fmt::format("{:>10} {:>10} {:>6.1f} %  {}  {}",
                          NumberText(mirror.parallel),
                          NumberText(mirror.duplicates), 100 * mirror.share,
                          Printable(mirror.a), Printable(mirror.b)));
  for (const DeadPage& page : result.dead) {
    const bool any = !page.alternatives.empty();
    out->Line(fmt::format(
        "{}  {}", Printable(page.url),
        any ? fmt::format("{} ({} {:.3f})", Printable(page.alternatives[0].url),
                          page.alternatives[0].by,
                          page.alternatives[0].confidence)
            : "no alternative"));
  }
  if (quiet) return;
  out->Line(
      fmt::format("{} mirror{}; {} of {} documents stand on one too",
                  result.mirrors.size(), result.mirrors.size() == 1 ? "" : "s",
                  NumberText(result.mirrored), NumberText(result.documents)));
  if (!options.dead.empty())
    out->Line(fmt::format("{} of {} dead addresses have an alternative",
                          NumberText(result.rescued),
                          NumberText(result.dead.size())));
  WriteSides(result.sides, out);
}

int RunMirrors(const Request& request) {
  if (request.operands.empty())
    return TellError(
        kMirrorsName,
        {ErrorCode::kUsage, "no run is given", {}, "twinset mirrors RUN"});
  MirrorsOptions options = request.Of<MirrorsOptions>();
  options.run = request.operands[0];
  options.input = request.options.input;
  options.input.inputs.assign(request.operands.begin() + 1,
                              request.operands.end());
  CopyFolder(request, &options);
  ProgressTeller progress(kMirrorsName, request);
  const StopOnSignal stop;
  options.stop = stop.flag();
  options.on_progress = [&progress](const Progress& now) {
    progress.Update(now);
  };
  const auto result = FindMirrors(options);
  progress.Clear();
  if (!result)
    return TellErrorOrStop(kMirrorsName, result.error(), stop.signal());
  TellWarnings(kMirrorsName, result->warnings);
  if (result->bad_dead > 0)
    Tell(kMirrorsName, fmt::format("{} line{} of --dead {} no address{}",
                                   NumberText(result->bad_dead),
                                   result->bad_dead == 1 ? "" : "s",
                                   result->bad_dead == 1 ? "is" : "are",
                                   result->bad_dead == 1 ? "" : "es"));
  Output out;
  if (request.json)
    out.Write(result->summary_json);
  else
    WriteTable(options, *result, request.quiet, &out);
  return out.Finish(kMirrorsName);
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
      .refusals = {{{"--threads"}, "it reads the files of a run on one thread"},
                   {{"--tmp"}, "it makes no work files"},
                   {{"--seed"}, "nothing is drawn at random"},
                   {{"--resume"}, "it begins anew; give --overwrite"},
                   {{"--strict"},
                    "it passes over bad records and says how many"},
                   {{"--format"}, "it prints text, or JSON with --json"}},
      .run = RunMirrors};
}

}  // namespace

const Registration kMirrors(MirrorsCommand);

}  // namespace twinset::cli
