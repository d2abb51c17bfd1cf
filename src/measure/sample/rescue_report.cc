#include "sample/rescue_report.h"

#include <string>
#include <utility>

#include "core/field_list.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;

html::Table PagesTable(const std::vector<RescuedPage>& pages,
                       bool are_signatures) {
  html::Table table{
      "Each page, and the words that stand for it",
      {{"page"}, {"what became of it"}, {"words"}, {"alike", true}},
      {}};
  for (const RescuedPage& page : pages) {
    Cell address = Cell::Text(page.url);
    address.below = are_signatures ? page.robust_link : page.found;
    std::string words;
    for (const std::string& word : page.signature)
      words += (words.empty() ? "" : " ") + word;
    table.rows.push_back(
        {std::move(address),
         Cell::Text(WordsOf(std::string(ChoiceName(page.status)))),
         Cell::Text(words),
         page.similarity > 0 ? Cell::Rounded(page.similarity) : Cell::None()});
  }
  if (are_signatures) table.columns.pop_back();
  return table;
}

}  // namespace

KeptPage RescueReport(const RescueSummary& summary,
                      const std::vector<RescuedPage>& pages) {
  const uint64_t signatures = summary.of(RescueStatus::kSignature);
  const std::string all = CountText(summary.pages, "page");
  const auto lead = [&](uint64_t count, const std::string& what) {
    return (count == 0 ? "None" : NumberText(count)) + " of " + all + what;
  };
  KeptPage page("rescue", "Lost pages");
  if (signatures > 0)
    page.Add(html::Lead{
        lead(signatures, std::string(WordFor(signatures, " has", " have")) +
                             " words that find it again."),
        "The address with these words is its robust hyperlink."});
  else
    page.Add(
        html::Lead{lead(summary.of(RescueStatus::kFound),
                        std::string(WordFor(summary.of(RescueStatus::kFound),
                                            " was", " were")) +
                            " found again at another address."),
                   CountText(summary.queries, "query", "queries") + " showed " +
                       CountText(summary.candidates, "page") + " to compare; " +
                       NumberText(summary.sisters) +
                       std::string(WordFor(summary.sisters, " was", " were")) +
                       " refused, as old pages with a text of their own."});
  html::Shares shares{"What became of the pages", {}};
  for (const auto& choice : kChoices<RescueStatus>)
    if (summary.of(choice.value) > 0)
      shares.parts.emplace_back(std::string(choice.name),
                                summary.of(choice.value));
  page.Add(std::move(shares));
  if (pages.empty()) return page;  // somebody took them one by one
  page.Add(PagesTable(pages, signatures > 0));
  if (pages.size() < summary.pages)
    page.Add(html::Note{"These are the first " + NumberText(pages.size()) +
                        " of " + all + "; --json prints all."});
  return page;
}

Json v1::RowJson(const RescuedPage& page) { return FieldsToJson(page); }

}  // namespace twinset
