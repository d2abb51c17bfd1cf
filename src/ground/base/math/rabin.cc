#include "base/math/rabin.h"

#include <bit>
#include <string>

namespace twinset {

namespace {

// Polynomials of degree up to 64 and products of degree below 128 in 128-bit
// integers.
using Wide = unsigned __int128;

int Degree(Wide p) {
  const auto high = static_cast<uint64_t>(p >> 64);
  if (high != 0) return 127 - std::countl_zero(high);
  return 63 - std::countl_zero(static_cast<uint64_t>(p));
}

Wide Full(const Gf2Polynomial& p) { return Wide{1} << p.degree | p.low; }

Wide Mod(Wide value, Wide modulus) {
  const int degree = Degree(modulus);
  while (value != 0 && Degree(value) >= degree)
    value ^= modulus << (Degree(value) - degree);
  return value;
}

Wide MultiplyMod(Wide a, Wide b, Wide modulus) {
  Wide product = 0;
  for (; b != 0; b >>= 1) {
    if (b & 1) product ^= a;
    a = Mod(a << 1, modulus);
  }
  return product;
}

Wide Gcd(Wide a, Wide b) {
  while (b != 0) {
    const Wide rest = Mod(a, b);
    a = b;
    b = rest;
  }
  return a;
}

// x^(2^times) mod P
Wide RepeatedSquare(int times, Wide modulus) {
  Wide power = Mod(2, modulus);
  for (int i = 0; i < times; ++i) power = MultiplyMod(power, power, modulus);
  return power;
}

}  // namespace

std::string ToText(const Gf2Polynomial& polynomial) {
  std::string text = "x^" + std::to_string(polynomial.degree);
  for (int i = polynomial.degree; i-- > 0;) {
    if ((polynomial.low >> i & 1) == 0) continue;
    text += i == 0 ? " + 1" : i == 1 ? " + x" : " + x^" + std::to_string(i);
  }
  return text;
}

bool IsIrreducible(const Gf2Polynomial& polynomial) {
  const int k = polynomial.degree;
  if (k < 1 || k > 64) return false;
  if (k < 64 && polynomial.low >> k != 0) return false;
  const Wide modulus = Full(polynomial);
  const Wide x = Mod(2, modulus);
  if (RepeatedSquare(k, modulus) != x) return false;
  for (int q = 2, rest = k; q <= rest; ++q) {
    if (rest % q != 0) continue;
    while (rest % q == 0) rest /= q;
    if (Gcd(modulus, RepeatedSquare(k / q, modulus) ^ x) != 1) return false;
  }
  return true;
}

Result<Gf2Polynomial> DrawIrreducible(int degree, SplitMix64* random) {
  if (degree < 1 || degree > 64) {
    return Fail(ErrorCode::kUsage,
                "the degree of a Rabin polynomial must be from 1 to 64");
  }
  for (;;) {
    const Gf2Polynomial drawn{degree, random->Next() >> (64 - degree)};
    if (IsIrreducible(drawn)) return drawn;
  }
}

Result<RabinFingerprint> RabinFingerprint::Create(
    const Gf2Polynomial& polynomial) {
  if (polynomial.degree % 8 != 0 || !IsIrreducible(polynomial)) {
    return Fail(ErrorCode::kUsage,
                "the Rabin polynomial must be irreducible and of a degree "
                "divisible by 8");
  }
  RabinFingerprint rabin;
  rabin.degree_ = polynomial.degree;
  rabin.mask_ = polynomial.degree == 64
                    ? ~uint64_t{0}
                    : (uint64_t{1} << polynomial.degree) - 1;
  const Wide modulus = Full(polynomial);
  for (unsigned byte = 0; byte < 256; ++byte) {
    rabin.reduce_[byte] =
        static_cast<uint64_t>(Mod(Wide{byte} << polynomial.degree, modulus));
  }
  return rabin;
}

uint64_t RabinFingerprint::Of(std::string_view bytes, bool leading_one) const {
  uint64_t fingerprint = leading_one ? 1 : 0;
  for (const char byte : bytes)
    fingerprint = Append(fingerprint, static_cast<uint8_t>(byte));
  return fingerprint;
}

}  // namespace twinset
