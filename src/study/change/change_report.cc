#include "study/change/change_report.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "base/json_text.h"
#include "base/math/round_to.h"
#include "report/html_report.h"
#include "report/kept_page.h"
#include "report/row_writer.h"
#include "twinset/json.h"
#include "twinset/names.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {
namespace {

using html::Cell;

Json OrNull(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

void AppendNumbers(std::initializer_list<double> values, std::string* csv) {
  for (const double value : values) {
    *csv += ',';
    AppendDouble(csv, RoundTo(value, 6));
  }
}

std::string StepsCsv(const ChangeResult& result) {
  std::string csv = "from,to";
  for (const auto& choice : kChoices<PageState>)
    csv.append(",").append(choice.name);
  csv +=
      ",mean_jaccard,mean_dice,links_added,links_removed,moved_near,"
      "redirects_followed,redirects_near\n";
  for (const ChangeStep& step : result.steps) {
    csv += step.from + "," + step.to;
    for (const uint64_t pages : step.states) csv += "," + std::to_string(pages);
    AppendNumbers({step.mean_jaccard, step.mean_dice}, &csv);
    for (const uint64_t count :
         {step.links_added, step.links_removed, step.moved_near,
          step.redirects_followed, step.redirects_near})
      csv += "," + std::to_string(count);
    csv += "\n";
  }
  return csv;
}

std::string SurvivalCsv(const ChangeResult& result) {
  std::string csv = "what,group,days,at_risk,ends,survival,low,high\n";
  for (const ChangeCurve& curve : result.curves)
    for (const ChangeCurve::Step& step : curve.steps) {
      csv += curve.what + ",";
      AppendCsvField(&csv, curve.group);
      AppendNumbers({step.days}, &csv);
      csv +=
          "," + std::to_string(step.at_risk) + "," + std::to_string(step.ends);
      AppendNumbers({step.survival, step.low, step.high}, &csv);
      csv += "\n";
    }
  return csv;
}

std::string StabilityCsv(const ChangeResult& result) {
  std::string csv = "later,still,apart,gone\n";
  for (size_t i = 0; i < result.stability.later.size(); ++i) {
    const ChangeStability::Later& later = result.stability.later[i];
    csv += std::to_string(i + 1) + "," + std::to_string(later.still) + "," +
           std::to_string(later.apart) + "," + std::to_string(later.gone) +
           "\n";
  }
  return csv;
}

Json StabilityJson(const ChangeStability& stability) {
  Json rows = Json::array();
  for (const ChangeStability::Later& later : stability.later)
    rows.push_back({{"later", rows.size() + 1},
                    {"still", later.still},
                    {"apart", later.apart},
                    {"gone", later.gone}});
  return {{"pairs", stability.pairs},
          {"left_out", stability.left_out},
          {"later", std::move(rows)}};
}

Json StepsJson(const ChangeResult& result) {
  Json rows = Json::array();
  for (const ChangeStep& step : result.steps) {
    Json row = {{"from", step.from}, {"to", step.to}};
    for (const auto& choice : kChoices<PageState>)
      row[choice.name] = step.of(choice.value);
    row["mean_jaccard"] = RoundTo(step.mean_jaccard, 6);
    row["mean_dice"] = RoundTo(step.mean_dice, 6);
    row["links_added"] = step.links_added;
    row["links_removed"] = step.links_removed;
    row["moved_near"] = step.moved_near;
    row["redirects_followed"] = step.redirects_followed;
    row["redirects_near"] = step.redirects_near;
    rows.push_back(std::move(row));
  }
  return rows;
}

Json VisitsJson(const ChangeResult& result) {
  const ChangeVisits& visits = *result.visits;
  return {{"of_pages", visits.of_pages},
          {"elsewhere", visits.elsewhere},
          {"of_last", visits.of_last},
          {"of_shared", visits.of_shared},
          {"lines", result.visit_lines.lines},
          {"used", result.visit_lines.used},
          {"left_out", result.visit_lines.left_out}};
}

Cell DaysCell(const std::optional<double>& days) {
  return days ? Cell::Rounded(*days) : Cell::None();
}

// From the one to the other, where the curve comes down to both.
Cell RangeCell(const ChangeCurve& curve) {
  if (!curve.half_life_low) return Cell::None();
  const std::string low = DaysCell(curve.half_life_low).text;
  return {curve.half_life_high
              ? low + " to " + DaysCell(curve.half_life_high).text
              : "from " + low + " on",
          true};
}

// All pages of all steps in one bar.
html::Shares StatesBar(const ChangeResult& result) {
  html::Shares bar{"What happened to the pages from one snapshot to the next",
                   {}};
  for (const auto& choice : kChoices<PageState>) {
    uint64_t pages = 0;
    for (const ChangeStep& step : result.steps) pages += step.of(choice.value);
    if (pages > 0) bar.parts.emplace_back(StateText(choice.value), pages);
  }
  return bar;
}

html::Table StepsTable(const ChangeResult& result) {
  html::Table table;
  table.caption = "Pages from one snapshot to the next";
  table.columns = {{"to"}};
  for (const auto& choice : kChoices<PageState>)
    table.columns.push_back({std::string(choice.name), true});
  table.columns.push_back({"mean Jaccard", true});
  for (const ChangeStep& step : result.steps) {
    std::vector<Cell> row = {Cell::Text(step.to.substr(0, 10))};
    for (const uint64_t pages : step.states) row.push_back(Cell::Count(pages));
    row.push_back(Cell::Fixed(step.mean_jaccard, 3));
    table.rows.push_back(std::move(row));
  }
  return table;
}

html::Table HalfLives(const ChangeResult& result) {
  html::Table table;
  table.caption = "Half-lives in days";
  table.columns = {{"of"},          {"group"},      {"watched", true},
                   {"ended", true}, {"half", true}, {"95 %", true}};
  for (const ChangeCurve& curve : result.curves)
    table.rows.push_back({Cell::Text(curve.what), Cell::Text(curve.group),
                          Cell::Count(curve.watched), Cell::Count(curve.ends),
                          DaysCell(curve.half_life), RangeCell(curve)});
  return table;
}

// Where pages are that are not there any more.
std::string WhereaboutsText(const ChangeResult& result) {
  uint64_t moved = 0, moved_near = 0, redirected = 0, followed = 0, near = 0;
  for (const ChangeStep& step : result.steps) {
    moved += step.of(PageState::kMoved);
    moved_near += step.moved_near;
    redirected += step.of(PageState::kRedirected);
    followed += step.redirects_followed;
    near += step.redirects_near;
  }
  std::string text =
      "Of " + CountText(moved, "moved page") + " " +
      std::to_string(moved_near) + " changed a little on the way. Of " +
      CountText(redirected, "redirected page") + " " +
      std::to_string(followed) + " lead to a page of the snapshot, and " +
      std::to_string(near) + " of these find their text there.";
  if (result.moves_left_out > 0)
    text += " " + CountText(result.moves_left_out, "page") +
            " that count as gone share text with more pages than were "
            "compared, and may have moved too.";
  return text;
}

// The table of pairs whose pages are both there.
html::Table StabilityTable(const ChangeResult& result) {
  html::Table table;
  table.caption = "Near-duplicates some snapshots later";
  table.columns = {{"snapshots later", true},
                   {"still", true},
                   {"no more", true},
                   {"one is gone", true},
                   {"still, of those there", true}};
  for (size_t i = 0; i < result.stability.later.size(); ++i) {
    const ChangeStability::Later& later = result.stability.later[i];
    const uint64_t there = later.still + later.apart;
    table.rows.push_back({Cell::Count(i + 1), Cell::Count(later.still),
                          Cell::Count(later.apart), Cell::Count(later.gone),
                          there == 0
                              ? Cell::None()
                              : Cell::Fixed(static_cast<double>(later.still) /
                                                static_cast<double>(there),
                                            3)});
  }
  return table;
}

// "pages_of_host" in words.
std::string TraitText(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

Cell PCell(const std::optional<double>& p) {
  if (!p) return Cell::None();
  return *p < 0.0001 ? Cell{"< 0.0001", true} : Cell::Fixed(*p, 4);
}

html::Table CorrelationsTable(const ChangeResult& result) {
  html::Table table;
  table.caption = "Change rate of pages beside other traits: rank correlation";
  table.columns = {{"trait"}, {"pages", true}, {"tau b", true}, {"p", true}};
  for (const ChangeCorrelation& row : result.correlations)
    table.rows.push_back(
        {Cell::Text(TraitText(row.with)), Cell::Count(row.pages),
         row.tau ? Cell::Fixed(*row.tau, 3) : Cell::None(), PCell(row.p)});
  return table;
}

html::Chart CurvesChart(const ChangeResult& result) {
  html::Chart chart;
  chart.title = "What is left after so many days";
  chart.description =
      "Falling curves: the share of addresses still there, of pages still "
      "unchanged, of new text still shown.";
  chart.x = {"days", false, 0.0, {}};
  chart.y = {"share", false, 0.0, 1.0};
  for (const ChangeCurve& curve : result.curves) {
    if (curve.group != "all") continue;
    html::Series series;
    series.name = curve.what;
    series.marks = false;
    series.band = true;
    double before = 1, low = 1, high = 1;
    series.points.push_back({0, 1, 1, 1, {}});
    for (const ChangeCurve::Step& step : curve.steps) {
      series.points.push_back({step.days, before, low, high, {}});
      before = step.survival;
      low = step.low;
      high = step.high;
      series.points.push_back({step.days, before, low, high, {}});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

// Whether new text lasts shows only after enough snapshots.
std::string LastingText(const ChangeOptions& options,
                        const ChangeResult& result) {
  const auto needed = static_cast<size_t>(options.lasting) + 2;
  if (result.dates.size() < needed)
    return std::string(" Whether new text lasts would show with ") +
           (needed == 4 ? "four" : "more") + " snapshots" +
           (needed == 4 ? " or more." : ".");
  if (result.worth == 0)
    return " On no page of the last snapshot new text was seen to last.";
  return " New text lasted on " + CountText(result.worth, "page") +
         ", which recrawl.csv puts first.";
}

KeptPage PageOf(const ChangeOptions& options, const ChangeResult& result,
                const ChangeExamples& examples) {
  KeptPage report("change",
                  "Change over " + CountText(result.dates.size(), "snapshot"));
  ChangeFinding finding = FindingOf(options, result);
  report.Add(html::Lead{
      std::move(finding.strong),
      finding.text + " Of " + CountText(result.pages, "address", "addresses") +
          " there are " + CountText(result.captures, "capture") + " from " +
          result.dates.front().substr(0, 10) + " to " +
          result.dates.back().substr(0, 10) + "." +
          LastingText(options, result)});
  for (const std::string& warning : result.warnings)
    report.Add(html::Warning{"Of the run: " + warning + "."});
  report.Add(StatesBar(result));
  examples.AddTo(result, &report);
  // Two snapshots show no life between their dates.
  if (result.steps.size() > 1) {
    report.Add(CurvesChart(result));
    report.Add(HalfLives(result));
    report.Add(html::Note{
        "Curves are the product-limit estimate of Kaplan and Meier; bands are "
        "pointwise, 95 %. A dash: the curve does not come down to a half. An "
        "end is dated at the first snapshot that shows it."});
  }
  report.Add(StepsTable(result));
  report.Add(html::Note{WhereaboutsText(result)});
  report.Add(CorrelationsTable(result));
  if (result.stability.pairs > 0) report.Add(StabilityTable(result));
  if (result.visits)
    report.Add(html::Note{
        ShareInWords(result.visits->of_shared, result.visits->of_last) +
        " of the visits to pages of the last snapshot go to content that "
        "stands at another address too."});
  report.BeginFolded("Method and parameters");
  report.Add(html::KeyValues{
      "",
      {{"nearly the same from", Cell::Rounded(options.near)},
       {"new text lasts through",
        Cell::Text(CountText(static_cast<uint64_t>(options.lasting),
                             "further capture"))},
       {"shingles", Cell::Text(options.features.shingle)}}});
  report.EndFolded();
  return report;
}

}  // namespace

std::string StateText(PageState state) {
  switch (state) {
    case PageState::kExact:
      return "the same";
    case PageState::kNear:
      return "nearly the same";
    case PageState::kRedirected:
      return "redirected";
    case PageState::kReturned:
      return "back again";
    default:
      return std::string(ChoiceName(state));
  }
}

ChangeFinding v1::FindingOf(const ChangeOptions& options,
                            const ChangeResult& result) {
  std::array<uint64_t, kPageStates> sums = {};
  uint64_t both = 0;
  for (const ChangeStep& step : result.steps) {
    both += step.in_both();
    for (size_t i = 0; i < kPageStates; ++i) sums[i] += step.states[i];
  }
  const auto of = [&](PageState state) {
    return sums[static_cast<size_t>(state)];
  };
  const auto count = [&](PageState state) { return NumberText(of(state)); };
  const uint64_t before = both + of(PageState::kGone) + of(PageState::kMoved) +
                          of(PageState::kRedirected);
  ChangeFinding finding;
  finding.strong = ShareInWords(of(PageState::kExact), before) +
                   " of the pages are the same a snapshot later.";
  finding.text =
      "Of " + CountText(before, "page") +
      (result.steps.size() == 1 ? "" : ", counted at each step,") + " " +
      count(PageState::kExact) + " are the same, " + count(PageState::kNear) +
      " nearly the same (J of " + Cell::Rounded(options.near).text +
      " or more), " + count(PageState::kChanged) + " changed, " +
      count(PageState::kMoved) + " moved to another address, " +
      count(PageState::kRedirected) + " lead elsewhere and " +
      count(PageState::kGone) + " are gone; " + count(PageState::kNew) +
      " addresses are new, those of moved pages included, and " +
      count(PageState::kReturned) + " came back.";
  return finding;
}

std::vector<std::string> ChangeResultFiles(const ChangeOptions& options) {
  std::vector<std::string> files = {
      "captures.jsonl",   "changes.csv",  "page.json",
      "quarantine.jsonl", "recrawl.csv",  "stability.csv",
      "steps.csv",        "survival.csv", "summary.json"};
  if (options.report) files.push_back("report.html");
  return files;
}

namespace {

// The snapshots, then the log of visits.
std::vector<SideRead> AllSides(const ChangeResult& result) {
  std::vector<SideRead> sides = result.sides;
  for (SideRead file : result.visit_lines.files) {
    file.side = "visits";
    sides.push_back(std::move(file));
  }
  return sides;
}

}  // namespace

Json ChangeSummary(const ChangeOptions& options, const ChangeResult& result) {
  Json curves = Json::array();
  for (const ChangeCurve& curve : result.curves)
    curves.push_back({{"what", curve.what},
                      {"group", curve.group},
                      {"watched", curve.watched},
                      {"ends", curve.ends},
                      {"half_life_days", OrNull(curve.half_life)},
                      {"low", OrNull(curve.half_life_low)},
                      {"high", OrNull(curve.half_life_high)}});
  Json correlations = Json::array();
  for (const ChangeCorrelation& row : result.correlations)
    correlations.push_back(
        {{"with", row.with},
         {"pages", row.pages},
         {"tau_b", row.tau ? Json(RoundTo(*row.tau, 6)) : Json()},
         {"p", row.p ? Json(RoundTo(*row.p, 9)) : Json()}});
  Json summary = {{"version", kVersion},
                  {"dates", result.dates},
                  {"sides", SidesJson(AllSides(result))},
                  {"captures", result.captures},
                  {"pages", result.pages},
                  {"repeated", result.repeated},
                  {"quarantined", result.quarantined},
                  {"revisits", result.revisits},
                  {"unknown_revisits", result.unknown_revisits},
                  {"redirects", result.redirects},
                  {"moves_left_out", result.moves_left_out},
                  {"worth_a_visit", result.worth},
                  {"steps", StepsJson(result)},
                  {"curves", std::move(curves)},
                  {"change_rate_with", std::move(correlations)},
                  {"near_duplicates", StabilityJson(result.stability)},
                  {"parameters",
                   {{"near", options.near},
                    {"lasting", options.lasting},
                    {"tokens", options.features.tokens},
                    {"shingle", options.features.shingle},
                    {"content", options.features.content}}},
                  {"warnings", result.warnings}};
  if (result.visits) summary["visits"] = VisitsJson(result);
  return summary;
}

Status WriteChangeTables(const ChangeOptions& options,
                         const ChangeResult& result,
                         const ChangeExamples& examples) {
  const std::string out = options.out + "/";
  TWINSET_TRY(WriteWholeFile(out + "steps.csv", StepsCsv(result)));
  TWINSET_TRY(WriteWholeFile(out + "stability.csv", StabilityCsv(result)));
  TWINSET_TRY(WriteWholeFile(out + "survival.csv", SurvivalCsv(result)));
  TWINSET_TRY(WriteKeptPage(PageOf(options, result, examples), options.out,
                            options.report ? "report.html" : ""));
  return WriteWholeFile(out + "summary.json", result.json.dump(2) + "\n");
}

}  // namespace twinset
