// The prefix-filter join: every pair at a threshold, provably, without looking
// at every pair (Chaudhuri, Ganti and Kaushik 2006; Bayardo, Ma and Srikant
// 2007; Xiao et al. 2008). See docs/methods/complete.md.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_PREFIX_JOIN_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_PREFIX_JOIN_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "candidate/collection_join.h"
#include "candidate/complete/folded_sets.h"
#include "candidate/complete/overlap_bounds.h"
#include "candidate/complete/rarity.h"

namespace twinset {

// Members' features are what the measure compares: ascending unique hashes of a
// set, an ascending bag, or a sequence. Emits every pair at the threshold, and
// others.
//
// The join goes over the members twice. First it counts their elements
// (rarity.h). Then it takes the rarest elements of each member, as many as no
// pair can do without, and keeps those that two members may share. Postings of
// the same element then make pairs, slice by slice, if sizes and places let
// them.
//
// Works in any memory above 4 MB; what does not fit goes to files. Cost: the
// members are read twice in order, the prefixes are written and read once, 24
// bytes per posting. Members have numbers below 2^40. Reads no sketches. Which
// pairs beyond those at the threshold are emitted depends on the memory. `idf`:
// what features of bags weigh; null: 1 each.
CollectionJoinFactory MakePrefixJoinFactory(JoinMeasure measure,
                                            double threshold,
                                            FeatureIdf idf = nullptr);

// Keys for looking up one document among others: two documents that are a pair
// at the threshold have a key in common, if one `rarity` counts for both.
// Without it elements come in the order of their hashes, and one that half of
// all documents have is as good a key as any. Containment: every element is a
// key.
void PrefixKeys(const OverlapBounds& bounds, const FeatureIdf& idf,
                std::string_view features, std::vector<uint64_t>* keys,
                const Rarity* rarity = nullptr);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_PREFIX_JOIN_H_
