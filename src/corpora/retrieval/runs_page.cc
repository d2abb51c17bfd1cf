#include "retrieval/runs_page.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/field_list.h"
#include "report/field_rows.h"
#include "report/kept_page.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

using html::Cell;

constexpr int kDecimals = 4;  // as trec_eval

Cell FixedOrNone(const std::optional<double>& value) {
  return value ? Cell::Fixed(*value, kDecimals) : Cell::None();
}

html::Table TableWith(std::string caption, std::vector<const char*> texts,
                      const std::vector<std::string>& numbers) {
  html::Table table;
  table.caption = std::move(caption);
  for (const char* name : texts) table.columns.push_back({name, false});
  for (const std::string& name : numbers) table.columns.push_back({name, true});
  return table;
}

template <typename Runs>
void AddRuns(const Runs& runs, LinesRead* lines) {
  for (const auto& run : runs)
    lines->push_back({"run", &run.facts.lines, run.facts.name});
}

// What was read of one run and of what all share.
template <typename Result>
Json SidesOfRun(const Result& result, const RunFacts& run) {
  LinesRead lines = result.lines();
  std::erase_if(lines, [&](const LinesOf& of) {
    return !of.name.empty() && of.counts != &run.lines;
  });
  return SidesJson(SidesOf(lines));
}

uint64_t DocumentsOf(const auto& runs) {
  uint64_t documents = 0;
  for (const auto& run : runs) documents += run.facts.documents;
  return documents;
}

html::Lead LeadOf(const RunsEvalResult& result) {
  const auto best = std::max_element(
      result.runs.begin(), result.runs.end(),
      [](const auto& a, const auto& b) { return a.means[0] < b.means[0]; });
  const auto equals = std::count_if(
      result.runs.begin(), result.runs.end(),
      [&](const auto& run) { return run.means[0] == best->means[0]; });
  const std::string value = FixedText(best->means[0], kDecimals);
  const std::string& measure = result.measures[0];
  const std::string over = " over " + CountText(best->topics, "topic") + ".";
  if (result.runs.size() == 1)
    return {best->facts.name + " has a " + measure + " of " + value + over, ""};
  if (equals > 1)
    return {NumberText(static_cast<uint64_t>(equals)) + " of " +
                CountText(result.runs.size(), "run") + " share the highest " +
                measure + ", " + value + ".",
            ""};
  return {"Of " + CountText(result.runs.size(), "run") + ", " +
              best->facts.name + " has the highest " + measure + ", " + value +
              over,
          ""};
}

html::Table MeasuresTable(const RunsEvalResult& result) {
  html::Table table = TableWith("", {"run", "topic"}, result.measures);
  const auto add = [&table](const std::string& run, const std::string& topic,
                            const std::vector<double>& values) {
    auto& row = table.rows.emplace_back();
    row = {Cell::Text(run), Cell::Text(topic)};
    for (const double value : values)
      row.push_back(Cell::Fixed(value, kDecimals));
  };
  for (const EvaluatedRun& run : result.runs) {
    if (result.by_topic)
      for (const auto& topic : run.by_topic)
        add(run.facts.name, topic.topic, topic.values);
    add(run.facts.name, "all", run.means);
  }
  return table;
}

// "By map, 2 of 45 pairs of systems change places."
html::Lead LeadOf(const ComparedMeasure& measure) {
  const std::string by = "By " + measure.measure + ", ";
  if (!measure.undefined.empty())
    return {by + "the sides cannot be correlated: " + measure.undefined + ".",
            ""};
  return {
      by + NumberText(measure.swapped) + " of " +
          CountText(measure.pairs.size(), "pair") +
          " of systems change places; tau_b is " +
          (measure.tau_b ? FixedText(*measure.tau_b, kDecimals) : "undefined") +
          ".",
      measure.tied == 0 ? ""
                        : NumberText(measure.tied) + " of them " +
                              std::string(WordFor(measure.tied, "is", "are")) +
                              " tied on one side at least."};
}

html::Table CorrelationTable(const RunsCompareResult& result) {
  html::Table table = TableWith(
      "How alike the rankings are", {"measure"},
      {"systems", "tau_b", "tau_ap", "rbo", "pairs", "swapped", "tied"});
  for (const ComparedMeasure& one : result.measures)
    table.rows.push_back(
        {Cell::Text(one.measure), Cell::Count(one.systems.size()),
         FixedOrNone(one.tau_b), FixedOrNone(one.tau_ap),
         FixedOrNone(one.overlap), Cell::Count(one.pairs.size()),
         Cell::Count(one.swapped), Cell::Count(one.tied)});
  return table;
}

html::Table SignificanceTable(const RunsCompareResult& result) {
  html::Table table =
      TableWith("Pairs by significance", {"measure", "test"}, {});
  for (const auto& kind : kChoices<SwapKind>)
    table.columns.push_back({WordsOf(std::string(kind.name)), true});
  for (const ComparedMeasure& one : result.measures) {
    for (const bool by_t : {true, false}) {
      auto& row = table.rows.emplace_back();
      row = {Cell::Text(one.measure), Cell::Text(by_t ? "t" : "randomisation")};
      for (const uint64_t count : by_t ? one.t_kinds : one.random_kinds)
        row.push_back(Cell::Count(count));
    }
  }
  return table;
}

html::Table SystemsTable(const ComparedMeasure& measure) {
  html::Table table = TableWith("Systems by " + measure.measure, {"run"},
                                {"first", "rank", "second", "rank"});
  const bool any_apart = !measure.apart.empty();
  if (any_apart) table.columns.push_back({"apart", false});
  for (const bool apart : {false, true}) {
    for (const ComparedSystem& one : apart ? measure.apart : measure.systems) {
      const auto place = [apart](uint64_t rank) {
        return apart ? Cell::None() : Cell::Count(rank);
      };
      table.rows.push_back(
          {Cell::Text(one.name), Cell::Fixed(one.first, kDecimals),
           place(one.first_rank), Cell::Fixed(one.second, kDecimals),
           place(one.second_rank)});
      if (apart)
        table.rows.back().push_back(
            Cell::Text(PercentText(one.tied_share) + " tied"));
    }
  }
  return table;
}

template <typename Result>
void Finish(KeptPage page, Result* result) {
  result->sides = SidesOf(result->lines());
  result->page = ResultPage(std::move(page));
}

}  // namespace

LinesRead v1::RunsEvalResult::lines() const {
  LinesRead lines = {{"judgements", &qrels}, {"duplicates", &duplicates}};
  AddRuns(runs, &lines);
  return lines;
}
LinesRead v1::RunsCollapseResult::lines() const {
  LinesRead lines = {{"duplicates", &duplicates}};
  AddRuns(runs, &lines);
  return lines;
}
LinesRead v1::RunsTransferResult::lines() const {
  LinesRead lines = {{"pairs", &links}};
  AddRuns(runs, &lines);
  return lines;
}
LinesRead v1::RunsCompareResult::lines() const {
  LinesRead lines = {{"judgements", &qrels},
                     {"judgements of the second side", &against_qrels},
                     {"duplicates", &duplicates}};
  for (const RunFacts& run : first)
    lines.push_back({"run", &run.lines, run.name});
  if (has_second_runs)
    for (const RunFacts& run : second)
      lines.push_back({"run of the second side", &run.lines, run.name});
  return lines;
}

void TellOf(RunsEvalResult* result) {
  KeptPage page("runs", "Runs evaluated");
  page.Add(LeadOf(*result)).Add(MeasuresTable(*result));
  Finish(std::move(page), result);
}

void TellOf(RunsCollapseResult* result) {
  uint64_t collapsed = 0;
  for (const auto& run : result->runs) collapsed += run.collapsed;
  constexpr const char* kBecome[] = {"is removed", "stands below all others",
                                     "is marked and keeps its place"};
  html::Lead lead = {
      NumberText(collapsed) + " of " +
          CountText(DocumentsOf(result->runs), "ranked document") +
          (collapsed == 1 ? " has" : " have") + " a duplicate above.",
      "A document below one of its duplicates " +
          std::string(kBecome[static_cast<size_t>(result->action)]) + "."};
  if (result->texts)
    lead.text +=
        " Of " + CountText(result->texts->ranked, "different document") + ", " +
        NumberText(result->texts->with_text) + " have a text; these have " +
        CountText(result->texts->pairs, "pair") + " of duplicates.";
  KeptPage page("runs", "Runs without duplicates");
  page.Add(std::move(lead));
  page.Add(TableOf("",
                   {{"run"},
                    {"documents"},
                    {"collapsed", "with a duplicate above"},
                    {"run_topics", "topics"},
                    {"collapsed_topics", "topics with one"}},
                   result->runs));
  Finish(std::move(page), result);
  if (!result->texts) return;
  // Their pairs stand in a work folder.
  std::erase_if(result->sides,
                [](const SideRead& side) { return side.side == "duplicates"; });
  result->sides.insert(result->sides.begin(), result->texts->sides.begin(),
                       result->texts->sides.end());
}

void TellOf(RunsTransferResult* result) {
  uint64_t mapped = 0;
  for (const auto& run : result->runs) mapped += run.mapped;
  KeptPage page("runs", "Runs carried over");
  page.Add(
      html::Lead{NumberText(mapped) + " of " +
                     CountText(DocumentsOf(result->runs), "ranked document") +
                     " stand under the id of a partner.",
                 ""});
  page.Add(TableOf("",
                   {{"run"},
                    {"documents"},
                    {"mapped"},
                    {"without_pair"},
                    {"merged", "onto one ranked above"}},
                   result->runs));
  Finish(std::move(page), result);
}

void TellOf(RunsCompareResult* result) {
  KeptPage page("runs", "Runs compared");
  page.Add(LeadOf(result->measures.front()));
  page.Add(CorrelationTable(*result)).Add(SignificanceTable(*result));
  for (const ComparedMeasure& measure : result->measures)
    page.Add(SystemsTable(measure));
  Finish(std::move(page), result);
}

void TellOf(RunsMakeResult* result) {
  KeptPage page("runs", "Runs made");
  const std::string under = " under " + CountText(result->topics, "topic");
  page.Add(html::Lead{
      CountText(result->runs.size(), "run ranks", "runs rank") +
          (result->of_engines
               ? " documents" + under + ", " + NumberText(result->documents) +
                     " in all."
               : " " + CountText(result->documents, "document") + under + "."),
      ""});
  html::Table table =
      TableWith("", {"run"}, {result->of_engines ? "documents" : "tied"});
  for (const auto& run : result->runs)
    table.rows.push_back(
        {Cell::Text(run.name),
         result->of_engines
             ? Cell::Count(run.documents)
             : Cell{FixedText(100 * run.tied_share, 1) + " %", true}});
  page.Add(std::move(table));
  Finish(std::move(page), result);
}

// ---- JSON ----

std::vector<Json> v1::RowsJson(const RunsEvalResult& result) {
  std::vector<Json> rows;
  const auto add = [&](const RunFacts& run, const std::string& topic,
                       const std::vector<double>& values) -> Json& {
    Json& row = rows.emplace_back(Json({{"run", run.name}, {"topic", topic}}));
    for (size_t i = 0; i < values.size(); ++i)
      row[result.measures[i]] = values[i];
    return row;
  };
  for (const EvaluatedRun& run : result.runs) {
    if (result.by_topic)
      for (const auto& topic : run.by_topic)
        add(run.facts, topic.topic, topic.values);
    Json& all = add(run.facts, "all", run.means);
    all.update(FieldsToJson(run));
    all["sides"] = SidesOfRun(result, run.facts);
    all.update(FieldsToJson(run.facts));
  }
  return rows;
}

std::vector<Json> v1::RowsJson(const RunsCollapseResult& result) {
  std::vector<Json> rows;
  for (const auto& run : result.runs) {
    Json& row = rows.emplace_back(FieldsToJson(run.facts));
    if (result.texts) row["texts"] = FieldsToJson(*result.texts);
    row.update(FieldsToJson(run));
    row["sides"] = SidesOfRun(result, run.facts);
    row["collapse"] = result.action;
    row["written"] = NameText(run.written);
  }
  return rows;
}

std::vector<Json> v1::RowsJson(const RunsTransferResult& result) {
  std::vector<Json> rows;
  for (const auto& run : result.runs) {
    Json& row = rows.emplace_back(FieldsToJson(run));
    row["sides"] = SidesOfRun(result, run.facts);
    row["written"] = NameText(run.written);
  }
  return rows;
}

std::vector<Json> v1::RowsJson(const RunsMakeResult& result) {
  std::vector<Json> rows;
  for (const auto& run : result.runs)
    rows.emplace_back(FieldsToJson(run))["sides"] = SidesJson(result.sides);
  return rows;
}

std::vector<Json> v1::RowsJson(const RunsCompareResult& result) {
  std::vector<Json> rows;
  for (const ComparedMeasure& measure : result.measures) {
    Json& row =
        rows.emplace_back(Json({{"measure", measure.measure},
                                {"first_topics", result.first_topics},
                                {"second_topics", result.second_topics}}));
    row.update(FieldsToJson(measure));
    row["systems"] = field_list::ToJson(measure.systems);
    row["apart"] = field_list::ToJson(measure.apart);
    row["unmatched"] = Json(result.unmatched);
    Json& changed = row["changed_pairs"] = Json::array();
    for (const ComparedPair& pair : measure.pairs)
      if (pair.swapped || pair.t_kind == SwapKind::kBothOpposite)
        changed.push_back(FieldsToJson(pair));
    row["sides"] = SidesJson(result.sides);
  }
  return rows;
}

}  // namespace twinset
