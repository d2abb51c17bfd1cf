// Sets as bits.
#ifndef TWINSET_SRC_GROUND_KERNELS_COMMON_BITS_H_
#define TWINSET_SRC_GROUND_KERNELS_COMMON_BITS_H_

#include <cstddef>
#include <cstdint>

namespace twinset::kernels {

// How many bits both a[0 .. words) and b[0 .. words) have.
size_t CommonBits(const uint64_t* a, const uint64_t* b, size_t words);

namespace reference {
size_t CommonBits(const uint64_t* a, const uint64_t* b, size_t words);
}  // namespace reference

}  // namespace twinset::kernels

#endif  // TWINSET_SRC_GROUND_KERNELS_COMMON_BITS_H_
