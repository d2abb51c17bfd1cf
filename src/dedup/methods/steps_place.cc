// explain --steps: which features the values of sketches come from (MinHash and
// its kin, super-shingles, mod-m).
#include <algorithm>
#include <cmath>

#include "base/bytes.h"
#include "base/hash.h"
#include "candidate/laws.h"
#include "candidate/value_keys.h"
#include "documents/document_info.h"
#include "methods/steps.h"
#include "report/step_drawings.h"
#include "sketch/minhash_family.h"

namespace twinset {

namespace {

constexpr double kSimilarities[] = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99};

std::string Power(const char* base, int exponent) {
  return std::string(base) + "^" + std::to_string(exponent);
}

// The feature of the set whose own sketch has this value at this place: of a
// least value, the one that gave it.
std::string Origin(const Sketcher& sketcher, const FeatureTexts& texts,
                   std::span<const uint64_t> set, size_t place,
                   uint32_t value) {
  Sketch own;
  for (const uint64_t& feature : set) {
    sketcher.Compute({reinterpret_cast<const char*>(&feature), sizeof feature},
                     &own);
    if (place < own.size() && own[place] == value) return texts.Of(feature);
  }
  return "";
}

void AddOrigins(const StepInput& input, const StepSketches& sketches,
                StepText* text) {
  const Sketcher& sketcher = *sketches.parts.sketchers[0];
  const FeatureTexts texts(input, sketches, 0);
  std::vector<std::string> columns = {">value"};
  for (const StepDocument& document : input.documents) {
    columns.push_back(Plain(document.name));
    columns.push_back("comes from");
  }
  const size_t values = sketches.of[0][0].size();
  const size_t shown = std::min<size_t>(values, text->most_rows());
  std::vector<std::vector<std::string>> rows;
  for (size_t i = 0; i < shown; ++i) {
    std::vector<std::string> row = {std::to_string(i + 1)};
    for (size_t d = 0; d < input.documents.size(); ++d) {
      const Sketch& sketch = sketches.of[d][0];
      if (i >= sketch.size()) continue;  // of an empty document
      const uint32_t value = sketch[i];
      row.push_back("`" + ToHex(value, 8) + "`");
      row.push_back(Origin(sketcher, texts, sketches.Hashes(d, 0), i, value));
    }
    rows.push_back(std::move(row));
  }
  text->Table(columns, rows, /*whole=*/false, values - shown);
}

// Has another document the feature too?
bool IsElsewhere(const StepInput& input, const StepSketches& sketches,
                 size_t document, uint64_t feature) {
  for (size_t d = 0; d < input.documents.size(); ++d) {
    const auto set = sketches.Hashes(d, 0);
    if (d != document && std::binary_search(set.begin(), set.end(), feature))
      return true;
  }
  return false;
}

// The least values that the super-shingles of a document are hashes of.
Result<Sketch> MinimaOf(const MethodOptions& options,
                        std::string_view features) {
  const int count = options.groups * options.group_size;
  // As many functions as classic MinHash takes, a multiple of eight.
  TWINSET_ASSIGN(const auto minhash,
                 MakeMinHashSketcher((count + 7) / 8 * 8, options.seed));
  Sketch minima;
  minhash->Compute(features, &minima);
  minima.resize(static_cast<size_t>(count));
  if (options.group_by == GroupBy::kValue)
    std::sort(minima.begin(), minima.end());
  return minima;
}

// Where the hashes of each document lie between 0 and 2^64, and which of them
// are kept.
void DrawHashLine(const StepInput& input, const StepSketches& sketches,
                  uint64_t modulus, StepText* text) {
  MarkLines marks{"Which hashes are kept",
                  "0",
                  "2^64",
                  "left out",
                  "kept",
                  "kept, and in another document too",
                  "hash",
                  {}};
  for (size_t d = 0; d < input.documents.size(); ++d) {
    MarkLines::Line line{input.documents[d].name, {}};
    for (const uint64_t x : sketches.Hashes(d, 0)) {
      const double at = std::ldexp(static_cast<double>(x), -64);
      const bool is_kept = x % modulus == 0;
      line.marks.push_back({at, at,
                            !is_kept ? MarkLines::kLeftOut
                            : IsElsewhere(input, sketches, d, x)
                                ? MarkLines::kShared
                                : MarkLines::kKept});
    }
    marks.lines.push_back(std::move(line));
  }
  text->Draw(DrawMarks(marks));
}

}  // namespace

MethodSteps::Add PlaceSteps(std::string how) {
  return [how = std::move(how)](const StepInput& input,
                                const StepSketches& sketches,
                                StepText* text) -> Status {
    text->Paragraph(how);
    // Many features have the same value if values have few bits.
    if (input.method.value_bits == 32) AddOrigins(input, sketches, text);
    return {};
  };
}

Status AddFunctionSteps(const StepInput& input, const StepSketches& sketches,
                        StepText* text) {
  if (input.method.hash_family != HashFamily::kSpec ||
      input.method.value_bits != 32) {
    return PlaceSteps(
        "Each value is the least that its hash function gives of the features; "
        "of another package's functions, or cut to its low bits.")(
        input, sketches, text);
  }
  const auto slots = AddMethodSlots(input, text);
  bool same = true;
  for (size_t d = 0; d < slots.size(); ++d) {
    const Sketch& sketch = sketches.of[d][0];
    for (size_t k = 0; k < kMethodSlots; ++k)
      same = same && k < sketch.size() && sketch[k] == slots[d][k];
  }
  text->Paragraph(same ? "At the end the slots are the first values of the "
                         "sketches."
                       : "The sketches have other values.");
  return {};
}

Status AddBandSteps(const StepInput&, const StepSketches& sketches,
                    StepText* text) {
  const MethodParts& parts = sketches.parts;
  if (parts.bands == 0) return {};
  text->Paragraph(
      std::to_string(parts.bands) + " bands of " + std::to_string(parts.rows) +
      " values: two documents are candidates when all values of a band are "
      "equal, with probability 1 - (1 - " +
      Power("J", parts.rows) + ")^" + std::to_string(parts.bands) + ":");
  std::vector<std::vector<std::string>> rows;
  for (const double similarity : kSimilarities)
    rows.push_back({Decimal(similarity),
                    Decimal(BandRecall(similarity, parts.bands, parts.rows))});
  text->Table({">J", ">probability"}, rows, /*whole=*/true);
  return {};
}

Status AddMinimaSteps(const StepInput& input, const StepSketches& sketches,
                      StepText* text) {
  const MethodOptions& options = sketches.options;
  const size_t size = static_cast<size_t>(options.group_size);
  const size_t count = static_cast<size_t>(options.groups) * size;
  text->Paragraph(
      std::to_string(count) + " least values of classic MinHash" +
      (options.group_by == GroupBy::kValue ? ", sorted" : "") + ", in " +
      std::to_string(options.groups) + " groups of " + std::to_string(size) +
      ": a super-shingle is the hash of its group, so one other value makes it "
      "another one.");
  std::vector<std::string> columns = {">super-shingle", ">value"};
  std::vector<Sketch> minima;
  for (size_t d = 0; d < input.documents.size(); ++d) {
    columns.push_back(Plain(input.documents[d].name));
    TWINSET_ASSIGN(Sketch own,
                   MinimaOf(options, sketches.views[d][sketches.ViewOf(0)]));
    minima.push_back(std::move(own));
  }
  const bool pair = input.documents.size() == 2;
  if (pair) columns.push_back("equal");
  std::vector<std::vector<std::string>> rows;
  for (size_t i = 0; i < count; ++i) {
    std::vector<std::string> row = {std::to_string(i / size + 1),
                                    std::to_string(i + 1)};
    for (const Sketch& own : minima)
      row.push_back("`" + ToHex(own[i], 8) + "`");
    if (pair) row.push_back(minima[0][i] == minima[1][i] ? "yes" : "");
    rows.push_back(std::move(row));
  }
  text->Table(columns, rows, /*whole=*/count <= 100);
  if (minima.size() < 2) return {};
  SlotRows slots{"The least values, group by group",
                 input.documents[0].name,
                 input.documents[1].name,
                 "group",
                 "value",
                 "an equal super-shingle",
                 {}};
  for (size_t i = 0; i < count; ++i) {
    if (i % size == 0)
      slots.rows.push_back({"group " + std::to_string(i / size + 1), {}});
    slots.rows.back().equal.push_back(minima[0][i] == minima[1][i]);
  }
  text->Draw(DrawSlots(slots));
  return {};
}

Status AddSuperShingleSteps(const StepInput& input,
                            const StepSketches& sketches, StepText* text) {
  const MethodOptions& options = sketches.options;
  const int least = options.agree > 0 ? options.agree : 2;
  text->Paragraph("A super-shingle is equal when all its " +
                  std::to_string(options.group_size) +
                  " values are: p = " + Power("J", options.group_size) +
                  ". At least " + std::to_string(least) + " of " +
                  std::to_string(options.groups) +
                  " are equal with this probability:");
  std::vector<std::vector<std::string>> rows;
  for (const double similarity : kSimilarities) {
    double p = 1;
    for (int i = 0; i < options.group_size; ++i) p *= similarity;
    rows.push_back({Decimal(similarity), Decimal(p),
                    Decimal(AgreementProbability(p, options.groups, least))});
  }
  text->Table({">J", ">p", ">probability"}, rows, /*whole=*/true);
  if (least != 2) return {};
  const int keys = options.groups * (options.groups - 1) / 2;
  text->Paragraph(
      "Two equal super-shingles are one equal mega-shingle, the hash of a pair "
      "of them: " +
      std::to_string(keys) +
      " keys per document, and one look-up each decides.");
  const auto generator = MakeValuePairKeys(2);
  std::vector<std::string> columns = {"super-shingles"};
  std::vector<std::vector<uint64_t>> mega(input.documents.size());
  for (size_t d = 0; d < input.documents.size(); ++d) {
    columns.push_back(Plain(input.documents[d].name));
    generator->Keys({sketches.of[d].data(), 1}, kNoScope.low, &mega[d]);
  }
  rows.clear();
  size_t key = 0;
  for (int i = 1; i <= options.groups; ++i) {
    for (int j = i + 1; j <= options.groups; ++j, ++key) {
      std::vector<std::string> row = {std::to_string(i) + ", " +
                                      std::to_string(j)};
      for (const auto& own : mega)
        row.push_back(key < own.size() ? "`" + ToHex(own[key]) + "`" : "");
      rows.push_back(std::move(row));
    }
  }
  text->Table(columns, rows);
  return {};
}

Status AddModulusSteps(const StepInput& input, const StepSketches& sketches,
                       StepText* text) {
  const auto modulus = static_cast<uint64_t>(sketches.options.modulus);
  const FeatureTexts texts(input, sketches, 0);
  text->Paragraph("A feature is kept when its hash is a multiple of " +
                  std::to_string(modulus) +
                  ", whatever the document: what is kept of two documents is "
                  "comparable.");
  DrawHashLine(input, sketches, modulus, text);
  for (size_t d = 0; d < input.documents.size(); ++d) {
    std::vector<std::vector<std::string>> rows;
    const auto set = sketches.Hashes(d, 0);
    uint64_t kept = 0;
    for (const uint64_t x : set) {
      const bool is_kept = x % modulus == 0;
      kept += is_kept;
      if (!is_kept) continue;
      rows.push_back(
          {texts.Of(x), "`" + ToHex(x) + "`",
           std::to_string(x / modulus) + " * " + std::to_string(modulus)});
    }
    text->Paragraph("**" + Plain(input.documents[d].name) +
                    "**: " + std::to_string(kept) + " of " +
                    std::to_string(set.size()) + " features are kept.");
    if (!rows.empty()) text->Table({"feature", "hash", ">is"}, rows);
  }
  return {};
}

}  // namespace twinset
