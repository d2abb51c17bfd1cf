// explain --steps of MinHash over a small universe: least images, signatures by
// orders of the rows, slot tables in one pass and by the union
// (docs/examples/minhash-permutations.md, minhash-slots.md).
#include <algorithm>
#include <charconv>
#include <optional>

#include "base/bytes.h"
#include "base/hash.h"
#include "methods/steps.h"

namespace twinset {

namespace {

constexpr uint64_t kMostUniverse = 10'000;

std::optional<uint64_t> NumberOf(std::string_view digits) {
  uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, value);
  if (digits.empty() || error != std::errc() || rest != end)
    return std::nullopt;
  return value;
}

// "3 4 1 2", or "3412": a permutation of 1 to at least `least`.
Result<std::vector<uint64_t>> ParsePermutation(const char* flag,
                                               const std::string& text,
                                               uint64_t least) {
  const bool spaced = text.find(' ') != std::string::npos;
  std::vector<uint64_t> list;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end =
        spaced ? std::min(text.find(' ', begin), text.size()) : begin + 1;
    if (end > begin)
      list.push_back(NumberOf(std::string_view(text).substr(begin, end - begin))
                         .value_or(0));
    begin = end + (spaced ? 1 : 0);
  }
  std::vector<uint64_t> sorted = list;
  std::sort(sorted.begin(), sorted.end());
  bool is_order = list.size() >= least;
  for (size_t i = 0; i < sorted.size(); ++i)
    is_order = is_order && sorted[i] == i + 1;
  if (is_order) return list;
  return Fail(ErrorCode::kUsage,
              std::string(flag) + " '" + text +
                  "' is no permutation of the rows 1 to " +
                  std::to_string(least),
              "", "name each of them once, as '3 4 5 1 2' or '34512'");
}

// The largest row, where rows are small numbers from 1 on.
Result<uint64_t> LastRow(const StepInput& input) {
  const std::vector<uint64_t> universe = UniverseOf(input);
  if (universe.front() >= 1 && universe.back() <= kMostUniverse)
    return universe.back();
  return Fail(ErrorCode::kUsage,
              "permutations are for sets of the numbers 1 to " +
                  std::to_string(kMostUniverse),
              "",
              "use --feature-hash decimal with documents such as '1 3 4', or "
              "leave out --orders and --images");
}

std::vector<RowSet> SetsOf(const StepInput& input) {
  std::vector<RowSet> sets;
  for (const StepDocument& document : input.documents)
    sets.push_back(document.set);
  return sets;
}

std::vector<std::string> NameColumns(std::vector<std::string> columns,
                                     const StepInput& input,
                                     const std::string& after) {
  for (const StepDocument& document : input.documents)
    columns.push_back(">" + Plain(document.name) + after);
  return columns;
}

// Equal components of each pair against the true resemblance.
void AddComparison(const StepInput& input,
                   const std::vector<std::vector<uint64_t>>& sketches,
                   StepText* text) {
  std::vector<std::vector<std::string>> rows;
  ForEachStepPair(input, [&](size_t i, size_t j) {
    const auto &a = input.documents[i], &b = input.documents[j];
    const Agreement exact = ExactResemblance(a.set, b.set);
    const Agreement estimate = EqualSlots(sketches[i], sketches[j]);
    rows.push_back({Plain(a.name) + ", " + Plain(b.name),
                    Ratio(exact.equal, exact.all),
                    Ratio(estimate.equal, estimate.all),
                    Decimal(ShareStandardError(exact.share(), estimate.all))});
  });
  if (rows.empty()) return;
  text->Paragraph("Columns against columns, signatures against signatures:");
  text->Table({"a, b", ">Jaccard of the columns", ">equal components",
               ">standard error"},
              rows);
}

std::string List(const std::vector<uint64_t>& values) {
  std::string text;
  for (const uint64_t value : values)
    text += (text.empty() ? "" : " ") + std::to_string(value);
  return text;
}

std::string FunctionName(size_t n) {
  return n == 0 ? "h" : n == 1 ? "g" : "h" + std::to_string(n + 1);
}

// A hash of a slot: in decimal, or of 32 bits in hexadecimal.
std::string HashText(uint64_t hash, bool hex) {
  if (hash == kNoSlot) return "\xE2\x88\x9E";
  return hex ? ToHex(hash, 8) : std::to_string(hash);
}

// The slots of a set after a row; those that fell are strong.
std::string SlotText(const std::vector<uint64_t>& slots,
                     const std::vector<uint64_t>& before, bool hex) {
  std::string text;
  for (size_t k = 0; k < slots.size(); ++k) {
    const std::string value = HashText(slots[k], hex);
    text += (k == 0 ? "" : ", ") +
            (slots[k] == before[k] ? value : "**" + value + "**");
  }
  return text;
}

void AddSlotTable(const StepInput& input, const SlotTable& table,
                  size_t functions, StepText* text, bool hex = false,
                  uint64_t unbuilt = 0) {
  std::vector<std::string> columns = {">row"};
  std::string names;
  for (size_t k = 0; k < functions; ++k) {
    columns.push_back(">" + FunctionName(k));
    names += (k == 0 ? "" : ", ") + FunctionName(k);
  }
  std::vector<std::vector<std::string>> rows;
  std::vector<std::vector<uint64_t>> before(
      input.documents.size(), std::vector<uint64_t>(functions, kNoSlot));
  for (const SlotStep& step : table.steps) {
    std::vector<std::string> row = {Label(input, step.row)};
    for (const uint64_t hash : step.hashes) row.push_back(HashText(hash, hex));
    for (size_t d = 0; d < step.slots.size(); ++d)
      row.push_back(SlotText(step.slots[d], before[d], hex));
    before = step.slots;
    rows.push_back(std::move(row));
  }
  text->Table(NameColumns(columns, input, " (" + names + ")"), rows,
              /*whole=*/false, unbuilt);
}

}  // namespace

Result<LinearFunction> ParseLinearFunction(const std::string& text) {
  std::string packed;
  for (const char c : text)
    if (c != ' ' && c != '(' && c != ')') packed += c;
  const std::string_view all = packed;
  const size_t x = all.find('x'), mod = all.find("mod");
  if (x != all.npos && mod != all.npos && x < mod) {
    const std::string_view factor = all.substr(0, x);
    const std::string_view rest = all.substr(x + 1, mod - x - 1);
    const auto a = factor.empty() ? 1 : NumberOf(factor);
    const auto b = rest.empty() ? 0 : NumberOf(rest.substr(1));
    const auto m = NumberOf(all.substr(mod + 3));
    if ((rest.empty() || rest[0] == '+') && a && b && m && *m > 0)
      return LinearFunction{*a, *b, *m};
  }
  return Fail(ErrorCode::kUsage,
              "--functions does not understand '" + text + "'", "",
              "as '2x+1 mod 5' or 'x mod 173'");
}

std::vector<std::vector<uint64_t>> AddMethodSlots(const StepInput& input,
                                                  StepText* text) {
  SplitMix64 random(input.method.seed);
  uint64_t multipliers[kMethodSlots], addends[kMethodSlots];
  std::string names;
  for (size_t k = 0; k < kMethodSlots; ++k) {
    multipliers[k] = random.Next() | 1;
    addends[k] = random.Next();
    names += (k == 0 ? "" : ", ") + FunctionName(k);
  }
  text->Paragraph("The first functions (" + names +
                  "), row by row. Each is the high half of a x + b modulo "
                  "2^64, x the hash of the feature; what falls is marked.");
  SlotTable table;
  table.sketch.assign(input.documents.size(),
                      std::vector<uint64_t>(kMethodSlots, kNoSlot));
  const std::vector<uint64_t> rows = FeaturesInOrder(input);
  for (const uint64_t x : rows) {
    SlotStep step{x, {}, {}, {}};
    for (size_t k = 0; k < kMethodSlots; ++k)
      step.hashes.push_back((multipliers[k] * x + addends[k]) >> 32);
    for (size_t d = 0; d < input.documents.size(); ++d) {
      const auto& set = input.documents[d].set;
      if (!std::binary_search(set.begin(), set.end(), x)) continue;
      for (size_t k = 0; k < kMethodSlots; ++k)
        table.sketch[d][k] = std::min(table.sketch[d][k], step.hashes[k]);
    }
    if (table.steps.size() == text->most_rows()) continue;
    step.slots = table.sketch;
    table.steps.push_back(std::move(step));
  }
  AddSlotTable(input, table, kMethodSlots, text, /*hex=*/true,
               rows.size() - table.steps.size());
  return table.sketch;
}

Status AddImageSteps(const StepInput& input, StepText* text) {
  TWINSET_ASSIGN(const uint64_t last, LastRow(input));
  text->Heading("The least image under a permutation");
  for (const std::string& given : input.steps.images) {
    TWINSET_ASSIGN(const auto images,
                   ParsePermutation("--images", given, last));
    std::string mapping;
    for (size_t i = 0; i < images.size(); ++i)
      mapping += (i == 0 ? "" : ", ") + std::to_string(i + 1) +
                 " \xE2\x86\xA6 " + std::to_string(images[i]);
    text->Paragraph("\xCF\x80: " + mapping);
    std::vector<std::vector<std::string>> rows;
    for (const StepDocument& document : input.documents) {
      std::string image;
      for (const uint64_t x : document.set)
        image += (image.empty() ? "" : ", ") + std::to_string(images[x - 1]);
      rows.push_back({Plain(document.name), SetText(input, document.set),
                      "{" + image + "}",
                      std::to_string(LeastImage(images, document.set))});
    }
    text->Table({"document", "S", "\xCF\x80(S)", ">min \xCF\x80(S)"}, rows);
  }
  return {};
}

Status AddOrderSteps(const StepInput& input, StepText* text) {
  TWINSET_ASSIGN(const uint64_t last, LastRow(input));
  std::vector<std::vector<uint64_t>> orders;
  for (const std::string& given : input.steps.orders) {
    TWINSET_ASSIGN(auto order, ParsePermutation("--orders", given, last));
    orders.push_back(std::move(order));
  }
  text->Heading("Signatures by true permutations");
  text->Paragraph(
      "The rows are visited in each order; the value of a document is the "
      "label "
      "of the first row that it has.");
  const PermutationTable table = PermutationSketches(orders, SetsOf(input));
  std::vector<std::vector<std::string>> rows;
  for (const PermutationStep& step : table.steps) {
    std::vector<std::string> row = {List(step.order)};
    for (const uint64_t label : step.first)
      row.push_back(std::to_string(label));
    rows.push_back(std::move(row));
  }
  text->Table(NameColumns({"order"}, input, ""), rows);
  AddComparison(input, table.sketch, text);
  return {};
}

Status AddSlotSteps(const StepInput& input, StepText* text) {
  std::vector<LinearFunction> functions;
  std::string definitions;
  for (const std::string& given : input.steps.functions) {
    TWINSET_ASSIGN(const LinearFunction function, ParseLinearFunction(given));
    definitions += (functions.empty() ? "" : ", ") +
                   FunctionName(functions.size()) + "(x) = " + Plain(given);
    functions.push_back(function);
  }
  const std::vector<uint64_t> universe = UniverseOf(input);
  if (universe.size() > kMostUniverse) {
    return Fail(ErrorCode::kUsage,
                "slot tables are for at most " + std::to_string(kMostUniverse) +
                    " features, here are " + std::to_string(universe.size()),
                "", "leave out --functions");
  }
  text->Heading("Slots, row by row");
  text->Paragraph(definitions +
                  ". All slots begin at infinity; a row lowers those of the "
                  "documents that have it. What falls is marked.");
  const std::vector<RowSet> sets = SetsOf(input);
  const SlotTable one_pass = OnePassSlots(universe, sets, functions);
  AddSlotTable(input, one_pass, functions.size(), text);
  AddComparison(input, one_pass.sketch, text);
  text->Heading("The same by the union");
  text->Paragraph("Only rows that some document has.");
  const SlotTable by_union = UnionSlots(sets, functions);
  AddSlotTable(input, by_union, functions.size(), text);
  text->Paragraph(by_union.sketch == one_pass.sketch
                      ? "The slots at the end are the same."
                      : "The slots at the end differ.");
  return {};
}

}  // namespace twinset
