// Token boundaries: blocks of 64 bytes become bit masks, one bit per byte, and
// the token rule becomes a few logical operations on them.
#include <bit>
#include <cstring>

#include "kernels/kernels.h"
#include "kernels/simd_targets.h"
#include "kernels/unicode_class.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/find_tokens.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/highway.h"
#ifndef TWINSET_FIND_TOKENS_ONCE
#define TWINSET_FIND_TOKENS_ONCE

namespace twinset::kernels {
namespace {

// Bit i speaks of byte i of the block.
struct BlockMasks {
  uint64_t letter = 0;  // bytes of L* (not of the single-character scripts)
  uint64_t digit = 0;   // bytes of Nd
  uint64_t word = 0;    // bytes of L*, N* and of marks that follow one
  uint64_t single_begin = 0;  // first byte of a code point that is a token
  uint64_t single_end = 0;    // the byte behind such a code point
  uint64_t apostrophe = 0, stop = 0, comma = 0;
  uint64_t high = 0;  // bytes >= 0x80
};

// What one block leaves to the next: bits that stand for its first bytes.
struct Spill {
  uint64_t letter = 0, digit = 0, word = 0, single_end = 0;
  uint64_t skip = 0;  // bytes of a code point that began in the last block
};

// Ors the `size` bits from `begin` on into `mask`, and what does not fit into
// the low bits of `next`.
inline void SetBits(uint32_t begin, uint32_t size, uint64_t* mask,
                    uint64_t* next) {
  const uint64_t bits = (uint64_t{1} << size) - 1;
  *mask |= bits << begin;
  if (begin + size > 64) *next |= bits >> (64 - begin);
}

inline void SetBit(uint32_t at, uint64_t* mask, uint64_t* next) {
  if (at < 64) {
    *mask |= uint64_t{1} << at;
  } else {
    *next |= uint64_t{1} << (at - 64);
  }
}

// Completes the masks of the block at `block` with its bytes >= 0x80, decoding
// their code points in order. `last_word`: the byte before the block is a word
// byte.
__attribute__((noinline)) Spill AddHighBytes(const char* block, const char* end,
                                             Spill from_last, bool last_word,
                                             BlockMasks* masks) {
  masks->letter |= from_last.letter;
  masks->digit |= from_last.digit;
  masks->word |= from_last.word;
  masks->single_end |= from_last.single_end;
  Spill next;
  uint64_t rest = masks->high & ~from_last.skip;
  while (rest != 0) {
    const uint32_t at = static_cast<uint32_t>(std::countr_zero(rest));
    const CodePoint c = DecodeUtf8(block + at, end);
    if (c.valid) {
      switch (ClassOf(c.value)) {
        case CodePointClass::kOther:
          break;
        case CodePointClass::kLetter:
          SetBits(at, c.size, &masks->letter, &next.letter);
          SetBits(at, c.size, &masks->word, &next.word);
          break;
        case CodePointClass::kDigit:
          SetBits(at, c.size, &masks->digit, &next.digit);
          SetBits(at, c.size, &masks->word, &next.word);
          break;
        case CodePointClass::kNumber:
          SetBits(at, c.size, &masks->word, &next.word);
          break;
        case CodePointClass::kMark:
          // A joiner is followed by a letter or digit, so only word bytes can
          // stand before a mark that belongs to a token.
          if (at == 0 ? last_word : ((masks->word >> (at - 1)) & 1) != 0) {
            SetBits(at, c.size, &masks->word, &next.word);
          }
          break;
        case CodePointClass::kSingle:
          masks->single_begin |= uint64_t{1} << at;
          SetBit(at + c.size, &masks->single_end, &next.single_end);
          break;
      }
    }
    const uint32_t behind = at + c.size;
    if (behind >= 64) {
      next.skip = (uint64_t{1} << (behind - 64)) - 1;
      break;
    }
    rest &= ~uint64_t{0} << behind;
  }
  return next;
}

// Class of the code point at `p`, kOther at the end.
inline CodePointClass ClassAt(const char* p, const char* end) {
  if (p >= end) return CodePointClass::kOther;
  const CodePoint c = DecodeUtf8(p, end);
  return c.valid ? ClassOf(c.value) : CodePointClass::kOther;
}

}  // namespace
}  // namespace twinset::kernels
#endif  // TWINSET_FIND_TOKENS_ONCE

HWY_BEFORE_NAMESPACE();
namespace twinset::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if !TWINSET_SCALAR_TARGET

using D = hn::CappedTag<uint8_t, 64>;

template <class T, class M>
HWY_INLINE uint64_t MaskBits(T d, M mask) {
  uint8_t bits[8] = {};
  hn::StoreMaskBits(d, mask, bits);
  uint64_t value;
  std::memcpy(&value, bits, sizeof(value));
  return value;
}

// Masks of the ASCII bytes of 64 readable bytes.
HWY_INLINE BlockMasks Classify(const char* block) {
  const D d;
  const hn::RebindToSigned<D> signed_d;
  BlockMasks masks;
  const auto* bytes = reinterpret_cast<const uint8_t*>(block);
  for (size_t i = 0; i < 64; i += hn::Lanes(d)) {
    const auto v = hn::LoadU(d, bytes + i);
    const auto lower = hn::Or(v, hn::Set(d, uint8_t{0x20}));
    const auto letter = hn::Lt(hn::Sub(lower, hn::Set(d, uint8_t{'a'})),
                               hn::Set(d, uint8_t{26}));
    const auto digit =
        hn::Lt(hn::Sub(v, hn::Set(d, uint8_t{'0'})), hn::Set(d, uint8_t{10}));
    masks.letter |= MaskBits(d, letter) << i;
    masks.digit |= MaskBits(d, digit) << i;
    masks.apostrophe |= MaskBits(d, hn::Eq(v, hn::Set(d, uint8_t{'\''}))) << i;
    masks.comma |= MaskBits(d, hn::Eq(v, hn::Set(d, uint8_t{','}))) << i;
    masks.stop |= MaskBits(d, hn::Eq(v, hn::Set(d, uint8_t{'.'}))) << i;
    // Bytes >= 0x80 are the negative ones.
    const auto high = hn::Lt(hn::BitCast(signed_d, v), hn::Zero(signed_d));
    masks.high |= MaskBits(signed_d, high) << i;
  }
  return masks;
}

// Appends base + (position of each bit of `mask`) to `out`; writes up to 64
// entries, at least 16. Returns the new end.
#if HWY_TARGET == HWY_AVX3_DL
HWY_INLINE uint32_t* AppendPositions(uint64_t mask, uint32_t base,
                                     uint32_t* out) {
  const hn::Full512<uint8_t> d8;
  const hn::Full512<uint32_t> d32;
  const auto offset = hn::Set(d32, base);
  const auto positions = _mm512_maskz_compress_epi8(mask, hn::Iota(d8, 0).raw);
  const size_t count = static_cast<size_t>(std::popcount(mask));
  const auto widen = [](__m128i bytes) {
    return hn::Vec512<uint32_t>{_mm512_cvtepu8_epi32(bytes)};
  };
  hn::StoreU(hn::Add(offset, widen(_mm512_castsi512_si128(positions))), d32,
             out);
  if (HWY_UNLIKELY(count > 16)) {
    hn::StoreU(hn::Add(offset, widen(_mm512_extracti32x4_epi32(positions, 1))),
               d32, out + 16);
    // At most 32 tokens begin in 64 bytes.
  }
  return out + count;
}
#else
HWY_INLINE uint32_t* AppendPositions(uint64_t mask, uint32_t base,
                                     uint32_t* out) {
  uint32_t* const end = out + std::popcount(mask);
  while (mask != 0) {
    // Eight at a time without a branch; what is behind `end` is overwritten.
    for (size_t i = 0; i < 8; ++i) {
      out[i] = base + static_cast<uint32_t>(std::countr_zero(mask));
      mask &= mask - 1;
    }
    out += 8;
  }
  return end;
}
#endif

size_t FindTokens(std::string_view text, uint32_t* begins, uint32_t* ends) {
  uint32_t* begin_out = begins;
  uint32_t* end_out = ends;
  const char* const text_end = text.data() + text.size();
  uint64_t letter_carry = 0, digit_carry = 0, run_carry = 0;  // bit 0
  uint64_t word_carry = 0;
  Spill spill;
  bool spilled = false;
  // One block more than full ones: it closes what reaches the end.
  for (size_t base = 0; base <= text.size(); base += 64) {
    const char* block = text.data() + base;
    BlockMasks m = Classify(block);
    const size_t room = text.size() - base;
    if (HWY_UNLIKELY(room < 64)) {
      const uint64_t valid = (uint64_t{1} << room) - 1;
      m.letter &= valid;
      m.digit &= valid;
      m.apostrophe &= valid;
      m.comma &= valid;
      m.stop &= valid;
      m.high &= valid;
    }
    m.word = m.letter | m.digit;
    if (HWY_UNLIKELY(m.high != 0 || spilled)) {
      spill = AddHighBytes(block, text_end, spill, word_carry != 0, &m);
      spilled = (spill.word | spill.single_end | spill.skip) != 0;
    }
    const uint64_t joiners = m.apostrophe | m.stop | m.comma;
    const uint64_t letter_before = m.letter << 1 | letter_carry;
    const uint64_t digit_before = m.digit << 1 | digit_carry;
    uint64_t letter_after = m.letter >> 1, digit_after = m.digit >> 1;
    if (HWY_UNLIKELY((joiners >> 63) != 0)) {
      const CodePointClass next = ClassAt(block + 64, text_end);
      letter_after |= uint64_t{next == CodePointClass::kLetter} << 63;
      digit_after |= uint64_t{next == CodePointClass::kDigit} << 63;
    }
    const uint64_t joined =
        ((m.apostrophe | m.stop) & letter_before & letter_after) |
        ((m.comma | m.stop) & digit_before & digit_after);
    const uint64_t run = m.word | joined;
    const uint64_t run_before = run << 1 | run_carry;
    begin_out = AppendPositions((run & ~run_before) | m.single_begin,
                                static_cast<uint32_t>(base), begin_out);
    end_out = AppendPositions((~run & run_before) | m.single_end,
                              static_cast<uint32_t>(base), end_out);
    letter_carry = m.letter >> 63;
    digit_carry = m.digit >> 63;
    word_carry = m.word >> 63;
    run_carry = run >> 63;
  }
  return static_cast<size_t>(begin_out - begins);
}

#else

size_t FindTokens(std::string_view text, uint32_t* begins, uint32_t* ends) {
  return reference::FindTokens(text, begins, ends);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

HWY_EXPORT(FindTokens);

size_t FindTokens(std::string_view text, uint32_t* begins, uint32_t* ends) {
  return HWY_DYNAMIC_DISPATCH(FindTokens)(text, begins, ends);
}

}  // namespace twinset::kernels
#endif  // HWY_ONCE
