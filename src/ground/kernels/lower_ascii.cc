// ASCII to lower case, up to the first byte that is not ASCII.
#include <algorithm>
#include <cstring>

#include "kernels/kernels.h"
#include "kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/lower_ascii.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twinset::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if !TWINSET_SCALAR_TARGET

using D = hn::ScalableTag<uint8_t>;

// Lower-cases one vector; returns the position of its first byte >= 0x80, or
// -1.
HWY_INLINE intptr_t LowerVector(D d, const uint8_t* from, uint8_t* to) {
  const auto bytes = hn::LoadU(d, from);
  const auto from_a = hn::Sub(bytes, hn::Set(d, uint8_t{'A'}));
  const auto upper = hn::Lt(from_a, hn::Set(d, uint8_t{26}));
  const auto bit = hn::IfThenElseZero(upper, hn::Set(d, uint8_t{0x20}));
  hn::StoreU(hn::Or(bytes, bit), d, to);
  // Bytes >= 0x80 are the negative ones.
  const hn::RebindToSigned<D> signed_d;
  const auto high = hn::Lt(hn::BitCast(signed_d, bytes), hn::Zero(signed_d));
  return hn::FindFirstTrue(signed_d, high);
}

size_t LowerAscii(std::string_view text, char* out) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  const auto* from = reinterpret_cast<const uint8_t*>(text.data());
  auto* to = reinterpret_cast<uint8_t*>(out);
  const size_t size = text.size();
  size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    const intptr_t first = LowerVector(d, from + i, to + i);
    if (first >= 0) return i + static_cast<size_t>(first);
  }
  if (i == size) return size;
  // The tail: `text` has no readable slack, `out` has.
  HWY_ALIGN uint8_t tail[hn::MaxLanes(D())] = {};
  std::memcpy(tail, from + i, size - i);
  const intptr_t first = LowerVector(d, tail, to + i);
  return first >= 0 ? i + static_cast<size_t>(first) : size;
}

#else

size_t LowerAscii(std::string_view text, char* out) {
  return reference::LowerAscii(text, out);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

HWY_EXPORT(LowerAscii);

size_t LowerAscii(std::string_view text, char* out) {
  return HWY_DYNAMIC_DISPATCH(LowerAscii)(text, out);
}

}  // namespace twinset::kernels
#endif  // HWY_ONCE
