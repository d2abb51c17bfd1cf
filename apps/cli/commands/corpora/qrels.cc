// twinset qrels.
#include "twinset/corpora/qrels.h"

#include <fmt/format.h>

#include <set>

#include "cli/commands.h"
#include "cli/commands/corpora/line_counts.h"
#include "cli/flags/flag_setters.h"
#include "cli/nouns.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kQrelsName = "qrels";

Json GradesJson(const std::map<int64_t, uint64_t>& grades) {
  Json row = Json::object();
  for (const auto& [grade, count] : grades) row[std::to_string(grade)] = count;
  return row;
}

Json CountsJson(const GradeCounts& counts) {
  return {{"judgements", counts.judgements},
          {"documents", counts.documents},
          {"topics", counts.topics},
          {"by_grade", GradesJson(counts.by_grade)},
          {"topics_with_1_relevant", counts.topics_with_1_relevant},
          {"topics_with_5_relevant", counts.topics_with_5_relevant}};
}

std::string GradesText(const GradeCounts& counts) {
  std::string text;
  for (const auto& [grade, count] : counts.by_grade)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", grade,
                        NumberText(count));
  return text;
}

std::string CountsText(const GradeCounts& counts) {
  return fmt::format(
      "{} of {} under {} ({} with a relevant one, {} with five){}{}",
      CountText(counts.judgements, "judgement"),
      CountText(counts.documents, "document"),
      CountText(counts.topics, "topic"),
      NumberText(counts.topics_with_1_relevant),
      NumberText(counts.topics_with_5_relevant),
      counts.by_grade.empty() ? "" : "; by grade ", GradesText(counts));
}

// ---- transfer ----

Json TransferJson(const TransferCounts& counts) {
  return {{"under", counts.under},
          {"least", counts.least},
          {"links", counts.links},
          {"sources", counts.sources},
          {"without_link", counts.without_link},
          {"transferred", CountsJson(counts.transferred)},
          {"merged", counts.merged},
          {"refused_conflict", counts.refused_conflict},
          {"refused_judged", counts.refused_judged},
          {"judged_agree", counts.judged_agree},
          {"judged_conflict", counts.judged_conflict},
          {"replaced", counts.replaced},
          {"removed", counts.removed}};
}

Json ResultJson(const QrelsOptions& options,
                const QrelsTransferResult& result) {
  const TransferCounts& main = result.under.front();
  Json row = {{"command", "qrels transfer"},
              {"conflict", options.conflict},
              {"targets", options.target},
              {"qrels", LineCountsJson(result.qrels)},
              {"links", LineCountsJson(result.links)},
              {"labels", LineCountsJson(result.labels)},
              {"labelled", result.labelled},
              {"source", CountsJson(result.source)},
              {"groups_agree", result.groups_agree},
              {"groups_conflict", result.groups_conflict},
              {"judged_in_links", result.judged_in_links},
              {"transferred", main.transferred.judgements},
              {"merged", main.merged},
              {"refused_conflict", main.refused_conflict},
              {"refused_judged", main.refused_judged}};
  if (!options.judged.empty()) row["judged"] = LineCountsJson(result.judged);
  Json& under = row["under"] = Json::array();
  for (const TransferCounts& counts : result.under)
    under.push_back(TransferJson(counts));
  Json& rules = row["rules"] = Json::object();
  for (size_t i = 0; i < kConflictRules; ++i)
    rules[ChoiceName(static_cast<ConflictRule>(i))] =
        CountsJson(result.rules[i]);
  row["written"] = CountsJson(result.written);
  return row;
}

// The finding: how many judgements go over, and whether any is relevant.
std::string TransferFinding(const QrelsTransferResult& result) {
  const TransferCounts& main = result.under.front();
  uint64_t relevant = 0;
  for (const auto& [grade, count] : main.transferred.by_grade)
    relevant += grade >= 1 ? count : 0;
  return fmt::format(
      "{} of {} have a target; {} on {} are new, {} of them relevant.\n",
      NumberText(main.sources),
      CountText(result.source.judgements, "judgement"),
      CountText(main.transferred.judgements, "judgement"),
      CountText(main.transferred.documents, "document"),
      relevant == 0 ? "none" : NumberText(relevant));
}

std::string TransferText(const QrelsOptions& options,
                         const QrelsTransferResult& result) {
  std::string text = TransferFinding(result);
  text += fmt::format(
      "read       {}\n"
      "linked     {}; groups that agree {}, that conflict {}\n",
      CountsText(result.source),
      CountText(result.judged_in_links, "judged document"),
      NumberText(result.groups_agree), NumberText(result.groups_conflict));
  text +=
      fmt::format("{:<18} {:>10} {:>10} {:>11} {:>10} {:>10} {:>10} {:>8}\n",
                  "under", "links", "sources", "transferred", "merged",
                  "conflict", "judged", "topics");
  for (const TransferCounts& counts : result.under)
    text += fmt::format(
        "{:<18} {:>10} {:>10} {:>11} {:>10} {:>10} {:>10} {:>8}\n",
        fmt::format("{} >= {:g}", ChoiceName(counts.under), counts.least),
        counts.links, counts.sources, counts.transferred.judgements,
        counts.merged, counts.refused_conflict, counts.refused_judged,
        counts.transferred.topics_with_1_relevant);
  for (size_t i = 0; i < kConflictRules; ++i) {
    const auto rule = static_cast<ConflictRule>(i);
    text += fmt::format("{:<10} {}{}\n", ChoiceName(rule),
                        CountsText(result.rules[i]),
                        rule == options.conflict ? "  (this one)" : "");
  }
  if (!options.out.empty())
    text += fmt::format("written    {} -> {}\n", CountsText(result.written),
                        Printable(options.out));
  return text;
}

int Transfer(const QrelsOptions& options, const Request& request) {
  const auto result = TransferQrels(options);
  if (!result) return TellError(kQrelsName, result.error());
  TellLineCounts(kQrelsName, "judgements", result->qrels);
  TellLineCounts(kQrelsName, "judgements of targets", result->judged);
  TellLineCounts(kQrelsName, "duplicates", result->links);
  TellLineCounts(kQrelsName, "labels", result->labels);
  Output out;
  if (request.json) {
    out.Line(ResultJson(options, *result).dump());
  } else if (!request.quiet) {
    out.Write(TransferText(options, *result));
    WriteSides(SidesOf({{"judgements", &result->qrels},
                        {"judgements of targets", &result->judged},
                        {options.pairs.empty() ? "duplicates" : "pairs",
                         &result->links},
                        {"labels", &result->labels}}),
               &out);
  }
  return out.Finish(kQrelsName);
}

// ---- merge, check, stats ----

int Merge(const QrelsOptions& options, const Request& request) {
  if (options.out.empty())
    return TellError(kQrelsName, {ErrorCode::kUsage,
                                  "it is not said where to write",
                                  {},
                                  "add --out FILE"});
  const auto result = MergeQrels(options);
  if (!result) return TellError(kQrelsName, result.error());
  TellLineCounts(kQrelsName, "judgements", result->qrels);
  Output out;
  if (request.json) {
    const Json row = {{"command", "qrels merge"},
                      {"conflict", options.conflict},
                      {"qrels", LineCountsJson(result->qrels)},
                      {"agree", result->agree},
                      {"conflicts", result->conflict},
                      {"repeated", result->repeated},
                      {"dropped", result->dropped},
                      {"written", CountsJson(result->written)}};
    out.Line(row.dump());
  } else if (!request.quiet) {
    out.Line(fmt::format(
        "{}; judged more than once: {} alike, {} differently ({}); {} dropped",
        CountsText(result->written), NumberText(result->agree),
        NumberText(result->conflict), ChoiceName(options.conflict),
        NumberText(result->dropped)));
    WriteSides(SidesOf({{"judgements", &result->qrels}}), &out);
  }
  return out.Finish(kQrelsName);
}

int Check(const QrelsOptions& options, const Request& request) {
  const auto result = CheckQrels(options);
  if (!result) return TellError(kQrelsName, result.error());
  TellLineCounts(kQrelsName, "judgements", result->qrels);
  TellLineCounts(kQrelsName, "ids", result->ids);
  Output out;
  if (request.json) {
    const Json row = {{"command", "qrels check"},
                      {"clean", result->is_clean()},
                      {"qrels", LineCountsJson(result->qrels)},
                      {"ids", LineCountsJson(result->ids)},
                      {"counts", CountsJson(result->counts)}};
    out.Line(row.dump());
  } else if (!request.quiet) {
    out.Line(CountsText(result->counts));
    WriteSides(SidesOf({{"judgements", &result->qrels}, {"ids", &result->ids}}),
               &out);
  }
  const int code = out.Finish(kQrelsName);
  return code == kExitDone && !result->is_clean() ? kExitFailed : code;
}

std::string StatsText(const QrelsStatsResult& result) {
  std::set<int64_t> grades;
  for (const auto& [grade, count] : result.all.by_grade) grades.insert(grade);
  std::string text = fmt::format("{:<12} {:>10}", "topic", "judgements");
  for (const int64_t grade : grades)
    text += fmt::format(" {:>8}", fmt::format("grade {}", grade));
  text += "\n";
  const auto add = [&](const std::string& name, const GradeCounts& counts) {
    text += fmt::format("{:<12} {:>10}", Printable(name), counts.judgements);
    for (const int64_t grade : grades) {
      const auto found = counts.by_grade.find(grade);
      text += fmt::format(" {:>8}",
                          found == counts.by_grade.end() ? 0 : found->second);
    }
    text += "\n";
  };
  for (const auto& [topic, counts] : result.topics) add(topic, counts);
  add("all", result.all);
  return text + CountsText(result.all) + "\n";
}

int Stats(const QrelsOptions& options, const Request& request) {
  const auto result = CountQrels(options);
  if (!result) return TellError(kQrelsName, result.error());
  TellLineCounts(kQrelsName, "judgements", result->qrels);
  Output out;
  if (request.json) {
    Json row = {{"command", "qrels stats"},
                {"qrels", LineCountsJson(result->qrels)},
                {"all", CountsJson(result->all)}};
    Json& topics = row["topics"] = Json::array();
    for (const auto& [topic, counts] : result->topics) {
      Json one = {{"topic", topic}};
      one.update(CountsJson(counts));
      topics.push_back(std::move(one));
    }
    out.Line(row.dump());
  } else {
    out.Write(StatsText(*result));
    if (!request.quiet)
      WriteSides(SidesOf({{"judgements", &result->qrels}}), &out);
  }
  return out.Finish(kQrelsName);
}

int RunQrels(const Request& request) {
  if (const Status noun = CheckNoun(kQrelsName, request); !noun)
    return TellError(kQrelsName, noun.error());
  QrelsOptions options = request.Of<QrelsOptions>();
  options.qrels.assign(request.operands.begin() + 1, request.operands.end());
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  options.strict = request.options.strict;
  options.memory_bytes = request.options.resources.memory_bytes;
  const std::string& verb = request.operands.front();
  if (options.qrels.empty())
    return TellError(kQrelsName,
                     {ErrorCode::kUsage,
                      "no judgements are given",
                      {},
                      fmt::format("twinset qrels {} QRELS...", verb)});
  if (verb == "transfer") return Transfer(options, request);
  if (verb == "merge") return Merge(options, request);
  return verb == "check" ? Check(options, request) : Stats(options, request);
}

template <auto... Path>
Status UpToOne(const Values& values, Request* request) {
  TWINSET_ASSIGN(const double value, ParseNumber(values.back()));
  if (!(value >= 0 && value <= 1))
    return Fail(ErrorCode::kUsage,
                fmt::format("'{}' is not from 0 to 1", values.back()));
  At<Path...>(*request) = value;
  return {};
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
       .set = UpToOne<&QrelsOptions::least_similarity>},
      {.name = "--least-grade",
       .value = "G",
       .help = "transfer: least grade of a pair",
       .long_help = "Pairs have one after 'twinset match --kinds'.",
       .default_text = "0.5",
       .set = UpToOne<&QrelsOptions::least_grade>},
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
                 "--config"},
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
           {.name = "--quiet",
            .help = "nothing but the answer; problems are still told"}},
      .flags = QrelsFlags(),
      .refusals = {{{"--threads"}, "it computes on one thread"},
                   {{"--tmp"}, "it makes no work files"},
                   {{"--seed"}, "nothing is drawn at random"},
                   {{"--resume"}, "it begins anew; give --overwrite"},
                   {{"--format"}, "it prints text, or JSON with --json"}},
      .run = RunQrels};
}

}  // namespace

const Registration kQrels(QrelsCommand);

}  // namespace twinset::cli
