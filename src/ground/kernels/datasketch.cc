// SHA-1 of 16 texts in the lanes of vectors, and minima over all hashes of some
// permutations at a time, kept in registers.
#include "kernels/datasketch.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "base/bytes.h"
#include "base/hash.h"
#include "kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/datasketch.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twinset::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if TWINSET_SCALAR_TARGET
using D32 = hn::CappedTag<uint32_t, 1>;
using D64 = hn::CappedTag<uint64_t, 1>;
#else
using D32 = hn::CappedTag<uint32_t, Sha1Words::kTexts>;
using D64 = hn::CappedTag<uint64_t, 8>;
#endif
using V32 = hn::Vec<D32>;
using V64 = hn::Vec<D64>;

template <int kBits>
V32 RotateLeft(V32 x) {
  return hn::RotateRight<32 - kBits>(x);
}

struct Sha1State {
  V32 a, b, c, d, e;
};

// Rounds `begin` to `begin` + 20 of FIPS 180-4, which share `mix` and `k`. Each
// call of `round` makes the oldest variable the newest one.
template <typename Mix>
HWY_INLINE void TwentyRounds(const V32* schedule, uint32_t k, Mix mix,
                             Sha1State* state) {
  const V32 constant = hn::Set(D32(), k);
  V32 a = state->a, b = state->b, c = state->c, d = state->d, e = state->e;
  const auto round = [&](V32 v, V32* w, V32 x, V32 y, V32* z, V32 word) {
    *z = hn::Add(hn::Add(*z, hn::Add(word, constant)),
                 hn::Add(RotateLeft<5>(v), mix(*w, x, y)));
    *w = RotateLeft<30>(*w);
  };
  for (size_t i = 0; i < 20; i += 5) {
    round(a, &b, c, d, &e, schedule[i]);
    round(e, &a, b, c, &d, schedule[i + 1]);
    round(d, &e, a, b, &c, schedule[i + 2]);
    round(c, &d, e, a, &b, schedule[i + 3]);
    round(b, &c, d, e, &a, schedule[i + 4]);
  }
  *state = {a, b, c, d, e};
}

// Word w of text t, big-endian, to words[w * kTexts + t]; texts are `stride`
// bytes apart.
HWY_INLINE void Transpose(const char* texts, size_t stride, uint32_t* words) {
  constexpr size_t kTexts = Sha1Words::kTexts;
#if TWINSET_SCALAR_TARGET
  for (size_t t = 0; t < kTexts; ++t)
    for (size_t w = 0; w < 16; ++w)
      words[w * kTexts + t] =
          __builtin_bswap32(LoadLE<uint32_t>(texts + t * stride + 4 * w));
#else
  const hn::Full128<uint8_t> d8;
  const hn::Full128<uint32_t> d32;
  const hn::Full128<uint64_t> d64;
  using V64Of2 = hn::Vec<hn::Full128<uint64_t>>;
  HWY_ALIGN static constexpr uint8_t kReversed[16] = {
      3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12};
  const auto reversed = hn::Load(d8, kReversed);
  for (size_t t = 0; t < kTexts; t += 4) {
    for (size_t w = 0; w < 16; w += 4) {
      hn::Vec<hn::Full128<uint32_t>> row[4];
      for (size_t i = 0; i < 4; ++i) {
        const auto bytes =
            hn::LoadU(d8, reinterpret_cast<const uint8_t*>(texts) +
                              (t + i) * stride + 4 * w);
        row[i] = hn::BitCast(d32, hn::TableLookupBytes(bytes, reversed));
      }
      const V64Of2 low01 =
          hn::BitCast(d64, hn::InterleaveLower(d32, row[0], row[1]));
      const V64Of2 low23 =
          hn::BitCast(d64, hn::InterleaveLower(d32, row[2], row[3]));
      const V64Of2 high01 =
          hn::BitCast(d64, hn::InterleaveUpper(d32, row[0], row[1]));
      const V64Of2 high23 =
          hn::BitCast(d64, hn::InterleaveUpper(d32, row[2], row[3]));
      uint32_t* const to = words + w * kTexts + t;
      const auto store = [&](V64Of2 column, size_t i) {
        hn::StoreU(hn::BitCast(d32, column), d32, to + i * kTexts);
      };
      store(hn::InterleaveLower(d64, low01, low23), 0);
      store(hn::InterleaveUpper(d64, low01, low23), 1);
      store(hn::InterleaveLower(d64, high01, high23), 2);
      store(hn::InterleaveUpper(d64, high01, high23), 3);
    }
  }
#endif
}

HWY_INLINE void Compress(const uint32_t* words, Sha1State* state) {
  const D32 d;
  V32 schedule[80];
  for (size_t i = 0; i < 16; ++i)
    schedule[i] = hn::LoadU(d, words + i * Sha1Words::kTexts);
  for (size_t i = 16; i < 80; ++i)
    schedule[i] =
        RotateLeft<1>(hn::Xor(hn::Xor(schedule[i - 3], schedule[i - 8]),
                              hn::Xor(schedule[i - 14], schedule[i - 16])));
  const auto parity = [](V32 x, V32 y, V32 z) {
    return hn::Xor(x, hn::Xor(y, z));
  };
  Sha1State s = *state;
  TwentyRounds(
      schedule, 0x5a827999,
      [](V32 x, V32 y, V32 z) { return hn::Xor(z, hn::And(x, hn::Xor(y, z))); },
      &s);
  TwentyRounds(schedule + 20, 0x6ed9eba1, parity, &s);
  TwentyRounds(
      schedule + 40, 0x8f1bbcdc,
      [](V32 x, V32 y, V32 z) {
        return hn::Or(hn::And(x, y), hn::And(z, hn::Or(x, y)));
      },
      &s);
  TwentyRounds(schedule + 60, 0xca62c1d6, parity, &s);
  *state = {hn::Add(state->a, s.a), hn::Add(state->b, s.b),
            hn::Add(state->c, s.c), hn::Add(state->d, s.d),
            hn::Add(state->e, s.e)};
}

// The first two words of the digest of `count` messages of `blocks` blocks.
void Sha1Lanes(const char* messages, size_t blocks, size_t count,
               uint32_t* first, uint32_t* second) {
  const D32 d;
  const size_t stride = blocks * Sha1Words::kBlockBytes;
  constexpr size_t kMostLanes = Sha1Words::kTexts;
  Sha1State states[kMostLanes / hn::MaxLanes(D32())];
  for (Sha1State& state : states)
    state = {hn::Set(d, 0x67452301), hn::Set(d, 0xefcdab89),
             hn::Set(d, 0x98badcfe), hn::Set(d, 0x10325476),
             hn::Set(d, 0xc3d2e1f0)};
  for (size_t block = 0; block < blocks; ++block) {
    HWY_ALIGN uint32_t words[16 * kMostLanes];
    Transpose(messages + block * Sha1Words::kBlockBytes, stride, words);
    for (size_t t = 0; t < count; t += hn::Lanes(d))
      Compress(words + t, &states[t / hn::Lanes(d)]);
  }
  for (size_t t = 0; t < count; t += hn::Lanes(d)) {
    hn::StoreU(states[t / hn::Lanes(d)].a, d, first + t);
    hn::StoreU(states[t / hn::Lanes(d)].b, d, second + t);
  }
}

// `value` of hash, a and b, which it lowers `minima` to; `kVectors` vectors of
// permutations at a time.
template <size_t kVectors, typename D, typename T, typename Value>
HWY_INLINE void LowerSome(D d, std::span<const T> hashes, const T* a,
                          const T* b, T* minima, Value value) {
  using V = hn::Vec<D>;
  const size_t lanes = hn::Lanes(d);
  V multiplier[kVectors], addend[kVectors], minimum[kVectors];
  for (size_t v = 0; v < kVectors; ++v) {
    multiplier[v] = hn::LoadU(d, a + v * lanes);
    addend[v] = hn::LoadU(d, b + v * lanes);
    minimum[v] = hn::LoadU(d, minima + v * lanes);
  }
  for (const T hash : hashes) {
    const V h = hn::Set(d, hash);
    for (size_t v = 0; v < kVectors; ++v)
      minimum[v] =
          value(hn::Add(hn::Mul(multiplier[v], h), addend[v]), minimum[v]);
  }
  for (size_t v = 0; v < kVectors; ++v)
    hn::StoreU(minimum[v], d, minima + v * lanes);
}

template <typename D, typename T, typename Value>
HWY_INLINE void Lower(D d, std::span<const T> hashes, std::span<const T> a,
                      std::span<const T> b, T* minima, Value value) {
  constexpr size_t kMany = HWY_TARGET <= HWY_AVX3 ? 8 : 4;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + kMany * lanes <= a.size(); i += kMany * lanes)
    LowerSome<kMany>(d, hashes, &a[i], &b[i], minima + i, value);
  for (; i < a.size(); i += lanes)
    LowerSome<1>(d, hashes, &a[i], &b[i], minima + i, value);
}

void LowerAffine32(std::span<const uint32_t> hashes,
                   std::span<const uint32_t> a, std::span<const uint32_t> b,
                   uint32_t* minima) {
#if TWINSET_SCALAR_TARGET
  reference::LowerAffine32(hashes, a, b, minima);
#else
  Lower(D32(), hashes, a, b, minima,
        [](V32 x, V32 least) { return hn::Min(x, least); });
#endif
}

void LowerAffine64(std::span<const uint64_t> hashes,
                   std::span<const uint64_t> a, std::span<const uint64_t> b,
                   uint64_t* minima) {
#if TWINSET_SCALAR_TARGET
  reference::LowerAffine64(hashes, a, b, minima);
#else
  Lower(D64(), hashes, a, b, minima,
        [](V64 x, V64 least) { return hn::Min(x, least); });
#endif
}

// With p = 2^61 - 1, r = (x mod 2^61) + floor(x / 2^61) is congruent to x and
// at most p + 7; r - p has the low bits of r + 1. What is compared has no high
// half, so a minimum of 32-bit lanes serves.
void LowerMersenne(std::span<const uint64_t> hashes,
                   std::span<const uint64_t> a, std::span<const uint64_t> b,
                   uint64_t* minima) {
#if TWINSET_SCALAR_TARGET
  reference::LowerMersenne(hashes, a, b, minima);
#else
  const D64 d;
  const hn::RepartitionToNarrow<D64> d32;
  const V64 prime = hn::Set(d, (uint64_t{1} << 61) - 1);
  const V64 low = hn::Set(d, 0xffffffff);
  const V64 one = hn::Set(d, 1);
  Lower(d, hashes, a, b, minima, [&](V64 x, V64 least) {
    const V64 r = hn::Add(hn::And(x, prime), hn::ShiftRight<61>(x));
    const V64 folded = hn::Add(r, hn::ShiftRight<61>(hn::Add(r, one)));
    return hn::BitCast(d, hn::Min(hn::BitCast(d32, hn::And(folded, low)),
                                  hn::BitCast(d32, least)));
  });
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

HWY_EXPORT(Sha1Lanes);
HWY_EXPORT(LowerAffine32);
HWY_EXPORT(LowerAffine64);
HWY_EXPORT(LowerMersenne);

void LowerAffine32(std::span<const uint32_t> hashes,
                   std::span<const uint32_t> a, std::span<const uint32_t> b,
                   uint32_t* minima) {
  HWY_DYNAMIC_DISPATCH(LowerAffine32)(hashes, a, b, minima);
}

void LowerAffine64(std::span<const uint64_t> hashes,
                   std::span<const uint64_t> a, std::span<const uint64_t> b,
                   uint64_t* minima) {
  HWY_DYNAMIC_DISPATCH(LowerAffine64)(hashes, a, b, minima);
}

void LowerMersenne(std::span<const uint64_t> hashes,
                   std::span<const uint64_t> a, std::span<const uint64_t> b,
                   uint64_t* minima) {
  HWY_DYNAMIC_DISPATCH(LowerMersenne)(hashes, a, b, minima);
}

namespace reference {
namespace {

template <typename T, typename Fold>
void Lower(std::span<const T> hashes, std::span<const T> a,
           std::span<const T> b, T* minima, Fold fold) {
  for (size_t i = 0; i < a.size(); ++i)
    for (const T hash : hashes)
      minima[i] = std::min(minima[i], fold(a[i] * hash + b[i]));
}

}  // namespace

void LowerAffine32(std::span<const uint32_t> hashes,
                   std::span<const uint32_t> a, std::span<const uint32_t> b,
                   uint32_t* minima) {
  Lower(hashes, a, b, minima, [](uint32_t x) { return x; });
}

void LowerAffine64(std::span<const uint64_t> hashes,
                   std::span<const uint64_t> a, std::span<const uint64_t> b,
                   uint64_t* minima) {
  Lower(hashes, a, b, minima, [](uint64_t x) { return x; });
}

void LowerMersenne(std::span<const uint64_t> hashes,
                   std::span<const uint64_t> a, std::span<const uint64_t> b,
                   uint64_t* minima) {
  Lower(hashes, a, b, minima,
        [](uint64_t x) { return x % ((uint64_t{1} << 61) - 1) & 0xffffffff; });
}

}  // namespace reference

void Sha1Words::Add(std::string_view text, std::vector<uint64_t>* words) {
  // The message is followed by one byte 0x80, zeros, and its bits in 8 bytes.
  const size_t blocks = (text.size() + 9 + kBlockBytes - 1) / kBlockBytes;
  if (blocks > kMostBlocks) {
    words->push_back(LoadLE<uint64_t>(Sha1(text).data()));
    return;
  }
  Waiting& waiting = waiting_[blocks - 1];
  char* const message = waiting.bytes + waiting.count * blocks * kBlockBytes;
  for (size_t block = 0; block < blocks; ++block)
    std::memset(message + block * kBlockBytes, 0, kBlockBytes);
  if (!text.empty()) std::memcpy(message, text.data(), text.size());
  message[text.size()] = '\x80';
  const size_t bits = 8 * text.size();  // below 2^16
  message[blocks * kBlockBytes - 2] = static_cast<char>(bits >> 8);
  message[blocks * kBlockBytes - 1] = static_cast<char>(bits);
  if (++waiting.count == kTexts) Hash(blocks, words);
}

void Sha1Words::Finish(std::vector<uint64_t>* words) {
  for (size_t blocks = 1; blocks <= kMostBlocks; ++blocks)
    if (waiting_[blocks - 1].count > 0) Hash(blocks, words);
}

void Sha1Words::Hash(size_t blocks, std::vector<uint64_t>* words) {
  Waiting& waiting = waiting_[blocks - 1];
  uint32_t first[kTexts], second[kTexts];
  HWY_DYNAMIC_DISPATCH(Sha1Lanes)
  (waiting.bytes, blocks, waiting.count, first, second);
  for (size_t t = 0; t < waiting.count; ++t)
    words->push_back(__builtin_bswap64(uint64_t{first[t]} << 32 | second[t]));
  waiting.count = 0;
}

}  // namespace twinset::kernels
#endif  // HWY_ONCE
