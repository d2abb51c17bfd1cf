#include "transfer/systems_page.h"

#include <string>
#include <utility>
#include <vector>

#include "report/html_blocks.h"
#include "transfer/pilot_cells.h"
#include "twinset/corpora/runs.h"

namespace twinset {
namespace {

// Names in the numbers and on the page, of what stands against A's systems
// under A's judgements.
constexpr std::pair<const char*, const char*> kConditions[] = {
    {"mapped", "mapped"},
    {"anew", "anew"},
    {"anew_condensed", "anew, condensed"}};

// The score of a system under a condition, on the side of A or of B.
Cell ScoreOf(const Json& step, const char* condition, const std::string& system,
             const char* side) {
  for (const Json& one : step[condition]["systems"])
    if (one.value("system", "") == system) return NumberOf(one[side]);
  return NoNumber();
}

void AddSystems(const Json& step, KeptPage* page) {
  html::Table systems{"nDCG at 10 of each system",
                      {{"system"},
                       {"A", true},
                       {"mapped", true},
                       {"anew", true},
                       {"A, condensed", true},
                       {"anew, condensed", true}},
                      {}};
  for (const Json& one : step["anew"]["systems"]) {
    const std::string name = one.value("system", "");
    systems.rows.push_back({Cell::Text(name), NumberOf(one["first"]),
                            ScoreOf(step, "mapped", name, "second"),
                            NumberOf(one["second"]),
                            ScoreOf(step, "anew_condensed", name, "first"),
                            ScoreOf(step, "anew_condensed", name, "second")});
  }
  page->Add(std::move(systems));
}

// Pairs of systems by what the paired t test says of them on both sides.
void AddSignificance(const Json& step, KeptPage* page) {
  html::Table table{"Pairs of systems, by significance at 5 % (paired t)",
                    {{"condition"},
                     {"in both, one order", true},
                     {"in both, orders opposite", true},
                     {"only under A's judgements", true},
                     {"only there", true},
                     {"in neither", true}},
                    {}};
  for (const auto& condition : kConditions) {
    const Json& kinds = step[condition.first]["significance"];
    std::vector<Cell> row = {Cell::Text(condition.second)};
    for (size_t i = 0; i < kSwapKinds; ++i)
      row.push_back(CountOf(kinds[ChoiceName(static_cast<SwapKind>(i))]));
    table.rows.push_back(std::move(row));
  }
  page->Add(std::move(table));
}

// Each system as a point: its score on A, and on B.
html::Chart SystemsChart(const Json& step) {
  html::Chart chart;
  chart.title = "nDCG at 10 of each system, on A and on B";
  chart.description =
      "A point for each system: to the right its score under A's judgements, "
      "upwards that under the judgements that B gets.";
  chart.x.label = "under A's judgements";
  chart.y.label = "under those that B gets";
  for (const auto& [condition, name] :
       {std::pair("mapped", "the same lists, carried over to B"),
        std::pair("anew", "run anew over B")}) {
    html::Series series;
    series.name = name;
    series.line = false;
    for (const Json& one : step[condition]["systems"])
      if (one["first"].is_number() && one["second"].is_number())
        series.points.push_back({one["first"].get<double>(),
                                 one["second"].get<double>(), 0, 0,
                                 one.value("system", "")});
    chart.series.push_back(std::move(series));
  }
  chart.note =
      "Where the points of one colour rise to the right throughout, the order "
      "of the systems is kept.";
  return chart;
}

void AddFall(const Json& step, KeptPage* page) {
  html::Chart chart;
  chart.title = "Kendall's tau as fewer judgements transfer";
  chart.description =
      "The mean over draws of the documents whose judgements are left, with "
      "the least and the most.";
  chart.x = {"share of the transferred judgements", false, 0.0, 1.0};
  chart.y.label = "tau b";
  for (const auto& condition : kConditions) {
    html::Series series;
    series.name = condition.second;
    series.band = true;
    const Json& all = step[condition.first]["tau_b"];
    if (all.is_number()) {
      const auto tau = all.get<double>();
      series.points.push_back({1, tau, tau, tau, ""});
    }
    for (const Json& row : step["fewer_judgements"]) {
      const Json& taus = row[condition.first];
      if (!taus.is_object()) continue;
      series.points.push_back({row.value("share", 0.0), taus.value("mean", 0.0),
                               taus.value("least", 0.0),
                               taus.value("most", 0.0), ""});
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
  for (const Json& row : step["fewer_judgements"]) {
    for (const auto& condition : kConditions) {
      const Json& seen = row[condition.first];
      if (!seen.is_object()) continue;
      double sum = 0;
      for (const Json& system : seen["systems"])
        sum += system.value("second", 0.0);
      Cell tau = NumberOf(seen["mean"]);
      tau.below =
          NumberOf(seen["least"]).text + " to " + NumberOf(seen["most"]).text;
      table.rows.push_back(
          {NumberOf(row["share"]), Cell::Text(condition.second),
           CountOf(seen["draws"]), std::move(tau), NumberOf(seen["swapped"]),
           seen["systems"].empty()
               ? NoNumber()
               : Cell::Fixed(sum / static_cast<double>(seen["systems"].size()),
                             3)});
    }
  }
  page->Add(std::move(table));
}

}  // namespace

void AddGrades(const Json& steps, KeptPage* page) {
  html::Table grades{
      "Judgements by grade",
      {{"content"}, {"grade", true}, {"of A", true}, {"come over to B", true}},
      {}};
  for (const Json& step : steps)
    for (const auto& grade : step["source"]["by_grade"].items())
      grades.rows.push_back({Cell::Text(step.value("content", "")),
                             Cell{grade.key, true},
                             Cell::Count(grade.value.get<uint64_t>()),
                             Cell::Count(step["transferred"]["by_grade"].value(
                                 grade.key, uint64_t{0}))});
  page->Add(std::move(grades));
}

void AddTransfer(const Json& steps, KeptPage* page) {
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
  for (const Json& step : steps) {
    const Json &source = step["source"], &moved = step["transferred"];
    const auto of = [&](const char* key) {
      return Cell::Text(CountOf(moved[key]).text + " of " +
                        CountOf(source[key]).text);
    };
    table.rows.push_back(
        {Cell::Text(step.value("content", "")), CountOf(source["judgements"]),
         ShareWithInterval(step["judgements_with_target"]),
         CountOf(moved["judgements"]), CountOf(step["merged"]),
         CountOf(step["refused_conflict"]), of("topics_with_1_relevant"),
         of("topics_with_5_relevant")});
  }
  page->Add(std::move(table));
  html::Table topics{"By topic, each grade with its judgements",
                     {{"content"}, {"topic"}, {"of A"}, {"of B"}},
                     {}};
  for (const Json& step : steps)
    for (const Json& topic : step["topics"])
      topics.rows.push_back({Cell::Text(step.value("content", "")),
                             Cell::Text(topic.value("topic", "")),
                             Cell::Text(GradesInWords(topic["source"])),
                             Cell::Text(GradesInWords(topic["transferred"]))});
  if (topics.rows.empty()) return;
  page->BeginFolded("By topic");
  page->Add(std::move(topics));
  page->EndFolded();
}

void AddCarryOver(const Json& step, KeptPage* page) {
  page->Add(html::Heading{"Does the comparison of systems carry over?"});
  if (!step.contains("none")) page->Add(SystemsChart(step));
  AddComparison(step, page);
}

void AddComparison(const Json& step, KeptPage* page) {
  if (step.contains("none")) {
    page->Add(html::Note{"No: " + step.value("none", "") + "."});
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
  for (const auto& condition : kConditions) {
    const Json& part = step[condition.first];
    if (part["undefined"].is_string())
      undefined += std::string(undefined.empty() ? "" : "; ") +
                   condition.second + ": " + part.value("undefined", "");
    table.rows.push_back({Cell::Text(condition.second), NumberOf(part["tau_b"]),
                          NumberOf(part["tau_ap"]), CountOf(part["swapped"]),
                          CountOf(part["tied"]), CountOf(part["pairs"]),
                          ErrorOf(part["unjudged_10"])});
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
