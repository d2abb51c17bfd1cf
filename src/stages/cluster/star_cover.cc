#include "cluster/star_cover.h"

#include <utility>

namespace twinset {

Result<StarCover> StarCover::Create(const std::string& path, uint64_t documents,
                                    uint64_t memory_bytes,
                                    MemoryBudget* budget) {
  TWINSET_ASSIGN(auto members,
                 PagedArray<uint64_t>::Create(path, documents / 64 + 1,
                                              memory_bytes, budget));
  return StarCover(std::move(members));
}

Result<bool> StarCover::IsCentre(uint64_t rank) {
  TWINSET_ASSIGN(const uint64_t word, members_.Get(rank / 64));
  return (word >> (rank % 64) & 1) == 0;
}

Status StarCover::Add(const Edge& edge, const MembershipSink& sink) {
  if (!has_node_ || edge.node_rank != node_) {
    TWINSET_TRY(Decide(sink));
    has_node_ = true;
    node_ = edge.node_rank;
  }
  TWINSET_ASSIGN(const bool is_centre, IsCentre(edge.other_rank));
  // Neighbours come by rank, so that the first of equal scores is the better
  // priority.
  if (is_centre && (!best_ || edge.score > best_->score)) best_ = edge;
  return {};
}

Status StarCover::Decide(const MembershipSink& sink) {
  if (!best_) return {};
  const Edge best = *std::exchange(best_, std::nullopt);
  TWINSET_ASSIGN(uint64_t word, members_.Get(best.node_rank / 64));
  word |= uint64_t{1} << (best.node_rank % 64);
  TWINSET_TRY(members_.Set(best.node_rank / 64, word));
  return sink(Membership{best.other, best.node, best.score, best.contained});
}

Status StarCover::Finish(const MembershipSink& sink) { return Decide(sink); }

const Edge* CopyPlacement::BestBefore(uint64_t rank) {
  while (next_ < centres_.size() && centres_[next_].other_rank < rank) {
    const Edge* centre = &centres_[next_++];
    if (best_ == nullptr || centre->score > best_->score) best_ = centre;
  }
  return best_;
}

}  // namespace twinset
