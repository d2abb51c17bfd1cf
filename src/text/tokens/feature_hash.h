// How the text of a feature becomes a number, where it is not the spec's own
// hash (docs/methods/feature-hashes.md).
#ifndef TWINSET_SRC_TEXT_TOKENS_FEATURE_HASH_H_
#define TWINSET_SRC_TEXT_TOKENS_FEATURE_HASH_H_

#include <cstdint>
#include <string_view>

#include "twinset/error.h"

namespace twinset {

// --feature-hash. kSpec hashes tokens and combines their hashes
// (docs/spec/1.md, Shingles); the others hash the text of the shingle.
enum class FeatureHash : uint8_t {
  kSpec,
  kMd5,         // first 8 bytes, big-endian
  kMd5Low,      // last 8 bytes, big-endian (1e0ng simhash)
  kSha1_32,     // first 4 bytes, little-endian (datasketch)
  kSha1_64,     // first 8 bytes, little-endian (datatrove)
  kXxh3,        // XXH3, 64 bits, seed 0
  kXxh3_32,     // its low 32 bits (text-dedup)
  kRabin,       // over GF(2) mod x^64 + x^4 + x^3 + x + 1, with a leading one
  kRabinMixed,  // the same through Mix64, so that every bit is a fair vote
  kBinary,      // the digits 0 and 1 are the highest bits of the value
  kDecimal,     // the text is the value
};

// spec, md5, md5-low, sha1-32, sha1-64, xxh3, xxh3-32, rabin, rabin-mixed,
// binary, decimal. kUsage names them.
Result<FeatureHash> ParseFeatureHash(std::string_view name);

// The value of a feature whose text is `text`. kBinary of anything but 1 to 64
// digits 0 and 1, and kDecimal of anything but the digits of a number below
// 2^64, is the kMd5 of the text. For kSpec, which does not hash texts, the same
// as kXxh3. Thread-safe.
uint64_t HashFeature(FeatureHash hash, std::string_view text);

}  // namespace twinset

#endif  // TWINSET_SRC_TEXT_TOKENS_FEATURE_HASH_H_
