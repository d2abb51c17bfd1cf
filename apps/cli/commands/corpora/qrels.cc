// twinset qrels.
#include "twinset/corpora/qrels.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/commands/corpora/line_counts.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/nouns.h"
#include "cli/values.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kQrelsName = "qrels";

template <typename Result>
int Run(const Request& request, const QrelsOptions& options,
        Result (*job)(const QrelsOptions&)) {
  bool is_clean = true;
  const int code = RunToResult(kQrelsName, request, options, job,
                               [&is_clean](const auto& result) {
                                 TellLinesRead(kQrelsName, result.lines());
                                 if constexpr (requires { result.is_clean(); })
                                   is_clean = result.is_clean();
                               });
  return code == kExitDone && !is_clean ? kExitFailed : code;
}

int RunQrels(const Request& request) {
  if (const Status noun = CheckNoun(kQrelsName, request); !noun)
    return TellError(kQrelsName, noun.error());
  auto options = JobOptionsOf<QrelsOptions>(request);
  options.qrels.assign(request.operands.begin() + 1, request.operands.end());
  options.strict = request.options.strict;
  options.memory_bytes = request.options.resources.memory_bytes;
  const std::string& verb = request.operands.front();
  if (options.qrels.empty())
    return TellError(kQrelsName,
                     {ErrorCode::kUsage,
                      "no judgements are given",
                      {},
                      fmt::format("twinset qrels {} QRELS...", verb)});
  if (verb == "transfer") return Run(request, options, TransferQrels);
  if (verb == "merge") return Run(request, options, MergeQrels);
  return verb == "check" ? Run(request, options, CheckQrels)
                         : Run(request, options, CountQrels);
}

std::vector<Flag> QrelsFlags() {
  return {
      {.name = "--pairs",
       .value = "FILE",
       .help = "transfer: pairs of a match; judgements go from a to b",
       .long_help = "pairs.jsonl or .csv of 'twinset match', or rows of that "
                    "form. May be repeated.",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&QrelsOptions::pairs>},
      {.name = "--duplicates",
       .value = "FILE",
       .help =
           "transfer: duplicates of one collection; judgements go both ways",
       .long_help =
           "What 'twinset dedup' lists, pairs of CopyCat (CSV or JSON), rows "
           "of ids, groups {\"ids\":[...]}. May be repeated.",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&QrelsOptions::duplicates>},
      {.name = "--labels",
       .value = "FILE",
       .help = "transfer: labels of people for pairs: rows with a, b and label",
       .long_help = "JSON lines or a table. Pairs without a label of their own "
                    "get it. May be repeated.",
       .default_text = "(those of the pairs)",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&QrelsOptions::labels>},
      {.name = "--judged",
       .value = "FILE",
       .help = "transfer: judgements that the documents of b have already",
       .long_help = "May be repeated.",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&QrelsOptions::judged>},
      {.name = "--ids",
       .value = "FILE",
       .help = "check: the ids that there are, one a line",
       .long_help = "May be repeated.",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&QrelsOptions::ids>},
      {.name = "--conflict",
       .value = "RULE",
       .help = "where judgements of one document differ: {}",
       .long_help = "max: the highest grade. majority: the most frequent one, "
                    "of several the highest. drop: none. first: that which "
                    "comes first in the files.",
       .default_text = "max",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<ConflictRule>(),
       .set = SetPick<&QrelsOptions::conflict>},
      {.name = "--targets",
       .value = "HOW",
       .help = "transfer: a target's own judgement: {}",
       .long_help = "keep: it stays. replace: it takes part in the rule, and "
                    "the outcome replaces it.",
       .default_text = "keep",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<JudgedTarget>(),
       .set = SetPick<&QrelsOptions::target>},
      {.name = "--under",
       .value = "FIELD",
       .help = "transfer: what of a pair decides: {}",
       .long_help =
           "similarity with --threshold, grade with --least-grade, label (of "
           "people) with --least-label. What the others would transfer is "
           "counted beside it, where pairs have them.",
       .default_text = "similarity",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<TransferUnder>(),
       .set = SetPick<&QrelsOptions::under>},
      {.name = "--threshold",
       .short_name = 't',
       .value = "T",
       .help = "transfer: least similarity of a pair",
       .long_help = "Pairs and groups without one pass.",
       .default_text = "0",
       .set = SetUpToOne<&QrelsOptions::least_similarity>},
      {.name = "--least-grade",
       .value = "G",
       .help = "transfer: least grade of a pair",
       .long_help = "Pairs have one after 'twinset match --kinds'.",
       .default_text = "0.5",
       .set = SetUpToOne<&QrelsOptions::least_grade>},
      {.name = "--least-label",
       .value = "L",
       .help = "transfer: least label of a pair",
       .default_text = "1",
       .set = SetNumber<&QrelsOptions::least_label>},
      {.name = "--negative-as-zero",
       .help = "read grades below 0 as 0",
       .set = SetSwitch<&QrelsOptions::negative_as_zero>},
      {.name = "--log",
       .value = "FILE",
       .help = "transfer, merge: a row for each judgement that met a target",
       .long_help = "CSV if the name ends in .csv, else JSON lines. A file "
                    "that exists is refused unless --overwrite is given.",
       .default_text = "(not written)",
       .group = FlagGroup::kOutput,
       .kind = ValueKind::kFile,
       .set = SetText<&QrelsOptions::log>}};
}

Command QrelsCommand() {
  return {
      .name = "qrels",
      .group = CommandGroup::kStudies,
      .operands = "transfer|merge|check|stats QRELS...",
      .help =
          "judgements of relevance: to near-duplicates, merged, checked, "
          "counted",
      .long_help =
          "QRELS are TREC judgements of four columns (topic, iteration, "
          "document, grade) or prels of five, of any whole grades.\n\ntransfer "
          "carries judgements along --pairs of a match, from a to b, or to the "
          "--duplicates of one collection. Where several meet on one document "
          "and differ, --conflict decides; a document with a judgement of its "
          "own keeps it unless --targets says otherwise. --log has a row for "
          "each judgement that was transferred, merged or refused.\n\nmerge "
          "makes one file of several. check finds bad lines, repeated and "
          "contradicting judgements and, with --ids, unknown documents; it "
          "ends with 1 when there are any. stats counts by topic and "
          "grade.\n\nLines that are left out are counted by reason, and the "
          "first 20 are told with their place.",
      .nouns = {"transfer", "merge", "check", "stats"},
      .examples = {{"twinset qrels transfer web.qrels --pairs m/pairs.jsonl "
                    "--out b.qrels --log transfer.jsonl",
                    "judgements of A for B, after 'twinset match A --against B "
                    "--out m'"},
                   {"twinset qrels transfer web.qrels --duplicates "
                    "groups.jsonl --conflict majority --json",
                    "what would be transferred within one collection"},
                   {"twinset qrels check web.qrels --ids ids.txt",
                    "what is wrong in the judgements"}},
      .everyday = {"--pairs", "--duplicates", "--conflict", "--threshold",
                   "--out", "--log", "--judged", "--ids", "--json",
                   "--overwrite", "--quiet"},
      .shared = {"--out", "--overwrite", "--json", "--memory", "--strict",
                 "--progress", "--config"},
      .texts =
          {{.name = "--out",
            .help = "transfer, merge: file of the judgements",
            .long_help =
                "A file that exists is refused unless --overwrite is given."},
           {.name = "--overwrite",
            .help = "replace files that exist",
            .long_help = ""},
           {.name = "--json", .help = "print one JSON object"},
           {.name = "--memory",
            .help = "most memory for the lists; more is refused"},
           {.name = "--strict",
            .help = "fail at the first line that would be left out"},
           kOnlyTheAnswer},
      .flags = QrelsFlags(),
      .refusals = {kComputesOnOneThread, kNoWorkFiles, kDrawsNothing,
                   kBeginsAnew, kPrintsText},
      .run = RunQrels};
}

}  // namespace

const Registration kQrels(QrelsCommand);

}  // namespace twinset::cli
