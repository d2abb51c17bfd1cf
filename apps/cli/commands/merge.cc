// twinset merge
#include "cli/commands.h"
#include "cli/job.h"
#include "cli/summary.h"
#include "twinset/shards.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kMergeName = "merge";

Status CheckMerge(const Request& request) {
  if (request.operands.empty()) {
    return Fail(ErrorCode::kUsage, "no shard is given", {},
                "the folders of all dedup --shard I/N --save DIR");
  }
  return CheckJob(request);
}

MergeOptions OptionsOf(const Request& request) {
  auto options = JobOptionsOf<MergeOptions>(request);
  options.shards = request.operands;
  options.save = request.options.save;
  options.checkpoint_seconds =
      SecondsFor("TWINSET_CHECKPOINT_SECONDS", options.checkpoint_seconds);
  options.notice_seconds =
      SecondsFor("TWINSET_NOTICE_SECONDS", options.notice_seconds);
  return options;
}

int RunMerge(const Request& request) {
  if (const Status status = CheckMerge(request); !status)
    return TellError(kMergeName, status.error());
  Request shown = request;
  shown.operands.clear();  // no inputs that explain could look into
  return RunJob(
      kMergeName, request, OptionsOf(request), Merge,
      [&](const DedupSummary& summary, uint64_t bytes) {
        return SummaryText(shown, summary, bytes);
      },
      [&](const DedupSummary& summary) {
        return IncompleteText(request, summary);
      });
}

Command MergeCommand() {
  return {
      .name = "merge",
      .group = CommandGroup::kEveryday,
      .operands = "SHARD...",
      .help = "make one run of shards that other machines have read",
      .long_help =
          "Each SHARD is a folder of dedup --shard I/N --save DIR; give all N, "
          "in any order. The result files are those of dedup over all inputs "
          "with the flags of the shards, byte for byte. No input is read, but "
          "by --report, and no SHARD is changed.",
      .examples =
          {{"twinset dedup crawl/ --shard 0/2 --key run.key --save part0",
            "on one machine; another one reads 1/2 into part1"},
           {"twinset merge part0 part1 --out dups",
            "the results of dedup crawl/ --out dups"}},
      .everyday = {"--out", "--save", "--report", "--json", "--overwrite",
                   "--resume", "--threads", "--memory", "--quiet"},
      .shared = {"--out", "--save", "--report", "--overwrite", "--resume",
                 "--json", "--threads", "--memory", "--tmp", "--simd",
                 "--progress", "--config"},
      .texts = {kSummaryAsJson, kTmpInResults},
      .refusals = {{{"--key"}, "it is that of the shards"},
                   {{"--strict"}, "it reads no records"},
                   {{"--threshold", "--method", "--keep", "--seed", "--format"},
                    "it is as the shards were read with; recut decides a run "
                    "of merge --save anew"}},
      .run = RunMerge};
}

}  // namespace

const Registration kMerge(MergeCommand);

}  // namespace twinset::cli
