// Classes of ASCII characters. Bytes beyond ASCII are left alone, whatever the
// locale.
#ifndef TWINSET_SRC_GROUND_BASE_ASCII_H_
#define TWINSET_SRC_GROUND_BASE_ASCII_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace twinset {

constexpr bool IsAsciiDigit(char c) { return c >= '0' && c <= '9'; }

constexpr char ToLowerAscii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

constexpr bool IsAsciiLetter(char c) {
  const unsigned char lower = static_cast<unsigned char>(c) | 0x20;
  return lower >= 'a' && lower <= 'z';
}

// ASCII whitespace of the Infra standard.
constexpr bool IsAsciiSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

// The same as a string; and those within a line.
inline constexpr std::string_view kAsciiSpaces = " \t\n\f\r";
inline constexpr std::string_view kBlanks = " \t";

// Without the characters of `ends` at both ends.
constexpr std::string_view Trim(std::string_view text,
                                std::string_view ends = kAsciiSpaces) {
  const size_t begin = text.find_first_not_of(ends);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(ends) - begin + 1);
}

constexpr bool IsAsciiHexDigit(char c) {
  return IsAsciiDigit(c) || (ToLowerAscii(c) >= 'a' && ToLowerAscii(c) <= 'f');
}

inline std::string ToLowerAscii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = ToLowerAscii(c);
  return lower;
}

constexpr bool EqualsIgnoreCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (ToLowerAscii(a[i]) != ToLowerAscii(b[i])) return false;
  return true;
}

constexpr bool StartsWithIgnoreCase(std::string_view text,
                                    std::string_view start) {
  return EqualsIgnoreCase(text.substr(0, start.size()), start);
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_ASCII_H_
