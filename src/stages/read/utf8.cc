#include "read/utf8.h"

#include <simdjson.h>

namespace twinset {
namespace {

// Bytes of the sequence at `at` that belong together: `*whole` tells whether
// they are a code point or a malformed maximal subpart (Unicode 15.0, table 3-7
// and D93b).
size_t SequenceLength(std::string_view bytes, size_t at, bool* whole) {
  const auto byte = [&](size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u;
  };
  const unsigned lead = byte(at);
  *whole = true;
  if (lead < 0x80) return 1;
  *whole = false;
  if (lead < 0xc2 || lead > 0xf4) return 1;
  const size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  unsigned low = 0x80, high = 0xbf;
  if (lead == 0xe0) low = 0xa0;
  if (lead == 0xed) high = 0x9f;
  if (lead == 0xf0) low = 0x90;
  if (lead == 0xf4) high = 0x8f;
  for (size_t i = 1; i < length; ++i) {
    const unsigned next = byte(at + i);
    if (next < low || next > high) return i;
    low = 0x80;
    high = 0xbf;
  }
  *whole = true;
  return length;
}

}  // namespace

bool IsUtf8(std::string_view bytes) {
  return simdjson::validate_utf8(bytes.data(), bytes.size());
}

std::string ReplaceMalformedUtf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() + 16);
  for (size_t at = 0; at < bytes.size();) {
    bool whole;
    const size_t length = SequenceLength(bytes, at, &whole);
    out.append(whole ? bytes.substr(at, length) : "\xef\xbf\xbd");
    at += length;
  }
  return out;
}

}  // namespace twinset
