// twinset recut
#include "cli/commands.h"
#include "cli/job.h"
#include "cli/summary.h"
#include "twinset/saved_run.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kRecutName = "recut";

Status CheckRecut(const Request& request) {
  if (request.operands.size() != 1) {
    return Fail(ErrorCode::kUsage,
                request.operands.empty() ? "no saved run is given"
                                         : "more than one saved run is given",
                {}, "a folder of dedup --save");
  }
  if (request.options.out.empty()) {
    return Fail(ErrorCode::kUsage, "no folder for the results is given", {},
                "--out DIR");
  }
  return {};
}

RecutOptions OptionsOf(const Request& request) {
  const FlagOptions& from = request.options;
  RecutOptions options;
  options.saved = request.operands[0];
  options.out = from.out;
  options.report = from.report;
  options.kinds = from.kinds;
  options.overwrite = from.overwrite;
  options.resources = from.resources;
  const auto take = [&](std::string_view flag, const auto& value, auto* to) {
    if (IsGiven(request, flag)) *to = value;
  };
  take("--threshold", from.method.threshold, &options.threshold);
  take("--keep", from.keep, &options.keep);
  take("--prefer", from.prefer, &options.prefer);
  take("--stats-by", from.stats_by, &options.stats_by);
  take("--cluster", from.cluster, &options.cluster);
  take("--pairs", from.pairs, &options.pairs);
  take("--action", from.action, &options.action);
  take("--max-loss", from.max_loss, &options.max_loss);
  take("--format", from.output_format, &options.output_format);
  return options;
}

int RunRecut(const Request& request) {
  if (const Status status = CheckRecut(request); !status)
    return TellError(kRecutName, status.error());
  Request shown = request;
  shown.operands.clear();  // no inputs that explain could look into
  return RunJob(
      kRecutName, request, OptionsOf(request), Recut,
      [&](const DedupSummary& summary, uint64_t bytes) {
        return SummaryText(shown, summary, bytes);
      },
      [&](const DedupSummary& summary) {
        return IncompleteText(request, summary);
      },
      {.text = "stopped by a signal: nothing is kept, and the saved run is as "
               "it was; begin anew with --overwrite"});
}

Command RecutCommand() {
  return {
      .name = "recut",
      .group = CommandGroup::kEveryday,
      .front_page = 7,
      .operands = "DIR",
      .help = "decide a saved run again, without reading its documents",
      .long_help =
          "DIR is a folder of dedup --save. What is not given is as that run "
          "had it: another threshold that is not lower, other rules for who "
          "stays, other clusters or files, in a fraction of the time. The "
          "results are those of dedup over the same inputs with these flags "
          "and the bands that the saved run has. Neither DIR nor an input is "
          "changed, and inputs need not be there any more.",
      .examples =
          {{"twinset dedup crawl/ --out dups --save run", "a run that is kept"},
           {"twinset recut run --out stricter --threshold 0.9",
            "only pairs from 0.9 on"},
           {"twinset recut run --out oldest --keep oldest --cluster components",
            "another document of each group stays"}},
      .everyday = {"--out", "--threshold", "--keep", "--prefer", "--cluster",
                   "--action", "--pairs", "--format", "--report", "--json",
                   "--overwrite", "--threads", "--memory", "--quiet"},
      .parameters = {.also = {"threshold", "keep", "cluster", "pairs", "action",
                              "max-loss"}},
      .shared = {"--out", "--format", "--report", "--kinds", "--stats-by",
                 "--overwrite", "--json", "--prefer", "--threads", "--memory",
                 "--tmp", "--simd", "--progress", "--config"},
      .texts =
          {{.name = "--threshold",
            .help =
                "least similarity of a pair; not below that of the saved run",
            .long_help = "",
            .default_text = "(as it was run)"},
           {.name = "--keep", .default_text = "(as it was run)"},
           {.name = "--cluster", .default_text = "(as it was run)"},
           {.name = "--pairs", .default_text = "(as it was run)"},
           {.name = "--action", .default_text = "(as it was run)"},
           {.name = "--max-loss", .default_text = "(as it was run)"},
           {.name = "--out",
            .long_help =
                "Holds clusters, pairs, keep and drop lists and summary.json, "
                "which is written last: when it is there, the run is done. A "
                "folder that exists is refused unless --overwrite is given, "
                "and always when it holds anything that twinset did not make."},
           {.name = "--kinds",
            .long_help = "Rows get duplicate_kind, difference and grade, as "
                         "'twinset explain' prints them, and summary.json "
                         "their counts. Only of a run that was saved with it."},
           kSummaryAsJson,
           kTmpInResults},
      .refusals = {{{"--seed"}, "it is that of the saved run"},
                   kBeginsAnew,
                   {{"--strict"}, "it reads no documents"}},
      .run = RunRecut};
}

}  // namespace

const Registration kRecut(RecutCommand);

}  // namespace twinset::cli
