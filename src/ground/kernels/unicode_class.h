// Code points of UTF-8 and their class for the token rule (docs/spec/1.md,
// Tokens).
#ifndef TWINSET_SRC_GROUND_KERNELS_UNICODE_CLASS_H_
#define TWINSET_SRC_GROUND_KERNELS_UNICODE_CLASS_H_

#include <cstddef>
#include <cstdint>

namespace twinset::kernels {

// Unicode 15.0. kSingle wins over the others: letters, marks and numbers of the
// scripts whose every code point is a token (Han, Hiragana, Katakana, Thai,
// Lao, Khmer, Myanmar by the Script property).
enum class CodePointClass : uint8_t {
  kOther = 0,   // separates
  kLetter = 1,  // L*
  kMark = 2,    // M*
  kDigit = 3,   // Nd
  kNumber = 4,  // Nl, No
  kSingle = 5,
};

#include "kernels/unicode_classes.inc"

// Class of a code point <= 0x10FFFF.
inline CodePointClass ClassOf(uint32_t c) {
  return static_cast<CodePointClass>(
      kClasses[(static_cast<uint32_t>(kClassBlock[c >> 7]) << 7) + (c & 127)]);
}

// One decoded code point. Malformed bytes decode as U+FFFD; `size` is then the
// length of the maximal subpart (Unicode 15.0, 3.9, U+FFFD Substitution of
// Maximal Subparts; the same as the WHATWG decoder), and `valid` is false.
struct CodePoint {
  uint32_t value;
  uint32_t size;
  bool valid;
};

// Decodes at `p`, p < end; never reads at or behind `end`. A call would take as
// long as the decoding; where many files are one, compilers would make it.
[[gnu::always_inline]] inline CodePoint DecodeUtf8(const char* p,
                                                   const char* end) {
  const auto byte = [p](size_t i) { return static_cast<uint8_t>(p[i]); };
  const uint32_t lead = byte(0);
  const size_t room = static_cast<size_t>(end - p);
  if (lead < 0x80) return {lead, 1, true};
  if (lead < 0xC2 || lead > 0xF4) return {0xFFFD, 1, false};
  // Bounds of the second byte (Unicode 15.0, table 3-7).
  uint32_t low = 0x80, high = 0xBF;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  if (room < 2 || byte(1) < low || byte(1) > high) return {0xFFFD, 1, false};
  if (lead < 0xE0) return {(lead & 31) << 6 | (byte(1) & 63u), 2, true};
  if (room < 3 || (byte(2) & 0xC0) != 0x80) return {0xFFFD, 2, false};
  if (lead < 0xF0) {
    return {(lead & 15) << 12 | (byte(1) & 63u) << 6 | (byte(2) & 63u), 3,
            true};
  }
  if (room < 4 || (byte(3) & 0xC0) != 0x80) return {0xFFFD, 3, false};
  return {(lead & 7) << 18 | (byte(1) & 63u) << 12 | (byte(2) & 63u) << 6 |
              (byte(3) & 63u),
          4, true};
}

}  // namespace twinset::kernels

#endif  // TWINSET_SRC_GROUND_KERNELS_UNICODE_CLASS_H_
