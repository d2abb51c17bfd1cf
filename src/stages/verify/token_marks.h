// Which words of a text are part of a URL, of a date or time, or of a number
// (docs/methods/kinds-of-difference.md).
#ifndef TWINSET_SRC_STAGES_VERIFY_TOKEN_MARKS_H_
#define TWINSET_SRC_STAGES_VERIFY_TOKEN_MARKS_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace twinset {

// Bytes [begin, end) of a text.
struct TextSpan {
  uint32_t begin = 0, end = 0;
};

enum class TokenMark : uint8_t { kWord, kUrl, kDate };

// A mark for each token: kUrl for those that touch a URL, kDate for those that
// touch a date or a time of day and no URL. `tokens` are ascending and disjoint
// spans of `text`. Linear time. Pure.
std::vector<TokenMark> MarkTokens(std::string_view text,
                                  std::span<const TextSpan> tokens);

// The URLs, dates and times of a text, ascending and disjoint within each list.
std::vector<TextSpan> FindUrls(std::string_view text);
std::vector<TextSpan> FindDates(std::string_view text);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_VERIFY_TOKEN_MARKS_H_
