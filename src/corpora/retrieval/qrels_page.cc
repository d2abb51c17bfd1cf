#include "retrieval/qrels_page.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/json_text.h"
#include "core/field_list.h"
#include "report/field_rows.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

using html::Cell;

// "3 judgements of 2 documents under 2 topics"
std::string CountsInWords(const GradeCounts& counts) {
  return CountText(counts.judgements, "judgement") + " of " +
         CountText(counts.documents, "document") + " under " +
         CountText(counts.topics, "topic");
}

// "1 topic has a relevant document, 0 have five or more."
std::string RelevantInWords(const GradeCounts& counts) {
  return CountText(counts.topics_with_1_relevant, "topic has", "topics have") +
         " a relevant document, " + NumberText(counts.topics_with_5_relevant) +
         " of them five or more.";
}

// Judgements beside each other, with a column for each grade that is given.
html::Table GradesTable(
    std::string caption, const char* first,
    const std::vector<std::pair<std::string, const GradeCounts*>>& rows) {
  std::set<int64_t> grades;
  for (const auto& [name, counts] : rows)
    for (const auto& [grade, count] : counts->by_grade) grades.insert(grade);
  html::Table table;
  table.caption = std::move(caption);
  table.columns = {
      {first, false},   {"judgements", true},          {"documents", true},
      {"topics", true}, {"with a relevant one", true}, {"with five", true}};
  for (const int64_t grade : grades)
    table.columns.push_back({"grade " + std::to_string(grade), true});
  for (const auto& [name, counts] : rows) {
    auto& row = table.rows.emplace_back();
    row.push_back(Cell::Text(name));
    for (const uint64_t count :
         {counts->judgements, counts->documents, counts->topics,
          counts->topics_with_1_relevant, counts->topics_with_5_relevant})
      row.push_back(Cell::Count(count));
    for (const int64_t grade : grades) {
      const auto found = counts->by_grade.find(grade);
      row.push_back(
          Cell::Count(found == counts->by_grade.end() ? 0 : found->second));
    }
  }
  return table;
}

html::Table CriteriaTable(const QrelsTransferResult& result) {
  html::Table table;
  table.caption = "What goes over under each criterion";
  table.columns = {{"under", false}};
  for (const char* name : {"links", "sources", "transferred", "merged",
                           "conflict", "judged", "topics"})
    table.columns.push_back({name, true});
  for (const TransferCounts& counts : result.under) {
    auto& row = table.rows.emplace_back();
    std::string least;
    AppendDouble(&least, counts.least);
    row.push_back(
        Cell::Text(std::string(ChoiceName(counts.under)) + " >= " + least));
    for (const uint64_t count :
         {counts.links, counts.sources, counts.transferred.judgements,
          counts.merged, counts.refused_conflict, counts.refused_judged,
          counts.transferred.topics_with_1_relevant})
      row.push_back(Cell::Count(count));
  }
  return table;
}

}  // namespace

KeptPage PageOf(const QrelsTransferResult& result) {
  const TransferCounts& main = result.under.front();
  uint64_t relevant = 0;
  for (const auto& [grade, count] : main.transferred.by_grade)
    relevant += grade >= 1 ? count : 0;
  KeptPage page("qrels", "Judgements carried over");
  page.Add(html::Lead{
      NumberText(main.sources) + " of " +
          CountText(result.source.judgements, "judgement") +
          std::string(WordFor(main.sources, " has", " have")) + " a target; " +
          CountText(main.transferred.judgements, "judgement") + " on " +
          CountText(main.transferred.documents, "document") +
          std::string(WordFor(main.transferred.judgements, " is", " are")) +
          " new, " + (relevant == 0 ? "none" : NumberText(relevant)) +
          " of them relevant.",
      CountText(result.judged_in_links, "judged document has",
                "judged documents have") +
          " a " + (result.along_pairs ? "partner" : "duplicate") +
          ". Where judgements meet, they agree " +
          CountText(result.groups_agree, "time") + " and differ " +
          CountText(result.groups_conflict, "time") + "."});
  page.Add(CriteriaTable(result));
  std::vector<std::pair<std::string, const GradeCounts*>> rows = {
      {"read", &result.source}};
  for (const auto& rule : kChoices<ConflictRule>)
    rows.emplace_back("new by rule " + std::string(rule.name) +
                          (rule.value == result.conflict ? " (this one)" : ""),
                      &result.rules[static_cast<size_t>(rule.value)]);
  rows.emplace_back("result", &result.written);
  page.Add(GradesTable("Judgements by grade", "", rows));
  return page;
}

KeptPage PageOf(const QrelsMergeResult& result) {
  KeptPage page("qrels", "Judgements merged");
  page.Add(
      html::Lead{"The merged file has " + CountsInWords(result.written) + ".",
                 "Judged more than once: " + NumberText(result.agree) +
                     " alike, " + NumberText(result.conflict) +
                     " differently (" + std::string(ChoiceName(result.rule)) +
                     "); " + NumberText(result.dropped) + " dropped. " +
                     RelevantInWords(result.written)});
  page.Add(GradesTable("", "", {{"result", &result.written}}));
  return page;
}

KeptPage PageOf(const QrelsCheckResult& result) {
  const uint64_t left_out = result.qrels.left_out_in_all();
  KeptPage page("qrels", "Judgements checked");
  page.Add(html::Lead{
      left_out == 0 ? "Every line counts: " + CountsInWords(result.counts) + "."
                    : CountText(left_out, "line") + " of " +
                          NumberText(result.qrels.lines) +
                          (left_out == 1 ? " does" : " do") + " not count.",
      RelevantInWords(result.counts)});
  page.Add(GradesTable("", "", {{"all", &result.counts}}));
  return page;
}

KeptPage PageOf(const QrelsStatsResult& result) {
  KeptPage page("qrels", "Judgements counted");
  page.Add(html::Lead{"There are " + CountsInWords(result.all) + ".",
                      RelevantInWords(result.all)});
  std::vector<std::pair<std::string, const GradeCounts*>> rows;
  for (const auto& topic : result.topics)
    rows.emplace_back(topic.topic, &topic.counts);
  rows.emplace_back("all", &result.all);
  page.Add(GradesTable("", "topic", rows));
  return page;
}

Json v1::SummaryJson(const QrelsTransferResult& result) {
  return FieldsToJson(result);
}
Json v1::SummaryJson(const QrelsMergeResult& result) {
  return FieldsToJson(result);
}
Json v1::SummaryJson(const QrelsCheckResult& result) {
  return FieldsToJson(result);
}
Json v1::SummaryJson(const QrelsStatsResult& result) {
  return FieldsToJson(result);
}

}  // namespace twinset
