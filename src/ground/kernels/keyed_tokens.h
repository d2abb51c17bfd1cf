// Token hashes under a secret key, for what is verified by equality alone.
#ifndef TWINSET_SRC_GROUND_KERNELS_KEYED_TOKENS_H_
#define TWINSET_SRC_GROUND_KERNELS_KEYED_TOKENS_H_

#include <cstddef>
#include <cstdint>

#include "base/keyed_hash.h"

namespace twinset::kernels {

// Tokens up to this many bytes are one block of AES: 15 bytes and the length.
inline constexpr size_t kKeyedBlockBytes = 15;
// Four rounds under independent keys: no difference of two blocks becomes any
// other with a probability above 2^-113 (Keliher and Sui 2007). Nobody sees a
// value, so there is nothing to adapt an attack to.
inline constexpr int kKeyedRounds = 4;

// What a key makes of token hashing; immutable.
struct TokenKey {
  explicit TokenKey(const HashKey& key);
  // The first round key for each length: the length is the last byte.
  alignas(16) uint8_t begin[kKeyedBlockBytes + 1][16];
  alignas(16) uint8_t rounds[kKeyedRounds][16];
  HashKey long_tokens;  // SipHash-1-3
};

// hashes[i] of the bytes [begins[i], ends[i]) of `text` (padded): low half of
// four rounds of AES of the zero-padded token up to 15 bytes, SipHash-1-3
// beyond.
void HashTokensKeyed(const TokenKey& key, const char* text,
                     const uint32_t* begins, const uint32_t* ends, size_t count,
                     uint64_t* hashes);

namespace reference {
void HashTokensKeyed(const TokenKey& key, const char* text,
                     const uint32_t* begins, const uint32_t* ends, size_t count,
                     uint64_t* hashes);
}  // namespace reference

}  // namespace twinset::kernels

#endif  // TWINSET_SRC_GROUND_KERNELS_KEYED_TOKENS_H_
