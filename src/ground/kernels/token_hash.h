// The hash of one token (docs/spec/1.md, Hashes), shared by all targets.
#ifndef TWINSET_SRC_GROUND_KERNELS_TOKEN_HASH_H_
#define TWINSET_SRC_GROUND_KERNELS_TOKEN_HASH_H_

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace twinset::kernels {

// SplitMix64 from seed 0x7477696e73657431 ("twinset1"), outputs 1 and 2 with
// byte 3 set to 0xFF: UTF-8 has no byte 0xFF, so no text makes a factor of the
// product zero. Output 3 is the seed of XXH3.
inline constexpr uint64_t kTokenKeyLow = 0xc43db73cff705b09;
inline constexpr uint64_t kTokenKeyHigh = 0x7517b8f0ff287de3;
inline constexpr uint64_t kLongTokenSeed = 0xbd83d60d38f5ecb8;

// Tokens up to this many bytes are hashed by one multiplication.
inline constexpr size_t kShortTokenBytes = 16;

struct TokenMask {
  uint64_t low, high;
};

// kTokenMasks[n] keeps the first n of 16 bytes.
struct TokenMaskTable {
  TokenMask masks[kShortTokenBytes + 1] = {};
  constexpr TokenMaskTable() {
    for (size_t n = 0; n <= kShortTokenBytes; ++n) {
      const auto keep = [](size_t bytes) {
        return bytes >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * bytes)) - 1;
      };
      masks[n] = {keep(n), n > 8 ? keep(n - 8) : 0};
    }
  }
};
inline constexpr TokenMaskTable kTokenMasks;

// Both halves of the 128-bit product, folded.
inline uint64_t MultiplyFold(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// Token of `size` bytes at `p`, with 16 readable bytes at `p`. The length goes
// into the byte that no token shorter than 16 bytes uses.
inline uint64_t HashToken(const char* p, size_t size) {
  if (__builtin_expect(size > kShortTokenBytes, 0)) {
    return XXH3_64bits_withSeed(p, size, kLongTokenSeed);
  }
  uint64_t low, high;
  std::memcpy(&low, p, 8);
  std::memcpy(&high, p + 8, 8);
  low &= kTokenMasks.masks[size].low;
  high &= kTokenMasks.masks[size].high;
  return MultiplyFold(low ^ kTokenKeyLow,
                      high ^ kTokenKeyHigh ^ (uint64_t{size} << 56));
}

}  // namespace twinset::kernels

#endif  // TWINSET_SRC_GROUND_KERNELS_TOKEN_HASH_H_
