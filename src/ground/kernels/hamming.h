// Hot loops of the Hamming join over 64-bit fingerprints: partition by one
// byte, and comparison of all pairs of a group. Each is defined by its scalar
// reference (kernels/reference_hamming.cc).
// See docs/methods/hamming-join.md.
#ifndef TWINSET_SRC_GROUND_KERNELS_HAMMING_H_
#define TWINSET_SRC_GROUND_KERNELS_HAMMING_H_

#include <cstddef>
#include <cstdint>

namespace twinset::kernels {

// Two values that are near each other: in a join of two groups `x` is of the
// first one.
struct HammingHit {
  uint64_t x = 0, y = 0;
};
// Gets the hits of one call or of one bucket.
using HammingSink = void (*)(void* context, const HammingHit* hits,
                             size_t count);

inline constexpr size_t kHammingBuckets = 256;
// Hits are handed on in batches of at most that many.
inline constexpr size_t kHammingBatch = 256;

// Moves each of values[0, count) to out[places[b]++], b its byte at bit
// `shift`: one pass of a partition whose places the caller has counted. `out`
// is aligned to 64 bytes. Several threads may write to disjoint places of the
// same `out`.
void ScatterByByte(const uint64_t* values, size_t count, int shift,
                   size_t* places, uint64_t* out);

// Every pair i < j of values[0, count) in which at most `distance` bits differ,
// as (values[i], values[j]), in batches.
void HammingPairs(const uint64_t* values, size_t count, int distance,
                  HammingSink sink, void* context);
// The same for one value of `x` and one of `y`.
void HammingCross(const uint64_t* x, size_t x_count, const uint64_t* y,
                  size_t y_count, int distance, HammingSink sink,
                  void* context);

// A group sorted by one byte: bucket b is values[bounds[b], bounds[b + 1]).
// `values` has room for the group and 8 values more.
struct HammingBucketed {
  uint64_t* values = nullptr;
  uint32_t bounds[kHammingBuckets + 1] = {};
};

// Sorts the group `x` (fewer than 2^32 values) by its byte at bit `shift` and
// compares all pairs inside each bucket. The sink gets the hits of one bucket
// at a time. Buckets of more than `limit` values and those with more than
// kHammingBatch hits are left alone: their numbers go to `left` (room for
// kHammingBuckets), and how many there are is returned.
size_t HammingBuckets(const uint64_t* x, size_t count, int shift, int distance,
                      size_t limit, HammingBucketed* sorted, uint8_t* left,
                      HammingSink sink, void* context);
// The same for pairs of one value of `x` and one of `y`; a bucket is left alone
// when either side has more than `limit` values.
size_t HammingBucketsCross(const uint64_t* x, size_t x_count, const uint64_t* y,
                           size_t y_count, int shift, int distance,
                           size_t limit, HammingBucketed* sorted_x,
                           HammingBucketed* sorted_y, uint8_t* left,
                           HammingSink sink, void* context);

// Sorts ascending.
void SortValues(uint64_t* values, size_t count);

namespace reference {
void ScatterByByte(const uint64_t* values, size_t count, int shift,
                   size_t* places, uint64_t* out);
// `y` null: pairs of `x` with itself. Returns false when it stopped because the
// hits do not fit `capacity`.
bool HammingHits(const uint64_t* x, size_t x_count, const uint64_t* y,
                 size_t y_count, int distance, HammingHit* hits,
                 size_t capacity, size_t* hit_count);
}  // namespace reference

}  // namespace twinset::kernels

#endif  // TWINSET_SRC_GROUND_KERNELS_HAMMING_H_
