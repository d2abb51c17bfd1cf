// explain --steps: features of the documents, where they are, set measures.
#include <algorithm>
#include <set>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "methods/steps.h"
#include "verify/edit.h"

namespace twinset {

namespace {

constexpr uint64_t kMaxEditCells = 400'000'000;  // of all pairs

std::string Many(size_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

bool Contains(const StepDocument& document, uint64_t feature) {
  return std::binary_search(document.set.begin(), document.set.end(), feature);
}

// The windows of one document in the order of its text.
void AddWindows(const StepDocument& document, StepText* text) {
  text->Paragraph("**" + Plain(document.name) +
                  "**: " + Many(document.tokens.size(), "token") + ", " +
                  Many(document.windows.size(), "window") + ", " +
                  std::to_string(document.set.size()) + " different.");
  std::set<uint64_t> seen;
  std::vector<std::vector<std::string>> rows;
  for (const StepDocument::Window& window : document.windows) {
    if (rows.size() == text->most_rows()) break;
    const bool is_new = seen.insert(window.hash).second;
    rows.push_back({std::to_string(rows.size() + 1),
                    Plain(document.TextOf(window)),
                    "`" + ToHex(window.hash) + "`", is_new ? "new" : "again"});
  }
  text->Table({">", "window", "hash", ""}, rows, /*whole=*/false,
              document.windows.size() - rows.size());
}

// Unicode characters of the tokens joined by one space, as numbers.
std::vector<uint64_t> Characters(const StepDocument& document) {
  std::vector<uint64_t> characters;
  for (size_t i = 0; i < document.tokens.size(); ++i) {
    if (i > 0) characters.push_back(' ');
    for (const char c : document.tokens[i].text) {
      const auto byte = static_cast<unsigned char>(c);
      if (!IsContinuation(c)) {
        characters.push_back(byte);
      } else {
        characters.back() = characters.back() << 8 | byte;
      }
    }
  }
  return characters;
}

std::string Edit(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b,
                 uint64_t max_cells) {
  const EditResult edit = EditDistance(a, b, max_cells);
  return (edit.exact ? "" : "at least ") + std::to_string(edit.distance);
}

}  // namespace

std::vector<uint64_t> UniverseOf(const StepInput& input) {
  std::vector<uint64_t> rows;
  for (uint64_t x = 1; x <= input.steps.universe; ++x) rows.push_back(x);
  for (const StepDocument& document : input.documents)
    rows.insert(rows.end(), document.set.begin(), document.set.end());
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

std::vector<uint64_t> FeaturesInOrder(const StepInput& input) {
  if (input.is_numbers()) return UniverseOf(input);
  std::vector<uint64_t> rows;
  std::set<uint64_t> seen;
  for (const StepDocument& document : input.documents)
    for (const StepDocument::Window& window : document.windows)
      if (seen.insert(window.hash).second) rows.push_back(window.hash);
  return rows;
}

void AddShingleSteps(const StepInput& input, StepText* text) {
  if (input.is_numbers()) {
    text->Heading("Sets");
    std::vector<std::vector<std::string>> rows;
    for (const StepDocument& document : input.documents) {
      rows.push_back({Plain(document.name), SetText(input, document.set),
                      std::to_string(document.set.size())});
    }
    text->Table({"document", "elements", ">size"}, rows, /*whole=*/true);
    return;
  }
  text->Heading("Features: " + Plain(input.features.shingle) + ", hash " +
                std::string(ChoiceName(input.method.feature_hash)));
  for (const StepDocument& document : input.documents)
    AddWindows(document, text);
}

void AddMembershipSteps(const StepInput& input, StepText* text) {
  if (input.documents.size() < 2 && input.steps.universe == 0) return;
  text->Heading(input.is_numbers() ? "The columns"
                                   : "Which document has which");
  const bool pair = input.stored() == 2;
  std::vector<std::string> columns = {input.is_numbers() ? "row" : "feature"};
  for (const StepDocument& document : input.documents)
    columns.push_back(">" + Plain(document.name));
  if (pair) columns.push_back("kind");
  std::vector<std::vector<std::string>> rows;
  uint64_t kinds[4] = {};
  uint64_t unbuilt = 0;
  for (const uint64_t feature : FeaturesInOrder(input)) {
    // A: 1 1, B: 1 0, C: 0 1, D: 0 0.
    size_t kind = 0;
    if (pair) {
      kind = 3 - 2 * Contains(input.documents[0], feature) -
             Contains(input.documents[1], feature);
      ++kinds[kind];
    }
    if (rows.size() == text->most_rows()) {
      ++unbuilt;
      continue;
    }
    std::vector<std::string> row = {Label(input, feature)};
    for (const StepDocument& document : input.documents)
      row.push_back(Contains(document, feature) ? "1" : "0");
    if (pair) row.push_back(std::string(1, "ABCD"[kind]));
    rows.push_back(std::move(row));
  }
  text->Table(columns, rows, /*whole=*/false, unbuilt);
  if (pair) {
    const uint64_t any = kinds[0] + kinds[1] + kinds[2];
    text->Paragraph(
        "A: in both, B and C: in one, D: in neither. Jaccard = A / (A + B + C) "
        "= " +
        Ratio(kinds[0], any) + ".");
  }
}

void AddMeasureSteps(const StepInput& input, StepText* text) {
  if (input.stored() < 2) return;
  text->Heading("How alike the sets are");
  std::vector<std::vector<std::string>> rows, order;
  const uint64_t n = input.stored();
  const uint64_t max_cells = kMaxEditCells / (n * (n - 1));
  ForEachStepPair(input, [&](size_t i, size_t j) {
    const StepDocument &a = input.documents[i], &b = input.documents[j];
    const Overlap overlap = OverlapOfSets(a.set, b.set);
    const std::string name = Plain(a.name) + ", " + Plain(b.name);
    const uint64_t any = overlap.a + overlap.b - overlap.common;
    rows.push_back({name, std::to_string(overlap.common), std::to_string(any),
                    Ratio(overlap.common, any),
                    Ratio(overlap.common, overlap.a),
                    Ratio(overlap.common, overlap.b),
                    Ratio(2 * overlap.common, overlap.a + overlap.b)});
    if (input.is_numbers()) return;
    order.push_back({name, Edit(a.token_hashes, b.token_hashes, max_cells),
                     Edit(Characters(a), Characters(b), max_cells),
                     Decimal(CosineOfCounts(a.token_hashes, b.token_hashes))});
  });
  text->Table({"a, b", ">A and B", ">A or B", ">Jaccard", ">containment of a",
               ">containment of b", ">Dice"},
              rows);
  if (order.empty()) return;
  text->Paragraph("By the tokens themselves:");
  text->Table({"a, b", ">edit distance, tokens", ">edit distance, characters",
               ">cosine of token counts"},
              order);
}

}  // namespace twinset
