// The UTF-8 decoder of the Encoding Standard.
#include <cstdint>
#include <cstring>

#include "text/charset.h"

namespace twinset {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

size_t SkipAscii(std::string_view bytes, size_t at) {
  while (at + 8 <= bytes.size()) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + at, 8);
    if ((word & 0x8080808080808080u) != 0) break;
    at += 8;
  }
  while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) < 0x80) {
    ++at;
  }
  return at;
}

struct Sequence {
  size_t length =
      1;  // bytes of the character, or of the maximal ill-formed subpart
  bool valid = false;
};

// The sequence that starts at `at`, a byte >= 0x80. The bounds of the second
// byte are those of Unicode table 3-7: they exclude overlong forms, surrogates
// and values above U+10FFFF.
Sequence ReadSequence(std::string_view bytes, size_t at) {
  const auto byte = [&](size_t i) {
    return static_cast<unsigned char>(bytes[i]);
  };
  const unsigned lead = byte(at);
  unsigned low = 0x80, high = 0xBF;
  size_t trailing;
  if (lead >= 0xC2 && lead <= 0xDF) {
    trailing = 1;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    trailing = 2;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    trailing = 3;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return {1, false};
  }
  for (size_t i = 1; i <= trailing; ++i) {
    if (at + i >= bytes.size() || byte(at + i) < low || byte(at + i) > high) {
      return {i, false};
    }
    low = 0x80;
    high = 0xBF;
  }
  return {trailing + 1, true};
}

}  // namespace

size_t ValidUtf8Prefix(std::string_view bytes) {
  size_t at = 0;
  while (true) {
    at = SkipAscii(bytes, at);
    if (at >= bytes.size()) return bytes.size();
    const Sequence sequence = ReadSequence(bytes, at);
    if (!sequence.valid) return at;
    at += sequence.length;
  }
}

bool AppendValidUtf8(std::string_view bytes, std::string* out) {
  bool valid = true;
  while (true) {
    const size_t good = ValidUtf8Prefix(bytes);
    out->append(bytes.substr(0, good));
    if (good == bytes.size()) return valid;
    valid = false;
    out->append(kReplacement);
    bytes.remove_prefix(good + ReadSequence(bytes, good).length);
  }
}

void AppendCodePoint(char32_t code_point, std::string* out) {
  const auto put = [&](char32_t bits) {
    out->push_back(static_cast<char>(bits));
  };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | (code_point >> 6));
    put(0x80 | (code_point & 0x3F));
  } else if (code_point > 0x10FFFF ||
             (code_point >= 0xD800 && code_point <= 0xDFFF)) {
    out->append(kReplacement);
  } else if (code_point < 0x10000) {
    put(0xE0 | (code_point >> 12));
    put(0x80 | ((code_point >> 6) & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | (code_point >> 18));
    put(0x80 | ((code_point >> 12) & 0x3F));
    put(0x80 | ((code_point >> 6) & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
}

}  // namespace twinset
