// Code points and control characters of a text, counted.
#include <cstring>

#include "kernels/kernels.h"
#include "kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/count_characters.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twinset::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if !TWINSET_SCALAR_TARGET

using D = hn::ScalableTag<uint8_t>;

// Adds what one vector holds.
HWY_INLINE void CountVector(D d, const uint8_t* from, CharacterCounts* counts) {
  const hn::RebindToSigned<D> signed_d;
  const auto bytes = hn::LoadU(d, from);
  // As signed numbers, 0x80 to 0xBF are the least 64.
  const auto first =
      hn::Gt(hn::BitCast(signed_d, bytes), hn::Set(signed_d, int8_t{-0x41}));
  counts->code_points += hn::CountTrue(signed_d, first);
  const auto low = hn::Lt(bytes, hn::Set(d, uint8_t{0x20}));
  if (HWY_LIKELY(hn::AllFalse(d, low))) return;
  const auto from_8 = hn::Sub(bytes, hn::Set(d, uint8_t{0x08}));
  const auto usual = hn::Or(hn::Lt(from_8, hn::Set(d, uint8_t{6})),
                            hn::Eq(bytes, hn::Set(d, uint8_t{0x1B})));
  counts->controls += hn::CountTrue(d, hn::AndNot(usual, low));
}

CharacterCounts CountCharacters(std::string_view text) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  const auto* from = reinterpret_cast<const uint8_t*>(text.data());
  CharacterCounts counts;
  size_t i = 0;
  for (; i + lanes <= text.size(); i += lanes)
    CountVector(d, from + i, &counts);
  if (i == text.size()) return counts;
  // The tail: `text` has no readable slack. What stands behind it counts for
  // nothing.
  HWY_ALIGN uint8_t tail[hn::MaxLanes(D())];
  std::memset(tail, 0x80, sizeof(tail));
  std::memcpy(tail, from + i, text.size() - i);
  CountVector(d, tail, &counts);
  return counts;
}

#else

CharacterCounts CountCharacters(std::string_view text) {
  return reference::CountCharacters(text);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

HWY_EXPORT(CountCharacters);

CharacterCounts CountCharacters(std::string_view text) {
  return HWY_DYNAMIC_DISPATCH(CountCharacters)(text);
}

}  // namespace twinset::kernels
#endif  // HWY_ONCE
