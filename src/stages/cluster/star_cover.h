// Star cover: the lexicographically first maximal independent set by priority,
// and whom each other document joins (docs/spec/1.md, Star cover;
// docs/methods/clusters.md).
#ifndef TWINSET_SRC_STAGES_CLUSTER_STAR_COVER_H_
#define TWINSET_SRC_STAGES_CLUSTER_STAR_COVER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/values.h"
#include "store/paged_array.h"
#include "twinset/error.h"

namespace twinset {

using MembershipSink = std::function<Status(const Membership&)>;

// Decides who is a centre. A document without edges is one. Memory: one bit per
// document, paged to disk beyond memory_bytes. Not thread-safe.
class StarCover {
 public:
  static Result<StarCover> Create(const std::string& path, uint64_t documents,
                                  uint64_t memory_bytes, MemoryBudget* budget);

  // Edges in ascending order, each from a node to a neighbour of better
  // priority (other_rank < node_rank). A node with a centre among them becomes
  // a member and joins the most similar of those centres, ties to the better
  // priority; `sink` gets it.
  Status Add(const Edge& edge, const MembershipSink& sink);
  Status Finish(const MembershipSink& sink);  // decides the last node

  // Valid for every rank after Finish.
  Result<bool> IsCentre(uint64_t rank);

 private:
  explicit StarCover(PagedArray<uint64_t> members)
      : members_(std::move(members)) {}
  Status Decide(const MembershipSink& sink);
  PagedArray<uint64_t> members_;  // bit by rank: is a member, not a centre
  std::optional<Edge> best_;      // of node_: the best centre seen so far
  uint64_t node_ = 0;
  bool has_node_ = false;
};

// Where the copies of a member end up. All documents of a class have equal
// feature sets, hence equal neighbours; a copy ranks below its class's first
// document, so that centres which rank between the two are open to the copy
// alone. `centres`: the neighbouring centres of the class's first document,
// which is itself a member, in order of rank. Returns for a copy of rank `rank`
// the most similar centre of better priority, ties to the better priority.
// Amortised O(1) when called with ascending ranks.
class CopyPlacement {
 public:
  explicit CopyPlacement(std::vector<Edge> centres)
      : centres_(std::move(centres)) {}
  // Null only if no centre ranks before `rank`.
  const Edge* BestBefore(uint64_t rank);

 private:
  std::vector<Edge> centres_;
  size_t next_ = 0;
  const Edge* best_ = nullptr;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CLUSTER_STAR_COVER_H_
