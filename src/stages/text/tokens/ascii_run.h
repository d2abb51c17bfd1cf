// Words of ASCII, eight bytes at a time.
#ifndef TWINSET_SRC_STAGES_TEXT_TOKENS_ASCII_RUN_H_
#define TWINSET_SRC_STAGES_TEXT_TOKENS_ASCII_RUN_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/bytes.h"

namespace twinset {

// The letters and digits of ASCII that a text begins with, eight at most.
struct AsciiRun {
  uint64_t lower = 0;  // in small letters, the first in the lowest byte
  uint32_t size = 0, letters = 0;
};

// The first eight bytes of `text`; zeros behind its `size` bytes.
inline uint64_t FirstEight(const char* text, size_t size) {
  if (size >= 8) return LoadLE<uint64_t>(text);
  if (size >= 4) {
    return LoadLE<uint32_t>(text) | uint64_t{LoadLE<uint32_t>(text + size - 4)}
                                        << (size - 4) * 8;
  }
  uint64_t bytes = 0;
  for (size_t i = 0; i < size; ++i) {
    bytes |= uint64_t{static_cast<unsigned char>(text[i])} << i * 8;
  }
  return bytes;
}

// Reads the run at the beginning of a text of `size` bytes. Bytes are compared
// all at once: adding to seven bits what is missing to 128 sets the eighth bit
// of those that reach a bound.
inline AsciiRun ReadAsciiRun(const char* text, size_t size) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHigh = kOnes * 0x80;
  const uint64_t bytes = FirstEight(text, size);
  const uint64_t lower = bytes | kOnes * 0x20;  // leaves digits as they are
  const auto at_least = [](uint64_t seven_bits, unsigned char bound) {
    return seven_bits + kOnes * (0x80u - bound);
  };
  const uint64_t small = lower & ~kHigh, plain = bytes & ~kHigh;
  const uint64_t letters =
      at_least(small, 'a') & ~at_least(small, 'z' + 1) & ~bytes & kHigh;
  const uint64_t digits =
      at_least(plain, '0') & ~at_least(plain, '9' + 1) & ~bytes & kHigh;
  const uint64_t others = ~(letters | digits) & kHigh;
  // All bits of the bytes before the first other one.
  const uint64_t own = ((others & (0 - others)) >> 7) - 1;
  AsciiRun run;
  run.lower = lower & own;
  run.size = static_cast<uint32_t>(std::countr_zero(others)) / 8;
  run.letters = static_cast<uint32_t>(((letters & own) >> 7) * kOnes >> 56);
  return run;
}

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_TOKENS_ASCII_RUN_H_
