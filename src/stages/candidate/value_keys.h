// Keys of single sketch values: two documents that share one value are
// candidates, and a filter counts how many they share. Sorted postings of such
// keys are the pair counting of Broder, Glassman, Manasse and Zweig (1997).
// See docs/methods/pair-counting.md.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_VALUE_KEYS_H_
#define TWINSET_SRC_STAGES_CANDIDATE_VALUE_KEYS_H_

#include <cstddef>
#include <memory>

#include "candidate/bands.h"
#include "candidate/pair_filter.h"

namespace twinset {

// One key for each value of the first sketch, of `words` words. `by_place`:
// values only meet at the same place of the sketch; else anywhere, as members
// of sets. A sketch without values has no key.
std::unique_ptr<KeyGenerator> MakeValueKeys(size_t words, bool by_place);

// One key for each two values of the first sketch, at their places: mega-
// shingles. Two documents share a key iff they agree on two values (but for
// collisions of 64-bit hashes).
std::unique_ptr<KeyGenerator> MakeValuePairKeys(size_t words);

// `inner` over the values that the first sketch holds packed
// (core/packed_values.h): for generators that compare values at the same place,
// and only ask whether they are equal.
std::unique_ptr<KeyGenerator> MakePackedKeys(
    std::unique_ptr<KeyGenerator> inner, size_t values, int bits);

// At least `agree` of the `values` packed values of sketch number `sketch` are
// equal at the same place.
std::unique_ptr<PairFilter> MakePackedAgreementFilter(size_t sketch,
                                                      size_t values, int bits,
                                                      size_t agree);

// Pr[X >= agree], X the number of `values` values that agree, each with
// probability `share`: what an agreement filter lets pass. By + * / in a fixed
// order, so that every machine computes the same double.
double AgreementProbability(double share, int values, int agree);
// The least number of `values` values whose share reaches `threshold`.
int LeastAgreement(double threshold, int values);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_VALUE_KEYS_H_
