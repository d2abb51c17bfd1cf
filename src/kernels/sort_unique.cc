// Sorted sets from arrays: vectorised quicksort, then one compacting pass.
#include <algorithm>

#include "kernels/kernels.h"
#include "kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sort_unique.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/contrib/sort/vqsort.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twinset::inline v1::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if !TWINSET_SCALAR_TARGET

// Drops repeats from the ascending values[0, count), count > 0.
size_t Unique(uint64_t* values, size_t count) {
  size_t size = 1, i = 1;
#if TWINSET_AVX512_TARGET
  const hn::Full512<uint64_t> d;
  alignas(64) static constexpr uint64_t kOneUp[8] = {0, 0, 1, 2, 3, 4, 5, 6};
  const auto one_up = hn::SetTableIndices(d, kOneUp);
  const auto first = hn::FirstN(d, 1);
  uint64_t previous = values[0];
  for (; i + 8 <= count; i += 8) {
    // The value before each lane comes from registers: what lies in front of
    // `i` was stored a moment ago and would be slow to load.
    const auto v = hn::LoadU(d, values + i);
    const auto before = hn::IfThenElse(first, hn::Set(d, previous),
                                       hn::TableLookupLanes(v, one_up));
    previous = values[i + 7];
    const auto is_new = hn::Ne(v, before);
    if (size == i && hn::AllTrue(d, is_new)) {
      size += 8;  // no repeat so far: everything stays in its place
      continue;
    }
    // size <= i: the 8 lanes written end at most where those read end.
    hn::StoreU(hn::Compress(v, is_new), d, values + size);
    size += hn::CountTrue(d, is_new);
  }
#endif
  for (; i < count; ++i) {
    const uint64_t value = values[i];
    const bool is_new = value != values[size - 1];
    values[size] = value;
    size += is_new;
  }
  return size;
}

// Below this size the library's set-up costs more than it saves.
constexpr size_t kSmall = 32;

size_t SortUnique(uint64_t* values, size_t count) {
  if (count < 2) return count;
  if (count < kSmall) {
    std::sort(values, values + count);
  } else {
    hwy::Sorter()(values, count, hwy::SortAscending());
  }
  return Unique(values, count);
}

#else

size_t SortUnique(uint64_t* values, size_t count) {
  return reference::SortUnique(values, count);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace twinset::inline v1::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::inline v1::kernels {

HWY_EXPORT(SortUnique);

size_t SortUnique(uint64_t* values, size_t count) {
  return HWY_DYNAMIC_DISPATCH(SortUnique)(values, count);
}

}  // namespace twinset::inline v1::kernels
#endif  // HWY_ONCE
