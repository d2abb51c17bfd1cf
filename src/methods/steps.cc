// What the steps of all methods are written with.
#include "methods/steps.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/json_text.h"

namespace twinset::inline v1 {

namespace {

constexpr size_t kMostLetters = 80;  // of a text within a cell
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
    if (joined.size() > kMostLetters) break;
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

}  // namespace twinset::inline v1
