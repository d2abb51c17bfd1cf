// Partition by a byte with write combining, and all-pairs comparison of small
// groups by vector population counts.
#include "kernels/hamming.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/hamming.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/cache_control.h"
#include "hwy/contrib/sort/vqsort.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twinset::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Hits of the bucket or call at work.
struct Batch {
  HammingHit hits[kHammingBatch];
  size_t count = 0;
};

#if !TWINSET_SCALAR_TARGET

// Calls on_hit(j) for each j of [begin, end) with values[j] near `x`, in order;
// stops when it returns false. Up to 7 values behind `end` are read.
template <class OnHit>
HWY_INLINE bool NearOnes(uint64_t x, const uint64_t* values, size_t begin,
                         size_t end, int distance, OnHit on_hit) {
  const hn::ScalableTag<uint64_t> d;
  const size_t lanes = hn::Lanes(d);
  const auto wanted = hn::Set(d, x);
  const auto limit = hn::Set(d, static_cast<uint64_t>(distance) + 1);
  for (size_t j = begin; j < end; j += lanes) {
    const auto differing =
        hn::PopulationCount(hn::Xor(wanted, hn::LoadU(d, values + j)));
    auto near = hn::Lt(differing, limit);
    if (HWY_UNLIKELY(end - j < lanes))
      near = hn::And(near, hn::FirstN(d, end - j));
    if (HWY_LIKELY(hn::AllFalse(d, near))) continue;
    uint8_t bits[8] = {};
    hn::StoreMaskBits(d, near, bits);
    for (unsigned mask = bits[0]; mask != 0; mask &= mask - 1)
      if (!on_hit(j + static_cast<size_t>(std::countr_zero(mask))))
        return false;
  }
  return true;
}

#else

template <class OnHit>
bool NearOnes(uint64_t x, const uint64_t* values, size_t begin, size_t end,
              int distance, OnHit on_hit) {
  for (size_t j = begin; j < end; ++j)
    if (std::popcount(x ^ values[j]) <= distance && !on_hit(j)) return false;
  return true;
}

#endif

// `y` null: pairs of x with itself. on_full makes room in the batch or returns
// false to stop.
template <class OnFull>
HWY_INLINE bool Compare(const uint64_t* x, size_t x_count, const uint64_t* y,
                        size_t y_count, int distance, Batch* batch,
                        OnFull on_full) {
  const bool self = y == nullptr;
  const uint64_t* const other = self ? x : y;
  const size_t end = self ? x_count : y_count;
  for (size_t i = 0; i < x_count; ++i) {
    const auto on_hit = [&](size_t j) {
      if (batch->count == kHammingBatch && !on_full()) return false;
      batch->hits[batch->count++] = {x[i], other[j]};
      return true;
    };
    if (!NearOnes(x[i], other, self ? i + 1 : 0, end, distance, on_hit))
      return false;
  }
  return true;
}

// Vectors read behind the end: the tail of a caller's array is copied.
constexpr size_t kSlack = 8;

void CompareAll(const uint64_t* x, size_t x_count, const uint64_t* y,
                size_t y_count, int distance, HammingSink sink, void* context) {
  Batch batch;
  const auto flush = [&] {
    if (batch.count > 0) sink(context, batch.hits, batch.count);
    batch.count = 0;
    return true;
  };
  const bool self = y == nullptr;
  const uint64_t* const other = self ? x : y;
  const size_t count = self ? x_count : y_count;
  // The last values of `other`, padded; those before them are safe to read
  // past.
  const size_t tail = std::min<size_t>(count, kSlack);
  uint64_t padded[2 * kSlack] = {};
  std::copy(other + count - tail, other + count, padded);
  const size_t head = count - tail;
  const size_t rows = self ? head : x_count;
  for (size_t i = 0; i < rows; ++i) {
    const auto hit_at = [&](const uint64_t* values) {
      return [&batch, &flush, x, i, values](size_t j) {
        if (batch.count == kHammingBatch) flush();
        batch.hits[batch.count++] = {x[i], values[j]};
        return true;
      };
    };
    NearOnes(x[i], other, self ? i + 1 : 0, head, distance, hit_at(other));
    NearOnes(x[i], padded, 0, tail, distance, hit_at(padded));
  }
  if (self) Compare(padded, tail, nullptr, 0, distance, &batch, flush);
  flush();
}

void HammingPairs(const uint64_t* values, size_t count, int distance,
                  HammingSink sink, void* context) {
  CompareAll(values, count, nullptr, 0, distance, sink, context);
}

void HammingCross(const uint64_t* x, size_t x_count, const uint64_t* y,
                  size_t y_count, int distance, HammingSink sink,
                  void* context) {
  if (x_count == 0 || y_count == 0) return;
  CompareAll(x, x_count, y, y_count, distance, sink, context);
}

void Bucket(const uint64_t* values, size_t count, int shift,
            HammingBucketed* sorted) {
  uint32_t places[kHammingBuckets] = {};
  for (size_t i = 0; i < count; ++i) ++places[(values[i] >> shift) & 255];
  uint32_t place = 0;
  for (size_t b = 0; b < kHammingBuckets; ++b) {
    sorted->bounds[b] = place;
    place += places[b];
    places[b] = sorted->bounds[b];
  }
  sorted->bounds[kHammingBuckets] = place;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t value = values[i];
    sorted->values[places[(value >> shift) & 255]++] = value;
  }
}

// `sorted_y` null: pairs inside each bucket.
size_t CompareBuckets(const HammingBucketed& sorted_x,
                      const HammingBucketed* sorted_y, int distance,
                      size_t limit, uint8_t* left, HammingSink sink,
                      void* context) {
  size_t left_count = 0;
  Batch batch;
  const auto full = [] { return false; };
  for (size_t b = 0; b < kHammingBuckets; ++b) {
    const uint32_t x_begin = sorted_x.bounds[b];
    const size_t x_count = sorted_x.bounds[b + 1] - x_begin;
    const uint64_t* y = nullptr;
    size_t y_count = 0;
    if (sorted_y != nullptr) {
      y = sorted_y->values + sorted_y->bounds[b];
      y_count = sorted_y->bounds[b + 1] - sorted_y->bounds[b];
      if (x_count == 0 || y_count == 0) continue;
    } else if (x_count < 2) {
      continue;
    }
    if (x_count > limit || y_count > limit ||
        !Compare(sorted_x.values + x_begin, x_count, y, y_count, distance,
                 &batch, full)) {
      left[left_count++] = static_cast<uint8_t>(b);
    } else if (HWY_UNLIKELY(batch.count > 0)) {
      sink(context, batch.hits, batch.count);
    }
    batch.count = 0;
  }
  return left_count;
}

size_t HammingBuckets(const uint64_t* x, size_t count, int shift, int distance,
                      size_t limit, HammingBucketed* sorted, uint8_t* left,
                      HammingSink sink, void* context) {
  Bucket(x, count, shift, sorted);
  return CompareBuckets(*sorted, nullptr, distance, limit, left, sink, context);
}

size_t HammingBucketsCross(const uint64_t* x, size_t x_count, const uint64_t* y,
                           size_t y_count, int shift, int distance,
                           size_t limit, HammingBucketed* sorted_x,
                           HammingBucketed* sorted_y, uint8_t* left,
                           HammingSink sink, void* context) {
  Bucket(x, x_count, shift, sorted_x);
  Bucket(y, y_count, shift, sorted_y);
  return CompareBuckets(*sorted_x, sorted_y, distance, limit, left, sink,
                        context);
}

void SortValues(uint64_t* values, size_t count) {
#if !TWINSET_SCALAR_TARGET
  // Below this size the library's set-up costs more than it saves.
  if (count >= 32) {
    hwy::Sorter()(values, count, hwy::SortAscending());
    return;
  }
#endif
  std::sort(values, values + count);
}

#if !TWINSET_SCALAR_TARGET

// What fits the caches is scattered directly.
constexpr size_t kCombineFrom = size_t{1} << 20;
constexpr size_t kLine = 8;  // values of a cache line

void ScatterByByte(const uint64_t* values, size_t count, int shift,
                   size_t* places, uint64_t* out) {
  if (count < kCombineFrom) {
    reference::ScatterByByte(values, count, shift, places, out);
    return;
  }
  // One line per bucket is filled in cache and then written past the caches as
  // a whole. Lines at the ends may belong to others: only our part is written.
  const hn::CappedTag<uint64_t, kLine> d;
  alignas(64) uint64_t lines[kHammingBuckets][kLine];
  size_t begins[kHammingBuckets];
  std::copy(places, places + kHammingBuckets, begins);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t value = values[i];
    const size_t b = (value >> shift) & 255;
    const size_t place = places[b]++;
    lines[b][place % kLine] = value;
    if (place % kLine != kLine - 1) continue;
    const size_t line = place - (kLine - 1);
    if (HWY_LIKELY(line >= begins[b])) {
      for (size_t k = 0; k < kLine; k += hn::Lanes(d))
        hn::Stream(hn::Load(d, lines[b] + k), d, out + line + k);
    } else {
      for (size_t p = begins[b]; p <= place; ++p) out[p] = lines[b][p % kLine];
    }
  }
  for (size_t b = 0; b < kHammingBuckets; ++b) {
    const size_t line = places[b] - places[b] % kLine;
    for (size_t p = std::max(line, begins[b]); p < places[b]; ++p)
      out[p] = lines[b][p % kLine];
  }
  hwy::FlushStream();
}

#else

void ScatterByByte(const uint64_t* values, size_t count, int shift,
                   size_t* places, uint64_t* out) {
  reference::ScatterByByte(values, count, shift, places, out);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

HWY_EXPORT(ScatterByByte);
HWY_EXPORT(HammingPairs);
HWY_EXPORT(HammingCross);
HWY_EXPORT(HammingBuckets);
HWY_EXPORT(HammingBucketsCross);
HWY_EXPORT(SortValues);

void ScatterByByte(const uint64_t* values, size_t count, int shift,
                   size_t* places, uint64_t* out) {
  HWY_DYNAMIC_DISPATCH(ScatterByByte)(values, count, shift, places, out);
}

void HammingPairs(const uint64_t* values, size_t count, int distance,
                  HammingSink sink, void* context) {
  HWY_DYNAMIC_DISPATCH(HammingPairs)(values, count, distance, sink, context);
}

void HammingCross(const uint64_t* x, size_t x_count, const uint64_t* y,
                  size_t y_count, int distance, HammingSink sink,
                  void* context) {
  HWY_DYNAMIC_DISPATCH(HammingCross)
  (x, x_count, y, y_count, distance, sink, context);
}

size_t HammingBuckets(const uint64_t* x, size_t count, int shift, int distance,
                      size_t limit, HammingBucketed* sorted, uint8_t* left,
                      HammingSink sink, void* context) {
  return HWY_DYNAMIC_DISPATCH(HammingBuckets)(x, count, shift, distance, limit,
                                              sorted, left, sink, context);
}

size_t HammingBucketsCross(const uint64_t* x, size_t x_count, const uint64_t* y,
                           size_t y_count, int shift, int distance,
                           size_t limit, HammingBucketed* sorted_x,
                           HammingBucketed* sorted_y, uint8_t* left,
                           HammingSink sink, void* context) {
  return HWY_DYNAMIC_DISPATCH(HammingBucketsCross)(
      x, x_count, y, y_count, shift, distance, limit, sorted_x, sorted_y, left,
      sink, context);
}

void SortValues(uint64_t* values, size_t count) {
  HWY_DYNAMIC_DISPATCH(SortValues)(values, count);
}

}  // namespace twinset::kernels
#endif  // HWY_ONCE
