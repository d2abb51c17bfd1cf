// The definitions of bin minima and Fast Similarity Sketching.
#include <algorithm>

#include "kernels/kernels.h"

namespace twinset::kernels::reference {

void BinMinima(std::span<const uint64_t> shingles, uint64_t multiplier,
               uint64_t addend, std::span<uint64_t> minima) {
  std::fill(minima.begin(), minima.end(), ~uint64_t{0});
  for (const uint64_t x : shingles) {
    const uint64_t y = multiplier * x + addend;
    uint64_t& minimum = minima[(y >> 32) * minima.size() >> 32];
    minimum = std::min(minimum, y);
  }
}

void FastSimilarity(std::span<const uint64_t> shingles,
                    std::span<const uint64_t> multipliers,
                    std::span<const uint64_t> addends,
                    std::span<uint64_t> keys) {
  const size_t bins = keys.size();
  std::fill(keys.begin(), keys.end(), ~uint64_t{0});
  if (shingles.empty()) return;
  for (size_t round = 0; round < 2 * bins; ++round) {
    for (const uint64_t x : shingles) {
      const uint64_t y = multipliers[round] * x + addends[round];
      if (round < bins && y == ~uint64_t{0}) continue;
      const size_t bin = round < bins ? (y >> 32) * bins >> 32 : round - bins;
      keys[bin] = std::min(keys[bin], uint64_t{round} << 51 | y >> 13);
    }
    if (std::find(keys.begin(), keys.end(), ~uint64_t{0}) == keys.end()) break;
  }
}

}  // namespace twinset::kernels::reference
