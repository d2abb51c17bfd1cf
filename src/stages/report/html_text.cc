// Texts as they stand in HTML.
#include "base/json_text.h"
#include "base/utf8.h"
#include "report/html_report.h"

namespace twinset {

namespace {

// May this character, which begins `sequence`, stand in HTML?
bool IsAllowed(std::string_view sequence) {
  const auto byte = [&](size_t i) {
    return static_cast<unsigned char>(sequence[i]);
  };
  if (sequence.size() == 1)
    return (byte(0) >= 0x20 || byte(0) == '\t' || byte(0) == '\n') &&
           byte(0) != 0x7F;
  if (sequence.size() == 2) return byte(0) != 0xC2 || byte(1) >= 0xA0;  // C1
  if (sequence.size() == 3) {
    // Noncharacters U+FDD0..U+FDEF, U+FFFE, U+FFFF.
    if (byte(0) != 0xEF) return true;
    if (byte(1) == 0xB7) return byte(2) < 0x90 || byte(2) > 0xAF;
    return !(byte(1) == 0xBF && byte(2) >= 0xBE);
  }
  // Noncharacters at the end of the other planes.
  return !((byte(1) & 0x0F) == 0x0F && byte(2) == 0xBF && byte(3) >= 0xBE);
}

// The picture of a control character: U+2400 and on.
void AppendControlPicture(std::string* to, unsigned char code) {
  *to += "\xE2\x90";
  *to += static_cast<char>(code == 0x7F ? 0xA1 : 0x80 + code);
}

}  // namespace

void AppendHtml(std::string* to, std::string_view text) {
  while (!text.empty()) {
    const size_t length = Utf8SequenceLength(text);
    const std::string_view sequence = text.substr(0, length == 0 ? 1 : length);
    switch (text[0]) {
      case '&':
        *to += "&amp;";
        break;
      case '<':
        *to += "&lt;";
        break;
      case '>':
        *to += "&gt;";
        break;
      case '"':
        *to += "&quot;";
        break;
      case '\'':
        *to += "&#39;";
        break;
      default:
        if (length == 1 && !IsAllowed(sequence)) {
          AppendControlPicture(to, static_cast<unsigned char>(text[0]));
        } else if (length == 0 || !IsAllowed(sequence)) {
          *to += "\xEF\xBF\xBD";
        } else {
          *to += sequence;
        }
    }
    text.remove_prefix(sequence.size());
  }
}

std::string Shortened(std::string_view text, size_t most) {
  if (text.size() <= most) return std::string(text);
  return std::string(text.substr(0, LengthUpTo(text, most))) + "\xE2\x80\xA6";
}

}  // namespace twinset
