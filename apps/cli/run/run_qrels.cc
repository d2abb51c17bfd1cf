// twinset qrels.
#include <fmt/format.h>

#include <set>

#include "cli/commands.h"
#include "cli/line_counts.h"
#include "cli/nouns.h"
#include "cli/output.h"
#include "cli/studies.h"
#include "cli/values.h"
#include "twinset/json.h"
#include "twinset/qrels.h"

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
                        Grouped(count));
  return text;
}

std::string Counted(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", Grouped(count), noun, count == 1 ? "" : "s");
}

std::string CountsText(const GradeCounts& counts) {
  return fmt::format(
      "{} of {} under {} ({} with a relevant one, {} with five){}{}",
      Counted(counts.judgements, "judgement"),
      Counted(counts.documents, "document"), Counted(counts.topics, "topic"),
      Grouped(counts.topics_with_1_relevant),
      Grouped(counts.topics_with_5_relevant),
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
      Grouped(main.sources), Counted(result.source.judgements, "judgement"),
      Counted(main.transferred.judgements, "judgement"),
      Counted(main.transferred.documents, "document"),
      relevant == 0 ? "none" : Grouped(relevant));
}

std::string TransferText(const QrelsOptions& options,
                         const QrelsTransferResult& result) {
  std::string text = TransferFinding(result);
  text += fmt::format(
      "read       {}\n"
      "linked     {}; groups that agree {}, that conflict {}\n",
      CountsText(result.source),
      Counted(result.judged_in_links, "judged document"),
      Grouped(result.groups_agree), Grouped(result.groups_conflict));
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
        CountsText(result->written), Grouped(result->agree),
        Grouped(result->conflict), ChoiceName(options.conflict),
        Grouped(result->dropped)));
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

}  // namespace

int RunQrels(const Request& request) {
  if (const Status noun = CheckNoun(kQrelsName, request); !noun)
    return TellError(kQrelsName, noun.error());
  QrelsOptions options = request.study->qrels;
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

}  // namespace twinset::cli
