// Random primes, and the proof that they are (Rabin 1981: a prime drawn
// from the first m primes; docs/methods/rabin-mod-prime.md).
#ifndef TWINSET_SRC_GROUND_BASE_MATH_PRIMES_H_
#define TWINSET_SRC_GROUND_BASE_MATH_PRIMES_H_

#include <cstdint>

#include "base/hash.h"

namespace twinset {

// Miller's test with the first twelve primes as bases, which decides every
// 64-bit number (Sorenson and Webster, 2015). About 12 * 64 multiplications.
bool IsPrime(uint64_t n);

// Uniform among the primes below 2^bits, 2 <= bits <= 64: numbers are drawn
// until one is prime, about 0.7 * bits of them.
uint64_t RandomPrime(int bits, SplitMix64* random);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_MATH_PRIMES_H_
