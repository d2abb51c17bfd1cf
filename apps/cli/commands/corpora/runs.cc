// twinset runs.
#include "twinset/corpora/runs.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/commands/corpora/line_counts.h"
#include "cli/flags/flag_setters.h"
#include "cli/nouns.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/json.h"
#include "twinset/names.h"
#include "twinset/options.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

// What runs was asked beside its options.
struct RunsAsked {
  bool by_topic = false;  // eval --by-topic
};

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
  const bool by_topic = request.Of<RunsAsked>().by_topic;
  Output out;
  for (const EvaluatedRun& run : result->runs) {
    TellRun(run.facts);
    if (run.missing_topics > 0)
      Tell(kRunsName,
           fmt::format("run {} lacks {}; they {}", Printable(run.facts.name),
                       CountText(run.missing_topics, "judged topic"),
                       options.evaluation.all_topics
                           ? "count 0"
                           : "do not count (--all-topics)"));
    if (run.unjudged_topics > 0)
      Tell(kRunsName, fmt::format("run {} has {} without judgements; they "
                                  "do not count",
                                  Printable(run.facts.name),
                                  CountText(run.unjudged_topics, "topic")));
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
    Tell(kRunsName, CountText(result->quarantined,
                              "record of the texts cannot be read and stays",
                              "records of the texts cannot be read and stay"));
  const bool has_texts = !options.texts.inputs.empty();
  for (const std::string& warning : result->warnings)
    Tell(kRunsName, Printable(warning));
  Output out;
  if (has_texts && !request.json && !request.quiet)
    out.Line(fmt::format("texts of {} of {} ranked documents, {} pairs",
                         NumberText(result->with_text),
                         NumberText(result->ranked),
                         NumberText(result->pairs)));
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
          Printable(run.facts.name), NumberText(run.collapsed),
          NumberText(run.facts.documents), NumberText(run.topics),
          NumberText(run.facts.topics), ChoiceName(options.evaluation.action),
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
          Printable(run.facts.name), NumberText(run.mapped),
          NumberText(run.facts.documents), NumberText(run.without_pair),
          NumberText(run.merged), Printable(run.written)));
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
    Tell(kRunsName, CountText(result->without_words, "topic") +
                        " without a word to look for");
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
                                        NumberText(run.documents))
                          : fmt::format("{}  {:5.1f} % tied", run.name,
                                        100 * run.tied_share));
    }
  }
  if (!request.json && !request.quiet)
    out.Line(fmt::format("{} under {} in {} runs -> {}",
                         CountText(result->documents, "document"),
                         CountText(result->topics, "topic"),
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

int RunRuns(const Request& request) {
  if (const Status noun = CheckNoun(kRunsName, request); !noun)
    return TellError(kRunsName, noun.error());
  RunsOptions options = request.Of<RunsOptions>();
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

template <auto... Path>
Status Probability(const Values& values, Request* request) {
  TWINSET_ASSIGN(const double value, ParseNumber(values.back()));
  if (!(value > 0 && value < 1))
    return Fail(ErrorCode::kUsage,
                fmt::format("'{}' is not above 0 and below 1", values.back()));
  At<Path...>(*request) = value;
  return {};
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

std::vector<Flag> RunsFlags() {
  return {
      {.name = "--qrels",
       .value = "FILE",
       .help = "eval, compare: the judgements",
       .long_help = "May be repeated.",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&RunsOptions::qrels>},
      {.name = "--measures",
       .value = "NAME,...",
       .help = "eval, compare: map, ndcg, ndcg_cut_10, P_10, rbp and others",
       .long_help = "By trec_eval's names; any depth may stand for 10: map, "
                    "ndcg, ndcg_cut_K, P_K, recip_rank, bpref, num_ret, "
                    "num_rel, num_rel_ret. Beside them rbp and unjudged_K, the "
                    "share of the first K that is not judged.",
       .default_text = "(eight of them)",
       .list = true,
       .set = SetTextList<&RunsOptions::evaluation, &RunEvaluation::measures>},
      {.name = "--by-topic",
       .help = "eval: the values of each topic too",
       .set = SetSwitch<&RunsAsked::by_topic>},
      {.name = "--topics",
       .value = "FILE",
       .help = "make: queries, ID:QUERY a line, which engines are asked",
       .long_help = "RUN are then folders of 'twinset engine build' on this "
                    "machine, and each gives eight runs. May be repeated.",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&RunsOptions::topics>},
      {.name = "--results",
       .value = "N",
       .help = "make: most documents of a topic",
       .default_text = "1000",
       .set = SetInt<1, 1000000, &RunsOptions::results>},
      {.name = "--relevance-level",
       .value = "N",
       .help = "grades from here on are relevant",
       .long_help = "nDCG counts every grade above 0.",
       .default_text = "1",
       .set = SetInt<1, 1000000, &RunsOptions::evaluation,
                     &RunEvaluation::relevance_level>},
      {.name = "--persistence",
       .value = "P",
       .help = "of rank-biased precision (rbp)",
       .default_text = "0.8",
       .set =
           Probability<&RunsOptions::evaluation, &RunEvaluation::persistence>},
      {.name = "--condensed",
       .help = "take documents without a judgement away first",
       .set = SetSwitch<&RunsOptions::evaluation, &RunEvaluation::condensed>},
      {.name = "--all-topics",
       .help = "eval: judged topics that a run lacks count 0",
       .long_help = "By default they do not count.",
       .set = SetSwitch<&RunsOptions::evaluation, &RunEvaluation::all_topics>},
      {.name = "--duplicates",
       .value = "FILE",
       .help = "known duplicates: those below one of theirs are collapsed",
       .long_help = "What 'twinset dedup' lists, pairs of CopyCat (CSV or "
                    "JSON), rows of ids, groups {\"ids\":[...]}. In a "
                    "comparison the second side is collapsed. May be repeated.",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .list = true,
       .set =
           SetRepeated<&RunsOptions::evaluation, &RunEvaluation::duplicates>},
      {.name = "--texts",
       .value = "INPUT",
       .help = "collapse: the collection, whose texts tell duplicates in place "
               "of --duplicates",
       .long_help =
           "A file, folder or pattern. Of the ranked documents every pair with "
           "a Jaccard similarity of --threshold, 0.9 where that is 0, is "
           "found. They are known by their ids or addresses. May be repeated.",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&RunsOptions::texts, &InputOptions::inputs>},
      {.name = "--collapse",
       .value = "HOW",
       .help = "a document with a duplicate above it: {}",
       .long_help = "remove: it goes. demote: it stands below all others. "
                    "mark: it keeps its place and counts as not relevant; in a "
                    "written run its tag is duplicate-of:ID.",
       .default_text = "remove",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<CollapseAction>(),
       .set = SetPick<&RunsOptions::evaluation, &RunEvaluation::action>},
      {.name = "--threshold",
       .short_name = 't',
       .value = "T",
       .help = "least similarity of duplicates and pairs",
       .long_help = "Those without one pass.",
       .default_text = "0",
       .set =
           UpToOne<&RunsOptions::evaluation, &RunEvaluation::least_similarity>},
      {.name = "--pairs",
       .value = "FILE",
       .help = "transfer: pairs of a match; ids of a become those of b",
       .long_help = "The most similar partner counts. May be repeated.",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&RunsOptions::pairs>},
      {.name = "--against-qrels",
       .value = "FILE",
       .help = "compare: judgements of the second side; by default the same",
       .long_help = "May be repeated.",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&RunsOptions::against_qrels>},
      {.name = "--most-tied",
       .value = "S",
       .help = "compare: runs of which more is tied stand apart",
       .long_help = "Tied is 1 - different scores / documents. Where ids "
                    "decide the order, a comparison of systems says nothing.",
       .default_text = "0.5",
       .set = UpToOne<&RunsOptions::most_tied>},
      {.name = "--rbo-persistence",
       .value = "P",
       .help = "compare: of rank-biased overlap",
       .default_text = "0.9",
       .set = Probability<&RunsOptions::overlap_persistence>},
      {.name = "--alpha",
       .value = "P",
       .help = "compare: differences of smaller p are significant",
       .default_text = "0.05",
       .set = Probability<&RunsOptions::alpha>},
      {.name = "--draws",
       .value = "N",
       .help = "compare: of a randomisation test",
       .default_text = "10000",
       .set = SetCount<&RunsOptions::permutations>},
      {.name = "--negative-as-zero",
       .help = "read grades below 0 as 0",
       .set = SetSwitch<&RunsOptions::negative_as_zero>},
      {.name = "--log",
       .value = "FILE",
       .help =
           "collapse: a row for each document that has a duplicate above it",
       .long_help = "CSV if the name ends in .csv, else JSON lines. A file "
                    "that exists is refused unless --overwrite is given.",
       .default_text = "(not written)",
       .group = FlagGroup::kOutput,
       .kind = ValueKind::kFile,
       .set = SetText<&RunsOptions::log>}};
}

Command RunsCommand() {
  return {
      .name = "runs",
      .group = CommandGroup::kStudies,
      .operands = "make|transfer|collapse|eval|compare RUN...",
      .help =
          "rankings of retrieval systems: evaluated, compared, without "
          "duplicates",
      .long_help =
          "RUN are TREC run files (topic, Q0, document, rank, score, tag), one "
          "system each. The order is that of trec_eval: scores as 32-bit "
          "floats, equal ones by descending id.\n\neval prints measures by "
          "trec_eval's names. collapse treats documents with a duplicate above "
          "them by --collapse. transfer gives documents the ids of their "
          "partners in --pairs. compare ranks the systems under two conditions "
          "and says how alike the rankings are and which significant "
          "differences are lost, found or turned round. make writes a run for "
          "each column of rows of features.",
      .nouns = {"make", "transfer", "collapse", "eval", "compare"},
      .examples =
          {{"twinset runs eval a.run b.run --qrels web.qrels", "a table"},
           {"twinset runs eval a.run --qrels web.qrels --measures "
            "map,ndcg_cut_10,P_10 --by-topic --json",
            "a row for each topic, then the means"},
           {"twinset runs collapse a.run --duplicates groups.jsonl --out c.run",
            "the run without what is redundant"},
           {"twinset runs compare *.run --qrels web.qrels --against-qrels "
            "transferred.qrels",
            "whether systems rank the same under transferred judgements"}},
      .everyday = {"--qrels", "--measures", "--duplicates", "--texts",
                   "--collapse", "--pairs", "--against", "--against-qrels",
                   "--condensed", "--out", "--log", "--json", "--overwrite",
                   "--quiet"},
      .parameters = {.also = {"seed", "shingle", "content"}},
      .shared = {"--out", "--overwrite", "--json", "--against",
                 "--input-format", "--id-field", "--text-field", "--html-field",
                 "--threads", "--memory", "--tmp", "--strict", "--config"},
      .texts =
          {{.name = "--seed",
            .help = "compare: of the randomisation tests",
            .long_help = ""},
           {.name = "--out",
            .help =
                "file of the run; of several, of make and compare, a folder",
            .long_help = "What exists is refused unless --overwrite is given, "
                         "and always when it is or holds an input or anything "
                         "that twinset did not make."},
           {.name = "--overwrite",
            .help = "replace files or a result folder that exist"},
           {.name = "--json",
            .help = "print one JSON object a run, or a measure that is "
                    "compared, and line"},
           {.name = "--against",
            .help = "compare: runs of the second side; by default the same",
            .long_help = "Matched by the names of the files. May be repeated."},
           {.name = "--threads",
            .help = "collapse --texts: worker threads; 0: one a processor"},
           {.name = "--memory",
            .help = "most memory for the lists; more is refused",
            .long_help = "At least 64M. With collapse --texts it is also that "
                         "of the search in the texts."},
           {.name = "--strict",
            .help = "fail at the first line that would be left out"},
           {.name = "--quiet",
            .help = "nothing but the answer; problems are still told"}},
      .flags = RunsFlags(),
      .refusals = {{{"--resume"}, "it begins anew; give --overwrite"},
                   {{"--format"}, "it prints text, or JSON with --json"}},
      .run = RunRuns};
}

}  // namespace

const Registration kRuns(RunsCommand);

}  // namespace twinset::cli
