// The definition of MinHash.
#include <algorithm>

#include "kernels/kernels.h"

namespace twinset::kernels::reference {

void MinHash(std::span<const uint64_t> shingles,
             std::span<const uint64_t> multipliers,
             std::span<const uint64_t> addends, uint32_t* values) {
  for (size_t i = 0; i < multipliers.size(); ++i) {
    uint64_t minimum = ~uint64_t{0};
    for (const uint64_t x : shingles) {
      minimum = std::min(minimum, multipliers[i] * x + addends[i]);
    }
    values[i] = static_cast<uint32_t>(minimum >> 32);
  }
}

}  // namespace twinset::kernels::reference
