// SimHash: how often, and with what weight, each bit is set. See
// docs/methods/simhash.md.
#include <algorithm>
#include <cstring>

#include "kernels/kernels.h"
#include "kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simhash.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twinset::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if !TWINSET_SCALAR_TARGET

using D64 = hn::ScalableTag<uint64_t>;
using D8 = hn::Repartition<uint8_t, D64>;
using D32 = hn::Repartition<uint32_t, D64>;
using V64 = hn::Vec<D64>;

constexpr size_t kRound = 16;   // vectors of one round of the adder tree
constexpr size_t kRounds = 31;  // byte sums of 8 lanes stay below 256

// Full adder of three vectors of bits: the sum replaces `low`, the carry is
// returned.
HWY_INLINE V64 AddBits(V64& low, V64 a, V64 b) {
  const V64 half = hn::Xor(low, a);
  const V64 carry = hn::Or(hn::And(low, a), hn::And(half, b));
  low = hn::Xor(half, b);
  return carry;
}

// Bits of a weight of 1, 2, 4 and 8 that are not counted yet.
struct Places {
  V64 ones, twos, fours, eights;
};

// Adds 16 vectors (Harley and Seal's tree of adders); bits of weight 16 are
// returned.
HWY_INLINE V64 AddRound(const uint64_t* values, Places& p) {
  const D64 d;
  const size_t n = hn::Lanes(d);
  const auto at = [&](size_t i) { return hn::LoadU(d, values + i * n); };
  V64 carry[2], quarter[2], eighth[2];
  for (size_t e = 0; e < 2; ++e) {
    for (size_t q = 0; q < 2; ++q) {
      for (size_t c = 0; c < 2; ++c) {
        const size_t i = 8 * e + 4 * q + 2 * c;
        carry[c] = AddBits(p.ones, at(i), at(i + 1));
      }
      quarter[q] = AddBits(p.twos, carry[0], carry[1]);
    }
    eighth[e] = AddBits(p.fours, quarter[0], quarter[1]);
  }
  return AddBits(p.eights, eighth[0], eighth[1]);
}

// Bit k of every byte of `v`, as bytes.
template <int k>
HWY_INLINE V64 Plane(V64 v) {
  return hn::And(hn::ShiftRight<k>(v),
                 hn::Set(D64(), uint64_t{0x0101010101010101}));
}

// counts[8 i + k] += the sum of bytes i of all lanes of `bytes`, times
// `weight`. No sum of bytes exceeds 255.
HWY_INLINE void AddPlane(V64 bytes, size_t k, uint64_t weight,
                         uint64_t* counts) {
  const uint64_t sums = hn::GetLane(hn::SumOfLanes(D64(), bytes));
  for (size_t i = 0; i < 8; ++i) {
    counts[8 * i + k] += (sums >> (8 * i) & 0xff) * weight;
  }
}

template <int k>
HWY_INLINE void AddPlaces(const Places& p, uint64_t* counts) {
  const V64 twos = hn::ShiftLeft<1>(Plane<k>(p.twos));
  const V64 fours = hn::ShiftLeft<2>(Plane<k>(p.fours));
  const V64 eights = hn::ShiftLeft<3>(Plane<k>(p.eights));
  const V64 all =
      hn::Add(hn::Add(Plane<k>(p.ones), twos), hn::Add(fours, eights));
  AddPlane(all, k, 1, counts);
}

// Counters of the bits of weight 16: byte i of counter k is of bit 8 i + k.
struct Sixteens {
  V64 c0, c1, c2, c3, c4, c5, c6, c7;

  void Clear() { c0 = c1 = c2 = c3 = c4 = c5 = c6 = c7 = hn::Zero(D64()); }
  HWY_INLINE void Add(V64 v) {
    c0 = hn::Add(c0, Plane<0>(v));
    c1 = hn::Add(c1, Plane<1>(v));
    c2 = hn::Add(c2, Plane<2>(v));
    c3 = hn::Add(c3, Plane<3>(v));
    c4 = hn::Add(c4, Plane<4>(v));
    c5 = hn::Add(c5, Plane<5>(v));
    c6 = hn::Add(c6, Plane<6>(v));
    c7 = hn::Add(c7, Plane<7>(v));
  }
  void AddTo(uint64_t* counts) const {
    const V64* const all[] = {&c0, &c1, &c2, &c3, &c4, &c5, &c6, &c7};
    for (size_t k = 0; k < 8; ++k) AddPlane(*all[k], k, 16, counts);
  }
};

void BitCounts(std::span<const uint64_t> values, uint64_t* counts) {
  const D64 d;
  const size_t step = kRound * hn::Lanes(d);
  const V64 zero = hn::Zero(d);
  Places places{zero, zero, zero, zero};
  Sixteens sixteens;
  sixteens.Clear();
  size_t i = 0, rounds = 0;
  const auto add = [&](const uint64_t* from) HWY_ATTR {
    sixteens.Add(AddRound(from, places));
    if (++rounds == kRounds) {
      sixteens.AddTo(counts);
      sixteens.Clear();
      rounds = 0;
    }
  };
  for (; i + step <= values.size(); i += step) add(values.data() + i);
  if (i < values.size()) {
    HWY_ALIGN uint64_t rest[kRound * hn::MaxLanes(d)];
    const size_t left = values.size() - i;
    std::memcpy(rest, values.data() + i, left * sizeof(uint64_t));
    std::memset(rest + left, 0, (step - left) * sizeof(uint64_t));
    add(rest);
  }
  sixteens.AddTo(counts);
  AddPlaces<0>(places, counts);
  AddPlaces<1>(places, counts);
  AddPlaces<2>(places, counts);
  AddPlaces<3>(places, counts);
  AddPlaces<4>(places, counts);
  AddPlaces<5>(places, counts);
  AddPlaces<6>(places, counts);
  AddPlaces<7>(places, counts);
}

#if TWINSET_AVX512_TARGET

// Adds values [begin, end), whose weights add up to less than 2^32, in 32-bit
// sums: 16 bits of the value are the mask of 16 sums.
void SumBlock(const uint64_t* values, const uint32_t* weights, size_t begin,
              size_t end, uint64_t* sums) {
  const hn::Full512<uint32_t> d;
  constexpr size_t kVectors = 4;
  hn::Vec<decltype(d)> sum[kVectors];
  for (auto& s : sum) s = hn::Zero(d);
  const auto* bytes = reinterpret_cast<const uint8_t*>(values);
  for (size_t i = begin; i < end; ++i) {
    const auto weight = hn::Set(d, weights[i]);
    for (size_t v = 0; v < kVectors; ++v) {
      const auto set = hn::LoadMaskBits(d, bytes + 8 * i + 2 * v);
      sum[v] = hn::IfThenElse(set, hn::Add(sum[v], weight), sum[v]);
    }
  }
  HWY_ALIGN uint32_t lanes[16];
  for (size_t v = 0; v < kVectors; ++v) {
    hn::Store(sum[v], d, lanes);
    for (size_t i = 0; i < 16; ++i) sums[16 * v + i] += lanes[i];
  }
}

#else

// The same for 32 of the bits, which leaves registers for the masks.
void SumHalf(const uint64_t* values, const uint32_t* weights, size_t begin,
             size_t end, int shift, uint64_t* sums) {
  const D32 d;
  constexpr size_t kLanes = hn::MaxLanes(D32()), kVectors = 32 / kLanes;
  HWY_ALIGN uint32_t single[32];
  for (uint32_t bit = 0; bit < 32; ++bit) single[bit] = uint32_t{1} << bit;
  hn::Vec<D32> bits[kVectors], sum[kVectors];
  for (size_t v = 0; v < kVectors; ++v) {
    bits[v] = hn::Load(d, single + v * kLanes);
    sum[v] = hn::Zero(d);
  }
  for (size_t i = begin; i < end; ++i) {
    const auto value = hn::Set(d, static_cast<uint32_t>(values[i] >> shift));
    const auto weight = hn::Set(d, weights[i]);
    for (size_t v = 0; v < kVectors; ++v) {
      const auto set = hn::TestBit(value, bits[v]);
      sum[v] = hn::Add(sum[v], hn::IfThenElseZero(set, weight));
    }
  }
  for (size_t v = 0; v < kVectors; ++v) {
    hn::Store(sum[v], d, single + v * kLanes);
  }
  for (size_t bit = 0; bit < 32; ++bit) sums[bit] += single[bit];
}

void SumBlock(const uint64_t* values, const uint32_t* weights, size_t begin,
              size_t end, uint64_t* sums) {
  SumHalf(values, weights, begin, end, 0, sums);
  SumHalf(values, weights, begin, end, 32, sums + 32);
}

#endif

void BitSums(std::span<const uint64_t> values,
             std::span<const uint32_t> weights, uint64_t* sums) {
  constexpr size_t kBlock = 2048;  // a block stays in the first cache
  for (size_t begin = 0; begin < values.size();) {
    const size_t most = std::min(values.size(), begin + kBlock);
    size_t end = begin;
    for (uint64_t total = 0; end < most; ++end) {
      total += weights[end];
      if (total >> 32 != 0) break;
    }
    SumBlock(values.data(), weights.data(), begin, end, sums);
    begin = end;
  }
}

#else

void BitCounts(std::span<const uint64_t> values, uint64_t* counts) {
  reference::BitCounts(values, counts);
}

void BitSums(std::span<const uint64_t> values,
             std::span<const uint32_t> weights, uint64_t* sums) {
  reference::BitSums(values, weights, sums);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

HWY_EXPORT(BitCounts);
HWY_EXPORT(BitSums);

void BitCounts(std::span<const uint64_t> values, uint64_t* counts) {
  HWY_DYNAMIC_DISPATCH(BitCounts)(values, counts);
}

void BitSums(std::span<const uint64_t> values,
             std::span<const uint32_t> weights, uint64_t* sums) {
  HWY_DYNAMIC_DISPATCH(BitSums)(values, weights, sums);
}

}  // namespace twinset::kernels
#endif  // HWY_ONCE
