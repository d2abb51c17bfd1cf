#include "text/tokens/tokens.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/choice.h"
#include "kernels/kernels.h"
#include "text/tokens/python_text.h"

namespace twinset {

size_t WhiteSpaceAt(const char* p, const char* end) {
  const auto byte = [p](size_t i) { return static_cast<uint8_t>(p[i]); };
  if (byte(0) < 0x80) return byte(0) == ' ' || (byte(0) - 9u) < 5 ? 1 : 0;
  const size_t room = static_cast<size_t>(end - p);
  if (byte(0) == 0xC2 && room >= 2) {  // U+0085, U+00A0
    return byte(1) == 0x85 || byte(1) == 0xA0 ? 2 : 0;
  }
  if (room < 3) return 0;
  switch (byte(0)) {
    case 0xE1:  // U+1680
      return byte(1) == 0x9A && byte(2) == 0x80 ? 3 : 0;
    case 0xE2:
      if (byte(1) == 0x80) {  // U+2000 to U+200A, U+2028, U+2029, U+202F
        const bool space = byte(2) <= 0x8A || byte(2) == 0xA8 ||
                           byte(2) == 0xA9 || byte(2) == 0xAF;
        return space ? 3 : 0;
      }
      return byte(1) == 0x81 && byte(2) == 0x9F ? 3 : 0;  // U+205F
    case 0xE3:                                            // U+3000
      return byte(1) == 0x80 && byte(2) == 0x80 ? 3 : 0;
    default:
      return 0;
  }
}

size_t SplitAtWhiteSpace(std::string_view text, uint32_t* begins,
                         uint32_t* ends) {
  const char* const end = text.data() + text.size();
  size_t count = 0;
  bool in_token = false;
  for (size_t i = 0; i < text.size();) {
    const size_t space = WhiteSpaceAt(text.data() + i, end);
    if (space > 0 && in_token) ends[count++] = static_cast<uint32_t>(i);
    if (space == 0 && !in_token) begins[count] = static_cast<uint32_t>(i);
    in_token = space == 0;
    i += space == 0 ? 1 : space;
  }
  if (in_token) ends[count++] = static_cast<uint32_t>(text.size());
  return count;
}

size_t FindLineNames(std::string_view text, bool first, uint32_t* begins,
                     uint32_t* ends) {
  size_t count = 0, line = 0;
  if (!first) line = std::min(text.find('\n'), text.size()) + 1;
  while (line < text.size()) {
    const size_t line_end = std::min(text.find('\n', line), text.size());
    const size_t tab = text.substr(line, line_end - line).find('\t');
    const size_t end = tab == std::string_view::npos ? line_end : line + tab;
    if (end > line) {
      begins[count] = static_cast<uint32_t>(line);
      ends[count++] = static_cast<uint32_t>(end);
    }
    line = line_end + 1;
  }
  return count;
}

namespace {

NormaliseRule NormaliseRuleOf(TokenRule rule) {
  switch (rule) {
    case TokenRule::kUnicode:
      return NormaliseRule::kUnicode;
    case TokenRule::kWhitespace:
    case TokenRule::kRaw:
    case TokenRule::kFeatures:
      return NormaliseRule::kCopy;
    case TokenRule::kNonwordSplit:
    case TokenRule::kJoinedWords:
    case TokenRule::kLowerSpace:
      break;
  }
  return NormaliseRule::kLower;
}

}  // namespace

std::string_view TokenSeparator(TokenRule rule) {
  return rule == TokenRule::kJoinedWords ? "" : " ";
}

TokenStream::TokenStream(std::string_view clean, TokenRule rule,
                         FeatureScratch* scratch, size_t window_bytes,
                         NormalisedMap* map, const TokenFilter* filter)
    : rule_(rule),
      scratch_(scratch),
      window_bytes_(window_bytes),
      map_(map),
      filter_(filter),
      normaliser_(clean, NormaliseRuleOf(rule)) {
  scratch->filtered_done = scratch->filtered_size = 0;
}

// Finds tokens by the rules that are not the spec's. It also finds a last token
// that the text may continue: Next holds it back.
size_t TokenStream::FindPeers(std::string_view text) {
  uint32_t* begins = scratch_->begins.data();
  uint32_t* ends = scratch_->ends.data();
  switch (rule_) {
    case TokenRule::kNonwordSplit:
      return SplitAtNonwords(text, first_, begins, ends);
    case TokenRule::kJoinedWords:
      return FindWordRuns(text, begins, ends);
    case TokenRule::kLowerSpace:
      return SplitAtSpaces(text, begins, ends);
    case TokenRule::kFeatures:
      return FindLineNames(text, first_, begins, ends);
    default:
      break;
  }
  if (!at_end_ || text.empty()) return 0;
  begins[0] = 0;
  ends[0] = static_cast<uint32_t>(text.size());
  return 1;
}

size_t TokenStream::Find(std::string_view text) {
  const bool spec =
      rule_ == TokenRule::kUnicode || rule_ == TokenRule::kWhitespace;
  const size_t room = rule_ == TokenRule::kNonwordSplit ? text.size() + 64
                                                        : text.size() / 2 + 64;
  scratch_->begins.Grow(room);
  scratch_->ends.Grow(room);
  if (!spec) return FindPeers(text);
  return (rule_ == TokenRule::kUnicode ? kernels::FindTokens
                                       : SplitAtWhiteSpace)(
      text, scratch_->begins.data(), scratch_->ends.data());
}

bool TokenStream::Next(TokenWindow* window) {
  while (NextUnfiltered(window)) {
    if (filter_ == nullptr) return true;
    filter_->Apply(scratch_, window);
    if (window->count > 0) return true;
  }
  return false;
}

bool TokenStream::NextUnfiltered(TokenWindow* window) {
  if (at_end_) return false;
  std::string& text = scratch_->normalised;
  size_ -= consumed_;
  if (consumed_ > 0) std::memmove(text.data(), text.data() + consumed_, size_);
  if (map_ != nullptr) map_->Advance(static_cast<uint32_t>(consumed_));
  consumed_ = 0;
  size_t count = 0;
  for (size_t more = window_bytes_; count == 0 && !at_end_;
       more = std::max(more, size_)) {
    normaliser_.Step(more, &text, &size_, map_);
    at_end_ = normaliser_.AtEnd();
    count = Find({text.data(), size_});
    // Behind a token that is decided stand a separator and, as that may be a
    // joiner, one more code point.
    while (!at_end_ && count > 0 && scratch_->ends[count - 1] + 2 > size_) {
      --count;
    }
  }
  if (count == 0) return false;
  first_ = false;
  consumed_ = scratch_->ends[count - 1];
  *window = {text.data(), scratch_->begins.data(), scratch_->ends.data(),
             count,       scratch_->begins.data(), scratch_->ends.data()};
  return true;
}

}  // namespace twinset
