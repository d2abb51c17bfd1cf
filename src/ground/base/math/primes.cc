#include "base/math/primes.h"

#include <bit>

namespace twinset {

namespace {

constexpr uint64_t kBases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

uint64_t MultiplyMod(uint64_t a, uint64_t b, uint64_t n) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b % n);
}

uint64_t PowerMod(uint64_t base, uint64_t exponent, uint64_t n) {
  uint64_t power = 1;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) power = MultiplyMod(power, base, n);
    base = MultiplyMod(base, base, n);
  }
  return power;
}

// Does `base` prove that the odd n = odd * 2^twos + 1 is composite?
bool IsWitness(uint64_t base, uint64_t n, uint64_t odd, int twos) {
  uint64_t x = PowerMod(base, odd, n);
  if (x == 1 || x == n - 1) return false;
  for (int i = 1; i < twos; ++i) {
    x = MultiplyMod(x, x, n);
    if (x == n - 1) return false;
  }
  return true;
}

}  // namespace

bool IsPrime(uint64_t n) {
  for (const uint64_t base : kBases) {
    if (n % base == 0) return n == base;
  }
  if (n < uint64_t{37} * 37) return n > 1;
  const int twos = std::countr_zero(n - 1);
  for (const uint64_t base : kBases) {
    if (IsWitness(base, n, (n - 1) >> twos, twos)) return false;
  }
  return true;
}

uint64_t RandomPrime(int bits, SplitMix64* random) {
  for (;;) {
    const uint64_t candidate = random->Next() >> (64 - bits);
    if (IsPrime(candidate)) return candidate;
  }
}

}  // namespace twinset
