// Sorted sets from arrays of hashes: spread by their high bits and sorted where
// they fall, or by vectorised quicksort; then one compacting pass.
#include <algorithm>
#include <bit>

#include "kernels/kernels.h"
#include "kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sort_unique.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/contrib/sort/vqsort.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twinset::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if !TWINSET_SCALAR_TARGET

// Writes the ascending from[0, count), count > 0, to `to` without its repeats.
// `to` may be `from`: what is written ends at most where what was read ends.
size_t Unique(const uint64_t* from, size_t count, uint64_t* to) {
  size_t size = 1, i = 1;
  uint64_t previous = to[0] = from[0];
#if TWINSET_AVX512_TARGET
  const hn::Full512<uint64_t> d;
  alignas(64) static constexpr uint64_t kOneUp[8] = {0, 0, 1, 2, 3, 4, 5, 6};
  const auto one_up = hn::SetTableIndices(d, kOneUp);
  const auto first = hn::FirstN(d, 1);
  for (; i + 8 <= count; i += 8) {
    // The value before each lane comes from registers: what lies in front of
    // `i` was stored a moment ago and would be slow to load.
    const auto v = hn::LoadU(d, from + i);
    const auto before = hn::IfThenElse(first, hn::Set(d, previous),
                                       hn::TableLookupLanes(v, one_up));
    previous = from[i + 7];
    const auto is_new = hn::Ne(v, before);
    if (hn::AllTrue(d, is_new)) {  // almost always
      hn::StoreU(v, d, to + size);
      size += 8;
      continue;
    }
    hn::StoreU(hn::Compress(v, is_new), d, to + size);
    size += hn::CountTrue(d, is_new);
  }
#endif
  for (; i < count; ++i) {
    const uint64_t value = from[i];
    to[size] = value;
    size += value != previous;
    previous = value;
  }
  return size;
}

// Values that are spread by their high bits before they are sorted: at most
// kMostSpread, of which no place gets more than kMostInPlace.
constexpr size_t kMostSpread = 4096;
constexpr size_t kMostInPlace = 16;

// Where the values of one array are spread to: there are at least as many
// places as values.
struct Spread {
  alignas(64) uint64_t values[kMostSpread + 16];
  uint16_t ends[kMostSpread];
};

// Writes values[0, count) to `spread` by their high bits, so that only values
// of one place can be out of order. Returns how many the fullest place has;
// beyond kMostInPlace nothing was written.
size_t SpreadOut(const uint64_t* values, size_t count, Spread* spread) {
  const int bits = std::bit_width(count - 1);
  const int shift = 64 - bits;
  uint16_t* const ends = spread->ends;
  std::fill_n(ends, size_t{1} << bits, uint16_t{0});
  for (size_t i = 0; i < count; ++i) ++ends[values[i] >> shift];
  size_t end = 0, most = 0;
  for (size_t place = 0; place < size_t{1} << bits; ++place) {
    const size_t size = ends[place];
    most = std::max(most, size);
    ends[place] = static_cast<uint16_t>(end);
    end += size;
  }
  if (most > kMostInPlace) return most;
  for (size_t i = 0; i < count; ++i)
    spread->values[ends[values[i] >> shift]++] = values[i];
  return most;
}

#if TWINSET_AVX512_TARGET

// Odd-even transposition: `most` rounds sort what is at most so many places
// long. Every other round begins one value later.
void SortPlaces(size_t count, size_t most, Spread* spread) {
  const hn::Full512<uint64_t> d;
  const auto upper = hn::MaskFromVec(
      hn::BitCast(d, hn::OddEven(hn::Set(d, ~uint64_t{0}), hn::Zero(d))));
  std::fill_n(spread->values + count, 16, ~uint64_t{0});
  for (size_t round = 0; round < most; ++round) {
    uint64_t* const from = spread->values + round % 2;
    for (size_t i = 0; i < count; i += 8) {
      const auto v = hn::LoadU(d, from + i);
      const auto other = hn::Shuffle01(v);
      hn::StoreU(hn::IfThenElse(upper, hn::Max(v, other), hn::Min(v, other)), d,
                 from + i);
    }
  }
}

#else

// Insertion sort: no value moves further than its place.
void SortPlaces(size_t count, size_t, Spread* spread) {
  uint64_t* const values = spread->values;
  for (size_t i = 1; i < count; ++i) {
    const uint64_t value = values[i];
    size_t at = i;
    for (; at > 0 && value < values[at - 1]; --at) values[at] = values[at - 1];
    values[at] = value;
  }
}

#endif

// Hashes are uniform, so spreading them nearly sorts them: half the time of the
// library's quicksort or less (bench_kernels, BM_SortUnique). Others, and more
// of them, are left to it.
size_t SortUnique(uint64_t* values, size_t count) {
  if (count < 2) return count;
  if (count <= kMostSpread) {
    Spread spread;
    const size_t most = SpreadOut(values, count, &spread);
    if (most <= kMostInPlace) {
      SortPlaces(count, most, &spread);
      return Unique(spread.values, count, values);
    }
  }
  hwy::Sorter()(values, count, hwy::SortAscending());
  return Unique(values, count, values);
}

#else

size_t SortUnique(uint64_t* values, size_t count) {
  return reference::SortUnique(values, count);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

HWY_EXPORT(SortUnique);

size_t SortUnique(uint64_t* values, size_t count) {
  return HWY_DYNAMIC_DISPATCH(SortUnique)(values, count);
}

}  // namespace twinset::kernels
#endif  // HWY_ONCE
