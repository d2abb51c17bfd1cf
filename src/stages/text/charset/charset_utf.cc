// The UTF-8 decoder of the Encoding Standard.
#include <simdjson.h>

#include <cstdint>
#include <cstring>

#include "base/utf8.h"
#include "text/charset/charset.h"
#include "text/charset/charset_decode.h"

namespace twinset {
namespace {

using charset_internal::AsciiPrefix;

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr uint64_t kHighBits = 0x8080808080808080u;

// A character, or the maximal subpart of an ill-formed one.
struct Sequence {
  size_t length = 1;
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

// ValidUtf8Prefix, a sequence at a time.
size_t ScalarPrefix(std::string_view bytes) {
  size_t at = 0;
  while (true) {
    at += AsciiPrefix(bytes.substr(at));
    if (at >= bytes.size()) return bytes.size();
    const Sequence sequence = ReadSequence(bytes, at);
    if (!sequence.valid) return at;
    at += sequence.length;
  }
}

// The first bytes, about `limit` of them: valid if the character that the limit
// cut is left to what follows, so `bytes` are valid if and only if this block
// and the rest are.
std::string_view FirstBlock(std::string_view bytes, size_t limit) {
  if (bytes.size() <= limit) return bytes;
  size_t end = limit;
  for (int back = 0; back < 3 && IsContinuation(bytes[end]); ++back) --end;
  return bytes.substr(0, end);
}

// Only a block of this size with an error in it is read a sequence at a time.
constexpr size_t kRepairBlock = 1024;

// Appends what starts in [at, stop), at most kRepairBlock bytes, repaired;
// returns where the last sequence ends.
size_t RepairBlock(std::string_view bytes, size_t at, size_t stop,
                   std::string* out) {
  char buffer[3 * (kRepairBlock + 3)];
  size_t used = 0;
  while (at < stop) {
    if (static_cast<unsigned char>(bytes[at]) < 0x80) {
      buffer[used++] = bytes[at++];
      continue;
    }
    const Sequence sequence = ReadSequence(bytes, at);
    const std::string_view from =
        sequence.valid ? bytes.substr(at) : kReplacement;
    const size_t size = sequence.valid ? sequence.length : kReplacement.size();
    for (size_t i = 0; i < size; ++i) buffer[used++] = from[i];
    at += sequence.length;
  }
  out->append(buffer, used);
  return at;
}

bool IsValid(std::string_view block) {
  constexpr size_t kShort = 32;  // below it a dispatched call costs more
  if (block.size() < kShort) return ScalarPrefix(block) == block.size();
  return simdjson::validate_utf8(block.data(), block.size());
}

}  // namespace

size_t charset_internal::AsciiPrefix(std::string_view bytes) {
  size_t at = 0;
  while (at + 32 <= bytes.size()) {
    uint64_t words[4];
    std::memcpy(words, bytes.data() + at, sizeof words);
    if (((words[0] | words[1] | words[2] | words[3]) & kHighBits) != 0) break;
    at += sizeof words;
  }
  while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) < 0x80) {
    ++at;
  }
  return at;
}

size_t ValidUtf8Prefix(std::string_view bytes) {
  constexpr size_t kBlock = 64 << 10;
  size_t at = 0;
  while (at < bytes.size()) {
    const std::string_view block = FirstBlock(bytes.substr(at), kBlock);
    if (!IsValid(block)) return at + ScalarPrefix(bytes.substr(at));
    at += block.size();
  }
  return at;
}

bool AppendValidUtf8(std::string_view bytes, std::string* out) {
  bool valid = true;
  for (size_t at = 0; at < bytes.size();) {
    const std::string_view block = FirstBlock(bytes.substr(at), kRepairBlock);
    if (IsValid(block)) {
      out->append(block);
      at += block.size();
    } else {
      valid = false;
      at = RepairBlock(bytes, at, at + block.size(), out);
    }
  }
  return valid;
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
