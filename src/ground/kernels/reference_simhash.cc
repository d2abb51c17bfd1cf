// The definition of the sums behind SimHash.
#include "kernels/kernels.h"

namespace twinset::kernels::reference {

void BitCounts(std::span<const uint64_t> values, uint64_t* counts) {
  for (const uint64_t value : values) {
    for (int bit = 0; bit < 64; ++bit) counts[bit] += value >> bit & 1;
  }
}

void BitSums(std::span<const uint64_t> values,
             std::span<const uint32_t> weights, uint64_t* sums) {
  for (size_t i = 0; i < values.size(); ++i) {
    for (int bit = 0; bit < 64; ++bit) {
      if ((values[i] >> bit & 1) != 0) sums[bit] += weights[i];
    }
  }
}

}  // namespace twinset::kernels::reference
