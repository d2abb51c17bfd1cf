// Containment search: every pair of a suspect A and a source B of which B holds
// a stated share of A, however long B is. See
// docs/methods/containment-search.md.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_CONTAINMENT_JOIN_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_CONTAINMENT_JOIN_H_

#include "candidate/collection_join.h"

namespace twinset {

// Members' features are ascending unique hashes. Members that are not stored
// are suspects and are kept in memory; they come first. Stored ones are
// sources: they stream through. Emits the pairs of which the source shares at
// least threshold * |A| of the suspect's folded elements: every pair with |A &
// B| / |A|
// >= threshold, and possibly others.
//
// When the suspects do not fit, adding the first source (or joining) fails with
// kMemory and names the --memory that holds them; pairs found count as well.
CollectionJoinFactory MakeContainmentJoinFactory(double threshold);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_CONTAINMENT_JOIN_H_
