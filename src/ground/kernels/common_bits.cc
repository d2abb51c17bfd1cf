// The size of the intersection of two sets that are bits.
#include "kernels/common_bits.h"

#include <bit>

#include "kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/common_bits.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twinset::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

size_t CommonBitsOf(const uint64_t* a, const uint64_t* b, size_t words) {
#if TWINSET_SCALAR_TARGET
  return reference::CommonBits(a, b, words);
#else
  const hn::ScalableTag<uint64_t> d;
  const size_t lanes = hn::Lanes(d);
  auto sum = hn::Zero(d);
  size_t i = 0;
  for (; i + lanes <= words; i += lanes) {
    const auto common = hn::And(hn::LoadU(d, a + i), hn::LoadU(d, b + i));
    sum = hn::Add(sum, hn::PopulationCount(common));
  }
  size_t bits = static_cast<size_t>(hn::GetLane(hn::SumOfLanes(d, sum)));
  for (; i < words; ++i)
    bits += static_cast<size_t>(std::popcount(a[i] & b[i]));
  return bits;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

namespace reference {
size_t CommonBits(const uint64_t* a, const uint64_t* b, size_t words) {
  size_t bits = 0;
  for (size_t i = 0; i < words; ++i)
    bits += static_cast<size_t>(std::popcount(a[i] & b[i]));
  return bits;
}
}  // namespace reference

HWY_EXPORT(CommonBitsOf);

size_t CommonBits(const uint64_t* a, const uint64_t* b, size_t words) {
  return HWY_DYNAMIC_DISPATCH(CommonBitsOf)(a, b, words);
}

}  // namespace twinset::kernels
#endif  // HWY_ONCE
