// twinset runs.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/line_counts.h"
#include "cli/nouns.h"
#include "cli/output.h"
#include "cli/studies.h"
#include "cli/values.h"
#include "twinset/json.h"
#include "twinset/names.h"
#include "twinset/runs.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kRunsName = "runs";

Json FactsJson(const RunFacts& facts) {
  return {{"run", facts.name},
          {"run_topics", facts.topics},
          {"documents", facts.documents},
          {"tied_share", facts.tied_share},
          {"lines", LineCountsJson(facts.lines)}};
}

Json OptionalJson(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

void TellRun(const RunFacts& facts) {
  TellLineCounts(kRunsName, fmt::format("run {}", Printable(facts.name)),
                 facts.lines);
}

// Those of lists, then those of runs.
template <typename Run>
std::vector<SideRead> AllSides(std::vector<SideRead> sides,
                               const std::vector<Run>& runs) {
  for (const auto& run : runs) {
    const std::vector<SideRead> of_run = SidesOf({{"run", &run.facts.lines}});
    sides.insert(sides.end(), of_run.begin(), of_run.end());
  }
  return sides;
}

// ---- eval ----

// Names of measures hold no other than these members.
Json EvalJson(const RunsEvalResult& result, const EvaluatedRun& run) {
  Json row = {{"run", run.facts.name}, {"topic", "all"}};
  for (size_t i = 0; i < result.measures.size(); ++i)
    row[result.measures[i]] = run.means[i];
  row["num_q"] = run.topics;
  row["unjudged_topics"] = run.unjudged_topics;
  row["missing_topics"] = run.missing_topics;
  row["collapsed"] = run.collapsed;
  row["sides"] = SidesJson(SidesOf({{"judgements", &result.qrels},
                                    {"duplicates", &result.duplicates},
                                    {"run", &run.facts.lines}}));
  Json facts = FactsJson(run.facts);
  facts.erase("run");
  row.update(facts);
  return row;
}

std::string EvalTable(const RunsEvalResult& result, bool by_topic) {
  size_t width = 4;
  for (const EvaluatedRun& run : result.runs)
    width = std::max(width, Printable(run.facts.name).size());
  std::string text = fmt::format("{:<{}} {:>8}", "run", width, "topic");
  for (const std::string& name : result.measures)
    text += fmt::format(" {:>{}}", name, std::max<size_t>(8, name.size()));
  text += "\n";
  const auto add = [&](const std::string& run, const std::string& topic,
                       const std::vector<double>& values) {
    text +=
        fmt::format("{:<{}} {:>8}", Printable(run), width, Printable(topic));
    for (size_t i = 0; i < values.size(); ++i)
      text += fmt::format(" {:>{}.4f}", values[i],
                          std::max<size_t>(8, result.measures[i].size()));
    text += "\n";
  };
  for (const EvaluatedRun& run : result.runs) {
    if (by_topic)
      for (const auto& topic : run.by_topic)
        add(run.facts.name, topic.topic, topic.values);
    add(run.facts.name, "all", run.means);
  }
  return text;
}

int Eval(const RunsOptions& options, const Request& request) {
  if (options.qrels.empty())
    return TellError(
        kRunsName,
        {ErrorCode::kUsage, "no judgements are given", {}, "add --qrels FILE"});
  const auto result = EvaluateRuns(options);
  if (!result) return TellError(kRunsName, result.error());
  TellLineCounts(kRunsName, "judgements", result->qrels);
  TellLineCounts(kRunsName, "duplicates", result->duplicates);
  const bool by_topic = request.study->runs_by_topic;
  Output out;
  for (const EvaluatedRun& run : result->runs) {
    TellRun(run.facts);
    if (run.missing_topics > 0)
      Tell(kRunsName,
           fmt::format("run {} lacks {} judged topic{}; they {}",
                       Printable(run.facts.name), Grouped(run.missing_topics),
                       run.missing_topics == 1 ? "" : "s",
                       options.evaluation.all_topics
                           ? "count 0"
                           : "do not count (--all-topics)"));
    if (run.unjudged_topics > 0)
      Tell(kRunsName,
           fmt::format("run {} has {} topic{} without judgements; they "
                       "do not count",
                       Printable(run.facts.name), Grouped(run.unjudged_topics),
                       run.unjudged_topics == 1 ? "" : "s"));
    if (!request.json) continue;
    for (const auto& topic : run.by_topic) {
      if (!by_topic) break;
      Json row = {{"run", run.facts.name}, {"topic", topic.topic}};
      for (size_t i = 0; i < result->measures.size(); ++i)
        row[result->measures[i]] = topic.values[i];
      if (!out.Line(row.dump())) break;
    }
    out.Line(EvalJson(*result, run).dump());
  }
  if (!request.json) {
    out.Write(EvalTable(*result, by_topic));
    if (!request.quiet)
      WriteSides(AllSides(SidesOf({{"judgements", &result->qrels},
                                   {"duplicates", &result->duplicates}}),
                          result->runs),
                 &out);
  }
  return out.Finish(kRunsName);
}

// ---- collapse, transfer, make ----

int Collapse(const RunsOptions& options, const Request& request) {
  const StopOnSignal stop;
  RunsOptions stoppable = options;
  stoppable.stop = stop.flag();
  const auto result = CollapseRuns(stoppable);
  if (!result) return TellError(kRunsName, result.error());
  TellLineCounts(kRunsName, "duplicates", result->duplicates);
  if (result->quarantined > 0)
    Tell(kRunsName,
         fmt::format("{} record{} of the texts cannot be read and stay{}",
                     Grouped(result->quarantined),
                     result->quarantined == 1 ? "" : "s",
                     result->quarantined == 1 ? "s" : ""));
  const bool has_texts = !options.texts.inputs.empty();
  for (const std::string& warning : result->warnings)
    Tell(kRunsName, Printable(warning));
  Output out;
  if (has_texts && !request.json && !request.quiet)
    out.Line(fmt::format("texts of {} of {} ranked documents, {} pairs",
                         Grouped(result->with_text), Grouped(result->ranked),
                         Grouped(result->pairs)));
  for (const auto& run : result->runs) {
    TellRun(run.facts);
    if (request.json) {
      Json row = FactsJson(run.facts);
      if (has_texts)
        row["texts"] = {{"ranked", result->ranked},
                        {"with_text", result->with_text},
                        {"quarantined", result->quarantined},
                        {"sides", SidesJson(result->sides)},
                        {"pairs", result->pairs}};
      row["collapsed"] = run.collapsed;
      row["collapsed_topics"] = run.topics;
      row["sides"] = SidesJson(SidesOf(
          {{"duplicates", &result->duplicates}, {"run", &run.facts.lines}}));
      row["collapse"] = options.evaluation.action;
      row["written"] = NameText(run.written);
      out.Line(row.dump());
    } else if (!request.quiet) {
      out.Line(fmt::format(
          "{}: {} of {} documents have a duplicate above them, in {} of {} "
          "topics ({}) -> {}",
          Printable(run.facts.name), Grouped(run.collapsed),
          Grouped(run.facts.documents), Grouped(run.topics),
          Grouped(run.facts.topics), ChoiceName(options.evaluation.action),
          Printable(run.written)));
    }
  }
  const std::vector<SideRead> beside =
      has_texts ? result->sides
                : SidesOf({{"duplicates", &result->duplicates}});
  if (!request.json && !request.quiet)
    WriteSides(AllSides(beside, result->runs), &out);
  return out.Finish(kRunsName);
}

int Transfer(const RunsOptions& options, const Request& request) {
  const auto result = TransferRuns(options);
  if (!result) return TellError(kRunsName, result.error());
  TellLineCounts(kRunsName, "pairs", result->links);
  Output out;
  for (const auto& run : result->runs) {
    TellRun(run.facts);
    if (request.json) {
      Json row = FactsJson(run.facts);
      row["mapped"] = run.mapped;
      row["without_pair"] = run.without_pair;
      row["merged"] = run.merged;
      row["sides"] = SidesJson(
          SidesOf({{"pairs", &result->links}, {"run", &run.facts.lines}}));
      row["written"] = NameText(run.written);
      out.Line(row.dump());
    } else if (!request.quiet) {
      out.Line(fmt::format(
          "{}: {} of {} documents mapped, {} without a pair, {} onto one that "
          "is ranked above -> {}",
          Printable(run.facts.name), Grouped(run.mapped),
          Grouped(run.facts.documents), Grouped(run.without_pair),
          Grouped(run.merged), Printable(run.written)));
    }
  }
  if (!request.json && !request.quiet)
    WriteSides(AllSides(SidesOf({{"pairs", &result->links}}), result->runs),
               &out);
  return out.Finish(kRunsName);
}

int Make(const RunsOptions& options, const Request& request) {
  const auto result = MakeRuns(options);
  if (!result) return TellError(kRunsName, result.error());
  const bool of_engines = !options.topics.empty();
  const char* const name = of_engines ? "topics" : "features";
  TellLineCounts(kRunsName, name, result->lines);
  if (result->without_words > 0)
    Tell(kRunsName, fmt::format("{} topic{} without a word to look for",
                                Grouped(result->without_words),
                                result->without_words == 1 ? "" : "s"));
  Output out;
  for (const auto& run : result->runs) {
    if (request.json) {
      const Json row = {
          {"run", run.name},
          {"documents", run.documents},
          {"tied_share", run.tied_share},
          {"sides", SidesJson(SidesOf({{name, &result->lines}}))}};
      out.Line(row.dump());
    } else if (!request.quiet) {
      out.Line(of_engines ? fmt::format("{}  {} documents", Printable(run.name),
                                        Grouped(run.documents))
                          : fmt::format("{}  {:5.1f} % tied", run.name,
                                        100 * run.tied_share));
    }
  }
  if (!request.json && !request.quiet)
    out.Line(fmt::format(
        "{} document{} under {} topic{} in {} runs -> {}",
        Grouped(result->documents), result->documents == 1 ? "" : "s",
        Grouped(result->topics), result->topics == 1 ? "" : "s",
        result->runs.size(), Printable(options.out)));
  if (!request.json && !request.quiet)
    WriteSides(SidesOf({{name, &result->lines}}), &out);
  return out.Finish(kRunsName);
}

// ---- compare ----

Json KindsJson(const std::array<uint64_t, kSwapKinds>& kinds) {
  Json row = Json::object();
  for (size_t i = 0; i < kSwapKinds; ++i)
    row[ChoiceName(static_cast<SwapKind>(i))] = kinds[i];
  return row;
}

Json SystemsJson(const std::vector<ComparedSystem>& systems) {
  Json rows = Json::array();
  for (const ComparedSystem& one : systems)
    rows.push_back({{"run", one.name},
                    {"first", one.first},
                    {"second", one.second},
                    {"first_rank", one.first_rank},
                    {"second_rank", one.second_rank},
                    {"tied_share", one.tied_share}});
  return rows;
}

Json CompareJson(const RunsCompareResult& result,
                 const ComparedMeasure& measure) {
  Json row = {{"measure", measure.measure},
              {"first_topics", result.first_topics},
              {"second_topics", result.second_topics},
              {"tau_b", OptionalJson(measure.tau_b)},
              {"tau_ap", OptionalJson(measure.tau_ap)},
              {"rbo", OptionalJson(measure.overlap)},
              {"pairs", measure.pairs.size()},
              {"swapped", measure.swapped},
              {"tied", measure.tied},
              {"undefined",
               measure.undefined.empty() ? Json() : Json(measure.undefined)},
              {"t", KindsJson(measure.t_kinds)},
              {"randomisation", KindsJson(measure.random_kinds)},
              {"systems", SystemsJson(measure.systems)},
              {"apart", SystemsJson(measure.apart)},
              {"unmatched", Json(result.unmatched)}};
  Json& changed = row["changed_pairs"] = Json::array();
  for (const ComparedPair& pair : measure.pairs) {
    if (!pair.swapped && pair.t_kind != SwapKind::kBothOpposite) continue;
    changed.push_back({{"a", pair.a},
                       {"b", pair.b},
                       {"first_difference", pair.first_difference},
                       {"second_difference", pair.second_difference},
                       {"first_p", pair.first_p},
                       {"second_p", pair.second_p},
                       {"first_random_p", pair.first_random_p},
                       {"second_random_p", pair.second_random_p},
                       {"t", pair.t_kind},
                       {"randomisation", pair.random_kind}});
  }
  return row;
}

std::string NumberOr(const std::optional<double>& value) {
  return value ? fmt::format("{:.4f}", *value) : "undefined";
}

std::string CompareText(const ComparedMeasure& measure) {
  std::string text = fmt::format(
      "{}: tau_b {}, tau_ap {}, rbo {} over {} systems; {} of {} pairs "
      "swapped\n",
      measure.measure, NumberOr(measure.tau_b), NumberOr(measure.tau_ap),
      NumberOr(measure.overlap), measure.systems.size(), measure.swapped,
      measure.pairs.size());
  if (measure.tied > 0)
    text += fmt::format("  {} of {} pairs tied on one side at least\n",
                        measure.tied, measure.pairs.size());
  if (!measure.undefined.empty())
    text += fmt::format("  no correlation: {}\n", measure.undefined);
  for (const bool by_t : {true, false}) {
    text += by_t ? "  significant (t)            "
                 : "  significant (randomisation)";
    for (size_t i = 0; i < kSwapKinds; ++i)
      text += fmt::format(" {} {}", ChoiceName(static_cast<SwapKind>(i)),
                          by_t ? measure.t_kinds[i] : measure.random_kinds[i]);
    text += "\n";
  }
  for (const bool apart : {false, true})
    for (const ComparedSystem& one : apart ? measure.apart : measure.systems)
      text += fmt::format(
          "  {:<24} {:.4f} {:>4} -> {:.4f} {:>4}{}\n", Printable(one.name),
          one.first, apart ? "" : std::to_string(one.first_rank), one.second,
          apart ? "" : std::to_string(one.second_rank),
          apart ? fmt::format("  apart: {:.0f} % tied", 100 * one.tied_share)
                : "");
  return text;
}

std::vector<SideRead> ComparedSides(const RunsCompareResult& result,
                                    bool two_sides) {
  std::vector<SideRead> sides =
      SidesOf({{"judgements", &result.qrels},
               {"judgements of the second side", &result.against_qrels},
               {"duplicates", &result.duplicates}});
  const auto add = [&](const char* side, const std::vector<RunFacts>& runs) {
    for (const RunFacts& facts : runs) {
      const std::vector<SideRead> one = SidesOf({{side, &facts.lines}});
      sides.insert(sides.end(), one.begin(), one.end());
    }
  };
  add("run", result.first);
  if (two_sides) add("run of the second side", result.second);
  return sides;
}

int Compare(const RunsOptions& options, const Request& request) {
  if (options.qrels.empty())
    return TellError(
        kRunsName,
        {ErrorCode::kUsage, "no judgements are given", {}, "add --qrels FILE"});
  const auto result = CompareRuns(options);
  if (!result) return TellError(kRunsName, result.error());
  TellLineCounts(kRunsName, "judgements", result->qrels);
  TellLineCounts(kRunsName, "judgements of the second side",
                 result->against_qrels);
  TellLineCounts(kRunsName, "duplicates", result->duplicates);
  for (const RunFacts& facts : result->first) TellRun(facts);
  if (!options.against.empty())
    for (const RunFacts& facts : result->second) TellRun(facts);
  for (const std::string& name : result->unmatched)
    Tell(kRunsName, fmt::format("run {} is of one side only; it is left out",
                                Printable(name)));
  Output out;
  for (const ComparedMeasure& measure : result->measures) {
    if (request.json) {
      Json row = CompareJson(*result, measure);
      row["sides"] =
          SidesJson(ComparedSides(*result, !options.against.empty()));
      out.Line(row.dump());
    } else if (!request.quiet) {
      out.Write(CompareText(measure));
    }
  }
  if (!request.json && !request.quiet)
    WriteSides(ComparedSides(*result, !options.against.empty()), &out);
  return out.Finish(kRunsName);
}

}  // namespace

int RunRuns(const Request& request) {
  if (const Status noun = CheckNoun(kRunsName, request); !noun)
    return TellError(kRunsName, noun.error());
  RunsOptions options = request.study->runs;
  options.runs.assign(request.operands.begin() + 1, request.operands.end());
  options.against = request.against;
  options.seed = request.options.method.seed;
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  options.strict = request.options.strict;
  std::vector<std::string> texts = std::move(options.texts.inputs);
  options.texts = request.options.input;
  options.texts.inputs = std::move(texts);
  options.features = request.options.features;
  options.resources = request.options.resources;
  const std::string& verb = request.operands.front();
  if (options.runs.empty())
    return TellError(kRunsName, {ErrorCode::kUsage,
                                 "no runs are given",
                                 {},
                                 fmt::format("twinset runs {} RUN...", verb)});
  if (verb == "make") return Make(options, request);
  if (verb == "transfer") return Transfer(options, request);
  if (verb == "collapse") return Collapse(options, request);
  return verb == "eval" ? Eval(options, request) : Compare(options, request);
}

}  // namespace twinset::cli
