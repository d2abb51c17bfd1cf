// twinset report
#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "twinset/plain_words.h"
#include "twinset/results.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kReportName = "report";

Status CheckReport(const Request& request) {
  if (request.operands.empty()) {
    return Fail(ErrorCode::kUsage, "no result folder is given", {},
                "twinset report DIR, a folder that a command wrote with --out");
  }
  if (request.operands.size() == 1 && !request.against.empty()) {
    return Fail(ErrorCode::kUsage,
                "--against is given without the inputs of the first side", {},
                "twinset report DIR INPUT... --against INPUT");
  }
  return {};
}

int RunReport(const Request& request) {
  if (const Status status = CheckReport(request); !status)
    return TellError(kReportName, status.error());
  auto options = JobOptionsOf<ReportOptions>(request);
  options.folder = request.operands[0];
  options.inputs.assign(request.operands.begin() + 1, request.operands.end());
  options.against = request.against;
  options.networks = request.options.input.networks;
  return RunShown(kReportName, request, options, {}, WriteReportOf,
                  [&](const std::string& page, uint64_t, Output* out) {
                    if (!request.quiet) out->Write(NameText(page) + "\n");
                    return std::string();
                  });
}

std::vector<Flag> ReportFlags() {
  return {
      {.name = "--figures",
       .value = "DIR",
       .help = "also write each drawing as SVG and each table as CSV and LaTeX",
       .long_help = "Tables are set with booktabs and have a caption. A folder "
                    "that exists is refused unless --overwrite is given.",
       .default_text = "(not written)",
       .group = FlagGroup::kOutput,
       .kind = ValueKind::kFolder,
       .set = SetText<&ReportOptions::figures>}};
}

Command ReportCommand() {
  return {
      .name = "report",
      .group = CommandGroup::kEveryday,
      .front_page = 6,
      .operands = "DIR [INPUT...]",
      .help = "the report of a finished run as a page for people",
      .long_help =
          "DIR is what dedup, match, recut, evaluate, walk, sample, estimate, "
          "traps, urls, mirrors or leak wrote with --out. DIR/report.html (of "
          "evaluate: DIR/evaluation.html) is made from its files, with the "
          "bytes that --report would have written.\n\ndedup, match and recut "
          "show texts side by side. They are read again from the inputs of the "
          "run; INPUT and --against say where these are now. When they cannot "
          "be read, the page says so and shows no texts.\n\nThe page needs no "
          "script and no network. --figures DIR writes each drawing as SVG and "
          "each table as CSV and LaTeX.",
      .examples = {{"twinset report dups", "dups/report.html"},
                   {"twinset report dups /archive/crawl",
                    "the inputs have moved"},
                   {"twinset report dups --figures paper/figures",
                    "for a paper"}},
      .everyday = {"--against", "--figures", "--overwrite", "--quiet"},
      .shared = {"--overwrite", "--against", "--progress", "--networks"},
      .texts = {{.name = "--against",
                 .help = "where the second side of a match stands now"}},
      .flags = ReportFlags(),
      .refusals =
          {{{"--json"},
            "it writes a page; summary.json of the run has its numbers"},
           kReadsRunOnOneThread,
           {{"--memory", "--tmp", "--seed", "--strict", "--resume"},
            "it reads what a run has written"},
           {{"--format"}, "it writes HTML; --figures also CSV and LaTeX"},
           {{"--out"}, "the page is written into the folder of the run"}},
      .run = RunReport};
}

}  // namespace

const Registration kReport(ReportCommand);

}  // namespace twinset::cli
