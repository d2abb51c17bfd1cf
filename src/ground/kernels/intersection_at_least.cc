// Size of the intersection of two sorted sets that must share a stated number:
// most pairs that do not are given up early.
#include <algorithm>

#include "kernels/kernels.h"
#include "kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/intersection_at_least.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twinset::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if !TWINSET_SCALAR_TARGET

template <typename T>
using SetOf = std::span<const T>;

// Merge without unpredictable branches, from positions i and j on.
template <typename T>
size_t MergeFrom(SetOf<T> a, SetOf<T> b, size_t i, size_t j) {
  size_t size = 0;
  while (i < a.size() && j < b.size()) {
    const T x = a[i], y = b[j];
    size += x == y;
    i += x <= y;
    j += y <= x;
  }
  return size;
}

// `small` many times smaller than `large`: each value is looked for by doubling
// steps from the place of the last one (Bentley and Yao 1976).
template <typename T>
size_t GallopWhile(SetOf<T> small, SetOf<T> large, size_t least) {
  size_t size = 0, from = 0;
  for (size_t i = 0; i < small.size(); ++i) {
    if (size + (small.size() - i) < least) return 0;
    const T x = small[i];
    size_t step = 1;
    while (from + step < large.size() && large[from + step] < x) step *= 2;
    const size_t end = std::min(from + step + 1, large.size());
    const auto begin = large.begin();
    from = static_cast<size_t>(
        std::lower_bound(begin + static_cast<ptrdiff_t>(from + step / 2),
                         begin + static_cast<ptrdiff_t>(end), x) -
        begin);
    if (from == large.size()) break;
    size += large[from] == x;
  }
  return size;
}

// From this ratio of sizes on, galloping wins.
constexpr size_t kGallopFrom = 32;

#if TWINSET_AVX512_TARGET
template <int kBy, class V>
V Rotate(V v) {
  if constexpr (sizeof(hn::TFromV<V>) == 8) {
    return V{_mm512_alignr_epi64(v.raw, v.raw, kBy)};
  } else {
    return V{_mm512_alignr_epi32(v.raw, v.raw, kBy)};
  }
}

// Which lanes of x are somewhere in y: y is turned by kBy, kBy + 1, ...
template <int kBy, class V>
auto AnyEqual(V x, V y) {
  constexpr int kLanes = 64 / sizeof(hn::TFromV<V>);
  const auto equal = hn::Eq(x, Rotate<kBy>(y));
  if constexpr (kBy + 1 == kLanes) {
    return equal;
  } else {
    return hn::Or(equal, AnyEqual<kBy + 1>(x, y));
  }
}
#elif HWY_TARGET == HWY_AVX2
template <class V>
auto AnyEqual(V x, V y) {
  auto equal = hn::Eq(x, y);
  if constexpr (sizeof(hn::TFromV<V>) == 8) {
    for (int k = 1; k < 4; ++k) {
      y = V{_mm256_permute4x64_epi64(y.raw, 0x39)};
      equal = hn::Or(equal, hn::Eq(x, y));
    }
  } else {
    const __m256i turn = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0);
    for (int k = 1; k < 8; ++k) {
      y = V{_mm256_permutevar8x32_epi32(y.raw, turn)};
      equal = hn::Or(equal, hn::Eq(x, y));
    }
  }
  return equal;
}
#endif

// Compares blocks of one vector each, all pairs of lanes; the block with the
// smaller last value moves on (Lemire, Boytsov and Kurz, SIMD compression and
// the intersection of sorted integers, 2016).
template <typename T>
size_t BlocksWhile(SetOf<T> a, SetOf<T> b, size_t least) {
  size_t i = 0, j = 0, size = 0;
#if TWINSET_AVX512_TARGET || HWY_TARGET == HWY_AVX2
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  while (i + lanes <= a.size() && j + lanes <= b.size()) {
    if (size + std::min(a.size() - i, b.size() - j) < least) return 0;
    const auto x = hn::LoadU(d, a.data() + i);
    const auto y = hn::LoadU(d, b.data() + j);
    const T x_last = a[i + lanes - 1], y_last = b[j + lanes - 1];
#if TWINSET_AVX512_TARGET
    size += hn::CountTrue(d, AnyEqual<0>(x, y));
#else
    size += hn::CountTrue(d, AnyEqual(x, y));
#endif
    i += x_last <= y_last ? lanes : 0;
    j += y_last <= x_last ? lanes : 0;
  }
#endif
  return size + MergeFrom<T>(a, b, i, j);
}

template <typename T>
size_t AtLeast(SetOf<T> a, SetOf<T> b, size_t least) {
  if (a.size() > b.size()) std::swap(a, b);
  if (a.size() < least) return 0;
  const size_t size = a.size() < b.size() / kGallopFrom
                          ? GallopWhile<T>(a, b, least)
                          : BlocksWhile<T>(a, b, least);
  return size < least ? 0 : size;
}

size_t AtLeast64(std::span<const uint64_t> a, std::span<const uint64_t> b,
                 size_t least) {
  return AtLeast<uint64_t>(a, b, least);
}
size_t AtLeast32(std::span<const uint32_t> a, std::span<const uint32_t> b,
                 size_t least) {
  return AtLeast<uint32_t>(a, b, least);
}

#else

size_t AtLeast64(std::span<const uint64_t> a, std::span<const uint64_t> b,
                 size_t least) {
  return reference::IntersectionAtLeast(a, b, least);
}
size_t AtLeast32(std::span<const uint32_t> a, std::span<const uint32_t> b,
                 size_t least) {
  return reference::IntersectionAtLeast(a, b, least);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

HWY_EXPORT(AtLeast64);
HWY_EXPORT(AtLeast32);

size_t IntersectionAtLeast(std::span<const uint64_t> a,
                           std::span<const uint64_t> b, size_t least) {
  return HWY_DYNAMIC_DISPATCH(AtLeast64)(a, b, least);
}
size_t IntersectionAtLeast(std::span<const uint32_t> a,
                           std::span<const uint32_t> b, size_t least) {
  return HWY_DYNAMIC_DISPATCH(AtLeast32)(a, b, least);
}

}  // namespace twinset::kernels
#endif  // HWY_ONCE
