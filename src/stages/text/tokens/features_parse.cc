// The text form of shingle kinds.
#include <algorithm>
#include <charconv>

#include "text/tokens/features.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

tl::unexpected<Error> BadShingle(std::string_view part, const char* why) {
  return Fail(ErrorCode::kUsage, "shingle '" + std::string(part) + "': " + why,
              {},
              "word:N, char:N, line, sentence, paragraph, chunk:MIN-MAX, or "
              "several joined by +");
}

// `name`: the part before the colon, if any.
tl::unexpected<Error> UnknownKind(std::string_view part,
                                  std::string_view name) {
  Error error = BadShingle(part, "unknown kind").value();
  const std::string meant =
      DidYouMean(name, std::vector<std::string_view>{
                           "word:5", "char:5", "chunk:50-200", "line",
                           "sentence", "paragraph", "word", "char", "chunk"});
  if (!meant.empty()) error.remedy = meant + " " + error.remedy;
  return tl::unexpected<Error>(std::move(error));
}

// Decimal digits only, within [1, limit]; 0 otherwise.
uint32_t ParseCount(std::string_view text, uint32_t limit) {
  uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const bool good = error == std::errc() && rest == end && value <= limit;
  return good ? value : 0;
}

Result<ShingleKind> ParseWindow(std::string_view part, ShingleKind::Unit unit,
                                std::string_view count) {
  ShingleKind kind;
  kind.unit = unit;
  kind.n = ParseCount(count, kMaxShingleWindow);
  if (kind.n == 0) return BadShingle(part, "N must be from 1 to 256");
  return kind;
}

Result<ShingleKind> ParseChunk(std::string_view part, std::string_view range) {
  ShingleKind kind;
  kind.unit = ShingleKind::kChunk;
  kind.n = 0;
  const size_t dash = range.find('-');
  if (dash == std::string_view::npos) {
    return BadShingle(part, "needs MIN-MAX");
  }
  kind.chunk_min = ParseCount(range.substr(0, dash), kMaxChunkTokens);
  kind.chunk_max = ParseCount(range.substr(dash + 1), kMaxChunkTokens);
  if (kind.chunk_min == 0 || kind.chunk_max < kind.chunk_min) {
    return BadShingle(part, "needs 1 <= MIN <= MAX <= 1000000");
  }
  return kind;
}

Result<ShingleKind> ParseKind(std::string_view part) {
  ShingleKind kind;
  kind.n = 0;
  const size_t colon = part.find(':');
  const std::string_view name = part.substr(0, colon);
  if (colon != std::string_view::npos) {
    const std::string_view rest = part.substr(colon + 1);
    if (name == "word") return ParseWindow(part, ShingleKind::kWord, rest);
    if (name == "char") return ParseWindow(part, ShingleKind::kChar, rest);
    if (name == "chunk") return ParseChunk(part, rest);
    return UnknownKind(part, name);
  }
  if (name == "line") {
    kind.unit = ShingleKind::kLine;
  } else if (name == "sentence") {
    kind.unit = ShingleKind::kSentence;
  } else if (name == "paragraph") {
    kind.unit = ShingleKind::kParagraph;
  } else {
    return UnknownKind(part, name);
  }
  return kind;
}

}  // namespace

Result<std::vector<ShingleKind>> ParseShingles(std::string_view text) {
  std::vector<ShingleKind> kinds;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t plus = std::min(text.find('+', begin), text.size());
    const std::string_view part = text.substr(begin, plus - begin);
    TWINSET_ASSIGN(const ShingleKind kind, ParseKind(part));
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) {
      return BadShingle(part, "stands twice");
    }
    kinds.push_back(kind);
    begin = plus + 1;
  }
  return kinds;
}

std::string ShinglesToString(const std::vector<ShingleKind>& kinds) {
  std::string text;
  for (const ShingleKind& kind : kinds) {
    if (!text.empty()) text += '+';
    switch (kind.unit) {
      case ShingleKind::kWord:
        text += "word:" + std::to_string(kind.n);
        break;
      case ShingleKind::kChar:
        text += "char:" + std::to_string(kind.n);
        break;
      case ShingleKind::kLine:
        text += "line";
        break;
      case ShingleKind::kSentence:
        text += "sentence";
        break;
      case ShingleKind::kParagraph:
        text += "paragraph";
        break;
      case ShingleKind::kChunk:
        text += "chunk:" + std::to_string(kind.chunk_min) + "-" +
                std::to_string(kind.chunk_max);
        break;
    }
  }
  return text;
}

}  // namespace twinset
