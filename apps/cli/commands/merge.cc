// twinset merge
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/summary.h"
#include "twinset/plain_words.h"
#include "twinset/shards.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kMergeName = "merge";

Status CheckMerge(const Request& given) {
  Request request = given;
  // --out is told of as what does not go with a part.
  if (IsGiven(given, "--part") && request.options.out.empty())
    request.options.out = "part";
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

std::string PartPage(const Request& request, const PartSummary& summary) {
  const Shard& part = summary.part;
  return fmt::format(
      "Part {}/{} {}: {} compared, {} at the threshold.\n  kept in: {}\n"
      "  next: twinset merge SHARD... PART... --out DIR, when all {} are "
      "there\n",
      part.number, part.of,
      summary.was_there ? "was there already" : "is joined",
      CountText(summary.compared, "pair"), NumberText(summary.accepted),
      NameText(request.options.save), part.of);
}

int RunPart(const Request& request) {
  Request shown = request;  // what a stopped run has kept stands there
  shown.options.out = request.options.save;
  const Shard part = request.Of<Shard>();
  return RunShown(
      kMergeName, shown, OptionsOf(request), {},
      [&](const MergeOptions& options) { return MergePart(options, part); },
      [&](const PartSummary& summary, uint64_t, Output* out) {
        if (request.json)
          out->Write(JsonText(summary));
        else if (!request.quiet)
          out->Write(PartPage(request, summary));
        return std::string();
      });
}

int RunMerge(const Request& request) {
  if (const Status status = CheckMerge(request); !status)
    return TellError(kMergeName, status.error());
  if (IsGiven(request, "--part")) return RunPart(request);
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

Status SetPart(const Values& values, Request* request) {
  TWINSET_ASSIGN(request->Of<Shard>(), ParseShard("--part", values.back()));
  return {};
}

std::vector<Flag> MergeFlags() {
  return {{.name = "--part",
           .value = "J/M",
           .help = "find part J of the pairs alone (from 0), into the folder "
                   "of --save",
           .long_help =
               "Give every part all SHARDs, on any machine; only J and --save "
               "differ. 'twinset merge SHARD... PART... --out DIR' then takes "
               "the pairs of all M parts in place of finding them; the result "
               "files are the same. A part that is finished is left as it is, "
               "and with --resume one that was begun goes on.",
           .default_text = "(all)",
           .group = FlagGroup::kInput,
           .set = SetPart}};
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
          "by --report, and no SHARD is changed. With --part the pairs are "
          "found by as many machines as there are parts, whose folders are "
          "then given with the SHARDs.",
      .examples =
          {{"twinset dedup crawl/ --shard 0/2 --key run.key --save part0",
            "on one machine; another one reads 1/2 into part1"},
           {"twinset merge part0 part1 --out dups",
            "the results of dedup crawl/ --out dups"},
           {"twinset merge part0 part1 --part 0/4 --save pairs0",
            "a fourth of the pairs, for a merge of part0 part1 pairs0 ... "
            "pairs3"}},
      .everyday = {"--out", "--save", "--report", "--json", "--overwrite",
                   "--resume", "--threads", "--memory", "--quiet"},
      .shared = {"--out", "--save", "--report", "--overwrite", "--resume",
                 "--json", "--threads", "--memory", "--tmp", "--simd",
                 "--progress", "--config"},
      .texts = {kSummaryAsJson, kTmpInResults},
      .flags = MergeFlags(),
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
