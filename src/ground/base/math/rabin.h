// Rabin fingerprints over GF(2) (Rabin, TR-15-81; Broder, Some applications of
// Rabin's fingerprinting method, 1993; docs/methods/rabin.md).
#ifndef TWINSET_SRC_GROUND_BASE_MATH_RABIN_H_
#define TWINSET_SRC_GROUND_BASE_MATH_RABIN_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "twinset/error.h"

namespace twinset {

// x^degree + (the bits of `low`) over GF(2): low's bit i is the coefficient of
// x^i.
struct Gf2Polynomial {
  int degree = 64;  // 1..64
  uint64_t low = 0;
};

// "x^64 + x^4 + x^3 + x + 1"
std::string ToText(const Gf2Polynomial& polynomial);

// Rabin's test: x^(2^k) = x mod P and gcd(x^(2^(k/q)) - x, P) = 1 for every
// prime q dividing k.
bool IsIrreducible(const Gf2Polynomial& polynomial);

// An irreducible polynomial of this degree, uniform among them. Of the 2^degree
// candidates about one in `degree` is irreducible. kUsage unless the degree is
// from 1 to 64.
Result<Gf2Polynomial> DrawIrreducible(int degree, SplitMix64* random);

// The polynomial of the spec: x^64 + x^4 + x^3 + x + 1, irreducible.
inline constexpr Gf2Polynomial kRabinPolynomial{64, 0x1B};

// A(x) mod P for the bit string A (bytes most significant bit first). With a
// leading one, strings that differ only in leading zero bits differ. Linear
// without it: f(A xor B) = f(A) xor f(B) for equal lengths. For s fixed strings
// of at most n bits the probability of any collision is at most about s^2 n /
// 2^degree over a random P; P here is fixed and public, so equality is always
// confirmed by comparing the bytes. O(1) a byte. Immutable; thread-safe.
class RabinFingerprint {
 public:
  // degree must be a multiple of 8; kUsage if not irreducible.
  static Result<RabinFingerprint> Create(const Gf2Polynomial& polynomial);

  uint64_t Of(std::string_view bytes, bool leading_one = true) const;
  // f(A followed by byte) from f(A).
  uint64_t Append(uint64_t fingerprint, uint8_t byte) const {
    const uint64_t top = fingerprint >> (degree_ - 8) & 0xff;
    return ((fingerprint << 8 | byte) & mask_) ^ reduce_[top];
  }

 private:
  RabinFingerprint() = default;
  int degree_ = 64;
  uint64_t mask_ = ~uint64_t{0};
  std::array<uint64_t, 256> reduce_{};  // byte * x^degree mod P
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_MATH_RABIN_H_
