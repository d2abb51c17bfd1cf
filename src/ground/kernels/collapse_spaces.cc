// Runs of HTML white space to one space each.
#include <bit>

#include "kernels/kernels.h"
#include "kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/collapse_spaces.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twinset::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

#if !TWINSET_SCALAR_TARGET

using D = hn::CappedTag<uint8_t, 32>;

// One bit a lane.
template <class Mask>
HWY_INLINE uint64_t Bits(D d, Mask mask) {
  uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  uint64_t bits = 0;
  __builtin_memcpy(&bits, bytes, sizeof(bits));
  return bits;
}

// A vector without two white space bytes in a row is stored as it is, white
// space made spaces. Otherwise it counts up to the second of the first two, and
// the next vector starts behind that run.
size_t CollapseSpaces(std::string_view text, char* out) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  const auto space = hn::Set(d, uint8_t{' '});
  const auto tab = hn::Set(d, uint8_t{'\t'});
  const size_t size = text.size();
  size_t i = 0, written = 0;
  uint64_t carry = 0;  // 1: the last byte written is a space
  while (i + lanes <= size) {
    const auto bytes =
        hn::LoadU(d, reinterpret_cast<const uint8_t*>(text.data()) + i);
    // 9 to 13 without 11.
    const auto from_tab = hn::Sub(bytes, tab);
    const auto control = hn::AndNot(
        hn::VecFromMask(d, hn::Eq(from_tab, hn::Set(d, uint8_t{2}))),
        hn::VecFromMask(d, hn::Lt(from_tab, hn::Set(d, uint8_t{5}))));
    const auto white = hn::Or(hn::MaskFromVec(control), hn::Eq(bytes, space));
    hn::StoreU(hn::IfThenElse(white, space, bytes), d,
               reinterpret_cast<uint8_t*>(out) + written);
    const uint64_t bits = Bits(d, white);
    const uint64_t again = bits & (bits << 1 | carry);
    if (HWY_LIKELY(again == 0)) {
      i += lanes;
      written += lanes;
      carry = bits >> (lanes - 1) & 1;
      continue;
    }
    const auto first = static_cast<size_t>(std::countr_zero(again));
    i += first;
    written += first;
    while (i < size && IsSpace(text[i])) ++i;
    carry = 1;
  }
  for (; i < size; ++i) {
    const bool white = IsSpace(text[i]);
    if (!white || carry == 0) out[written++] = white ? ' ' : text[i];
    carry = white;
  }
  return written;
}

#else

size_t CollapseSpaces(std::string_view text, char* out) {
  return reference::CollapseSpaces(text, out);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

HWY_EXPORT(CollapseSpaces);

size_t CollapseSpaces(std::string_view text, char* out) {
  return HWY_DYNAMIC_DISPATCH(CollapseSpaces)(text, out);
}

}  // namespace twinset::kernels
#endif  // HWY_ONCE
