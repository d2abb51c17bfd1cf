// The page of an estimate.
#include <cmath>

#include "survey/estimate_page.h"
#include "twinset/measure/estimate.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

html::Cell NumberCell(double value) {
  if (std::isnan(value)) return {"undefined", true};
  if (std::isinf(value)) return {"no limit", true};
  return std::fabs(value) < 1e6 ? html::Cell::Rounded(value)
                                : html::Cell::Fixed(value, 0);
}

// Six significant digits, and all those before the point.
html::Cell PreciseCell(double value) {
  const double size = std::fabs(value);
  if (!(size < 1e6) || size < 1e-4) return NumberCell(value);
  int decimals = 5;
  for (double ten = 10; size >= ten; ten *= 10) --decimals;
  for (double one = 1; size < one && decimals < 9; one /= 10) ++decimals;
  std::string text = FixedText(value, decimals > 0 ? decimals : 0);
  if (text.find('.') != text.npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return {std::move(text), true};
}

std::string RangeText(const EstimateRange& range) {
  return NumberCell(range.low).text + " to " + NumberCell(range.high).text;
}

std::string NameOf(const EstimatedValue& value) {
  return WordsOf(value.name) + (value.of.empty() ? "" : " of " + value.of);
}

// A value in words: shares in per cent.
std::string ValueText(const EstimateOptions& options, double value) {
  if (options.what != Estimand::kShare || !std::isfinite(value))
    return NumberCell(value).text;
  return PercentText(std::round(value * 1e4) / 1e4);
}

// What the engines together hold, beside the first of them, which is 1.
std::string BesideFirst(const EstimateResult& result,
                        const std::string& number) {
  const bool is_named =
      !result.values.empty() && !result.values.front().of.empty();
  return "All engines together hold about " + number +
         " times as many pages as " +
         (is_named ? result.values.front().of : "the first") + ".";
}

// The estimate in a sentence that says what the number is of.
std::string SentenceOf(const EstimateOptions& options,
                       const EstimateResult& result) {
  const EstimatedValue& value = result.estimate;
  const std::string number = ValueText(options, value.value);
  const bool of_all = value.name == "all_engines";
  switch (options.what) {
    case Estimand::kShare:
      return "About " + number + " of the pages fulfil the condition.";
    case Estimand::kMean:
      return "The mean is about " + number + ".";
    case Estimand::kWalk:
      return "The mean along the walk is about " + number + ".";
    case Estimand::kQuantile:
      return options.quantile == 0.5
                 ? "The median is about " + number + "."
                 : "The quantile " + NumberCell(options.quantile).text +
                       " is about " + number + ".";
    case Estimand::kCaptureRecapture:
    case Estimand::kSchnabel:
      return "The population has about " + number + " members.";
    case Estimand::kRelative:
      return of_all ? BesideFirst(result, number)
                    : "The first engine holds about " + number +
                          " times as many pages as the second.";
    case Estimand::kCoverage:
      return BesideFirst(result, number);
    case Estimand::kSize:
      return (of_all                    ? "All engines together hold about "
              : value.name == "covered" ? "The queries of the pool reach about "
                                        : "The engine holds about ") +
             number + " pages.";
    case Estimand::kRatio:
      return "The ratio of " + options.x + " to " + options.y + " is about " +
             number + ".";
    case Estimand::kServers:
      return "A server has about " + number + " pages.";
  }
  return "About " + number + ".";
}

// What the number was made from.
std::string SourceText(const EstimateOptions& options,
                       const EstimatedValue& value) {
  const std::string of = Shortened(options.of, 120);
  if (options.what == Estimand::kShare) return "The condition is: " + of + ".";
  if (!of.empty()) return "It is of " + of + ".";
  const std::string name = NameOf(value);
  return "The estimator is " + name + ".";
}

html::Lead LeadOf(const EstimateOptions& options,
                  const EstimateResult& result) {
  const EstimatedValue& value = result.estimate;
  std::string text = SourceText(options, value);
  if (result.has_copies) {
    text += options.count_copies
                ? " A copy at another address counts as the page."
                : " Pages are counted by their addresses: a copy at another "
                  "address is another page.";
  }
  if (!value.no_interval.empty()) {
    text += " It has no interval: " + value.no_interval + ".";
  } else if (value.interval) {
    text += " The interval from " + ValueText(options, value.interval->low) +
            " to " + ValueText(options, value.interval->high) +
            " would hold the truth in 95 of 100 such studies.";
  }
  return {SentenceOf(options, result), text};
}

bool HasBootstrap(const EstimateResult& result) {
  bool has = result.estimate.bootstrap.has_value();
  for (const EstimatedValue& value : result.values)
    has = has || value.bootstrap.has_value();
  return has;
}

std::vector<html::Cell> ValueCells(const EstimatedValue& value,
                                   bool bootstrap) {
  html::Cell interval{"", true};
  if (!value.no_interval.empty())
    interval = {"none: " + value.no_interval, false};
  else if (value.interval)
    interval = {RangeText(*value.interval), true};
  std::vector<html::Cell> cells = {
      html::Cell::Text(NameOf(value)), PreciseCell(value.value),
      std::move(interval),
      value.standard_error ? PreciseCell(*value.standard_error)
                           : html::Cell{"", true}};
  if (bootstrap) {
    cells.push_back(value.bootstrap
                        ? html::Cell{RangeText(*value.bootstrap), true}
                        : html::Cell{"", true});
  }
  return cells;
}

}  // namespace

KeptPage EstimatePage(const EstimateOptions& options,
                      const EstimateResult& result) {
  KeptPage report(
      "estimate",
      "Estimate: " + WordsOf(std::string(ChoiceName(options.what))));
  report.Add(LeadOf(options, result));
  for (const std::string& warning : result.warnings)
    report.Add(html::Warning{warning + "."});
  html::Facts facts;
  facts.facts = {{"made from", NumberText(result.n),
                  result.missing == 0 ? "rows"
                                      : "rows; " + NumberText(result.missing) +
                                            " more lack the value"}};
  if (result.effective_n > 0) {
    facts.facts.push_back(
        {"worth", NumberCell(result.effective_n).text, "independent draws"});
  }
  report.Add(facts);
  const bool bootstrap = HasBootstrap(result);
  html::Table table;
  table.caption = "Values with intervals of 95 %";
  table.columns = {{"value", false},
                   {"estimate", true},
                   {"interval", true},
                   {"standard error", true}};
  if (bootstrap) table.columns.push_back({"interval by bootstrap", true});
  table.rows.push_back(ValueCells(result.estimate, bootstrap));
  for (const EstimatedValue& value : result.values)
    table.rows.push_back(ValueCells(value, bootstrap));
  report.Add(table);
  report.BeginFolded("From what it was computed");
  html::KeyValues from;
  for (const std::string& input : options.inputs)
    from.rows.emplace_back("input", html::Cell::Text(input));
  if (!options.of.empty())
    from.rows.emplace_back("of", html::Cell::Text(options.of));
  from.rows.emplace_back("seed", html::Cell::Count(options.seed));
  for (const EstimateDetail& detail : result.details)
    from.rows.emplace_back(WordsOf(detail.name), NumberCell(detail.value));
  report.Add(from);
  report.EndFolded();
  return report;
}

}  // namespace twinset
