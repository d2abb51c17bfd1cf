#include "retrieval/collapse.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace twinset {

std::vector<uint32_t> FindDuplicatesAbove(
    const DuplicateGraph& graph, double least_similarity,
    const std::vector<RankedDocument>& ranked) {
  constexpr size_t kNone = SIZE_MAX;
  std::unordered_map<uint32_t, size_t> kept;           // rank by document
  std::unordered_map<uint32_t, size_t> kept_of_group;  // the first one's rank
  std::vector<uint32_t> above(ranked.size(), kNoDocument);
  for (size_t rank = 0; rank < ranked.size(); ++rank) {
    const uint32_t document = ranked[rank].document;
    size_t best = kNone;
    for (const auto& edge : graph.EdgesOf(document)) {
      if (graph.list().links[edge.link].similarity < least_similarity) continue;
      if (const auto found = kept.find(edge.other); found != kept.end())
        best = std::min(best, found->second);
    }
    for (const uint32_t group : graph.GroupsOf(document)) {
      const auto found = kept_of_group.find(group);
      if (found != kept_of_group.end()) best = std::min(best, found->second);
    }
    if (best != kNone) {
      above[rank] = ranked[best].document;
      continue;
    }
    kept.emplace(document, rank);
    for (const uint32_t group : graph.GroupsOf(document))
      kept_of_group.emplace(group, rank);
  }
  return above;
}

void CollapseRanking(CollapseAction action, std::vector<RankedDocument>* ranked,
                     std::vector<uint32_t>* above) {
  if (action == CollapseAction::kMark) return;
  std::vector<RankedDocument> documents;
  std::vector<uint32_t> originals;
  for (const bool duplicates : {false, true}) {
    if (duplicates && action == CollapseAction::kRemove) break;
    for (size_t i = 0; i < ranked->size(); ++i) {
      if (((*above)[i] != kNoDocument) != duplicates) continue;
      documents.push_back((*ranked)[i]);
      originals.push_back((*above)[i]);
    }
  }
  if (action == CollapseAction::kDemote) {
    auto score = static_cast<float>(documents.size());
    for (RankedDocument& document : documents) document.score = score--;
  }
  *ranked = std::move(documents);
  *above = std::move(originals);
}

}  // namespace twinset
