#include "change/change_report.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "core/field_list.h"
#include "report/field_rows.h"
#include "report/html_report.h"
#include "report/kept_page.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

using html::Cell;

// A step of a curve as a row.
struct SurvivalRow {
  std::string what, group;
  ChangeCurve::Step step;

  static void Fields(auto& row, auto& field) {
    field("what", row.what);
    field("group", row.group);
    field.Rounded("days", row.step.days, 6);
    field("at_risk", row.step.at_risk);
    field("ends", row.step.ends);
    field.Rounded("survival", row.step.survival, 6);
    field.Rounded("low", row.step.low, 6);
    field.Rounded("high", row.step.high, 6);
  }
};

std::string SurvivalCsv(const ChangeResult& result) {
  std::vector<SurvivalRow> rows;
  for (const ChangeCurve& curve : result.curves)
    for (const ChangeCurve::Step& step : curve.steps)
      rows.push_back({curve.what, curve.group, step});
  return CsvOf(rows);
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

// The states of all steps together. A page is counted at each step.
class StateSums {
 public:
  explicit StateSums(const ChangeResult& result) {
    for (const ChangeStep& step : result.steps)
      for (size_t i = 0; i < kPageStates; ++i) sums_[i] += step.states[i];
  }
  uint64_t of(PageState state) const {
    return sums_[static_cast<size_t>(state)];
  }
  // New and returned pages are none of the snapshot before. A moved page stands
  // at an address that is new.
  static bool WasThere(PageState state) {
    return state != PageState::kNew && state != PageState::kReturned;
  }
  uint64_t before() const {
    uint64_t pages = 0;
    for (const auto& choice : kChoices<PageState>)
      if (WasThere(choice.value)) pages += of(choice.value);
    return pages;
  }

 private:
  std::array<uint64_t, kPageStates> sums_ = {};
};

// What became of the pages that a snapshot has, each of them once a step.
html::Shares StatesBar(const ChangeResult& result) {
  const StateSums sums(result);
  html::Shares bar{"What became of the " + CountText(sums.before(), "page") +
                       " one snapshot later" +
                       (result.steps.size() == 1 ? "" : ", at each step"),
                   {}};
  for (const auto& choice : kChoices<PageState>) {
    const uint64_t pages = sums.of(choice.value);
    if (pages > 0 && StateSums::WasThere(choice.value))
      bar.parts.emplace_back(StateText(choice.value), pages);
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
  for (const ChangeStability::Later& later : result.stability.later) {
    const uint64_t there = later.still + later.apart;
    table.rows.push_back(
        {Cell::Count(later.snapshots), Cell::Count(later.still),
         Cell::Count(later.apart), Cell::Count(later.gone),
         there == 0 ? Cell::None()
                    : Cell::Fixed(static_cast<double>(later.still) /
                                      static_cast<double>(there),
                                  3)});
  }
  return table;
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
    table.rows.push_back({Cell::Text(WordsOf(row.with)), Cell::Count(row.pages),
                          row.tau ? Cell::Fixed(*row.tau, 3) : Cell::None(),
                          PCell(row.p)});
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

// It takes enough snapshots to show whether new text lasts.
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
         (options.out.empty() ? "." : ", which recrawl.csv puts first.");
}

// How many pages are the same one snapshot later, and what happened to the
// others.
html::Lead FindingOf(const ChangeOptions& options, const ChangeResult& result) {
  const StateSums sums(result);
  const auto count = [&](PageState state) {
    return NumberText(sums.of(state));
  };
  const uint64_t before = sums.before();
  html::Lead finding;
  finding.strong = ShareInWords(sums.of(PageState::kExact), before) +
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

}  // namespace

KeptPage ChangePage(const ChangeOptions& options, const ChangeResult& result,
                    const ChangeExamples* examples) {
  KeptPage report("change",
                  "Change over " + CountText(result.dates.size(), "snapshot"));
  html::Lead finding = FindingOf(options, result);
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
  if (examples != nullptr) examples->AddTo(result, &report);
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

std::vector<std::string> ChangeResultFiles(const ChangeOptions& options) {
  std::vector<std::string> files = {
      "captures.jsonl",   "changes.csv",  "page.json",
      "quarantine.jsonl", "recrawl.csv",  "stability.csv",
      "steps.csv",        "survival.csv", "summary.json"};
  if (options.report) files.push_back("report.html");
  return files;
}

Json v1::SummaryJson(const ChangeResult& result) {
  return FieldsToJson(result);
}

Status WriteChangeTables(const ChangeOptions& options,
                         const ChangeResult& result) {
  const std::string out = options.out + "/";
  TWINSET_TRY(WriteWholeFile(out + "steps.csv", CsvOf(result.steps)));
  TWINSET_TRY(
      WriteWholeFile(out + "stability.csv", CsvOf(result.stability.later)));
  TWINSET_TRY(WriteWholeFile(out + "survival.csv", SurvivalCsv(result)));
  TWINSET_TRY(WriteKeptPage(*result.page.kept(), options.out,
                            options.report ? "report.html" : ""));
  return WriteWholeFile(out + "summary.json",
                        SummaryJson(result).dump(2) + "\n");
}

}  // namespace twinset
