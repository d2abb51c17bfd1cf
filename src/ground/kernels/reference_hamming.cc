// The definitions of the Hamming kernels.
#include <bit>

#include "kernels/hamming.h"

namespace twinset::kernels::reference {

void ScatterByByte(const uint64_t* values, size_t count, int shift,
                   size_t* places, uint64_t* out) {
  for (size_t i = 0; i < count; ++i)
    out[places[(values[i] >> shift) & 255]++] = values[i];
}

bool HammingHits(const uint64_t* x, size_t x_count, const uint64_t* y,
                 size_t y_count, int distance, HammingHit* hits,
                 size_t capacity, size_t* hit_count) {
  *hit_count = 0;
  const bool self = y == nullptr;
  const uint64_t* const other = self ? x : y;
  const size_t other_count = self ? x_count : y_count;
  for (size_t i = 0; i < x_count; ++i) {
    for (size_t j = self ? i + 1 : 0; j < other_count; ++j) {
      if (std::popcount(x[i] ^ other[j]) > distance) continue;
      if (*hit_count == capacity) return false;
      hits[(*hit_count)++] = {x[i], other[j]};
    }
  }
  return true;
}

}  // namespace twinset::kernels::reference
