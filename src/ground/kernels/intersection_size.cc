// Size of the intersection of two sorted sets.
#include <algorithm>
#include <bit>

#include "kernels/kernels.h"
#include "kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/intersection_size.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twinset::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if !TWINSET_SCALAR_TARGET

using Set64 = std::span<const uint64_t>;

// Merge without unpredictable branches, from positions i and j on.
size_t Merge(Set64 a, Set64 b, size_t i, size_t j) {
  size_t size = 0;
  while (i < a.size() && j < b.size()) {
    const uint64_t x = a[i], y = b[j];
    size += x == y;
    i += x <= y;
    j += y <= x;
  }
  return size;
}

// `small` many times smaller than `large`: each value is looked for by doubling
// steps from the place of the last one (Bentley and Yao 1976).
size_t Gallop(Set64 small, Set64 large) {
  size_t size = 0, from = 0;
  for (const uint64_t x : small) {
    size_t step = 1;
    while (from + step < large.size() && large[from + step] < x) step *= 2;
    const size_t end = std::min(from + step + 1, large.size());
    from = static_cast<size_t>(
        std::lower_bound(
            large.begin() + static_cast<ptrdiff_t>(from + step / 2),
            large.begin() + static_cast<ptrdiff_t>(end), x) -
        large.begin());
    if (from == large.size()) break;
    size += large[from] == x;
  }
  return size;
}

// From this ratio of sizes on, galloping wins.
constexpr size_t kGallopRatio = 32;

#if TWINSET_AVX512_TARGET || HWY_TARGET == HWY_AVX2
// Compares blocks of one vector each, all pairs of lanes by rotating one of
// them; the block with the smaller last value moves on (Lemire, Boytsov and
// Kurz, SIMD compression and the intersection of sorted integers, 2016).
size_t Blocks(Set64 a, Set64 b) {
  const hn::ScalableTag<uint64_t> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0, j = 0, size = 0;
  while (i + lanes <= a.size() && j + lanes <= b.size()) {
    const auto x = hn::LoadU(d, a.data() + i);
    auto y = hn::LoadU(d, b.data() + j);
    const uint64_t x_last = a[i + lanes - 1], y_last = b[j + lanes - 1];
    auto equal = hn::Eq(x, y);
#if TWINSET_AVX512_TARGET
    const auto rotate = [&](auto v, auto k) {
      return hn::Vec<decltype(d)>{_mm512_alignr_epi64(v.raw, v.raw, k.value)};
    };
    const auto y1 = rotate(y, std::integral_constant<int, 1>());
    const auto y2 = rotate(y, std::integral_constant<int, 2>());
    const auto y3 = rotate(y, std::integral_constant<int, 3>());
    const auto y4 = rotate(y, std::integral_constant<int, 4>());
    const auto y5 = rotate(y, std::integral_constant<int, 5>());
    const auto y6 = rotate(y, std::integral_constant<int, 6>());
    const auto y7 = rotate(y, std::integral_constant<int, 7>());
    const auto e1 = hn::Or(hn::Eq(x, y1), hn::Eq(x, y2));
    const auto e2 = hn::Or(hn::Eq(x, y3), hn::Eq(x, y4));
    const auto e3 = hn::Or(hn::Eq(x, y5), hn::Eq(x, y6));
    equal = hn::Or(hn::Or(equal, hn::Eq(x, y7)), hn::Or(e1, hn::Or(e2, e3)));
#else
    for (int k = 1; k < 4; ++k) {
      y = hn::Vec<decltype(d)>{_mm256_permute4x64_epi64(y.raw, 0x39)};
      equal = hn::Or(equal, hn::Eq(x, y));
    }
#endif
    size += hn::CountTrue(d, equal);
    i += x_last <= y_last ? lanes : 0;
    j += y_last <= x_last ? lanes : 0;
  }
  return size + Merge(a, b, i, j);
}
#else
size_t Blocks(Set64 a, Set64 b) { return Merge(a, b, 0, 0); }
#endif

size_t IntersectionSize(std::span<const uint64_t> a,
                        std::span<const uint64_t> b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (a.size() < b.size() / kGallopRatio) return Gallop(a, b);
  return Blocks(a, b);
}

#else

size_t IntersectionSize(std::span<const uint64_t> a,
                        std::span<const uint64_t> b) {
  return reference::IntersectionSize(a, b);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

HWY_EXPORT(IntersectionSize);

size_t IntersectionSize(std::span<const uint64_t> a,
                        std::span<const uint64_t> b) {
  return HWY_DYNAMIC_DISPATCH(IntersectionSize)(a, b);
}

}  // namespace twinset::kernels
#endif  // HWY_ONCE
