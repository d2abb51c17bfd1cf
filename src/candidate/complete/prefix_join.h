// The prefix-filter join: every pair at a threshold, provably, without looking
// at every pair (Chaudhuri, Ganti and Kaushik 2006; Bayardo, Ma and Srikant
// 2007; Xiao et al. 2008). See docs/methods/prefix-join.md.
#ifndef TWINSET_SRC_CANDIDATE_COMPLETE_PREFIX_JOIN_H_
#define TWINSET_SRC_CANDIDATE_COMPLETE_PREFIX_JOIN_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "candidate/collection_join.h"
#include "candidate/complete/overlap_bounds.h"

namespace twinset::inline v1 {

// Members' features are what the measure compares: ascending unique hashes of a
// set, an ascending bag, or a sequence. Emits exactly the pairs whose folded
// elements share as many as the threshold asks for: a superset of the pairs at
// the threshold, larger by the collisions of 32-bit numbers, and of edit and
// hamming by what the order of the tokens decides.
CollectionJoinFactory MakePrefixJoinFactory(JoinMeasure measure,
                                            double threshold);

// The same by equal keys, for collections beyond memory: two documents that are
// a pair at the threshold have a key in common. Elements come in the order of
// their hashes instead of by rarity. Containment: every element is a key.
void PrefixKeys(const OverlapBounds& bounds, std::string_view features,
                std::vector<uint64_t>* keys);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_CANDIDATE_COMPLETE_PREFIX_JOIN_H_
