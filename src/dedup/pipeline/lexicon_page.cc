#include "pipeline/lexicon_page.h"

#include <algorithm>
#include <string>
#include <utility>

#include "report/field_rows.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

html::Table TermsTable(const Lexicon& lexicon, const std::string& which,
                       size_t begin, size_t end) {
  std::vector<LexiconRow> rows;
  for (size_t i = begin; i < end; ++i) rows.push_back(RowOf(lexicon, i));
  return TableOf(
      which, {{"rank"}, {"df", "documents"}, {"idf", "idf in bits"}, {"term"}},
      rows);
}

// In how many documents a term is, by rank, at places that are evenly spread
// over the logarithm of the rank.
html::Chart FrequencyChart(const Lexicon& lexicon) {
  constexpr double kStep = 1.05;
  html::Chart chart;
  chart.title = "In how many documents each term is";
  chart.description =
      "A line that falls from the most common term to the rarest one.";
  chart.x = {"rank of the term, the most common first", true, {}, {}};
  chart.y = {"documents", true, {}, {}};
  chart.series.push_back({"terms", {}, true, false, false});
  for (size_t i = 0; i < lexicon.terms.size();
       i = std::max(i + 1, static_cast<size_t>(static_cast<double>(i) * kStep)))
    chart.series[0].points.push_back(
        {static_cast<double>(lexicon.first_rank + i + 1),
         static_cast<double>(lexicon.terms[i].frequency), 0, 0, ""});
  return chart;
}

html::Table ChangesTable(const std::string& which, uint64_t all,
                         const std::vector<LexiconChange>& changes) {
  const LexiconChange::Kind kind = changes.front().kind;
  std::vector<FieldColumn> columns = {{"term"}};
  if (kind != LexiconChange::kGained)
    columns.insert(columns.end(),
                   {{"df_a", "documents in A"}, {"rank_a", "rank in A"}});
  if (kind != LexiconChange::kLost)
    columns.insert(columns.end(),
                   {{"df_b", "documents in B"}, {"rank_b", "rank in B"}});
  html::Table table = TableOf(which, columns, changes);
  if (all > changes.size())
    table.caption +=
        ", the first " + NumberText(changes.size()) + " of " + NumberText(all);
  return table;
}

void AddDrift(const SignatureDrift& drift, KeptPage* page) {
  page->Add(html::Shares{
      "What B does to the signatures of the documents",
      {{"unchanged", drift.compared - drift.changed},
       {"changed, still found by a randomised lexicon",
        drift.changed - drift.unmatched},
       {"changed, and no longer found", drift.unmatched},
       {"too few terms under both", drift.documents - drift.compared}}});
  page->Add(
      html::Paragraph{CountText(drift.flagged_a, "document") +
                      std::string(WordFor(drift.flagged_a, " has", " have")) +
                      " too few terms for a signature under A, and " +
                      NumberText(drift.flagged_b) + " under B."});
}

}  // namespace

LexiconRow RowOf(const Lexicon& lexicon, size_t place) {
  const LexiconTerm& term = lexicon.terms[place];
  LexiconRow row;
  row.term = term.text;
  row.frequency = term.frequency;
  row.rank = lexicon.first_rank + place;
  row.idf = static_cast<double>(lexicon.Idf(term)) / 65536;
  return row;
}

KeptPage LexiconPage(const Lexicon& lexicon, const LexiconInfo& info) {
  KeptPage page("lexicon", "A lexicon");
  page.Add(html::Lead{
      "The lexicon holds " + CountText(info.terms, "term") + " of " +
          CountText(info.documents, "document") + ".",
      "The documents have " + CountText(info.counted, "different term") + "; " +
          NumberText(info.ranked) +
          std::string(WordFor(info.ranked, " is in ", " are in ")) +
          CountText(info.rules.min_df, "document") + " or more."});
  page.Add(html::Facts{
      {{"terms", NumberText(info.terms), "of " + NumberText(info.ranked)},
       {"checksum", info.checksum, "equal: the same lexicon"}}});
  if (!lexicon.terms.empty()) page.Add(FrequencyChart(lexicon));
  return page;
}

void AddTerms(const Lexicon& lexicon, KeptPage* page) {
  const size_t terms = lexicon.terms.size();
  if (terms <= 2 * kShownTerms) {
    page->Add(TermsTable(lexicon, "Terms by rank", 0, terms));
    return;
  }
  const std::string count = NumberText(kShownTerms);
  page->Add(TermsTable(lexicon, "The " + count + " most common terms", 0,
                       kShownTerms));
  page->Add(TermsTable(lexicon, "The " + count + " rarest terms",
                       terms - kShownTerms, terms));
}

KeptPage DifferencePage(const LexiconDifference& difference,
                        const ShownChanges& shown) {
  KeptPage page("lexicon", "Two lexica");
  const bool is_same = difference.lost + difference.gained == 0;
  page.Add(html::Lead{
      is_same ? "The two lexica have the same " +
                    CountText(difference.common, "term") + "."
              : "B has lost " + NumberText(difference.lost) + " of the " +
                    CountText(difference.a.terms, "term") +
                    " of A, and gained " + NumberText(difference.gained) + ".",
      difference.moved == 0
          ? "No common term has another rank."
          : NumberText(difference.moved) + " of " +
                CountText(difference.common, "common term") +
                std::string(WordFor(difference.moved, " has", " have")) +
                " another rank, by " + NumberText(difference.largest_move) +
                " at most."});
  page.Add(html::Shares{"Terms of both lexica",
                        {{"same rank", difference.common - difference.moved},
                         {"another rank", difference.moved},
                         {"lost: in A alone", difference.lost},
                         {"gained: in B alone", difference.gained}}});
  if (difference.drift.documents > 0) AddDrift(difference.drift, &page);
  const auto add = [&](LexiconChange::Kind kind, const char* which,
                       uint64_t all) {
    if (all > 0) page.Add(ChangesTable(which, all, shown[kind]));
  };
  add(LexiconChange::kLost, "Lost terms", difference.lost);
  add(LexiconChange::kGained, "Gained terms", difference.gained);
  add(LexiconChange::kMoved, "Terms with another rank", difference.moved);
  return page;
}

}  // namespace twinset
