#include "transfer/systems_page.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/html_blocks.h"
#include "transfer/pilot_cells.h"
#include "twinset/corpora/runs.h"

namespace twinset {
namespace {

constexpr size_t kConditions = 3;
// What stands against A's systems under A's judgements, by its name.
template <typename Finding>
std::array<std::pair<const Finding*, const char*>, kConditions> NamedOf(
    const StudyConditions<Finding>& conditions) {
  return {{{&conditions.mapped, "mapped"},
           {&conditions.anew, "anew"},
           {&conditions.anew_condensed, "anew, condensed"}}};
}

using System = StudyComparison::System;

const std::vector<System>& SystemsOf(
    const std::optional<StudyComparison>& compared) {
  static const std::vector<System> none;
  return compared ? compared->systems : none;
}

// The score of a system under a condition, on the side of A or of B.
Cell ScoreOf(const std::optional<StudyComparison>& compared,
             const std::string& system, std::optional<double> System::*side) {
  for (const System& one : SystemsOf(compared))
    if (one.system == system) return NumberOf(one.*side);
  return NoNumber();
}

void AddSystems(const StudyCarryOver& step, KeptPage* page) {
  html::Table systems{"nDCG at 10 of each system",
                      {{"system"},
                       {"A", true},
                       {"mapped", true},
                       {"anew", true},
                       {"A, condensed", true},
                       {"anew, condensed", true}},
                      {}};
  for (const System& one : SystemsOf(step.anew))
    systems.rows.push_back(
        {Cell::Text(one.system), NumberOf(one.first),
         ScoreOf(step.mapped, one.system, &System::second),
         NumberOf(one.second),
         ScoreOf(step.anew_condensed, one.system, &System::first),
         ScoreOf(step.anew_condensed, one.system, &System::second)});
  page->Add(std::move(systems));
}

// Pairs of systems by what the paired t test says of them on both sides.
void AddSignificance(const StudyCarryOver& step, KeptPage* page) {
  html::Table table{"Pairs of systems, by significance at 5 % (paired t)",
                    {{"condition"},
                     {"in both, one order", true},
                     {"in both, orders opposite", true},
                     {"only under A's judgements", true},
                     {"only there", true},
                     {"in neither", true}},
                    {}};
  for (const auto& [compared, name] : NamedOf(step)) {
    std::vector<Cell> row = {Cell::Text(name)};
    for (size_t i = 0; i < kSwapKinds; ++i)
      row.push_back(*compared ? Cell::Count((*compared)->significance[i])
                              : NoNumber());
    table.rows.push_back(std::move(row));
  }
  page->Add(std::move(table));
}

// Each system as a point: its score on A, and on B.
html::Chart SystemsChart(const StudyCarryOver& step) {
  html::Chart chart;
  chart.title = "nDCG at 10 of each system, on A and on B";
  chart.description =
      "A point for each system: to the right its score under A's judgements, "
      "upwards that under the judgements that B gets.";
  chart.x.label = "under A's judgements";
  chart.y.label = "under those that B gets";
  for (const auto& [compared, name] :
       {std::pair(&step.mapped, "the same lists, carried over to B"),
        std::pair(&step.anew, "run anew over B")}) {
    html::Series series;
    series.name = name;
    series.line = false;
    for (const System& one : SystemsOf(*compared))
      if (one.first && one.second)
        series.points.push_back({*one.first, *one.second, 0, 0, one.system});
    chart.series.push_back(std::move(series));
  }
  chart.note =
      "Where the points of one colour rise to the right throughout, the order "
      "of the systems is kept.";
  return chart;
}

void AddFall(const StudyCarryOver& step, KeptPage* page) {
  const auto rows =
      step.fewer_judgements.value_or(std::vector<StudyFewerRow>());
  html::Chart chart;
  chart.title = "Kendall's tau as fewer judgements transfer";
  chart.description =
      "The mean over draws of the documents whose judgements are left, with "
      "the least and the most.";
  chart.x = {"share of the transferred judgements", false, 0.0, 1.0};
  chart.y.label = "tau b";
  for (size_t i = 0; i < kConditions; ++i) {
    const auto [compared, name] = NamedOf(step)[i];
    html::Series series;
    series.name = name;
    series.band = true;
    if (*compared && (*compared)->tau_b) {
      const double tau = *(*compared)->tau_b;
      series.points.push_back({1, tau, tau, tau, ""});
    }
    for (const StudyFewerRow& row : rows) {
      const std::optional<StudyFewer>& taus = *NamedOf(row)[i].first;
      if (!taus) continue;
      series.points.push_back({row.share.value_or(0), taus->mean.value_or(0),
                               taus->least.value_or(0), taus->most.value_or(0),
                               ""});
    }
    chart.series.push_back(std::move(series));
  }
  page->Add(std::move(chart));
  html::Table table{"As fewer judgements transfer: means over the draws",
                    {{"share left", true},
                     {"condition"},
                     {"draws", true},
                     {"tau b", true},
                     {"swapped pairs", true},
                     {"nDCG at 10, mean of systems", true}},
                    {}};
  for (const StudyFewerRow& row : rows) {
    for (const auto& [seen, name] : NamedOf(row)) {
      if (!*seen) continue;
      const StudyFewer& fewer = **seen;
      double sum = 0;
      for (const StudyFewer::System& system : fewer.systems)
        sum += system.second.value_or(0);
      Cell tau = NumberOf(fewer.mean);
      tau.below =
          NumberOf(fewer.least).text + " to " + NumberOf(fewer.most).text;
      table.rows.push_back(
          {NumberOf(row.share), Cell::Text(name), CountOf(fewer.draws),
           std::move(tau), NumberOf(fewer.swapped),
           fewer.systems.empty()
               ? NoNumber()
               : Cell::Fixed(sum / static_cast<double>(fewer.systems.size()),
                             3)});
    }
  }
  page->Add(std::move(table));
}

}  // namespace

void AddGrades(const std::vector<StudyOf<StudyTransfer>>& steps,
               KeptPage* page) {
  html::Table grades{
      "Judgements by grade",
      {{"content"}, {"grade", true}, {"of A", true}, {"come over to B", true}},
      {}};
  for (const auto& [content, step] : steps)
    for (const auto& [grade, judgements] : step.source.by_grade) {
      const auto moved = step.transferred.by_grade.find(grade);
      grades.rows.push_back(
          {ContentOf(content), Cell{std::to_string(grade), true},
           Cell::Count(judgements),
           Cell::Count(
               moved == step.transferred.by_grade.end() ? 0 : moved->second)});
    }
  page->Add(std::move(grades));
}

void AddTransfer(const std::vector<StudyOf<StudyTransfer>>& steps,
                 KeptPage* page) {
  html::Table table{"What comes over",
                    {{"content"},
                     {"judgements", true},
                     {"with a target", true},
                     {"transferred", true},
                     {"merged", true},
                     {"refused", true},
                     {"topics with 1 relevant", true},
                     {"with 5", true}},
                    {}};
  for (const auto& [content, step] : steps) {
    const GradeCounts &source = step.source, &moved = step.transferred;
    const auto of = [&](uint64_t GradeCounts::*count) {
      return Cell::Text(CountOf(moved.*count).text + " of " +
                        CountOf(source.*count).text);
    };
    table.rows.push_back({ContentOf(content), CountOf(source.judgements),
                          ShareWithInterval(step.judgements_with_target),
                          CountOf(moved.judgements), CountOf(step.merged),
                          CountOf(step.refused_conflict),
                          of(&GradeCounts::topics_with_1_relevant),
                          of(&GradeCounts::topics_with_5_relevant)});
  }
  page->Add(std::move(table));
  html::Table topics{"By topic, each grade with its judgements",
                     {{"content"}, {"topic"}, {"of A"}, {"of B"}},
                     {}};
  for (const auto& [content, step] : steps)
    for (const StudyTransfer::Topic& topic :
         step.topics.value_or(std::vector<StudyTransfer::Topic>()))
      topics.rows.push_back({ContentOf(content), Cell::Text(topic.topic),
                             Cell::Text(GradesInWords(topic.source)),
                             Cell::Text(GradesInWords(topic.transferred))});
  if (topics.rows.empty()) return;
  page->BeginFolded("By topic");
  page->Add(std::move(topics));
  page->EndFolded();
}

void AddCarryOver(const StudyCarryOver& step, KeptPage* page) {
  page->Add(html::Heading{"Does the comparison of systems carry over?"});
  if (!step.none) page->Add(SystemsChart(step));
  AddComparison(step, page);
}

void AddComparison(const StudyCarryOver& step, KeptPage* page) {
  if (step.none) {
    page->Add(html::Note{"No: " + *step.none + "."});
    return;
  }
  page->Add(html::Paragraph{
      "The first ranking is that of A's systems under A's judgements. Mapped: "
      "the same lists with the ids of B, under the transferred judgements. "
      "Anew: the same systems over B. Condensed: documents without a judgement "
      "of their side are taken from the lists of both."});
  html::Table table{"Against A's systems under A's judgements",
                    {{"condition"},
                     {"Kendall's tau b", true},
                     {"tau ap", true},
                     {"swapped pairs", true},
                     {"tied", true},
                     {"of", true},
                     {"unjudged in the top 10", true}},
                    {}};
  std::string undefined;
  for (const auto& [compared, name] : NamedOf(step)) {
    if (!*compared) continue;
    const StudyComparison& part = **compared;
    if (part.undefined)
      undefined += std::string(undefined.empty() ? "" : "; ") + name + ": " +
                   *part.undefined;
    table.rows.push_back({Cell::Text(name), NumberOf(part.tau_b),
                          NumberOf(part.tau_ap), CountOf(part.swapped),
                          CountOf(part.tied), CountOf(part.pairs),
                          ErrorOf(part.unjudged_10)});
  }
  page->Add(std::move(table));
  if (!undefined.empty())
    page->Add(
        html::Note{"There is no correlation where one side has no order. " +
                   undefined + "."});
  page->BeginFolded("The systems one by one, and with fewer judgements");
  AddSignificance(step, page);
  AddSystems(step, page);
  AddFall(step, page);
  page->EndFolded();
}

}  // namespace twinset
