#include <algorithm>
#include <cstdint>

#include "base/json_text.h"
#include "base/utf8.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr std::string_view kHex = "0123456789abcdef";

// C0, DEL, C1, and the bidirectional controls of Unicode.
bool SteersTerminal(uint32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0) ||
         (code_point >= 0x202A && code_point <= 0x202E) ||
         (code_point >= 0x2066 && code_point <= 0x2069);
}

}  // namespace

std::string v1::Printable(std::string_view text, bool lines) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const size_t length = Utf8SequenceLength(text);
    const bool is_wanted = lines && (text[0] == '\n' || text[0] == '\t');
    if (length == 0 ||
        (SteersTerminal(CodePointOf(text.substr(0, length))) && !is_wanted))
      clean += "\xEF\xBF\xBD";
    else
      clean += text.substr(0, length);
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return clean;
}

std::string v1::NameText(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const auto byte = static_cast<unsigned char>(bytes[0]);
    size_t length = Utf8SequenceLength(bytes);
    if (length == 0 || byte < 0x20 || byte == 0x7F || byte == '\\') {
      text += "\\x";
      text += kHex[byte >> 4];
      text += kHex[byte & 15];
      length = 1;
    } else {
      text += bytes.substr(0, length);
    }
    bytes.remove_prefix(length);
  }
  return text;
}

std::optional<std::string> v1::NameBytes(std::string_view text) {
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      bytes += text[i];
      continue;
    }
    if (text.size() - i < 4 || text[i + 1] != 'x') return std::nullopt;
    const size_t high = kHex.find(text[i + 2]), low = kHex.find(text[i + 3]);
    if (high == kHex.npos || low == kHex.npos) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
    i += 3;
  }
  if (NameText(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace twinset
