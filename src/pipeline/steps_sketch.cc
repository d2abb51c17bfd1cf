// explain --steps: the method's own sketches value by value, and what its
// candidate law says.
#include <algorithm>

#include "base/bytes.h"
#include "pipeline/ingest.h"
#include "pipeline/plan.h"
#include "pipeline/steps.h"

namespace twinset {

namespace {

constexpr double kSimilarities[] = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99};

Result<std::vector<Sketch>> SketchesOf(const Plan& plan,
                                       const MethodParts& parts,
                                       std::string_view text) {
  IngestScratch scratch;
  std::vector<std::string> stored;
  for (size_t i = 0; i < plan.views.size(); ++i) {
    const bool payload = plan.views[i].form == FeatureForm::kPayload;
    stored.push_back(payload ? std::string(text)
                             : MakeView(plan, i, text, &scratch));
  }
  const std::vector<std::string_view> views(stored.begin(), stored.end());
  std::vector<Sketch> sketches;
  ComputeSketches(parts, views, &sketches);
  return sketches;
}

// Values of these are 64 bits wide.
bool HasWideValues(const std::string& method) {
  return method == "super-shingle" || method == "mega-shingle" ||
         method == "i-match" || method == "mod-m" || method == "rare-chunks" ||
         method == "spex" || method == "exact";
}

// The values of a sketch in hexadecimal.
std::vector<std::string> Values(const Sketch& sketch, size_t words) {
  std::vector<std::string> values;
  for (size_t i = 0; i + words <= sketch.size(); i += words) {
    std::string hex;
    for (size_t w = words; w-- > 0;) hex += ToHex(sketch[i + w], 8);
    values.push_back(std::move(hex));
  }
  return values;
}

void AddValues(const StepInput& input,
               const std::vector<std::vector<std::string>>& values,
               StepText* text) {
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

// x^n, by multiplication alone.
double Power(double x, int n) {
  double power = 1;
  for (int i = 0; i < n; ++i) power *= x;
  return power;
}

// Pr[at least `least` of `n` agree] when each does with probability p.
double AtLeast(int least, int n, double p) {
  double below = 0, choices = 1;
  for (int i = 0; i < least; ++i) {
    below += choices * Power(p, i) * Power(1 - p, n - i);
    choices = choices * (n - i) / (i + 1);
  }
  return 1 - below;
}

void AddSuperShingleLaw(const MethodOptions& method, StepText* text) {
  const int least = method.agree > 0 ? method.agree : 2;
  text->Paragraph("A super-shingle is equal when all its " +
                  std::to_string(method.group_size) + " values are: p = J^" +
                  std::to_string(method.group_size) + ". At least " +
                  std::to_string(least) + " of " +
                  std::to_string(method.groups) +
                  " are equal with this probability:");
  std::vector<std::vector<std::string>> rows;
  for (const double similarity : kSimilarities) {
    const double p = Power(similarity, method.group_size);
    rows.push_back({Decimal(similarity), Decimal(p),
                    Decimal(AtLeast(least, method.groups, p))});
  }
  text->Table({">J", ">p", ">probability"}, rows, /*whole=*/true);
  if (least != 2) return;
  text->Paragraph(
      "Two equal super-shingles are one equal mega-shingle, the hash of a pair "
      "of them: " +
      std::to_string(method.groups * (method.groups - 1) / 2) +
      " keys a document, and one look-up each decides.");
}

void AddBandLaw(const MethodParts& parts, StepText* text) {
  text->Paragraph(
      std::to_string(parts.bands) + " bands of " + std::to_string(parts.rows) +
      " values: two documents are candidates when all values of a band are "
      "equal, with probability 1 - (1 - J^" +
      std::to_string(parts.rows) + ")^" + std::to_string(parts.bands) + ":");
  std::vector<std::vector<std::string>> rows;
  for (const double similarity : kSimilarities)
    rows.push_back({Decimal(similarity),
                    Decimal(BandRecall(similarity, parts.bands, parts.rows))});
  text->Table({">J", ">probability"}, rows, /*whole=*/true);
}

// Which bands of two sketches are equal.
std::string EqualBands(const MethodParts& parts,
                       const std::vector<std::string>& a,
                       const std::vector<std::string>& b) {
  std::string bands;
  for (int band = 0; band < parts.bands; ++band) {
    const auto begin = static_cast<size_t>(band * parts.rows);
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

// Slots row by row, and that they lead to the sketches.
void AddSlots(const StepInput& input,
              const std::vector<std::vector<Sketch>>& sketches,
              StepText* text) {
  const auto slots = AddMethodSlots(input, text);
  bool same = true;
  for (size_t d = 0; d < slots.size(); ++d)
    for (size_t k = 0; k < kMethodSlots; ++k)
      same =
          same && k < sketches[d][0].size() && sketches[d][0][k] == slots[d][k];
  text->Paragraph(same ? "At the end the slots are the first values of the "
                         "sketches."
                       : "The sketches have other values.");
}

void AddPairs(const StepInput& input, const MethodParts& parts,
              const std::vector<std::vector<Sketch>>& sketches, size_t which,
              const std::vector<std::vector<std::string>>& values,
              StepText* text) {
  const bool bands = parts.bands > 0 && which == 0;
  std::vector<std::vector<std::string>> rows;
  ForEachStepPair(input, [&](size_t i, size_t j) {
    const auto &a = input.documents[i], &b = input.documents[j];
    const Overlap overlap = OverlapOfSets(a.set, b.set);
    size_t equal = 0;
    const size_t common = std::min(values[i].size(), values[j].size());
    for (size_t k = 0; k < common; ++k) equal += values[i][k] == values[j][k];
    rows.push_back(
        {Plain(a.name) + ", " + Plain(b.name),
         Ratio(overlap.common, overlap.a + overlap.b - overlap.common),
         Ratio(equal, std::max(values[i].size(), values[j].size())),
         Decimal(parts.sketchers[which]->Estimate(sketches[i][which],
                                                  sketches[j][which]))});
    if (!bands) return;
    rows.back().push_back(Decimal(StandardError(Jaccard(overlap), common)));
    rows.back().push_back(EqualBands(parts, values[i], values[j]));
  });
  if (rows.empty()) return;
  std::vector<std::string> columns = {"a, b", ">Jaccard", ">equal values",
                                      ">estimate"};
  if (bands) columns.insert(columns.end(), {">standard error", "equal bands"});
  text->Table(columns, rows);
}

}  // namespace

Status AddSketchSteps(const StepInput& input, StepText* text) {
  Plan plan;
  plan.options.features = input.features;
  plan.options.method = input.method;
  TWINSET_ASSIGN(plan.method, FindMethod(input.method));
  const Method& method = *plan.method;
  text->Heading("The sketch of " + method.info.name);
  if (method.learns && method.learns(input.method)) {
    text->Paragraph(
        "This method learns from a whole corpus first; with these documents "
        "alone there is nothing to derive.");
    return {};
  }
  TWINSET_TRY(PlanViews(&plan));
  TWINSET_ASSIGN(const MethodParts parts, method.make(input.method, nullptr));
  std::vector<std::vector<Sketch>> sketches;
  for (const StepDocument& document : input.documents) {
    TWINSET_ASSIGN(auto own, SketchesOf(plan, parts, document.text));
    sketches.push_back(std::move(own));
  }
  if (method.info.name == "minhash" && input.method.hash_family == "spec" &&
      input.method.value_bits == 32)
    AddSlots(input, sketches, text);
  for (size_t which = 0; which < parts.sketchers.size(); ++which) {
    const size_t words = HasWideValues(method.info.name) ? 2 : 1;
    std::vector<std::vector<std::string>> values;
    for (const auto& own : sketches)
      values.push_back(Values(own[which], words));
    text->Paragraph(std::to_string(values[0].size()) +
                    (values[0].size() == 1 ? " value" : " values") + " of " +
                    parts.sketchers[which]->name() + ":");
    AddValues(input, values, text);
    AddPairs(input, parts, sketches, which, values, text);
  }
  if (parts.sketchers.empty())
    text->Paragraph("It compares the documents themselves.");
  if (method.info.name == "super-shingle" || method.info.name == "mega-shingle")
    AddSuperShingleLaw(input.method, text);
  if (parts.bands > 0) AddBandLaw(parts, text);
  return {};
}

}  // namespace twinset
