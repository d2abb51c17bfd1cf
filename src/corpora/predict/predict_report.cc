#include "predict/predict_report.h"

#include <array>
#include <utility>

#include "base/math/round_to.h"
#include "core/field_list.h"
#include "report/field_rows.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

using html::Cell;

constexpr size_t kShownRules = 50;
constexpr size_t kShownPart = 80;

// A row of validation.csv.
struct SavingRow {
  std::string folds;
  Saving saving;

  static void Fields(auto& row, auto& field) {
    field("folds", row.folds);
    field("probability", row.saving.probability);
    field("pages", row.saving.pages);
    field("duplicates", row.saving.duplicates);
    field("saved", row.saving.saved);
    field("lost", row.saving.lost);
  }
};

html::Table SavingsTable(const std::string& caption,
                         const std::array<Saving, 3>& savings) {
  return TableOf(caption,
                 {{"probability", "not fetched from probability"},
                  {"pages"},
                  {"duplicates"},
                  {"saved_share", "downloads saved"},
                  {"lost_share", "new pages lost"}},
                 std::vector<Saving>(savings.begin(), savings.end()));
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
  if (result.lists)
    more += " Of " + CountText(result.lists->lines, "line") +
            " of the lists, " + NumberText(result.lists->predicted) +
            " are predicted to be duplicates, and " +
            NumberText(result.lists->known) + " are in the run.";
  return {CountText(result.rules.size(), "rule") +
              (result.rules.size() == 1 ? " tells" : " tell") +
              " duplicates by their addresses.",
          more};
}

}  // namespace

Json v1::SummaryJson(const PredictResult& result) {
  return FieldsToJson(result);
}

std::string SavingsCsv(const Validation& validation) {
  std::vector<SavingRow> rows;
  for (const Saving& saving : validation.hosts)
    rows.push_back({"hosts", saving});
  for (const Saving& saving : validation.pages)
    rows.push_back({"pages", saving});
  return CsvOf(rows);
}

KeptPage PredictPage(const PredictResult& result) {
  KeptPage page("predict", "Duplicates by address");
  page.Add(LeadOf(result));
  for (const std::string& warning : result.warnings)
    page.Add(html::Warning{"Of the run: " + warning + "."});
  if (!result.rules.empty()) page.Add(RulesTable(result.rules));
  if (result.validation) {
    page.Add(html::Heading{"Saved and lost"});
    page.Add(SavingsTable("On hosts that the rules were not learnt from",
                          result.validation->hosts));
    page.Add(SavingsTable("On further pages of known hosts",
                          result.validation->pages));
    page.Add(html::Note{
        "Cross-validated over " + CountText(result.parameters.folds, "fold") +
        ": saved are downloads of duplicates, as a share of them; lost are "
        "pages that were taken for duplicates and are none of a page that was "
        "fetched, as a share of all pages."});
  }
  return page;
}

}  // namespace twinset
