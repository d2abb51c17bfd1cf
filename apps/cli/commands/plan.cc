// twinset plan
#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "twinset/size_plan.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kPlanName = "plan";

struct PlanAsked {
  std::string calibrate;
};

int RunPlan(const Request& request) {
  SizePlanOptions options = request.Of<SizePlanOptions>();
  options.run = RunOptionsOf<DedupOptions>(request);
  options.corpus = request.Of<ForecastSize>();
  if (!IsGiven(request, "--calibrate"))
    return RunToResult(kPlanName, request, options, PlanSize);
  if (!request.operands.empty()) {
    return TellError(kPlanName, {ErrorCode::kUsage,
                                 "--calibrate makes its texts up",
                                 {},
                                 "leave out the INPUTs"});
  }
  options.calibration = request.Of<PlanAsked>().calibrate;
  return RunToResult(kPlanName, request, options, Calibrate);
}

std::vector<Flag> PlanFlags() {
  return {
      {.name = "--documents",
       .value = "N",
       .help = "documents of the corpus, as 1e9; of --calibrate those of the "
               "largest run",
       .default_text = "(must be said; of --calibrate 100000)",
       .group = FlagGroup::kStudy,
       .set = SetLargeCount<&ForecastSize::documents>},
      {.name = "--bytes",
       .value = "B",
       .help = "bytes of its texts, as 5e13",
       .default_text = "(as the INPUTs have, or 1,400 a document)",
       .group = FlagGroup::kStudy,
       .set = SetLargeCount<&ForecastSize::bytes>},
      {.name = "--price-per-core-hour",
       .value = "P",
       .help = "what an hour of one core costs, in any currency",
       .group = FlagGroup::kStudy,
       .set = SetNumber<&SizePlanOptions::price_per_core_hour>},
      {.name = "--hours",
       .value = "H",
       .help = "what may be taken before one machine is too slow",
       .default_text = "24",
       .group = FlagGroup::kStudy,
       .set = SetNumber<&SizePlanOptions::most_hours>},
      {.name = "--disk",
       .value = "SIZE",
       .help = "room for work files and results, as 2T",
       .default_text = "(what is free in --tmp)",
       .group = FlagGroup::kStudy,
       .set = SetSize<&SizePlanOptions::disk_bytes>},
      {.name = "--calibrate",
       .value = "FILE",
       .help = "measure runs on this machine and write what they took",
       .group = FlagGroup::kStudy,
       .kind = ValueKind::kFile,
       .set = SetText<&PlanAsked::calibrate>},
      {.name = "--calibration",
       .value = "FILE",
       .help = "rest on what --calibrate has written",
       .default_text = "(runs that the authors measured)",
       .group = FlagGroup::kStudy,
       .kind = ValueKind::kFile,
       .set = SetText<&SizePlanOptions::calibration>}};
}

Command PlanCommand() {
  return {
      .name = "plan",
      .group = CommandGroup::kStudies,
      .operands = "[INPUT...]",
      .help = "what a corpus that is not there yet would take, and what to use",
      .long_help =
          "The forecast of 'dedup --dry-run', for N documents like those of "
          "the INPUTs, or like made-up texts of the same length: time, memory, "
          "disk, recall, cores and price, on one machine, in shards, as an "
          "index. Runs that were measured correct it, and --calibrate measures "
          "them here. docs/scale.md says what is measured and what is not.",
      .examples = {{"twinset plan --documents 1e9 --bytes 1.4e12 --method "
                    "minhash",
                    "a corpus of which only the size is known"},
                   {"twinset plan sample.jsonl --documents 1e9 "
                    "--price-per-core-hour 0.04",
                    "one of which there is a sample"}},
      .everyday = {"--documents", "--bytes", "--method", "--threshold",
                   "--price-per-core-hour", "--hours", "--disk", "--calibrate",
                   "--calibration", "--json", "--threads", "--memory",
                   "--quiet"},
      .parameters = {.groups = kComparing},
      .shared = Join({kRecordFlags,
                      {"--json", "--threads", "--memory", "--tmp",
                       "--late-features", "--simd", "--progress", "--config"}}),
      .texts = {{.name = "--method", .default_text = "complete"},
                {.name = "--bucket-limit",
                 .long_help = "The members of a larger bucket are compared "
                              "with at most 64 leaders instead of each other."},
                {.name = "--max-df",
                 .help = "shingles in more than N documents do not count; 0: "
                         "all count",
                 .long_help = ""},
                kOneJsonDocument,
                kPresetsOfMethods,
                kTypesOfRecords},
      .flags = PlanFlags(),
      .refusals = {kWritesNoFolder, kPassesOver, kPrintsText},
      .run = RunPlan};
}

}  // namespace

const Registration kPlan(PlanCommand);

}  // namespace twinset::cli
