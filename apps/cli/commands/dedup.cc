// twinset dedup
#include "twinset/dedup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/forecast_text.h"
#include "cli/generate.h"
#include "cli/job.h"
#include "cli/summary.h"
#include "twinset/options.h"
#include "twinset/plain_words.h"
#include "twinset/shards.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kDedupName = "dedup";

// Returns true iff a flag is about documents that are alike: it says nothing to
// a run over units.
bool IsOfDocuments(const Flag& flag) {
  constexpr std::string_view kNames[] = {
      "--shingle",  "--ignore",   "--max-df",       "--near",
      "--template", "--site",     "--stop-words",   "--stem",
      "--kinds",    "--stats-by", "--late-features"};
  if (flag.name == "--threshold") return false;
  return flag.group == FlagGroup::kMethod ||
         flag.group == FlagGroup::kClusters ||
         flag.group == FlagGroup::kScope ||
         std::find(std::begin(kNames), std::end(kNames), flag.name) !=
             std::end(kNames);
}

Status CheckUnitFlags(const Request& request) {
  const bool units = request.options.cuts_units;
  for (const auto& [name, value] : request.given) {
    if (const Flag* flag = FindFlag(*FindCommand(kDedupName), name)) {
      if (units && name == "--shingle") {
        if (IsGiven(request, "--threshold")) continue;
        return Fail(ErrorCode::kUsage,
                    "--shingle goes with --unit only beside --threshold");
      }
      if (units && IsOfDocuments(*flag))
        return Fail(ErrorCode::kUsage,
                    fmt::format("{} does not go with --unit", name), {},
                    "it is about documents that are alike");
      if (!units && flag->group == FlagGroup::kUnits)
        return Fail(ErrorCode::kUsage, fmt::format("{} needs --unit", name), {},
                    "--unit paragraph, line, sentence or substring");
    }
  }
  if (units && !request.options.save.empty()) {
    return Fail(ErrorCode::kUsage,
                "--save does not go with --unit: it keeps documents, and units "
                "are not compared with those of another run");
  }
  if (units && !request.options.add.empty()) {
    return Fail(ErrorCode::kUsage,
                "--add does not go with --unit: a saved run keeps documents");
  }
  return {};
}

Status CheckRequest(const Request& request) {
  Request checked = request;
  if (IsGiven(request, "--shard")) {
    checked.options.out = request.options.save;
    if (request.dry_run) {
      return Fail(ErrorCode::kUsage, "--dry-run does not go with --shard", {},
                  "forecast the whole run: leave out --shard");
    }
  }
  TWINSET_TRY(CheckJob(checked));
  return CheckUnitFlags(request);
}

// `job`: Dedup or Cut.
template <typename Options, typename Summary>
int RunWith(const Request& request, Options options,
            Result<Summary> (*job)(const Options&)) {
  return RunJob(
      kDedupName, request, std::move(options), job,
      [&](const Summary& summary, uint64_t bytes) {
        return SummaryText(request, summary, bytes);
      },
      [&](const Summary& summary) { return IncompleteText(request, summary); });
}

DedupOptions DedupOptionsOf(const Request& request) {
  auto options = RunOptionsOf<DedupOptions>(request);
  CopyParts<SavedRunOptions>(request.options, &options);
  return options;
}

CutOptions CutOptionsOf(const Request& request) {
  auto options = RunOptionsOf<CutOptions>(request);
  const FeatureOptions& features = request.options.features;
  options.tokens = features.tokens;
  options.content = features.content;
  if (IsGiven(request, "--threshold")) {
    options.threshold = request.options.method.threshold;
    options.shingle = features.shingle;
  }
  return options;
}

std::string ShardPage(const Request& request, const ShardSummary& summary) {
  const Shard& shard = summary.shard;
  std::string text =
      fmt::format("Shard {}/{} {}: {} of {}.\n", shard.number, shard.of,
                  summary.was_there ? "was there already" : "is read",
                  CountText(summary.documents, "document"),
                  CountText(summary.records, "record"));
  if (summary.quarantined > 0)
    text += fmt::format("  quarantined: {}; the merge lists them\n",
                        NumberText(summary.quarantined));
  if (!summary.complete)
    text += "  an input could not be read to its end; the merge says so\n";
  return text + fmt::format(
                    "  kept in: {}\n  next: twinset merge SHARD... --out DIR, "
                    "when all {} are there\n",
                    NameText(request.options.save), shard.of);
}

int RunShard(const Request& request) {
  Request shown = request;  // what a stopped run has kept stands there
  shown.options.out = request.options.save;
  const Shard shard = request.Of<Shard>();
  // An input that is cut off makes no scheduler try again: the merge says so.
  return RunShown(
      kDedupName, shown, DedupOptionsOf(request), {},
      [&](const DedupOptions& options) { return ReadShard(options, shard); },
      [&](const ShardSummary& summary, uint64_t, Output* out) {
        if (request.json)
          out->Write(JsonText(summary));
        else if (!request.quiet)
          out->Write(ShardPage(request, summary));
        return std::string();
      });
}

int RunDedup(const Request& request) {
  if (const Status status = CheckRequest(request); !status)
    return TellError(kDedupName, status.error());
  if (IsGiven(request, "--shard")) return RunShard(request);
  if (request.dry_run) {
    if (request.options.cuts_units && IsGiven(request, "--documents"))
      return TellError(kDedupName,
                       {ErrorCode::kUsage,
                        "--documents does not go with --unit",
                        {},
                        "leave it out: the forecast is of the INPUTs"});
    return request.options.cuts_units
               ? TellForecast(kDedupName, request, CutOptionsOf(request),
                              ForecastCut)
               : TellForecast(kDedupName, request, DedupOptionsOf(request),
                              [&](const DedupOptions& options) {
                                return ForecastDedup(
                                    options, request.Of<ForecastSize>());
                              });
  }
  return request.options.cuts_units
             ? RunWith(request, CutOptionsOf(request), Cut)
             : RunWith(request, DedupOptionsOf(request), Dedup);
}

Status SetShard(const Values& values, Request* request) {
  TWINSET_ASSIGN(request->Of<Shard>(), ParseShard("--shard", values.back()));
  return {};
}

std::vector<Flag> DedupFlags() {
  return {
      {.name = "--shard",
       .value = "I/N",
       .help = "read part I of N alone (from 0), into the folder of --save",
       .long_help =
           "Give every shard the same command and all INPUTs, on any machine; "
           "only I and --save differ. --key FILE holds the secret that they "
           "share. Records are dealt by the sizes of the files, so that a "
           "large one feeds several shards. 'twinset merge' then writes the "
           "results of one run over all INPUTs, byte for byte. A shard that "
           "is finished is left as it is, and with --resume one that was "
           "begun goes on.",
       .default_text = "(all)",
       .group = FlagGroup::kInput,
       .set = SetShard},
      {.name = "--documents",
       .value = "N",
       .help = "with --dry-run: forecast N documents like those of the INPUTs",
       .long_help = "As 1e9. 'twinset plan' says more of such a corpus.",
       .default_text = "(as many as there are)",
       .group = FlagGroup::kOutput,
       .needs = "--dry-run",
       .set = SetLargeCount<&ForecastSize::documents>},
      {.name = "--add",
       .value = "DIR",
       .help = "add the INPUTs to the run that was saved in a folder, whose "
               "decisions stay",
       .long_help =
           "DIR is a folder of --save and is never written; only the INPUTs "
           "are read. Documents of the saved run stay before the new ones: "
           "what was kept stays kept, and its pairs stay pairs. The results "
           "are of both, and --write writes the INPUTs alone. Flags that are "
           "not given are as in the saved run; those that decide what is read "
           "or sketched cannot be others. With --save the two together are "
           "kept in a folder of their own. May be repeated for runs that were "
           "saved with one --key.",
       .default_text = "(nothing)",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kFolder,
       .list = true,
       .set = SetRepeated<&FlagOptions::add>},
      {.name = "--reconsider",
       .help = "with --add, decide about old and new documents anew",
       .long_help =
           "The results are then those of a run over the inputs of the saved "
           "run and after them the INPUTs. Another --threshold, --measure or "
           "--max-df, --cluster components and --action drop-all need it.",
       .group = FlagGroup::kInput,
       .set = SetSwitch<&FlagOptions::reconsider>},
      {.name = "--within",
       .value = "FIELD",
       .help = "compare only documents alike in source, host, url, language or "
               "FIELD",
       .long_help = "language is that of the text, identified by the text "
                    "itself. FIELD is a field of the rows; field:NAME is one "
                    "also where NAME is one of the words above.",
       .default_text = "(all)",
       .group = FlagGroup::kScope,
       .kind = ValueKind::kField,
       .choices = {"source", "host", "url", "language"},
       .set = SetText<&FlagOptions::within>},
      {.name = "--across",
       .value = "FIELD",
       .help = "compare only documents that differ in it",
       .default_text = "(all)",
       .group = FlagGroup::kScope,
       .kind = ValueKind::kField,
       .choices = {"source", "host", "url", "language"},
       .set = SetText<&FlagOptions::across>}};
}

Command DedupCommand() {
  static const std::string long_help =
      "Reads every input, finds the pairs that are at least as similar as "
      "the threshold asks, verifies each exactly, groups them and keeps "
      "one document of each group. The results are files in the folder "
      "given with --out; inputs are never altered.\n\n" +
      std::string(kWhatIsRead);
  return {
      .name = "dedup",
      .group = CommandGroup::kEveryday,
      .front_page = 1,
      .operands = "INPUT...",
      .help = "find and remove duplicates inside a corpus",
      .long_help = long_help,
      .examples =
          {{"twinset dedup crawl/*.warc.gz --out dups",
            "near-duplicates of a crawl"},
           {"twinset dedup corpus.jsonl --out dups --method exact --level text",
            "only documents whose text is equal"},
           {"twinset dedup dump.jsonl --id-field metadata.id --text-field "
            "content --out dups --threshold 0.9 --write clean",
            "rows of another shape, and the corpus without duplicates in "
            "clean/"}},
      .everyday = {"--out",       "--method", "--threshold",  "--measure",
                   "--keep",      "--action", "--write",      "--report",
                   "--kinds",     "--save",   "--text-field", "--id-field",
                   "--preset",    "--unit",   "--dry-run",    "--json",
                   "--overwrite", "--resume", "--threads",    "--memory",
                   "--quiet"},
      .parameters = {.groups = kEveryParameter, .but = {"asked-chunks"}},
      .shared = Join({kRecordFlags,
                      {"--out",
                       "--format",
                       "--write",
                       "--attributes",
                       "--report",
                       "--kinds",
                       "--save",
                       "--stats-by",
                       "--near",
                       "--overwrite",
                       "--resume",
                       "--dry-run",
                       "--json",
                       "--site",
                       "--ignore",
                       "--prefer",
                       "--compression-level",
                       "--fields",
                       "--window",
                       "--files-from",
                       "--null",
                       "--limit",
                       "--features-field",
                       "--language",
                       "--page-kind",
                       "--digest",
                       "--threads",
                       "--memory",
                       "--tmp",
                       "--late-features",
                       "--key",
                       "--simd",
                       "--strict",
                       "--progress",
                       "--config"}}),
      .texts =
          {{.name = "--method", .default_text = "complete"},
           {.name = "--out",
            .long_help =
                "Holds clusters, pairs, keep and drop lists, what was "
                "quarantined and summary.json, which is written last: when it "
                "is there, the run is done. A folder that exists is refused "
                "unless --overwrite or --resume is given, and always when it "
                "holds an input or anything that twinset did not make."},
           kSummaryAsJson,
           {.name = "--site",
            .help =
                "what tells sites apart for --template, as --within names it"},
           kPresetsOfMethods,
           kTypesOfRecords,
           kTmpInResults},
      .flags = DedupFlags(),
      .saved_run =
          [](const Request& request) {
            return request.options.add.empty() ? std::string()
                                               : request.options.add[0];
          },
      .run = RunDedup};
}

}  // namespace

const Registration kDedup(DedupCommand);

}  // namespace twinset::cli
