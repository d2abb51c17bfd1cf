// Keyed token hashes: a masked load and four rounds of AES a token. The rounds
// of many tokens overlap, so that a token costs about two nanoseconds.
#include "kernels/keyed_tokens.h"

#include <string_view>

#include "kernels/kernels.h"
#include "kernels/simd_targets.h"
#include "kernels/token_hash.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/keyed_tokens.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twinset::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void HashTokensKeyed(const TokenKey& key, const char* text,
                     const uint32_t* begins, const uint32_t* ends, size_t count,
                     uint64_t* hashes) {
#if TWINSET_SCALAR_TARGET
  reference::HashTokensKeyed(key, text, begins, ends, count, hashes);
#else
  const hn::FixedTag<uint8_t, 16> d;
  const hn::Repartition<uint64_t, decltype(d)> d64;
  const auto round1 = hn::Load(d, key.rounds[0]);
  const auto round2 = hn::Load(d, key.rounds[1]);
  const auto round3 = hn::Load(d, key.rounds[2]);
  const auto round4 = hn::Load(d, key.rounds[3]);
  for (size_t i = 0; i < count; ++i) {
    const char* token = text + begins[i];
    const size_t size = ends[i] - begins[i];
    if (__builtin_expect(size > kKeyedBlockBytes, 0)) {
      hashes[i] = SipHash13(key.long_tokens, std::string_view(token, size));
      continue;
    }
    const auto mask = hn::LoadU(
        d, reinterpret_cast<const uint8_t*>(&kTokenMasks.masks[size]));
    const auto bytes = hn::LoadU(d, reinterpret_cast<const uint8_t*>(token));
    auto block = hn::Xor(hn::And(bytes, mask), hn::Load(d, key.begin[size]));
    block = hn::AESRound(block, round1);
    block = hn::AESRound(block, round2);
    block = hn::AESRound(block, round3);
    block = hn::AESRound(block, round4);
    hashes[i] = hn::GetLane(hn::BitCast(d64, block));
  }
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

HWY_EXPORT(HashTokensKeyed);

void HashTokensKeyed(const TokenKey& key, const char* text,
                     const uint32_t* begins, const uint32_t* ends, size_t count,
                     uint64_t* hashes) {
  HWY_DYNAMIC_DISPATCH(HashTokensKeyed)
  (key, text, begins, ends, count, hashes);
}

}  // namespace twinset::kernels
#endif  // HWY_ONCE
