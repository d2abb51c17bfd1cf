// Near-duplicates in a ranked list have no marginal relevance
// (docs/methods/run-evaluation.md).
#ifndef TWINSET_SRC_CORPORA_RETRIEVAL_COLLAPSE_H_
#define TWINSET_SRC_CORPORA_RETRIEVAL_COLLAPSE_H_

#include <cstdint>
#include <vector>

#include "retrieval/duplicate_list.h"
#include "retrieval/ranking.h"

namespace twinset {

// By rank: the document above of which this one is a duplicate, or kNoDocument.
// A document is one when it is linked to a document above that is none itself:
// of several the best ranked. Linear in the links of the ranked documents.
inline constexpr uint32_t kNoDocument = UINT32_MAX;
std::vector<uint32_t> FindDuplicatesAbove(
    const DuplicateGraph& graph, double least_similarity,
    const std::vector<RankedDocument>& ranked);

// What kRemove and kDemote make of the list; kMark leaves it. `above` follows.
// With kDemote the scores become those of the ranks, n down to 1: the order is
// no longer that of the old ones.
void CollapseRanking(CollapseAction action, std::vector<RankedDocument>* ranked,
                     std::vector<uint32_t>* above);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_RETRIEVAL_COLLAPSE_H_
