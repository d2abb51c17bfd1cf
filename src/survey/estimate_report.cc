// The page of an estimate.
#include <algorithm>
#include <cmath>

#include "estimate/intervals.h"
#include "report/html_report.h"
#include "twinset/estimate.h"

namespace twinset::inline v1 {

namespace {

std::string Words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

html::Cell NumberCell(double value) {
  if (std::isnan(value)) return {"undefined", true};
  if (std::isinf(value)) return {"no limit", true};
  return std::fabs(value) < 1e6 ? html::Cell::Number(RoundTo(value, 6))
                                : html::Cell::Fixed(value, 0);
}

html::Cell RangeCell(const std::optional<EstimateRange>& range) {
  if (!range) return {"", true};
  return {NumberCell(range->low).text + " to " + NumberCell(range->high).text,
          true};
}

std::vector<html::Cell> ValueCells(const EstimatedValue& value) {
  return {html::Cell::Text(Words(value.name) +
                           (value.of.empty() ? "" : " of " + value.of)),
          NumberCell(value.value),
          value.standard_error ? NumberCell(*value.standard_error)
                               : html::Cell{"", true},
          value.no_interval.empty()
              ? RangeCell(value.interval)
              : html::Cell{"no interval: " + value.no_interval, false},
          RangeCell(value.bootstrap)};
}

}  // namespace

std::string EstimateReport(const EstimateOptions& options,
                           const EstimateResult& result) {
  HtmlReport report("Estimate: " + std::string(ChoiceName(options.what)));
  for (const std::string& warning : result.warnings)
    report.Add(html::Warning{warning});
  html::Table table;
  table.caption = "Intervals are of 95 %";
  table.columns = {{"value", false},
                   {"estimate", true},
                   {"standard error", true},
                   {"interval", true},
                   {"by bootstrap", true}};
  table.rows.push_back(ValueCells(result.estimate));
  for (const EstimatedValue& value : result.values)
    table.rows.push_back(ValueCells(value));
  report.Add(table);
  html::KeyValues facts;
  facts.caption = "From what";
  for (const std::string& input : options.inputs)
    facts.rows.emplace_back("input", html::Cell::Text(input));
  if (!options.of.empty())
    facts.rows.emplace_back("of", html::Cell::Text(options.of));
  facts.rows.emplace_back("n", html::Cell::Count(result.n));
  facts.rows.emplace_back("effective n", NumberCell(result.effective_n));
  facts.rows.emplace_back("missing", html::Cell::Count(result.missing));
  facts.rows.emplace_back("seed", html::Cell::Count(options.seed));
  for (const EstimateDetail& detail : result.details)
    facts.rows.emplace_back(Words(detail.name), NumberCell(detail.value));
  report.Add(facts);
  return std::move(report).Finish();
}

}  // namespace twinset::inline v1
