// What the steps of all methods are written with.
#include "methods/steps.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace twinset {

namespace {

constexpr const char* kDots = "\xE2\x80\xA6";

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
    if (joined.size() > kPlainBytes) break;
  }
  return joined.empty() ? text.substr(window.begin, window.end - window.begin)
                        : joined;
}

bool StepInput::Shows(StepPart part) const {
  return steps.parts.empty() ||
         std::find(steps.parts.begin(), steps.parts.end(), part) !=
             steps.parts.end();
}

size_t StepInput::stored() const {
  return documents.size() - steps.queries.size();
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
  std::string text = std::to_string(part) + "/" + std::to_string(whole);
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

FeatureTexts::FeatureTexts(const StepInput& input, const StepSketches& sketches,
                           size_t sketcher) {
  const FeatureExtractor* extractor = sketches.extractors[sketcher];
  if (extractor == nullptr) return;
  for (const StepDocument& document : input.documents) {
    for (const ShingleSpan& span : extractor->Spans(document.text)) {
      if (texts_.contains(span.hash)) continue;
      texts_.emplace(span.hash,
                     Plain(document.TextOf({span.hash, span.begin, span.end})));
    }
  }
}

std::string FeatureTexts::Of(uint64_t feature) const {
  const auto found = texts_.find(feature);
  return found == texts_.end() ? "" : found->second;
}

}  // namespace twinset
