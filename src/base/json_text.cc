#include "base/json_text.h"

#include <charconv>

namespace twinset {

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

}  // namespace

void AppendJsonString(std::string* to, std::string_view text) {
  *to += '"';
  while (!text.empty()) {
    const auto c = static_cast<unsigned char>(text[0]);
    size_t length = 1;
    if (c < 0x20 || c == '"' || c == '\\') {
      AppendEscaped(to, text[0]);
    } else if ((length = Utf8SequenceLength(text)) == 0) {
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
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  to->append(buffer, end);
}

void JsonRow::Key(std::string_view key) {
  text_ += text_.empty() ? "{\"" : ",\"";
  text_ += key;
  text_ += "\":";
}

JsonRow& JsonRow::Text(std::string_view key, std::string_view value) {
  Key(key);
  AppendJsonString(&text_, value);
  return *this;
}

JsonRow& JsonRow::Integer(std::string_view key, uint64_t value) {
  Key(key);
  text_ += std::to_string(value);
  return *this;
}

JsonRow& JsonRow::Number(std::string_view key, double value) {
  Key(key);
  AppendDouble(&text_, value);
  return *this;
}

JsonRow& JsonRow::Bool(std::string_view key, bool value) {
  Key(key);
  text_ += value ? "true" : "false";
  return *this;
}

std::string JsonRow::Take() {
  std::string row = text_.empty() ? "{}" : text_ + "}";
  text_.clear();
  return row;
}

}  // namespace twinset
