// How likely different documents get equal fingerprints, and how long
// fingerprints must be for it not to matter (docs/methods/rabin-mod-prime.md).
// For tune, tests and explanations: nothing here decides a result.
#ifndef TWINSET_SRC_SKETCH_COLLISION_LAWS_H_
#define TWINSET_SRC_SKETCH_COLLISION_LAWS_H_

#include <cstdint>

#include "twinset/error.h"

namespace twinset::inline v1 {

// Fingerprints x mod p of texts of at most `bits` bits, p drawn uniformly from
// `primes` primes. Of two given texts: bits / primes, because |x - y| has at
// most `bits` different prime divisors. At most 1.
double FixedPairBound(double bits, double primes);
// The bound for any two of `documents` texts: C(documents, 2) bits / primes. At
// most 1.
double AnyPairBound(double documents, double bits, double primes);
// The least number of primes for which AnyPairBound is at most `failure`.
// kUsage unless documents >= 2, bits >= 1 and 0 < failure < 1.
Result<double> PrimesNeeded(double documents, double bits, double failure);
// The length of a fingerprint mod a prime that is drawn from at least `primes`
// primes: the least k for which 2^k / (k ln 2), which pi(2^k) exceeds (Rosser
// and Schoenfeld 1962, 3.5), is as many.
int PrimeBits(double primes);

// The length of a prime that is drawn from the first `primes` primes, in bits:
// log2 of m (ln m + ln ln m - 1), which the m-th prime is near: within a
// hundredth of a bit from m = 10^6 on. At least 1; primes >= 3.
double PrimeLength(double primes);
// At least how many primes are below 2^bits, for bits >= 5: 2^bits / (bits ln
// 2).
double PrimesBelow(int bits);

// Fingerprints over GF(2) mod a random irreducible polynomial of this degree:
// of `documents` texts of at most `bits` bits, any two: C(documents, 2) bits /
// 2^degree (1 + a vanishing part). At most 1.
double PolynomialBound(double documents, double bits, int degree);

// Uniform fingerprints of `bits` bits: how many of the pairs of different
// documents are expected to agree, C(documents, 2) / 2^bits, and the
// probability that any does, 1 - exp(-expected).
double ExpectedCollisions(double documents, int bits);
double AnyCollision(double expected);
// The greatest number of documents whose pairs, C(documents, 2), times
// `pair_probability` are at most `tolerated`.
double DocumentsFor(double tolerated, double pair_probability);

// Uniform fingerprints of `bits` bits: how many documents there are when two of
// them agree with this probability, sqrt(2 2^bits ln(1 / (1 - probability))).
double BirthdayDocuments(int bits, double probability);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_SKETCH_COLLISION_LAWS_H_
