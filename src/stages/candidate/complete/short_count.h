// Counts in fewer bits, in the same order (docs/methods/complete.md).
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_SHORT_COUNT_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_SHORT_COUNT_H_

#include <bit>
#include <cstdint>

namespace twinset {

// `count` exact below 2^kBits, beyond with kBits significant bits. The order of
// counts remains, but for ties. 4 make a byte of any count, 12 make 16 bits.
template <int kBits>
constexpr uint32_t ShortCount(uint32_t count) {
  const int more = static_cast<int>(std::bit_width(count)) - kBits;
  if (more <= 0) return count;
  return (static_cast<uint32_t>(more) << (kBits - 1)) + (count >> more);
}

// The least count of this short one.
template <int kBits>
constexpr uint32_t LongCount(uint32_t short_count) {
  const uint32_t high = short_count >> (kBits - 1);
  if (high < 2) return short_count;
  const uint32_t more = high - 1;
  return (short_count - (more << (kBits - 1))) << more;
}

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_SHORT_COUNT_H_
