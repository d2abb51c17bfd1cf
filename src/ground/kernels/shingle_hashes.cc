// Shingle hashes: multilinear hashing of windows of token hashes.
#include "kernels/kernels.h"
#include "kernels/shingle_hash.h"
#include "kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/shingle_hashes.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twinset::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if !TWINSET_SCALAR_TARGET

using D64 = hn::ScalableTag<uint64_t>;
using D32 = hn::Repartition<uint32_t, D64>;
using V64 = hn::Vec<D64>;

// A 64-bit factor, prepared once for many products.
#if TWINSET_AVX512_TARGET
struct Factor {
  V64 value;
};
HWY_INLINE Factor SetFactor(uint64_t value) { return {hn::Set(D64(), value)}; }
HWY_INLINE V64 Multiply(V64 x, Factor f) { return x * f.value; }
#else
// x f = xl fl + ((xl fh + xh fl) << 32)   (mod 2^64).
struct Factor {
  V64 value, high;
};
HWY_INLINE Factor SetFactor(uint64_t value) {
  return {hn::Set(D64(), value), hn::Set(D64(), value >> 32)};
}
HWY_INLINE V64 Multiply(V64 x, Factor f) {
  const D32 d32;
  const auto x32 = hn::BitCast(d32, x);
  const auto low = hn::BitCast(d32, f.value);
  const V64 cross =
      hn::Add(hn::MulEven(x32, hn::BitCast(d32, f.high)),
              hn::MulEven(hn::BitCast(d32, hn::ShiftRight<32>(x)), low));
  return hn::Add(hn::MulEven(x32, low), hn::ShiftLeft<32>(cross));
}
#endif

HWY_INLINE V64 Finalise(V64 x, Factor multiplier) {
  x = hn::Xor(x, hn::ShiftRight<32>(x));
  x = Multiply(x, multiplier);
  return hn::Xor(x, hn::ShiftRight<29>(x));
}

// kWindow > 0: the window, known while compiling; 0: it is `n`. Vectors are
// stored behind what later ones read, so `shingles` may be `tokens`.
template <size_t kWindow>
void Windows(const uint64_t* tokens, size_t count, size_t n,
             const uint64_t* weights, uint64_t salt, uint64_t* shingles) {
  const D64 d;
  const size_t lanes = hn::Lanes(d);
  const size_t windows = count - n + 1;
  const V64 start = hn::Set(d, salt);
  const Factor multiplier = SetFactor(kShingleMultiplier);
  Factor factors[kWindow > 0 ? kWindow : 1];
  for (size_t j = 0; j < kWindow; ++j) factors[j] = SetFactor(weights[j]);
  const size_t window = kWindow > 0 ? kWindow : n;
  size_t i = 0;
  for (; i + lanes <= windows; i += lanes) {
    V64 sum = start;
    for (size_t j = 0; j < window; ++j) {
      const Factor factor = kWindow > 0 ? factors[j] : SetFactor(weights[j]);
      sum = hn::Add(sum, Multiply(hn::LoadU(d, tokens + i + j), factor));
    }
    hn::StoreU(Finalise(sum, multiplier), d, shingles + i);
  }
  for (; i < windows; ++i) {
    uint64_t sum = salt;
    for (size_t j = 0; j < window; ++j) sum += weights[j] * tokens[i + j];
    shingles[i] = FinaliseShingle(sum);
  }
}

void ShingleHashes(const uint64_t* tokens, size_t count, size_t n,
                   const uint64_t* weights, uint64_t salt, uint64_t* shingles) {
  switch (n) {
    case 1:
      return Windows<1>(tokens, count, n, weights, salt, shingles);
    case 2:
      return Windows<2>(tokens, count, n, weights, salt, shingles);
    case 3:
      return Windows<3>(tokens, count, n, weights, salt, shingles);
    case 4:
      return Windows<4>(tokens, count, n, weights, salt, shingles);
    case 5:
      return Windows<5>(tokens, count, n, weights, salt, shingles);
    case 8:
      return Windows<8>(tokens, count, n, weights, salt, shingles);
    default:
      return Windows<0>(tokens, count, n, weights, salt, shingles);
  }
}

#else

void ShingleHashes(const uint64_t* tokens, size_t count, size_t n,
                   const uint64_t* weights, uint64_t salt, uint64_t* shingles) {
  reference::ShingleHashes(tokens, count, n, weights, salt, shingles);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

HWY_EXPORT(ShingleHashes);

void ShingleHashes(const uint64_t* tokens, size_t count, size_t n,
                   const uint64_t* weights, uint64_t salt, uint64_t* shingles) {
  HWY_DYNAMIC_DISPATCH(ShingleHashes)
  (tokens, count, n, weights, salt, shingles);
}

}  // namespace twinset::kernels
#endif  // HWY_ONCE
