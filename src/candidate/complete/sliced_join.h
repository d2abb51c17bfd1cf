// The complete join beyond memory: the same pairs as prefix_join.h, out of
// files (docs/methods/complete.md).
#ifndef TWINSET_SRC_CANDIDATE_COMPLETE_SLICED_JOIN_H_
#define TWINSET_SRC_CANDIDATE_COMPLETE_SLICED_JOIN_H_

#include <memory>

#include "candidate/collection_join.h"
#include "candidate/complete/overlap_bounds.h"
#include "twinset/error.h"

namespace twinset::inline v1 {

// Goes over the members twice. First it counts their elements (rarity.h). Then
// it takes the rarest elements of each member, as many as no pair can do
// without, and writes those that two documents may share. Postings with the
// same element then make pairs, slice by slice, if sizes and places let them.
//
// Works in any memory above 4 MB. Time and disk: the elements twice in order,
// the prefixes once out and in; 24 bytes a posting. Members have numbers below
// 2^40. Reads no sketches.
Result<std::unique_ptr<CollectionJoin>> MakeSlicedJoin(
    const OverlapBounds& bounds, const CollectionJoinContext& context);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_CANDIDATE_COMPLETE_SLICED_JOIN_H_
