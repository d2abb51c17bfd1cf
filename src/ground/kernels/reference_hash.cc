// The definitions of HashTokens and ShingleHashes (docs/spec/1.md, Hashes).
#include "kernels/kernels.h"
#include "kernels/shingle_hash.h"
#include "kernels/token_hash.h"

namespace twinset::kernels::reference {
namespace {

// Bytes [from, from + 8) of the token, little-endian, zero behind its end.
uint64_t EightBytes(const char* token, size_t size, size_t from) {
  uint64_t value = 0;
  for (size_t i = from; i < from + 8 && i < size; ++i) {
    value |= uint64_t{static_cast<uint8_t>(token[i])} << (8 * (i - from));
  }
  return value;
}

}  // namespace

void HashTokens(const char* text, const uint32_t* begins, const uint32_t* ends,
                size_t count, uint64_t* hashes) {
  for (size_t i = 0; i < count; ++i) {
    const char* token = text + begins[i];
    const size_t size = ends[i] - begins[i];
    if (size > kShortTokenBytes) {
      hashes[i] = XXH3_64bits_withSeed(token, size, kLongTokenSeed);
      continue;
    }
    const auto product =
        static_cast<unsigned __int128>(EightBytes(token, size, 0) ^
                                       kTokenKeyLow) *
        (EightBytes(token, size, 8) ^ kTokenKeyHigh ^ (uint64_t{size} << 56));
    hashes[i] =
        static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }
}

void ShingleHashes(const uint64_t* tokens, size_t count, size_t n,
                   const uint64_t* weights, uint64_t salt, uint64_t* shingles) {
  for (size_t i = 0; i + n <= count; ++i) {
    uint64_t sum = salt;
    for (size_t j = 0; j < n; ++j) sum += weights[j] * tokens[i + j];
    shingles[i] = FinaliseShingle(sum);
  }
}

}  // namespace twinset::kernels::reference
