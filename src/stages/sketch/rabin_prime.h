// Fingerprints by the remainder of a random prime (Rabin 1981;
// docs/methods/rabin-mod-prime.md).
#ifndef TWINSET_SRC_STAGES_SKETCH_RABIN_PRIME_H_
#define TWINSET_SRC_STAGES_SKETCH_RABIN_PRIME_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/hash.h"
#include "sketch/sketcher.h"
#include "twinset/error.h"

namespace twinset {

using Uint128 = unsigned __int128;

// Primes of this module are below 2^kMaxPrimeBits: there, Miller and Rabin's
// test with the bases 2, 3, 5, ..., 41 is a proof (Sorenson and Webster 2017:
// the least composite that passes it is 3317044064679887385961981 > 2^81).
inline constexpr int kMaxPrimeBits = 80;

// Exact, not probable. False at and above 2^kMaxPrimeBits. Below 2^64 the same
// as IsPrime of base/math/primes.h.
bool IsPrime128(Uint128 n);

// Uniform among the primes below 2^bits, 2 <= bits <= kMaxPrimeBits: those are
// the first pi(2^bits) primes. About 0.7 bits numbers are tried.
Uint128 RandomPrime128(int bits, SplitMix64* random);

// x mod p for texts x, read as numbers, most significant byte first.
class RabinPrime {
 public:
  // kUsage unless p is a prime below 2^kMaxPrimeBits.
  static Result<RabinPrime> Create(Uint128 prime);

  // With a leading one, texts that differ only in leading zero bytes differ;
  // without it the fingerprint of the empty text is 0. O(1) a byte.
  Uint128 Of(std::string_view bytes, bool leading_one = true) const;
  Uint128 prime() const { return prime_; }

 private:
  explicit RabinPrime(Uint128 prime) : prime_(prime) {}
  Uint128 prime_;
};

// The prime of the method rabin-mod-prime is drawn below 2^68: enough for a
// million texts of 1 KiB to be told apart with probability 0.999
// (sketch/collision_laws.h).
inline constexpr int kMethodPrimeBits = 68;

// A prime below 2^kMethodPrimeBits, drawn with the seed.
RabinPrime SeededRabinPrime(uint64_t seed);

// SeededRabinPrime of raw bytes: three words, low first.
std::unique_ptr<Sketcher> MakeRabinPrimeSketcher(uint64_t seed);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_SKETCH_RABIN_PRIME_H_
