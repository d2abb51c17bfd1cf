// twinset match
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

#include "cli/commands.h"
#include "cli/explain_command.h"
#include "cli/flags/flag_setters.h"
#include "cli/forecast_text.h"
#include "cli/job.h"
#include "cli/summary.h"
#include "cli/values.h"
#include "twinset/dedup.h"
#include "twinset/index_files.h"
#include "twinset/plain_words.h"
#include "twinset/saved_run.h"
#include "twinset/text_choices.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kMatchName = "match";

// A side that is asked in place of inputs.
bool IsStored(const std::string& side) {
  return IsSavedRun(side) || IsIndex(side);
}

std::string Row(std::string_view head, const std::string& text) {
  return fmt::format("  {:<12} {}\n", head, text);
}

// The command that explains the first pair; empty where explain cannot read
// both sides alike.
std::string ExplainPair(const Request& request) {
  for (const auto& [name, value] : request.given)
    if (name.starts_with("--against-")) return {};
  for (const std::string& side : request.against)
    if (IsStored(side)) return {};
  Request both = request;
  both.operands.insert(both.operands.end(), request.against.begin(),
                       request.against.end());
  return ExplainCommand(both);
}

std::string MatchText(const Request& request, const MatchSummary& summary) {
  const bool containment =
      request.options.method.measure == Measure::kContainment;
  std::string text = summary.page.Text(StyleOfStdout()) + "\n";
  if (request.options.limit > 0)
    text += Row("limit", fmt::format("at most {} documents of each side were "
                                     "read",
                                     NumberText(request.options.limit)));
  text += Row("read", Printable(SidesText(summary.sides)));
  text += Row("pairs", NumberText(summary.pairs));
  if (containment) text += Row("passages", NumberText(summary.passages));
  text += Row("dropped", NumberText(summary.dropped));
  text += PlaceRows(request.options);
  text += Row("time", SecondsText(summary.seconds));
  if (const std::string explain = ExplainPair(request); !explain.empty())
    text += fmt::format("\nWhat the first pair has in common:\n  {}\n",
                        Printable(explain));
  const std::string advice = PageAdvice(request.options);
  // What several runs left together has no page.
  const bool is_one = !summary.json.contains("against");
  if (summary.pairs > 0 && is_one && !advice.empty()) text += "\n" + advice;
  return text;
}

// A match that is not resumed: it has no `resume`.
struct AskedAtOnce {
  MatchOptions match;
  ProgressSink on_progress;
  std::function<void(const std::string&)> on_notice;
  const std::atomic<bool>* stop = nullptr;
};

Result<MatchSummary> MatchAtOnce(const AskedAtOnce& asked) {
  MatchOptions options = asked.match;
  options.on_progress = asked.on_progress;
  options.on_notice = asked.on_notice;
  options.stop = asked.stop;
  return MatchIndexes(options);
}

bool AreStored(const std::vector<std::string>& against) {
  return !against.empty() &&
         std::all_of(against.begin(), against.end(), IsStored);
}

int RunMatch(const Request& request) {
  if (const Status status = CheckJob(request); !status)
    return TellError(kMatchName, status.error());
  if (request.against.empty())
    return TellError(kMatchName, {ErrorCode::kUsage,
                                  "there is nothing to match against",
                                  {},
                                  "--against INPUT"});
  for (const char* flag : {"--passage-tokens", "--passage-gap"}) {
    if (IsGiven(request, flag) &&
        request.options.method.measure != Measure::kContainment)
      return TellError(kMatchName,
                       {ErrorCode::kUsage,
                        fmt::format("{} needs --measure containment", flag),
                        {},
                        "no other measure looks for passages"});
  }
  auto options = RunOptionsOf<MatchOptions>(request);
  options.window = request.options.window;
  options.action = request.options.action;
  options.max_loss = request.options.max_loss;
  options.against = request.against;
  const bool asks_index =
      std::any_of(request.against.begin(), request.against.end(), IsIndex);
  if (request.dry_run && asks_index) {
    return TellError(kMatchName,
                     {ErrorCode::kUsage,
                      "what a match against an index costs is not foretold",
                      {},
                      "make a saved run of it: twinset index export --save"});
  }
  if (request.dry_run)
    return TellForecast(kMatchName, request, std::move(options), ForecastMatch);
  const auto text = [&](const MatchSummary& summary, uint64_t) {
    return MatchText(request, summary);
  };
  const auto incomplete = [](const MatchSummary&) {
    return "an input could not be read to its end: the results are of the rest";
  };
  if (asks_index || (request.against.size() > 1 && AreStored(request.against)))
    return RunJob(kMatchName, request, AskedAtOnce{std::move(options), {}, {}},
                  MatchAtOnce, text, incomplete);
  return RunJob(kMatchName, request, std::move(options), Match, text,
                incomplete);
}

std::vector<Flag> MatchFlags() {
  return {
      {.name = "--passage-tokens",
       .value = "N",
       .help = "with --measure containment, shorter passages are not listed",
       .default_text = "10",
       .group = FlagGroup::kClusters,
       .set = SetInt<1, 1 << 20, &MatchOptions::passage_tokens>},
      {.name = "--passage-gap",
       .value = "N",
       .help = "words that may differ between two copied runs of one passage",
       .default_text = "8",
       .group = FlagGroup::kClusters,
       .is_laboratory = true,
       .set = SetInt<0, 1 << 20, &MatchOptions::passage_gap>},
      {.name = "--against-format",
       .value = "FORMAT",
       .help = "of the second side: as --input-format",
       .default_text = "(as --input-format)",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<InputFormat>(),
       .set = SetPick<&MatchOptions::against_input, &AgainstOptions::format>},
      {.name = "--against-preset",
       .value = "NAME",
       .help = "of the second side: a named setting of fields, as clueweb22",
       .long_help = "What --id-field and its like say of the first side then "
                    "does not count for the second.",
       .default_text = "(as --preset)",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<FieldPreset>(),
       .set = SetPick<&MatchOptions::against_input, &AgainstOptions::preset>},
      {.name = "--against-id-field",
       .value = "PATH",
       .help = "of the second side: field of a row that is its id",
       .default_text = "(as --id-field)",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kField,
       .set = SetText<&MatchOptions::against_input, &AgainstOptions::id_field>},
      {.name = "--against-text-field",
       .value = "PATH",
       .help = "of the second side: field of a row that is its text",
       .default_text = "(as --text-field)",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kField,
       .set =
           SetText<&MatchOptions::against_input, &AgainstOptions::text_field>},
      {.name = "--against-html-field",
       .value = "PATH",
       .help = "of the second side: field of a row that is markup",
       .default_text = "(as --html-field)",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kField,
       .set =
           SetText<&MatchOptions::against_input, &AgainstOptions::html_field>},
      {.name = "--against-url-field",
       .value = "PATH",
       .help = "of the second side: field of a row that is its URL",
       .default_text = "(as --url-field)",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kField,
       .set =
           SetText<&MatchOptions::against_input, &AgainstOptions::url_field>},
      {.name = "--against-date-field",
       .value = "PATH",
       .help = "of the second side: field of a row that is its date",
       .default_text = "(as --date-field)",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kField,
       .set =
           SetText<&MatchOptions::against_input, &AgainstOptions::date_field>}};
}

// What a saved run of one corpus says of that corpus alone.
void ForgetScope(FlagOptions* options) {
  options->within.clear();
  options->across.clear();
  options->fields.clear();  // tables of the other side
  options->stats_by.clear();
  options->action = DedupOptions().action;
  options->max_loss = DedupOptions().max_loss;
}

Command MatchCommand() {
  return {
      .name = "match",
      .group = CommandGroup::kEveryday,
      .front_page = 2,
      .operands = "INPUT...",
      .help = "which documents of one corpus stand in another, and where",
      .long_help =
          "Compares every document of A (the INPUTs) with those of B "
          "(--against), never inside one of them, verifies each pair exactly, "
          "and lists what of A can go. Ids of both sides are kept as they "
          "are.\n\nWith --measure containment the similarity is the share of "
          "A's shingles that B has, every pair at the threshold is found "
          "however long B is, and passages.jsonl says which stretches were "
          "copied: for plagiarism, quotation and decontamination. With "
          "--method mod-m a sample of the shingles finds most of them, on "
          "disk.",
      .examples = {{"twinset match new.jsonl --against old.jsonl --out matched",
                    "what of a new corpus is in an old one"},
                   {"twinset match new.jsonl --against run-may --against "
                    "run-june --out matched",
                    "the same in saved runs, each named in the rows"},
                   {"twinset match suspects/ --against sources/ --measure "
                    "containment --threshold 0.1 --out found",
                    "copied passages"}},
      .everyday = {"--against", "--out", "--method", "--threshold", "--measure",
                   "--action", "--write", "--report", "--text-field",
                   "--id-field", "--against-text-field", "--preset", "--json",
                   "--overwrite", "--resume", "--threads", "--memory",
                   "--quiet"},
      .parameters = {.groups = kComparing,
                     .also = {"keep", "action", "max-loss"}},
      .shared = Join({kRecordFlags,
                      {"--out",
                       "--format",
                       "--write",
                       "--attributes",
                       "--compression-level",
                       "--report",
                       "--kinds",
                       "--compression-level",
                       "--stats-by",
                       "--near",
                       "--overwrite",
                       "--resume",
                       "--dry-run",
                       "--json",
                       "--site",
                       "--ignore",
                       "--prefer",
                       "--fields",
                       "--window",
                       "--against",
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
                       "--key",
                       "--simd",
                       "--strict",
                       "--progress",
                       "--config"}}),
      .texts =
          {{.name = "--method", .default_text = "complete"},
           {.name = "--keep",
            .help = "which documents stand for a bucket above --bucket-limit",
            .long_help =
                "longest, shortest, first, newest, oldest, https, canonical, "
                "shortest-url, max:FIELD, min:FIELD. What no rule decides, "
                "input order does. The best of equally similar matches is the "
                "first in input order, whatever is said here. May be "
                "repeated."},
           {.name = "--action",
            .help = "what becomes of documents of A with a match: drop, "
                    "annotate or report",
            .long_help = "drop: they go. annotate: nothing goes, rows say what "
                         "they match. report: lists only."},
           {.name = "--max-loss",
            .help = "drop of A only what loses no larger share of its "
                    "shingles, as 0.05",
            .long_help =
                "A document may say things that its match does not. With "
                "0.05, a pair is a match only if the document of B has at "
                "least 95 % of the shingles of that of A; best says of each "
                "how much that is (contained), and pairs has every pair. 0: "
                "only what is contained as a whole."},
           {.name = "--out",
            .long_help =
                "Holds pairs, the best match of each document of A, keep and "
                "drop lists for A, what was quarantined and summary.json, "
                "which is written last: when it is there, the run is done. A "
                "folder that exists is refused unless --overwrite or --resume "
                "is given, and always when it holds an input or anything that "
                "twinset did not make."},
           {.name = "--format",
            .help = "of pairs and best matches: jsonl or csv"},
           {.name = "--write", .help = "also write A without what has a match"},
           kSummaryAsJson,
           {.name = "--prefer",
            .help = "sources whose documents stand for a bucket before others, "
                    "best first"},
           {.name = "--fields",
            .long_help =
                "JSON lines such as {\"url\": ..., \"pagerank\": 0.0012}; a "
                "document's own fields go before. May be repeated."},
           {.name = "--against",
            .long_help =
                "May be repeated. It may also be a folder of 'twinset dedup "
                "--save' or of 'twinset index': its documents are then asked "
                "in place of inputs, and flags that are not given are as it "
                "had "
                "them. Several such folders are asked one after the other, and "
                "each row names the one that it is of."},
           {.name = "--limit",
            .help =
                "read only the first N documents of each side, in input order",
            .long_help =
                "Documents count as summary.json counts them: what is skipped "
                "or quarantined does not. Inputs behind the last of them are "
                "not opened. A saved run or an index given with --against "
                "counts whole. It "
                "does not go with --write, whose corpus would lack the rest."},
           kPresetsOfMethods,
           kTypesOfRecords,
           kTmpInResults},
      .flags = MatchFlags(),
      .saved_run =
          [](const Request& request) {
            return AreStored(request.against) ? request.against[0]
                                              : std::string();
          },
      .forget = ForgetScope,
      .run = RunMatch};
}

}  // namespace

const Registration kMatch(MatchCommand);

}  // namespace twinset::cli
