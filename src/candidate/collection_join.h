// Generators that need the whole collection at once, in memory: the complete
// joins and probabilistic probes. Those that work by equal keys are
// KeyGenerator (candidate/bands.h).
#ifndef TWINSET_SRC_CANDIDATE_COLLECTION_JOIN_H_
#define TWINSET_SRC_CANDIDATE_COLLECTION_JOIN_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "base/memory_budget.h"
#include "candidate/join.h"
#include "core/values.h"
#include "twinset/error.h"

namespace twinset::inline v1 {

// A document as such a join sees it. Views are valid during Add only.
struct JoinMember {
  uint64_t document = 0;
  uint64_t size = 0;  // of its features
  // In a join of two collections: is it of the second, the stored one?
  bool stored = false;
  std::span<const Sketch> sketches;  // one for each sketcher of the method
  std::string_view features;         // what is verified (view 0)
};

// One join of one run. Not thread-safe; uses `threads` inside.
class CollectionJoin {
 public:
  virtual ~CollectionJoin() = default;
  // Documents in input order. kMemory when the collection does not fit the
  // budget: the caller then goes by keys, which find the same pairs.
  virtual Status Add(const JoinMember& member) = 0;
  // Emits every pair that can pass the method's filter and verifier, at least
  // once, and possibly others. Once, after the last Add. The set of emitted
  // pairs depends on the members alone, not on threads or memory.
  virtual Status Join(const PairSink& sink) = 0;
};

struct CollectionJoinContext {
  MemoryBudget* budget = nullptr;
  uint64_t memory_bytes = 0;  // how much of it the join may take
  int threads = 1;
  bool two_collections = false;  // only pairs of one member stored and one not
};
using CollectionJoinFactory =
    std::function<Result<std::unique_ptr<CollectionJoin>>(
        const CollectionJoinContext&)>;

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_CANDIDATE_COLLECTION_JOIN_H_
