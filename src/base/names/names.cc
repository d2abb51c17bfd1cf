#include "twinset/names.h"

#include "base/json_text.h"

namespace twinset {

namespace {

constexpr std::string_view kHex = "0123456789abcdef";

}  // namespace

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
