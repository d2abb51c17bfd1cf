#include "study/predict/predict_report.h"

#include <span>
#include <utility>

#include "base/json_text.h"
#include "base/math/round_to.h"
#include "twinset/json.h"
#include "twinset/names.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {
namespace {

using html::Cell;

constexpr size_t kShownRules = 50;
constexpr size_t kShownPart = 80;

Json SavingsJson(std::span<const Saving> savings) {
  Json rows = Json::array();
  for (const Saving& saving : savings)
    rows.push_back({{"probability", saving.probability},
                    {"pages", saving.pages},
                    {"duplicates", saving.duplicates},
                    {"saved", saving.saved},
                    {"lost", saving.lost}});
  return rows;
}

void AppendSavings(std::string_view folds, std::span<const Saving> savings,
                   std::string* csv) {
  for (const Saving& saving : savings) {
    csv->append(folds) += ',';
    AppendDouble(csv, saving.probability);
    for (const uint64_t count :
         {saving.pages, saving.duplicates, saving.saved, saving.lost})
      *csv += "," + std::to_string(count);
    *csv += '\n';
  }
}

html::Table SavingsTable(const std::string& caption,
                         std::span<const Saving> savings) {
  html::Table table;
  table.caption = caption;
  table.columns = {{"not fetched from probability", true},
                   {"pages", true},
                   {"duplicates", true},
                   {"downloads saved", true},
                   {"new pages lost", true}};
  for (const Saving& saving : savings)
    table.rows.push_back({Cell::Fixed(saving.probability, 2),
                          Cell::Count(saving.pages),
                          Cell::Count(saving.duplicates),
                          Cell::Percent(saving.saved, saving.duplicates),
                          Cell::Percent(saving.lost, saving.pages)});
  return table;
}

html::Table RulesTable(const std::vector<RewriteRule>& rules) {
  html::Table table;
  table.caption = "Rules, those with most support first";
  table.columns = {{"rule"},
                   {"of"},
                   {"becomes"},
                   {"host"},
                   {"support", true},
                   {"errors", true},
                   {"at least right", true}};
  for (const RewriteRule& rule : rules) {
    if (table.rows.size() == kShownRules) break;
    const bool has_to = rule.kind == RewriteKind::kMirror ||
                        rule.kind == RewriteKind::kSubstring;
    table.rows.push_back(
        {Cell::Text(ChoiceName(rule.kind)),
         Cell::Text(Shortened(rule.from, kShownPart)),
         Cell::Text(!has_to           ? std::string("-")
                    : rule.to.empty() ? std::string("nothing")
                                      : Shortened(rule.to, kShownPart)),
         Cell::Text(rule.host.empty() ? std::string("any")
                                      : Shortened(rule.host, kShownPart)),
         Cell::Count(rule.support), Cell::Percent(rule.errors, rule.support),
         Cell::Text(PercentText(RoundTo(rule.low(), 3)))});
  }
  return table;
}

html::Lead LeadOf(const PredictResult& result) {
  const std::string of = CountText(result.addresses, "address", "addresses") +
                         " of the run were looked at.";
  if (result.rules.empty())
    return {"No rule tells duplicates by their addresses.", of};
  std::string more = of;
  if (result.lines > 0)
    more += " Of " + CountText(result.lines, "line") + " of the lists, " +
            NumberText(result.predicted) +
            " are predicted to be duplicates, and " + NumberText(result.known) +
            " are in the run.";
  return {CountText(result.rules.size(), "rule") +
              (result.rules.size() == 1 ? " tells" : " tell") +
              " duplicates by their addresses.",
          more};
}

}  // namespace

Json PredictSummary(const PredictOptions& options,
                    const PredictResult& result) {
  Json summary = {{"version", kVersion},
                  {"documents", result.documents},
                  {"addresses", result.addresses},
                  {"without_address", result.without_address},
                  {"rules", result.rules.size()},
                  {"sides", SidesJson(result.sides)}};
  if (result.validated)
    summary["validation"] = {{"hosts", SavingsJson(result.validation.hosts)},
                             {"pages", SavingsJson(result.validation.pages)}};
  if (!options.urls.empty())
    summary["lists"] = {{"lines", result.lines},
                        {"bad_lines", result.bad_lines},
                        {"known", result.known},
                        {"predicted", result.predicted}};
  summary["parameters"] = {{"least_support", options.least_support},
                           {"probability", options.probability},
                           {"folds", options.folds},
                           {"seed", options.seed}};
  summary["warnings"] = result.warnings;
  summary["run"] = {{"folder", NameText(options.run)}};
  return summary;
}

std::string SavingsCsv(const Validation& validation) {
  std::string csv = "folds,probability,pages,duplicates,saved,lost\n";
  AppendSavings("hosts", validation.hosts, &csv);
  AppendSavings("pages", validation.pages, &csv);
  return csv;
}

KeptPage PredictPage(const PredictOptions& options,
                     const PredictResult& result) {
  KeptPage page("predict", "Duplicates by address");
  page.Add(LeadOf(result));
  for (const std::string& warning : result.warnings)
    page.Add(html::Warning{"Of the run: " + warning + "."});
  if (!result.rules.empty()) page.Add(RulesTable(result.rules));
  if (result.validated) {
    page.Add(html::Heading{"Saved and lost"});
    page.Add(SavingsTable("On hosts that the rules were not learnt from",
                          result.validation.hosts));
    page.Add(SavingsTable("On further pages of known hosts",
                          result.validation.pages));
    page.Add(html::Note{
        "Cross-validated over " + CountText(options.folds, "fold") +
        ": saved are downloads of duplicates, as a share of them; lost are "
        "pages that were taken for duplicates and are none of a page that was "
        "fetched, as a share of all pages."});
  }
  return page;
}

}  // namespace twinset
