// The finaliser of a shingle hash (docs/spec/1.md, Hashes).
#ifndef TWINSET_SRC_GROUND_KERNELS_SHINGLE_HASH_H_
#define TWINSET_SRC_GROUND_KERNELS_SHINGLE_HASH_H_

#include <cstdint>

namespace twinset::kernels {

// Output 4 of SplitMix64 from seed 0x7477696e73657431, made odd.
inline constexpr uint64_t kShingleMultiplier = 0x898d1371f02116d9;

// A bijection that carries every bit into the high half and back: MinHash's
// linear functions need well-mixed values.
inline uint64_t FinaliseShingle(uint64_t x) {
  x ^= x >> 32;
  x *= kShingleMultiplier;
  return x ^ (x >> 29);
}

}  // namespace twinset::kernels

#endif  // TWINSET_SRC_GROUND_KERNELS_SHINGLE_HASH_H_
