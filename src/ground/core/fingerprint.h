// Where the bits of a binary fingerprint stand in a sketch.
#ifndef TWINSET_SRC_GROUND_CORE_FINGERPRINT_H_
#define TWINSET_SRC_GROUND_CORE_FINGERPRINT_H_

#include <algorithm>
#include <cstddef>
#include <string>

#include "base/bytes.h"
#include "core/values.h"

namespace twinset {

// A fingerprint of f bits is read from its leading bit: place 0 is the first
// digit of the written form. It is kept as numbers of 64 bits, the first 64
// places in the first one, the last number as wide as what is left; each takes
// its 32-bit words low half first. So the f bits are the first f bits of the
// sketch, and bit j of the sketch is bit j % 32 of word j / 32.
inline constexpr int kMaxFingerprintBits = 384;

inline size_t FingerprintWords(int bits) {
  return (static_cast<size_t>(bits) + 31) / 32;
}

// The bit of the sketch that stands at `place` of a fingerprint of `bits` bits.
// An involution: it also gives the place of a bit.
inline size_t FingerprintBit(int bits, int place) {
  const int number = place / 64;
  const int width = std::min(64, bits - 64 * number);
  return static_cast<size_t>(64 * number + width - 1 - place % 64);
}

// The written form: hexadecimal, leading bit first, each number in as few whole
// digits as hold it.
inline std::string FingerprintToHex(SketchView sketch, int bits) {
  std::string text;
  for (int begin = 0; begin < bits; begin += 64) {
    const int width = std::min(64, bits - begin);
    const size_t word = static_cast<size_t>(begin) / 32;
    uint64_t number = sketch[word];
    if (width > 32) number |= uint64_t{sketch[word + 1]} << 32;
    text += ToHex(number, (width + 3) / 4);
  }
  return text;
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_CORE_FINGERPRINT_H_
