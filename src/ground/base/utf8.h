// Bytes of UTF-8.
#ifndef TWINSET_SRC_GROUND_BASE_UTF8_H_
#define TWINSET_SRC_GROUND_BASE_UTF8_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace twinset {

// Returns true iff `byte` is not the first one of its code point.
constexpr bool IsContinuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// Length of the longest beginning of `text` that has at most `limit` bytes and
// cuts no code point.
constexpr size_t LengthUpTo(std::string_view text, size_t limit) {
  if (text.size() <= limit) return text.size();
  while (limit > 0 && IsContinuation(text[limit])) --limit;
  return limit;
}

// The code point of a well-formed sequence, which is all of `sequence`.
constexpr uint32_t CodePointOf(std::string_view sequence) {
  const auto lead = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return lead;
  uint32_t code_point = lead & (0x7F >> sequence.size());
  for (const char byte : sequence.substr(1))
    code_point = code_point << 6 | (byte & 0x3F);
  return code_point;
}

// Appends a code point below 0x10000.
inline void AppendCodePoint(uint32_t code_point, std::string* text) {
  const auto put = [text](uint32_t byte) { *text += static_cast<char>(byte); };
  if (code_point < 0x80) return put(code_point);
  if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
  } else {
    put(0xE0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3F));
  }
  put(0x80 | (code_point & 0x3F));
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_UTF8_H_
