#include "sketch/rabin_prime.h"

#include <string>

#include "base/math/primes.h"

namespace twinset {
namespace {

constexpr unsigned kBases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41};
constexpr int kHalfBits = kMaxPrimeBits / 2;
constexpr Uint128 kHalfMask = (Uint128{1} << kHalfBits) - 1;

// Bytes of a step of RabinPrime::Of: a remainder and so many bytes are below
// 2^128.
constexpr size_t kStepBytes = (128 - kMaxPrimeBits) / 8;

// a b mod m for a, b < m < 2^kMaxPrimeBits, in halves of b.
Uint128 MultiplyMod(Uint128 a, Uint128 b, Uint128 m) {
  const Uint128 high = a * (b >> kHalfBits) % m;
  return ((high << kHalfBits) + a * (b & kHalfMask) % m) % m;
}

Uint128 PowerMod(Uint128 base, Uint128 exponent, Uint128 m) {
  Uint128 power = 1;
  for (base %= m; exponent != 0; exponent >>= 1) {
    if (exponent & 1) power = MultiplyMod(power, base, m);
    base = MultiplyMod(base, base, m);
  }
  return power;
}

// n - 1 = 2^twos odd. Is n a strong probable prime to this base?
bool IsStrongProbablePrime(Uint128 n, unsigned base, Uint128 odd, int twos) {
  Uint128 x = PowerMod(base, odd, n);
  if (x == 1 || x == n - 1) return true;
  for (int i = 1; i < twos; ++i) {
    x = MultiplyMod(x, x, n);
    if (x == n - 1) return true;
  }
  return false;
}

}  // namespace

bool IsPrime128(Uint128 n) {
  if (n >> 64 == 0) return IsPrime(static_cast<uint64_t>(n));
  if (n >> kMaxPrimeBits != 0) return false;
  for (const unsigned base : kBases) {
    if (n % base == 0) return false;
  }
  Uint128 odd = n - 1;
  int twos = 0;
  for (; (odd & 1) == 0; odd >>= 1) ++twos;
  for (const unsigned base : kBases) {
    if (!IsStrongProbablePrime(n, base, odd, twos)) return false;
  }
  return true;
}

Uint128 RandomPrime128(int bits, SplitMix64* random) {
  for (;;) {
    const Uint128 high = random->Next();
    const Uint128 drawn = high << 64 | random->Next();
    const Uint128 candidate = drawn >> (128 - bits);
    if (IsPrime128(candidate)) return candidate;
  }
}

Result<RabinPrime> RabinPrime::Create(Uint128 prime) {
  if (!IsPrime128(prime)) {
    return Fail(
        ErrorCode::kUsage,
        "the modulus of a Rabin fingerprint must be a prime below 2^80");
  }
  return RabinPrime(prime);
}

Uint128 RabinPrime::Of(std::string_view bytes, bool leading_one) const {
  Uint128 rest = leading_one ? 1 % prime_ : 0;
  for (size_t at = 0; at < bytes.size(); at += kStepBytes) {
    for (const char byte : bytes.substr(at, kStepBytes))
      rest = rest << 8 | static_cast<uint8_t>(byte);
    rest %= prime_;
  }
  return rest;
}

namespace {

class RabinPrimeSketcher : public Sketcher {
 public:
  explicit RabinPrimeSketcher(RabinPrime rabin) : rabin_(rabin) {}
  std::string name() const override { return "rabin-mod-prime"; }
  SketchLayout layout() const override {
    return {.value_bits = kMethodPrimeBits, .values = 1};
  }
  std::string DrawnModulus() const override {
    std::string digits;
    for (Uint128 rest = rabin_.prime(); rest != 0; rest /= 10)
      digits += static_cast<char>('0' + static_cast<int>(rest % 10));
    return {digits.rbegin(), digits.rend()};
  }
  void Compute(std::string_view features, Sketch* sketch) const override {
    const Uint128 value = rabin_.Of(features);
    *sketch = {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32),
               static_cast<uint32_t>(value >> 64)};
  }

 private:
  RabinPrime rabin_;
};

}  // namespace

RabinPrime SeededRabinPrime(uint64_t seed) {
  SplitMix64 random(seed);
  return *RabinPrime::Create(RandomPrime128(kMethodPrimeBits, &random));
}

std::unique_ptr<Sketcher> MakeRabinPrimeSketcher(uint64_t seed) {
  return std::make_unique<RabinPrimeSketcher>(SeededRabinPrime(seed));
}

}  // namespace twinset
