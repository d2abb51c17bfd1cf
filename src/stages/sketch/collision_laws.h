// How likely different documents get equal fingerprints, and how long
// fingerprints must be for it not to matter (docs/methods/rabin-mod-prime.md).
// For tune and explanations: nothing here decides a result.
#ifndef TWINSET_SRC_STAGES_SKETCH_COLLISION_LAWS_H_
#define TWINSET_SRC_STAGES_SKETCH_COLLISION_LAWS_H_

namespace twinset {

// The length of a prime that is drawn from the first `primes` primes, in bits:
// log2 of m (ln m + ln ln m - 1), which the m-th prime is near: within a
// hundredth of a bit from m = 10^6 on. At least 1; primes >= 3.
double PrimeLength(double primes);
// At least how many primes are below 2^bits, for bits >= 5: 2^bits / (bits ln
// 2).
double PrimesBelow(int bits);

// The probability that any pair of different documents agrees when so many are
// expected to: 1 - exp(-expected).
double AnyCollision(double expected);
// The greatest number of documents whose pairs, C(documents, 2), times
// `pair_probability` are at most `tolerated`.
double DocumentsFor(double tolerated, double pair_probability);

// Uniform fingerprints of `bits` bits: how many documents there are when two of
// them agree with this probability, sqrt(2 2^bits ln(1 / (1 - probability))).
double BirthdayDocuments(int bits, double probability);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_SKETCH_COLLISION_LAWS_H_
