// Names of members of JSON objects as they are written.
#ifndef TWINSET_SRC_GROUND_BASE_JSON_KEY_H_
#define TWINSET_SRC_GROUND_BASE_JSON_KEY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twinset {

namespace json_key_internal {

// The four hex digits that `digits` begins with; more than 16 bits if it does
// not begin with so many.
inline uint32_t HexUnit(std::string_view digits) {
  constexpr uint32_t kNone = 0x10000;
  if (digits.size() < 4) return kNone;
  uint32_t unit = 0;
  for (const char c : digits.substr(0, 4)) {
    const auto lower = static_cast<unsigned char>(c | 0x20);
    if (c >= '0' && c <= '9') {
      unit = 16 * unit + static_cast<uint32_t>(c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      unit = 16 * unit + (lower - 'a' + 10u);
    } else {
      return kNone;
    }
  }
  return unit;
}

inline bool IsHigh(uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
inline bool IsLow(uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

// What an escape stands for, in UTF-8.
struct Unescaped {
  char bytes[4] = {};
  size_t size = 0;

  explicit Unescaped(char byte) : bytes{byte}, size(1) {}
  explicit Unescaped(uint32_t c) {
    const auto add = [&](uint32_t byte) {
      bytes[size++] = static_cast<char>(byte);
    };
    if (c < 0x80) {
      add(c);
      return;
    }
    if (c < 0x800) {
      add(0xc0 | (c >> 6));
    } else {
      if (c < 0x10000) {
        add(0xe0 | (c >> 12));
      } else {
        add(0xf0 | (c >> 18));
        add(0x80 | ((c >> 12) & 0x3f));
      }
      add(0x80 | ((c >> 6) & 0x3f));
    }
    add(0x80 | (c & 0x3f));
  }
};

// Takes the escape that `json` begins with off its front, and returns what it
// stands for.
inline Unescaped TakeEscape(std::string_view* json) {
  const char kind = json->size() > 1 ? (*json)[1] : '\0';
  if (kind != 'u') {
    json->remove_prefix(std::min<size_t>(json->size(), 2));
    switch (kind) {
      case 'b':
        return Unescaped('\b');
      case 'f':
        return Unescaped('\f');
      case 'n':
        return Unescaped('\n');
      case 'r':
        return Unescaped('\r');
      case 't':
        return Unescaped('\t');
      default:
        return Unescaped(kind);
    }
  }
  const uint32_t unit = HexUnit(json->substr(2));
  json->remove_prefix(std::min<size_t>(json->size(), 6));
  if (IsHigh(unit) && json->starts_with("\\u")) {
    if (const uint32_t low = HexUnit(json->substr(2)); IsLow(low)) {
      json->remove_prefix(6);
      return Unescaped(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
    }
  }
  constexpr uint32_t kReplacement = 0xfffd;
  return Unescaped(IsHigh(unit) || IsLow(unit) ? kReplacement : unit);
}

}  // namespace json_key_internal

// Returns true iff the name that `json` begins with, behind its opening
// quotation mark, is `name` once its escapes are undone (RFC 8259, 8.3). It
// ends at the first quotation mark without a backslash in front of it, and must
// be valid. An escaped surrogate without its partner stands for U+FFFD. Linear
// time, no memory.
inline bool JsonKeyIs(std::string_view json, std::string_view name) {
  while (!json.empty() && json[0] != '"') {
    if (json[0] != '\\') {
      if (!name.starts_with(json[0])) return false;
      json.remove_prefix(1);
      name.remove_prefix(1);
      continue;
    }
    const json_key_internal::Unescaped unescaped =
        json_key_internal::TakeEscape(&json);
    const std::string_view bytes(unescaped.bytes, unescaped.size);
    if (!name.starts_with(bytes)) return false;
    name.remove_prefix(bytes.size());
  }
  return name.empty() && !json.empty();
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_JSON_KEY_H_
