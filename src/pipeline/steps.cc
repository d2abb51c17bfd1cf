// explain --steps: the documents, and which steps a method has.
#include "pipeline/steps.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>

#include "base/choice.h"
#include "base/hash.h"
#include "base/json_text.h"
#include "pipeline/find_document.h"
#include "pipeline/plan.h"

namespace twinset {

namespace {

constexpr size_t kMostDocuments = 64;
constexpr size_t kMostLetters = 80;  // of a text within a cell
constexpr const char* kDots = "\xE2\x80\xA6";

Result<StepDocument> MakeDocument(const std::string& name,
                                  const InputOptions& in,
                                  const FeatureOptions& features,
                                  const FeatureExtractor& extractor) {
  TWINSET_ASSIGN(DocumentText found, FindDocument(name, in, features));
  StepDocument document;
  document.name = name;
  document.text = std::move(found.text);
  document.payload = std::move(found.payload);
  document.tokens = extractor.Tokens(document.text);
  for (const Token& token : document.tokens)
    document.token_hashes.push_back(Hash64(token.text));
  for (const ShingleSpan& span : extractor.Spans(document.text)) {
    document.windows.push_back({span.hash, span.begin, span.end});
    document.set.push_back(span.hash);
  }
  std::sort(document.set.begin(), document.set.end());
  document.set.erase(std::unique(document.set.begin(), document.set.end()),
                     document.set.end());
  if (document.set.empty()) {
    return Fail(ErrorCode::kUsage,
                "the document '" + name + "' is empty: it has no features", "",
                "leave it out");
  }
  return document;
}

constexpr std::string_view kParts[] = {"features", "rows",      "measures",
                                       "sketch",   "votes",     "fingerprints",
                                       "tables",   "candidates"};

Status CheckParts(const StepOptions& steps) {
  for (const std::string& part : steps.parts) {
    if (std::find(std::begin(kParts), std::end(kParts), part) !=
        std::end(kParts))
      continue;
    return NoSuchChoice("no part of the steps is called '" + part + "'",
                        kParts);
  }
  return {};
}

Status CheckDocuments(const StepInput& input) {
  std::set<std::string> names;
  for (const StepDocument& document : input.documents) {
    if (!names.insert(document.name).second)
      return Fail(ErrorCode::kUsage,
                  "the document '" + document.name + "' is named twice");
    const bool one = document.tokens.size() == 1;
    if (input.is_fingerprints() && !one)
      return Fail(ErrorCode::kUsage,
                  "the document '" + document.name +
                      "' is not one fingerprint of digits 0 and 1",
                  "", "--feature-hash binary is for such; leave it out");
  }
  return {};
}

Result<StepInput> MakeInput(const std::vector<std::string>& names,
                            const InputOptions& in,
                            const FeatureOptions& features,
                            const MethodOptions& method,
                            const StepOptions& steps) {
  TWINSET_TRY(CheckParts(steps));
  StepInput input{features, method, steps, in, {}, {}};
  if (!method.sketch_shingle.empty())
    input.features.shingle = method.sketch_shingle;
  if (names.empty() || names.size() + steps.queries.size() > kMostDocuments) {
    return Fail(ErrorCode::kUsage, "the steps are for 1 to " +
                                       std::to_string(kMostDocuments) +
                                       " documents");
  }
  TWINSET_ASSIGN(const auto extractor,
                 MakeExtractor(input.features, method.feature_hash));
  for (const auto* list : {&names, &steps.queries}) {
    for (const std::string& name : *list) {
      TWINSET_ASSIGN(StepDocument document,
                     MakeDocument(name, in, input.features, *extractor));
      document.is_query = list == &steps.queries;
      for (size_t i = 0; i < document.windows.size(); ++i)
        input.places.emplace(document.windows[i].hash,
                             std::pair(input.documents.size(), i));
      input.documents.push_back(std::move(document));
    }
  }
  TWINSET_TRY(CheckDocuments(input));
  return input;
}

}  // namespace

std::string StepDocument::TextOf(const Window& window) const {
  const auto first = std::lower_bound(
      tokens.begin(), tokens.end(), window.begin,
      [](const Token& token, uint32_t at) { return token.begin < at; });
  // Part of a token, as windows of characters may be.
  if (first == tokens.end() || first->begin != window.begin)
    return text.substr(window.begin, window.end - window.begin);
  std::string joined;
  for (auto token = first; token != tokens.end() && token->end <= window.end;
       ++token) {
    joined += (joined.empty() ? "" : " ") + token->text;
    if (joined.size() > kMostLetters) break;
  }
  return joined.empty() ? text.substr(window.begin, window.end - window.begin)
                        : joined;
}

bool StepInput::Shows(std::string_view part) const {
  return steps.parts.empty() ||
         std::find(steps.parts.begin(), steps.parts.end(), part) !=
             steps.parts.end();
}

size_t StepInput::stored() const {
  return documents.size() - steps.queries.size();
}

void StepText::Heading(std::string_view text) {
  text_ += (text_.empty() ? "### " : "\n### ") + std::string(text) + "\n";
}

void StepText::Paragraph(std::string_view text) {
  text_ += (text_.empty() ? "" : "\n") + std::string(text) + "\n";
}

void StepText::Table(const std::vector<std::string>& columns,
                     const std::vector<std::vector<std::string>>& rows,
                     bool whole, uint64_t unbuilt) {
  text_ += "\n|";
  for (const std::string& column : columns)
    text_ += " " + column.substr(column.starts_with('>') ? 1 : 0) + " |";
  text_ += "\n|";
  for (const std::string& column : columns)
    text_ += column.starts_with('>') ? "--:|" : "---|";
  text_ += "\n";
  const size_t shown =
      whole ? rows.size() : std::min<size_t>(rows.size(), most_rows_);
  for (size_t i = 0; i < shown; ++i) {
    text_ += "|";
    for (const std::string& cell : rows[i]) text_ += " " + cell + " |";
    text_ += "\n";
  }
  const uint64_t left = rows.size() - shown + unbuilt;
  if (left == 0) return;
  text_ += "\n" + std::string(kDots) + " and " + std::to_string(left) +
           (left == 1 ? " more row.\n" : " more rows.\n");
}

std::string Plain(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    if (plain.size() >= kMostLetters) return plain + kDots;
    const auto c = static_cast<unsigned char>(text[0]);
    const size_t length = Utf8SequenceLength(text);
    if (length == 0) {
      plain += "\xEF\xBF\xBD";
    } else if (c < 0x20 || c == 0x7F) {
      plain += ' ';
    } else {
      if (std::string_view("\\`*_{}[]<>#|~&").find(text[0]) !=
          std::string_view::npos)
        plain += '\\';
      plain += text.substr(0, length);
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return plain;
}

std::string Decimal(double value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                                 std::chars_format::fixed, 4)
                       .ptr;
  std::string text(buffer, end);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string Ratio(uint64_t part, uint64_t whole) {
  const std::string text = std::to_string(part) + "/" + std::to_string(whole);
  if (whole == 0) return text;
  return text + " = " +
         Decimal(static_cast<double>(part) / static_cast<double>(whole));
}

std::string Label(const StepInput& input, uint64_t feature) {
  const auto found = input.places.find(feature);
  if (found == input.places.end()) return std::to_string(feature);
  const StepDocument& document = input.documents[found->second.first];
  return Plain(document.TextOf(document.windows[found->second.second]));
}

std::string SetText(const StepInput& input, const std::vector<uint64_t>& set) {
  std::string text;
  for (size_t i = 0; i < set.size(); ++i) {
    if (i == input.steps.most_rows) return "{" + text + ", " + kDots + "}";
    text += (text.empty() ? "" : ", ") + Label(input, set[i]);
  }
  return "{" + text + "}";
}

Overlap OverlapOfSets(const std::vector<uint64_t>& a,
                      const std::vector<uint64_t>& b) {
  std::vector<uint64_t> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                        std::back_inserter(common));
  return {a.size(), b.size(), common.size()};
}

Status AddAllSteps(const Method& method, const StepInput& input,
                   StepText* text) {
  const StepOptions& steps = input.steps;
  if (!steps.queries.empty()) {
    return Fail(ErrorCode::kUsage, "--query is for look-up tables", "",
                "add --method " + MethodsWith([](const Method& other) {
                  return other.law == CandidateLaw::kDistance;
                }));
  }
  if (!input.is_fingerprints() && input.Shows("features"))
    AddShingleSteps(input, text);
  if (input.Shows("rows")) AddMembershipSteps(input, text);
  if (input.Shows("measures")) AddMeasureSteps(input, text);
  if (!input.Shows("sketch")) return {};
  if (!steps.images.empty()) TWINSET_TRY(AddImageSteps(input, text));
  if (!steps.orders.empty()) TWINSET_TRY(AddOrderSteps(input, text));
  if (!steps.functions.empty()) TWINSET_TRY(AddSlotSteps(input, text));
  if (!steps.images.empty() || !steps.orders.empty() ||
      !steps.functions.empty())
    return {};
  return AddSketchSteps(method, input, text);
}

Result<std::string> ExplainSteps(const std::vector<std::string>& names,
                                 const InputOptions& in,
                                 const FeatureOptions& features,
                                 const MethodOptions& method,
                                 const StepOptions& steps) {
  TWINSET_ASSIGN(const StepInput input,
                 MakeInput(names, in, features, method, steps));
  TWINSET_ASSIGN(const Method* row, FindMethod(method));
  StepText text(steps.most_rows);
  TWINSET_TRY(row->steps.instead ? row->steps.instead(input, &text)
                                 : AddAllSteps(*row, input, &text));
  return text.Take();
}

}  // namespace twinset
