#include "explain/sketch_steps.h"

#include <algorithm>

#include "core/fingerprint.h"
#include "explain/text_sketcher.h"
#include "report/step_drawings.h"

namespace twinset {

namespace {

using Values = std::vector<std::vector<std::string>>;  // by document

void AddValues(const StepInput& input, const Values& values, StepText* text) {
  std::vector<std::string> columns = {">value"};
  size_t most = 0;
  for (size_t d = 0; d < values.size(); ++d) {
    columns.push_back(Plain(input.documents[d].name));
    most = std::max(most, values[d].size());
  }
  std::vector<std::vector<std::string>> rows;
  for (size_t i = 0; i < most; ++i) {
    std::vector<std::string> row = {std::to_string(i + 1)};
    for (const auto& own : values)
      row.push_back(i < own.size() ? "`" + own[i] + "`" : "");
    rows.push_back(std::move(row));
  }
  text->Table(columns, rows);
}

constexpr size_t kFewValues = 8;  // a table shows them at a glance
constexpr size_t kPlacesOfRow = 16;

std::vector<bool> EqualPlaces(const SketchLayout& layout, const Sketch& a,
                              const Sketch& b,
                              const std::vector<std::string>& values_a,
                              const std::vector<std::string>& values_b) {
  std::vector<bool> equal;
  if (layout.comparison == SketchLayout::kByBit) {
    for (int place = 0; place < layout.value_bits; ++place) {
      const size_t bit = FingerprintBit(layout.value_bits, place);
      equal.push_back(((a[bit / 32] ^ b[bit / 32]) >> (bit % 32) & 1) == 0);
    }
    return equal;
  }
  for (size_t i = 0; i < std::min(values_a.size(), values_b.size()); ++i)
    equal.push_back(values_a[i] == values_b[i]);
  return equal;
}

// The sketches of the first two documents side by side, if their places mean
// something.
void DrawPlaces(const StepInput& input, const StepSketches& sketches,
                size_t which, const Values& values, StepText* text) {
  const MethodParts& parts = sketches.parts;
  const SketchLayout layout = parts.sketchers[which]->layout();
  if (input.stored() < 2 || layout.comparison == SketchLayout::kAsSets) return;
  const Sketch &a = sketches.of[0][which], &b = sketches.of[1][which];
  const std::vector<bool> equal =
      EqualPlaces(layout, a, b, values[0], values[1]);
  if (equal.size() <= kFewValues) return;
  const bool bands = parts.bands > 0 && which == 0;
  const bool bits = layout.comparison == SketchLayout::kByBit;
  SlotRows slots;
  slots.title = "The two sketches, place by place";
  slots.a = input.documents[0].name;
  slots.b = input.documents[1].name;
  slots.row = bands ? "band" : "row";
  slots.place = bits ? "bit" : "value";
  if (bands) slots.meaning = "the two are a candidate pair";
  const size_t size = bands ? static_cast<size_t>(parts.rows) : kPlacesOfRow;
  const size_t used =
      bands ? static_cast<size_t>(parts.bands) * size : equal.size();
  for (size_t i = 0; i < std::min(used, equal.size()); i += size) {
    const size_t end = std::min(i + size, equal.size());
    slots.rows.push_back(
        {bands ? "band " + std::to_string(i / size + 1)
               : std::to_string(i + 1) + "\xE2\x80\x93" + std::to_string(end),
         {equal.begin() + static_cast<ptrdiff_t>(i),
          equal.begin() + static_cast<ptrdiff_t>(end)}});
  }
  html::Drawing drawing = DrawSlots(slots);
  if (!bits && layout.value_bits < 16)
    drawing.note += " Values of " + std::to_string(layout.value_bits) +
                    (layout.value_bits == 1 ? " bit" : " bits") +
                    " are equal by chance in one of " +
                    std::to_string(1u << layout.value_bits) + " places.";
  text->Draw(std::move(drawing));
}

// Which bands of two sketches are equal.
std::string EqualBands(const MethodParts& parts,
                       const std::vector<std::string>& a,
                       const std::vector<std::string>& b) {
  std::string bands;
  for (int band = 0; band < parts.bands; ++band) {
    const auto begin =
        static_cast<size_t>(band) * static_cast<size_t>(parts.rows);
    const auto end = begin + static_cast<size_t>(parts.rows);
    if (end > a.size() || end > b.size()) break;
    if (!std::equal(a.begin() + static_cast<ptrdiff_t>(begin),
                    a.begin() + static_cast<ptrdiff_t>(end),
                    b.begin() + static_cast<ptrdiff_t>(begin)))
      continue;
    bands += (bands.empty() ? "" : ", ") + std::to_string(band + 1);
  }
  return bands.empty() ? "none" : bands;
}

void AddPairs(const StepInput& input, const StepSketches& sketches,
              size_t which, const Values& values, StepText* text) {
  const MethodParts& parts = sketches.parts;
  const Sketcher& sketcher = *parts.sketchers[which];
  const SketchLayout layout = sketcher.layout();
  const bool bands = parts.bands > 0 && which == 0;
  bool has_error = false;
  std::vector<std::vector<std::string>> rows;
  ForEachStepPair(input, [&](size_t i, size_t j) {
    const auto &a = input.documents[i], &b = input.documents[j];
    const Sketch &of_a = sketches.of[i][which], &of_b = sketches.of[j][which];
    const Overlap overlap = OverlapOfSets(a.set, b.set);
    const SketchAgreement agreement = CompareSketches(layout, of_a, of_b);
    const auto error = sketcher.StandardError(of_a, of_b);
    has_error = has_error || error;
    rows.push_back(
        {Plain(a.name) + ", " + Plain(b.name),
         Ratio(overlap.common, overlap.a + overlap.b - overlap.common),
         Ratio(agreement.equal, agreement.compared),
         Decimal(sketcher.Estimate(of_a, of_b)), error ? Decimal(*error) : ""});
    if (bands) rows.back().push_back(EqualBands(parts, values[i], values[j]));
  });
  if (rows.empty()) return;
  std::vector<std::string> columns = {
      "a, b", ">Jaccard",
      layout.comparison == SketchLayout::kByBit    ? ">equal bits"
      : layout.comparison == SketchLayout::kAsSets ? ">values in both"
                                                   : ">equal values",
      ">estimate", ">standard error"};
  if (bands) columns.push_back("equal bands");
  if (!has_error) {
    const auto at = columns.begin() + 4;
    columns.erase(at);
    for (auto& row : rows) row.erase(row.begin() + 4);
  }
  text->Table(columns, rows);
}

// The method's own scores of each pair.
Status AddScores(const Method& method, const StepInput& input,
                 const StepSketches& sketches, StepText* text) {
  if (!method.steps.scores) return {};
  std::vector<std::vector<std::string>> rows;
  Status status;
  ForEachStepPair(input, [&](size_t i, size_t j) {
    if (!status) return;
    const std::vector<std::string_view> a(sketches.views[i].begin(),
                                          sketches.views[i].end());
    const std::vector<std::string_view> b(sketches.views[j].begin(),
                                          sketches.views[j].end());
    const auto scores = method.steps.scores({sketches.parts, sketches.model, a,
                                             b, sketches.of[i], sketches.of[j],
                                             sketches.for_each_views});
    if (!scores) {
      status = tl::unexpected(scores.error());
      return;
    }
    for (const PairScore& score : *scores) {
      rows.push_back(
          {Plain(input.documents[i].name) + ", " +
               Plain(input.documents[j].name),
           "`" + score.name + "`", Decimal(score.value),
           score.standard_error ? Decimal(*score.standard_error) : "",
           score.meaning});
    }
  });
  TWINSET_TRY(status);
  if (rows.empty()) return {};
  text->Paragraph("Scores of pairs, X the first:");
  text->Table({"X, Y", "score", ">value", ">standard error", "meaning"}, rows);
  return {};
}

// The sketches of the documents; they point into `sketcher`.
StepSketches SketchesOf(const TextSketcher& sketcher, const StepInput& input) {
  StepSketches sketches{
      sketcher.options(),
      sketcher.parts(),
      sketcher.model(),
      {},
      [&sketcher, &input](const std::function<Status(DocumentViews)>& body) {
        return sketcher.ForEachViews(input.corpus, body);
      },
      {},
      {}};
  for (size_t i = 0; i < sketcher.parts().sketchers.size(); ++i)
    sketches.extractors.push_back(sketcher.ExtractorFor(i));
  for (const StepDocument& document : input.documents) {
    DocumentText text;
    text.text = document.text;
    text.payload = document.payload;
    sketches.views.push_back(sketcher.Views(text));
    sketches.of.push_back(sketcher.Sketches(sketches.views.back()));
  }
  return sketches;
}

}  // namespace

Status AddSketchSteps(const Method& method, const StepInput& input,
                      const PassWatch& watch, StepText* text) {
  text->Heading("The sketch of " + method.info.name);
  if (input.corpus.inputs.empty() &&
      TextSketcher::Learns(method, input.method)) {
    text->Paragraph(
        "This method learns from a whole corpus first. With --in CORPUS, and "
        "the documents named by their ids, the steps show what it learns and "
        "does.");
    return {};
  }
  TWINSET_ASSIGN(const TextSketcher sketcher,
                 TextSketcher::Create(method, input.features, input.method,
                                      input.corpus, watch));
  const StepSketches sketches = SketchesOf(sketcher, input);
  const auto& sketchers = sketches.parts.sketchers;
  if (method.steps.before)
    TWINSET_TRY(method.steps.before(input, sketches, text));
  for (size_t which = 0; which < sketchers.size(); ++which) {
    const Sketcher& of = *sketchers[which];
    Values values;
    for (const auto& own : sketches.of)
      values.push_back(WrittenValues(of.layout(), own[which]));
    const size_t count = values[0].size();
    text->Paragraph(std::to_string(count) +
                    (count == 1 ? " value of " : " values of ") + of.name() +
                    ":");
    AddValues(input, values, text);
    AddPairs(input, sketches, which, values, text);
    DrawPlaces(input, sketches, which, values, text);
  }
  TWINSET_TRY(AddScores(method, input, sketches, text));
  if (method.steps.after)
    TWINSET_TRY(method.steps.after(input, sketches, text));
  return sketcher.CheckCorpus();
}

}  // namespace twinset
