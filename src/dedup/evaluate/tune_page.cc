#include "evaluate/tune_page.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "report/field_rows.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;

std::string TwoDecimals(double share) {
  return FixedText(100 * share, 2) + " %";
}

std::string KeysText(const TuneResult& result) {
  return CountText(result.keys_per_document, "key") + " for each document.";
}

// A law that goes from no pair to all.
html::Chart LawChart(std::string title, std::string description,
                     std::string label) {
  html::Chart chart;
  chart.title = std::move(title);
  chart.description = std::move(description);
  chart.x.label = std::move(label);
  chart.y = {"found", false, 0, 1};
  chart.series.push_back({"by the law", {}, true, false, false});
  return chart;
}

html::Chart CurveChart(const TuneResult& result) {
  html::Chart chart = LawChart(
      "How likely a pair is found, by its similarity",
      "The law of the chosen parameters rises from 0 to 1.", "similarity");
  html::Series found{"measured", {}, false, true, false};
  for (const TunePoint& point : result.curve) {
    chart.series[0].points.push_back(
        {point.similarity, point.expected, 0, 0, ""});
    if (point.pairs > 0)
      found.points.push_back({point.similarity,
                              Share{point.found, point.pairs}.value(), 0, 0,
                              ""});
  }
  if (!found.points.empty()) chart.series.push_back(std::move(found));
  return chart;
}

// Five hundredths that begin at a place of the curve. The law, where there are
// pairs, is that of the pairs as they lie in them.
TunePoint FiveFrom(const std::vector<TunePoint>& curve, size_t begin) {
  TunePoint sum = curve[begin];
  sum.pairs = sum.found = 0;
  double expected = 0;
  for (size_t i = begin; i < std::min(begin + 5, curve.size()); ++i) {
    const double next = curve[std::min(i + 1, curve.size() - 1)].expected;
    sum.pairs += curve[i].pairs;
    sum.found += curve[i].found;
    expected +=
        static_cast<double>(curve[i].pairs) * (curve[i].expected + next) / 2;
  }
  if (sum.pairs > 0) sum.expected = expected / static_cast<double>(sum.pairs);
  return sum;
}

html::Table CurveTable(const TuneResult& result) {
  html::Table table{"Pairs that are found, from each similarity on",
                    {{"similarity", true}, {"law", true}},
                    {}};
  if (result.measured)
    table.columns.insert(
        table.columns.end(),
        {{"pairs", true}, {"found", true}, {"measured", true}});
  for (size_t i = 0; i < result.curve.size(); i += 5) {
    const TunePoint point = FiveFrom(result.curve, i);
    auto& row = table.rows.emplace_back();
    row = {Cell::Fixed(point.similarity, 2), Cell::Fixed(point.expected, 4)};
    if (!result.measured) continue;
    row.push_back(Cell::Count(point.pairs));
    row.push_back(Cell::Count(point.found));
    row.push_back(
        point.pairs == 0
            ? Cell::None()
            : Cell::Fixed(Share{point.found, point.pairs}.value(), 4));
  }
  return table;
}

void AddMeasured(const TuneResult& result, KeptPage* page) {
  const TuneMeasured& measured = *result.measured;
  page->Add(
      html::Facts{{{"documents", NumberText(measured.documents), ""},
                   {"pairs found", NumberText(measured.found_pairs),
                    "of " + NumberText(measured.true_pairs) +
                        " at the threshold and above"},
                   {"candidates of a document",
                    FixedText(measured.measured_candidates_per_document, 3),
                    FixedText(measured.expected_candidates_per_document, 3) +
                        " expected of the pairs from " +
                        FixedText(result.asked.floor, 2) + " on"}}});
}

KeptPage CurvePage(const TuneResult& result) {
  const double threshold = result.asked.method.threshold;
  KeptPage page("tune", "Parameters of " + result.method);
  page.Add(html::Lead{
      result.method + " with " + result.flags + " finds " +
          TwoDecimals(result.expected_recall) + " of the pairs at exactly " +
          Cell::Number(threshold).text + ".",
      "So says the law of the method, with " + KeysText(result)});
  if (result.measured) AddMeasured(result, &page);
  page.Add(CurveChart(result));
  if (!result.tables.empty()) {
    std::vector<FieldColumn> columns = {
        {"design", "--tables"}, {"tables"}, {"key_bits", "bits of a key"}};
    if (result.measured)
      columns.push_back(
          {"candidates_per_document", "documents of a look-up by chance"});
    page.Add(
        TableOf("Tables that find all of these pairs", columns, result.tables));
  }
  page.Add(CurveTable(result));
  return page;
}

KeptPage LexiconsPage(const TuneResult& result) {
  KeptPage page("tune", "Lexica of " + result.method);
  page.Add(html::Lead{
      result.method + " with " + result.flags + " finds " +
          TwoDecimals(result.expected_recall) +
          " of the texts that differ in " +
          CountText(static_cast<uint64_t>(result.asked.differing_terms),
                    "term") +
          " of the lexicon.",
      "So says the law of the method, with " + KeysText(result)});
  html::Chart chart =
      LawChart("How likely texts are found, by the terms in which they differ",
               "The law of the lexica falls from 1 to 0.", "differing terms");
  for (const TuneTerms& row : result.by_terms)
    chart.series[0].points.push_back(
        {static_cast<double>(row.terms), row.expected, 0, 0, ""});
  page.Add(std::move(chart));
  html::Table table{"Texts that are found, by differing terms",
                    {{"terms", true}, {"law", true}},
                    {}};
  for (const TuneTerms& row : result.by_terms)
    table.rows.push_back(
        {Cell::Count(row.terms), Cell::Fixed(row.expected, 4)});
  page.Add(std::move(table));
  return page;
}

// So many texts, of which there may be more than any number of bits holds.
Cell TextsCell(double texts) {
  return texts < 1e15 ? Cell::Count(static_cast<uint64_t>(texts))
                      : Cell::Rounded(texts);
}

KeptPage CopiesPage(const TuneResult& result) {
  const CollisionQuestion& asked = result.asked.collisions;
  const auto& laws = result.fingerprints;
  const std::string bits = std::to_string(laws.front().bits);
  std::string needs;
  for (const TuneFingerprint& law : laws)
    needs += (needs.empty() ? "" : ", ") + std::to_string(law.least_bits) +
             " (" + law.kind + ")";
  KeptPage page("tune", "Fingerprints of copies");
  page.Add(html::Lead{
      "A fingerprint needs " + needs + " bits for " +
          NumberText(asked.documents) + " different texts with " +
          Cell::Number(asked.tolerated).text + " expected collisions.",
      "The texts have at most " + CountText(asked.document_bytes, "byte") +
          ". A uniform fingerprint is as good as random; what a random "
          "polynomial or prime promises is a bound for any texts."});
  page.Add(TableOf("Fingerprints that are long enough",
                   {{"kind", "fingerprint"},
                    {"least_bits", "bits"},
                    {"length"},
                    {"choices", "drawn from"}},
                   laws));
  html::Table promises =
      TableOf("With " + bits + " bits",
              {{"kind", "fingerprint"},
               {"fixed_pair", "a given pair collides"},
               {"expected", "expected collisions"},
               {"probability", "any collision"},
               {"documents", "texts with the tolerated collisions"}},
              laws);
  for (size_t i = 0; i < laws.size(); ++i)
    promises.rows[i].back() = TextsCell(laws[i].documents);
  page.Add(std::move(promises));
  page.Add(html::Paragraph{TextsCell(result.tenth).text +
                           " texts have a collision with "
                           "probability 0.1 by a uniform fingerprint of " +
                           bits + " bits."});
  return page;
}

}  // namespace

KeptPage TunePage(const TuneResult& result) {
  if (!result.fingerprints.empty()) return CopiesPage(result);
  return result.by_terms.empty() ? CurvePage(result) : LexiconsPage(result);
}

}  // namespace twinset
