// MinHash: minima over all shingles of 8 or more linear functions at a time,
// kept in registers.
#include "kernels/kernels.h"
#include "kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/minhash.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twinset::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct LinearFunctions {
  const uint64_t* multipliers;
  const uint64_t* addends;
};

#if TWINSET_AVX512_TARGET

// With a 64-bit multiply: the high half of the minimum is the minimum of the
// high halves, so 64-bit minima are kept. `kVectors` vectors of 8 functions;
// 3 registers each and 1 for the shingle.
template <size_t kVectors>
void Minima(std::span<const uint64_t> shingles, LinearFunctions f,
            uint32_t* values) {
  const hn::Full512<uint64_t> d;
  hn::Vec<decltype(d)> multiplier[kVectors], addend[kVectors],
      minimum[kVectors];
  for (size_t v = 0; v < kVectors; ++v) {
    multiplier[v] = hn::LoadU(d, f.multipliers + 8 * v);
    addend[v] = hn::LoadU(d, f.addends + 8 * v);
    minimum[v] = hn::Set(d, ~uint64_t{0});
  }
  for (const uint64_t shingle : shingles) {
    const auto x = hn::Set(d, shingle);
    for (size_t v = 0; v < kVectors; ++v) {
      minimum[v] = hn::Min(minimum[v], hn::Add(x * multiplier[v], addend[v]));
    }
  }
  const hn::Rebind<uint32_t, decltype(d)> d32;
  for (size_t v = 0; v < kVectors; ++v) {
    hn::StoreU(hn::TruncateTo(d32, hn::ShiftRight<32>(minimum[v])), d32,
               values + 8 * v);
  }
}

void MinHash(std::span<const uint64_t> shingles,
             std::span<const uint64_t> multipliers,
             std::span<const uint64_t> addends, uint32_t* values) {
  const size_t count = multipliers.size();
  size_t i = 0;
  const auto at = [&](size_t k) {
    return LinearFunctions{multipliers.data() + k, addends.data() + k};
  };
  for (; i + 64 <= count; i += 64) Minima<8>(shingles, at(i), values + i);
  for (; i + 32 <= count; i += 32) Minima<4>(shingles, at(i), values + i);
  for (; i + 8 <= count; i += 8) Minima<1>(shingles, at(i), values + i);
}

#elif !TWINSET_SCALAR_TARGET

// Without a 64-bit multiply. With a = ah 2^32 + al and x = xh 2^32 + xl,
//   high32(a x + b) = al xh + ah xl + high32(al xl + b)   (mod 2^32):
// the cross products need only 32-bit multiplies and only the high half is
// kept, so one vector of minima serves twice as many functions. A group is one
// vector of 32-bit lanes; even lanes hold its first half of functions, odd
// lanes its second half.
using D64 = hn::ScalableTag<uint64_t>;
using D32 = hn::Repartition<uint32_t, D64>;
using V32 = hn::Vec<D32>;
using V64 = hn::Vec<D64>;

template <size_t kGroups>
void Minima(std::span<const uint64_t> shingles, LinearFunctions f,
            uint32_t* values) {
  const D64 d64;
  const D32 d32;
  const size_t half = hn::Lanes(d64);
  V32 low[kGroups], high[kGroups], odd_low[kGroups], minimum[kGroups];
  V64 even_addend[kGroups], odd_addend[kGroups];
  for (size_t g = 0; g < kGroups; ++g) {
    const uint64_t* multipliers = f.multipliers + 2 * half * g;
    const uint64_t* addends = f.addends + 2 * half * g;
    const V64 even = hn::LoadU(d64, multipliers);
    const V64 odd = hn::LoadU(d64, multipliers + half);
    low[g] = hn::OddEven(hn::BitCast(d32, hn::ShiftLeft<32>(odd)),
                         hn::BitCast(d32, even));
    high[g] = hn::OddEven(hn::BitCast(d32, odd),
                          hn::BitCast(d32, hn::ShiftRight<32>(even)));
    odd_low[g] = hn::BitCast(d32, odd);
    even_addend[g] = hn::LoadU(d64, addends);
    odd_addend[g] = hn::LoadU(d64, addends + half);
    minimum[g] = hn::Set(d32, ~uint32_t{0});
  }
  for (const uint64_t shingle : shingles) {
    const V32 x_low = hn::Set(d32, static_cast<uint32_t>(shingle));
    const V32 x_high = hn::Set(d32, static_cast<uint32_t>(shingle >> 32));
    for (size_t g = 0; g < kGroups; ++g) {
      const V32 cross =
          hn::Add(hn::Mul(low[g], x_high), hn::Mul(high[g], x_low));
      const V64 even = hn::Add(hn::MulEven(low[g], x_low), even_addend[g]);
      const V64 odd = hn::Add(hn::MulEven(odd_low[g], x_low), odd_addend[g]);
      const V32 carried = hn::OddEven(
          hn::BitCast(d32, odd), hn::BitCast(d32, hn::ShiftRight<32>(even)));
      minimum[g] = hn::Min(minimum[g], hn::Add(cross, carried));
    }
  }
  HWY_ALIGN uint32_t lanes[hn::MaxLanes(D32())];
  for (size_t g = 0; g < kGroups; ++g) {
    hn::Store(minimum[g], d32, lanes);
    for (size_t i = 0; i < half; ++i) {
      values[2 * half * g + i] = lanes[2 * i];
      values[2 * half * g + half + i] = lanes[2 * i + 1];
    }
  }
}

void MinHash(std::span<const uint64_t> shingles,
             std::span<const uint64_t> multipliers,
             std::span<const uint64_t> addends, uint32_t* values) {
  const size_t group = hn::Lanes(D32());  // divides 8
  const size_t count = multipliers.size();
  size_t i = 0;
  const auto at = [&](size_t k) {
    return LinearFunctions{multipliers.data() + k, addends.data() + k};
  };
  for (; i + 2 * group <= count; i += 2 * group) {
    Minima<2>(shingles, at(i), values + i);
  }
  for (; i < count; i += group) Minima<1>(shingles, at(i), values + i);
}

#else

void MinHash(std::span<const uint64_t> shingles,
             std::span<const uint64_t> multipliers,
             std::span<const uint64_t> addends, uint32_t* values) {
  reference::MinHash(shingles, multipliers, addends, values);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

HWY_EXPORT(MinHash);

void MinHash(std::span<const uint64_t> shingles,
             std::span<const uint64_t> multipliers,
             std::span<const uint64_t> addends, uint32_t* values) {
  HWY_DYNAMIC_DISPATCH(MinHash)(shingles, multipliers, addends, values);
}

}  // namespace twinset::kernels
#endif  // HWY_ONCE
