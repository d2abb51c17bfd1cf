#include "assess/score_report.h"

#include <utility>

#include "core/field_list.h"
#include "report/field_rows.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

using html::Cell;

constexpr size_t kShownRows = 50;

// A row of shares.csv.
struct ShareRow {
  LabelQuestion question = LabelQuestion::kContent;
  std::string method;
  LabelShare share;

  static void Fields(auto& row, auto& field) {
    field("question", row.question);
    field("method", row.method);
    field("stratum", row.share.name);
    LabelShare::Fields(row.share, field);
  }
};

std::vector<Cell> RowOf(const std::string& name, const LabelShare& share) {
  const bool any = share.yes + share.no > 0;
  Cell percent = any ? Cell::Fixed(100 * share.share, 1) : Cell::None();
  percent.number = true;
  if (any) percent.text += " %";
  percent.below =
      FixedText(100 * share.low, 1) + " to " + FixedText(100 * share.high, 1);
  return {Cell::Text(name),          Cell::Count(share.pairs),
          Cell::Count(share.yes),    Cell::Count(share.no),
          Cell::Count(share.unsure), std::move(percent)};
}

html::Table SharesTable(std::string_view question, const QuestionScore& score) {
  html::Table table;
  table.caption = "Same " + std::string(question);
  table.columns = {{"pairs of"},     {"in the run", true},
                   {"yes", true},    {"no", true},
                   {"unsure", true}, {"yes of yes and no", true}};
  for (const MethodScore& method : score.methods) {
    table.rows.push_back(RowOf(method.name, method.all));
    if (method.strata.size() < 2) continue;
    for (const LabelShare& share : method.strata)
      table.rows.push_back(RowOf("\xC2\xB7 " + share.name, share));
  }
  return table;
}

html::Table AgreementTable(const ScoreResult& result) {
  html::Table table;
  table.caption = "Agreement beyond chance";
  table.columns = {{"question"},    {"one"},
                   {"other"},       {"both answered", true},
                   {"alike", true}, {"kappa", true}};
  for (const auto& [question, name] : kChoices<LabelQuestion>) {
    for (const PairAgreement& one :
         result.questions[static_cast<size_t>(question)].agreements) {
      Cell kappa = one.kappa ? Cell::Fixed(*one.kappa, 3) : Cell::None();
      kappa.number = true;
      if (one.kappa)
        kappa.below = FixedText(one.low, 3) + " to " + FixedText(one.high, 3);
      table.rows.push_back({Cell::Text(name), Cell::Text(one.x),
                            Cell::Text(one.y), Cell::Count(one.pairs),
                            Cell::Percent(one.agreed, one.pairs),
                            std::move(kappa)});
    }
  }
  return table;
}

html::Table DisagreementTable(const ScoreResult& result) {
  html::Table table;
  table.caption = "Pairs that assessors answer differently";
  table.columns = {{"pair", true}, {"documents"}, {"question"}};
  for (const std::string& assessor : result.assessors)
    table.columns.push_back({assessor});
  for (const Disagreement& one : result.disagreements) {
    if (table.rows.size() == kShownRows) break;
    Cell documents = Cell::Text(Shortened(one.a, 160));
    documents.below = Shortened(one.b, 160);
    std::vector<Cell> row = {Cell::Count(one.pair), std::move(documents),
                             Cell::Text(ChoiceName(one.question))};
    for (const std::string& answer : one.answers)
      row.push_back(Cell::Text(answer));
    table.rows.push_back(std::move(row));
  }
  return table;
}

html::Lead LeadOf(const ScoreResult& result) {
  const LabelShare& content =
      result.questions[static_cast<size_t>(LabelQuestion::kContent)]
          .methods.front()
          .all;
  const std::string labelled =
      "Of " + CountText(result.pairs, "pair") + " of the sample, " +
      NumberText(result.labelled) + " were labelled by " +
      CountText(result.assessors.size(), "assessor") + ".";
  if (content.yes + content.no == 0)
    return {"Nobody has said of a pair whether its contents are the same.",
            labelled};
  return {FixedText(100 * content.share, 1) +
              " % of the pairs have the same content.",
          "The 95 % interval is " + FixedText(100 * content.low, 1) + " to " +
              FixedText(100 * content.high, 1) + " %. " + labelled};
}

}  // namespace

Json v1::SummaryJson(const ScoreResult& result) { return FieldsToJson(result); }

std::string ScoreCsv(const ScoreResult& result) {
  std::vector<ShareRow> rows;
  for (const auto& [question, name] : kChoices<LabelQuestion>) {
    for (const MethodScore& method :
         result.questions[static_cast<size_t>(question)].methods) {
      rows.push_back({question, method.name, method.all});
      for (const LabelShare& share : method.strata)
        rows.push_back({question, method.name, share});
    }
  }
  return CsvOf(rows);
}

std::string DisagreementRow(const ScoreResult& result,
                            const Disagreement& disagreement) {
  Json answers = Json::object();
  for (size_t i = 0; i < result.assessors.size(); ++i)
    if (!disagreement.answers[i].empty())
      answers[result.assessors[i]] = disagreement.answers[i];
  return Json({{"pair", disagreement.pair},
               {"a", disagreement.a},
               {"b", disagreement.b},
               {"question", disagreement.question},
               {"answers", std::move(answers)}})
      .dump();
}

KeptPage ScorePage(const ScoreResult& result) {
  KeptPage page("assess", "What people say of the pairs");
  page.Add(LeadOf(result));
  for (const std::string& warning : result.warnings)
    page.Add(html::Warning{"Of the labels: " + warning + "."});
  for (const auto& [question, name] : kChoices<LabelQuestion>)
    page.Add(
        SharesTable(name, result.questions[static_cast<size_t>(question)]));
  page.Add(html::Note{
      "Of several assessors the majority counts. Shares of a method are "
      "weighted by the sizes of its strata; below them stands the 95 % "
      "interval: Wilson's, of several strata its stratified form."});
  if (result.assessors.size() > 1) {
    page.Add(html::Heading{"Assessors"});
    page.Add(AgreementTable(result));
    if (!result.disagreements.empty()) page.Add(DisagreementTable(result));
  }
  return page;
}

}  // namespace twinset
