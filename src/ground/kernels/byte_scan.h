// Sixteen bytes at a time, for scanners that stop every few bytes: inline and
// of the baseline instruction set (SSE2, else plain C++), because a dispatched
// call would cost more than the scan. byte_scan_test compares everything with
// byte loops.
#ifndef TWINSET_SRC_GROUND_KERNELS_BYTE_SCAN_H_
#define TWINSET_SRC_GROUND_KERNELS_BYTE_SCAN_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace twinset::kernels {

// Position of the lowest bit of `bits`, which is not 0.
inline size_t LowestBit(uint32_t bits) {
  return static_cast<size_t>(__builtin_ctz(bits));
}

#if defined(__SSE2__)

// The 16 bytes from `from` on, all readable. Bit i of a mask stands for byte i.
class Bytes16 {
 public:
  static constexpr size_t kSize = 16;

  explicit Bytes16(const char* from)
      : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))) {}

  // Bytes that equal one of `chars`.
  template <typename... Chars>
  uint32_t EqualTo(Chars... chars) const {
    return Bits((Lanes{Is(chars)} | ...));
  }
  // Bytes, as unsigned numbers, up to `last`, and those that equal one of
  // `chars`.
  template <typename... Chars>
  uint32_t AtMostOr(char last, Chars... chars) const {
    const __m128i low = _mm_min_epu8(bytes_, _mm_set1_epi8(last));
    return Bits((Lanes{_mm_cmpeq_epi8(low, bytes_)} | ... | Lanes{Is(chars)}));
  }

 private:
  struct Lanes {  // all ones or all zeros each
    __m128i v;
    friend Lanes operator|(Lanes a, Lanes b) {
      return {_mm_or_si128(a.v, b.v)};
    }
  };

  __m128i Is(char c) const { return _mm_cmpeq_epi8(bytes_, _mm_set1_epi8(c)); }
  static uint32_t Bits(Lanes lanes) {
    return static_cast<uint32_t>(_mm_movemask_epi8(lanes.v));
  }

  __m128i bytes_;
};

#else

class Bytes16 {
 public:
  static constexpr size_t kSize = 16;

  explicit Bytes16(const char* from) { std::memcpy(bytes_, from, kSize); }

  template <typename... Chars>
  uint32_t EqualTo(Chars... chars) const {
    uint32_t bits = 0;
    for (size_t i = 0; i < kSize; ++i) {
      bits |= static_cast<uint32_t>(((bytes_[i] == chars) || ...)) << i;
    }
    return bits;
  }
  template <typename... Chars>
  uint32_t AtMostOr(char last, Chars... chars) const {
    uint32_t bits = EqualTo(chars...);
    for (size_t i = 0; i < kSize; ++i) {
      bits |= static_cast<uint32_t>(static_cast<uint8_t>(bytes_[i]) <=
                                    static_cast<uint8_t>(last))
              << i;
    }
    return bits;
  }

 private:
  char bytes_[kSize];
};

#endif

// The first position in [at, size) whose byte equals one of `chars`, or `size`.
template <typename... Chars>
inline size_t FindAnyOf(const char* data, size_t at, size_t size,
                        Chars... chars) {
  for (; at + Bytes16::kSize <= size; at += Bytes16::kSize) {
    const uint32_t found = Bytes16(data + at).EqualTo(chars...);
    if (found != 0) return at + LowestBit(found);
  }
  for (; at < size; ++at) {
    if (((data[at] == chars) || ...)) return at;
  }
  return size;
}

// The first position in [at, size) of `stop`, or `size`; `*passed` becomes true
// if a byte before it equals one of `others`, and is left alone otherwise.
template <typename... Others>
inline size_t FindAndNote(const char* data, size_t at, size_t size, char stop,
                          bool* passed, Others... others) {
  for (; at + Bytes16::kSize <= size; at += Bytes16::kSize) {
    const Bytes16 bytes(data + at);
    const uint32_t found = bytes.EqualTo(stop);
    const uint32_t noted = bytes.EqualTo(others...);
    if (found != 0) {
      *passed |= (noted & ((found & (0 - found)) - 1)) != 0;
      return at + LowestBit(found);
    }
    *passed |= noted != 0;
  }
  for (; at < size && data[at] != stop; ++at) {
    *passed |= ((data[at] == others) || ...);
  }
  return at;
}

}  // namespace twinset::kernels

#endif  // TWINSET_SRC_GROUND_KERNELS_BYTE_SCAN_H_
