// ASCII letters. Bytes beyond ASCII are left alone, whatever the locale.
#ifndef TWINSET_SRC_BASE_ASCII_H_
#define TWINSET_SRC_BASE_ASCII_H_

#include <algorithm>
#include <string>
#include <string_view>

namespace twinset {

constexpr bool IsAsciiDigit(char c) { return c >= '0' && c <= '9'; }

constexpr char ToLowerAscii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

constexpr bool IsAsciiLetter(char c) {
  return ToLowerAscii(c) >= 'a' && ToLowerAscii(c) <= 'z';
}

constexpr bool IsAsciiHexDigit(char c) {
  return IsAsciiDigit(c) || (ToLowerAscii(c) >= 'a' && ToLowerAscii(c) <= 'f');
}

inline std::string ToLowerAscii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = ToLowerAscii(c);
  return lower;
}

inline bool EqualsIgnoreCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return ToLowerAscii(x) == ToLowerAscii(y);
  });
}

}  // namespace twinset

#endif  // TWINSET_SRC_BASE_ASCII_H_
