// Token hashes. One 64x64->128 multiplication per token: no SIMD target has
// that, so the loop is the same for all of them, compiled for each (BMI2
// multiplies and shifts from AVX2 on).
#include "kernels/kernels.h"
#include "kernels/simd_targets.h"
#include "kernels/token_hash.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/hash_tokens.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twinset::kernels {
namespace HWY_NAMESPACE {

void HashTokens(const char* text, const uint32_t* begins, const uint32_t* ends,
                size_t count, uint64_t* hashes) {
#if TWINSET_SCALAR_TARGET
  reference::HashTokens(text, begins, ends, count, hashes);
#else
  for (size_t i = 0; i < count; ++i) {
    hashes[i] = HashToken(text + begins[i], ends[i] - begins[i]);
  }
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

HWY_EXPORT(HashTokens);

void HashTokens(const char* text, const uint32_t* begins, const uint32_t* ends,
                size_t count, uint64_t* hashes) {
  HWY_DYNAMIC_DISPATCH(HashTokens)(text, begins, ends, count, hashes);
}

}  // namespace twinset::kernels
#endif  // HWY_ONCE
