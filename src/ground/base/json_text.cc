#include "base/json_text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <utility>

namespace twinset {

namespace {
constexpr size_t kMostDoubleBytes = 32;
}

size_t Utf8SequenceLength(std::string_view text) {
  const auto byte = [&](size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  unsigned char low = 0x80, high = 0xBF;  // of the second byte
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  if (byte(1) < low || byte(1) > high) return 0;
  for (size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

namespace {

void AppendEscaped(std::string* to, char c) {
  constexpr char kHex[] = "0123456789abcdef";
  switch (c) {
    case '"':
      *to += "\\\"";
      return;
    case '\\':
      *to += "\\\\";
      return;
    case '\b':
      *to += "\\b";
      return;
    case '\f':
      *to += "\\f";
      return;
    case '\n':
      *to += "\\n";
      return;
    case '\r':
      *to += "\\r";
      return;
    case '\t':
      *to += "\\t";
      return;
    default:
      *to += "\\u00";
      *to += kHex[c >> 4 & 15];
      *to += kHex[c & 15];
  }
}

// How many bytes at the front are ASCII that stands for itself, found eight at
// a time: the high bit of a byte of `stop` is set where a control character, a
// quote, a backslash or a byte beyond ASCII is, and perhaps behind the first.
size_t PlainPrefix(std::string_view text) {
  constexpr uint64_t kOnes = 0x0101010101010101u, kHigh = kOnes << 7;
  const auto has_zero = [](uint64_t x) { return (x - kOnes) & ~x; };
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t bytes;
    std::memcpy(&bytes, text.data() + at, 8);
    if constexpr (std::endian::native == std::endian::big)
      bytes = __builtin_bswap64(bytes);
    const uint64_t stop =
        (bytes | ((bytes - kOnes * 0x20) & ~bytes) |
         has_zero(bytes ^ kOnes * '"') | has_zero(bytes ^ kOnes * '\\')) &
        kHigh;
    if (stop != 0) return at + static_cast<size_t>(std::countr_zero(stop)) / 8;
  }
  for (; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\') break;
  }
  return at;
}

// How many bytes at the front are well-formed UTF-8 beyond ASCII.
size_t WidePrefix(std::string_view text) {
  size_t at = 0;
  while (at < text.size() && static_cast<unsigned char>(text[at]) >= 0x80) {
    const size_t length = Utf8SequenceLength(text.substr(at));
    if (length == 0) break;
    at += length;
  }
  return at;
}

}  // namespace

void AppendJsonString(std::string* to, std::string_view text) {
  *to += '"';
  for (;;) {
    size_t length = PlainPrefix(text);
    to->append(text, 0, length);
    text.remove_prefix(length);
    if (text.empty()) break;
    const auto c = static_cast<unsigned char>(text[0]);
    if (c < 0x80) {
      AppendEscaped(to, text[0]);
      length = 1;
    } else if ((length = WidePrefix(text)) == 0) {
      *to += "\xEF\xBF\xBD";
      length = 1;
    } else {
      to->append(text, 0, length);
    }
    text.remove_prefix(length);
  }
  *to += '"';
}

void AppendDouble(std::string* to, double value) {
  char buffer[kMostDoubleBytes];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  to->append(buffer, end);
}

// Where the next `bytes` belong.
char* JsonRow::Room(size_t bytes) {
  const size_t needed = size_ + bytes;
  if (needed > text_.size()) text_.resize(std::max(needed, 2 * text_.size()));
  return text_.data() + size_;
}

// Appends the key; returns where the value belongs, with room for
// `value_bytes`.
char* JsonRow::Key(std::string_view key, size_t value_bytes) {
  char* const begin = Room(4 + key.size() + value_bytes);
  char* to = begin;
  *to++ = in_object_ ? ',' : '{';
  in_object_ = true;
  *to++ = '"';
  for (const char c : key) *to++ = c;
  *to++ = '"';
  *to++ = ':';
  size_ += static_cast<size_t>(to - begin);
  return to;
}

JsonRow& JsonRow::Text(std::string_view key, std::string_view value) {
  if (PlainPrefix(value) < value.size()) {
    Key(key, 0);
    text_.resize(size_);
    AppendJsonString(&text_, value);
    size_ = text_.size();
    return *this;
  }
  char* to = Key(key, value.size() + 2);
  *to++ = '"';
  std::copy(value.begin(), value.end(), to);
  to[value.size()] = '"';
  size_ += value.size() + 2;
  return *this;
}

JsonRow& JsonRow::Integer(std::string_view key, uint64_t value) {
  constexpr size_t kMostDigits = 20;
  char* const to = Key(key, kMostDigits);
  size_ +=
      static_cast<size_t>(std::to_chars(to, to + kMostDigits, value).ptr - to);
  return *this;
}

JsonRow& JsonRow::Number(std::string_view key, double value) {
  char* const to = Key(key, kMostDoubleBytes);
  size_ += static_cast<size_t>(
      std::to_chars(to, to + kMostDoubleBytes, value).ptr - to);
  return *this;
}

JsonRow& JsonRow::Bool(std::string_view key, bool value) {
  return Value(key, value ? "true" : "false");
}

JsonRow& JsonRow::Value(std::string_view key, std::string_view json) {
  std::copy(json.begin(), json.end(), Key(key, json.size()));
  size_ += json.size();
  return *this;
}

std::string JsonRow::Take() {
  EndLine();
  text_.resize(size_ - 1);
  size_ = 0;
  return std::exchange(text_, {});
}

void JsonRow::EndLine() {
  char* to = Room(3);
  if (!in_object_) *to++ = '{';
  *to++ = '}';
  *to++ = '\n';
  size_ = static_cast<size_t>(to - text_.data());
  in_object_ = false;
}

std::string ScalarsAsText(std::string_view json) {
  constexpr std::string_view kMarks = "{}[]:, \t\r\n";
  std::string text;
  for (size_t at = 0; at < json.size();) {
    size_t end = at + 1;
    if (json[at] == '"') {
      while (end < json.size() && json[end] != '"')
        end += json[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, json.size());
      text += json.substr(at, end - at);
    } else if (kMarks.find(json[at]) != std::string_view::npos) {
      text += json[at];
    } else {
      end = std::min(json.find_first_of(kMarks, at), json.size());
      const std::string_view scalar = json.substr(at, end - at);
      const bool is_null = scalar == "null";
      if (!is_null) text += '"';
      text += scalar;
      if (!is_null) text += '"';
    }
    at = end;
  }
  return text;
}

}  // namespace twinset
