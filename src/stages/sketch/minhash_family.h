// Sketches whose values agree about as often as the sets do: the kin of classic
// MinHash (sketch/sketcher.h). In all of them a document is a set of 64-bit
// shingle hashes.
#ifndef TWINSET_SRC_STAGES_SKETCH_MINHASH_FAMILY_H_
#define TWINSET_SRC_STAGES_SKETCH_MINHASH_FAMILY_H_

#include <cstdint>
#include <memory>

#include "sketch/sketcher.h"
#include "twinset/error.h"

namespace twinset {

// Fast Similarity Sketching (Dahlgaard, Knudsen and Thorup, FOCS 2017):
// `values` values, 1 to 4096, in about one step a shingle. Value i is the low
// half of Mix64(key i) of kernels::FastSimilarity, functions as in classic
// MinHash. See docs/methods/fss.md.
Result<std::unique_ptr<Sketcher>> MakeFastSimilaritySketcher(int values,
                                                             uint64_t seed);

// One-permutation hashing (Li, Owen and Zhang 2012) with optimal densification
// (Shrivastava, ICML 2017): one function, one bin a value; an empty bin takes
// the value of a random bin that is not. 1 to 4096 `values`.
// See docs/methods/one-permutation.md.
Result<std::unique_ptr<Sketcher>> MakeOnePermutationSketcher(int values,
                                                             uint64_t seed);

// RABIN-MIN-HASHING (Sauerhoff, lecture slides 2007): value i = min of x mod
// p_i, p_i uniform among the primes below 2^32. Not min-wise independent; with
// `mixed`, Mix64(x + salt_i) takes the place of x. 1 to 4096 `values`.
// See docs/methods/rabin-minhash.md.
Result<std::unique_ptr<Sketcher>> MakeRabinMinHashSketcher(int values,
                                                           uint64_t seed,
                                                           bool mixed);

// Keeps the low `bits` bits of each value of `inner`, packed
// (core/packed_values.h), and takes agreement by chance out of the estimate:
// (share - 2^-bits) / (1 - 2^-bits), not below 0 (Li and König, WWW 2010).
// `inner` must make `values` values of one word each. kUsage unless 1 <= bits
// <= 32; `inner` itself for 32.
// See docs/methods/minhash.md.
Result<std::unique_ptr<Sketcher>> MakeValueBitsSketcher(
    std::unique_ptr<Sketcher> inner, int values, int bits);

// How 84 values become 6 super-shingles.
struct SuperShingleGroups {
  int groups = 6, group_size = 14;
  // Groups consecutive values in ascending order instead of consecutive
  // permutations: a changed value then shifts others.
  bool by_value = false;
};
// Super-shingles (Broder 2000; Fetterly, Manasse and Najork 2003): one 64-bit
// hash of each group of classic MinHash values, two words each, low half first.
// The estimate is the J at which the share of equal ones is expected. kUsage
// unless the groups have 1 to 4096 values.
// See docs/methods/super-shingle.md.
Result<std::unique_ptr<Sketcher>> MakeSuperShingleSketcher(
    const SuperShingleGroups& groups, uint64_t seed);

// The shingle hashes that are multiples of `modulus`, ascending, two words
// each, low half first (Broder, Glassman, Manasse and Zweig 1997). May be
// empty. The estimate is the share of what `of` says that is in both sketches;
// 0 when that is empty. kUsage unless modulus >= 1. See docs/methods/mod-m.md.
Result<std::unique_ptr<Sketcher>> MakeModShingleSketcher(int64_t modulus,
                                                         SetShare of);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_SKETCH_MINHASH_FAMILY_H_
