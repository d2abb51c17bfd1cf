// Generators that see the whole collection: the complete joins, the Hamming
// join and probabilistic probes. Those that work by equal keys are
// KeyGenerator (candidate/bands.h).
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COLLECTION_JOIN_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COLLECTION_JOIN_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_budget.h"
#include "candidate/join.h"
#include "core/values.h"
#include "twinset/error.h"

namespace twinset {

class PrefixPosting;  // candidate/complete/prefix_postings.h
// Postings of one element, or some of them.
using HotSink = std::function<Status(std::span<const PrefixPosting>)>;

// A document as such a join sees it. Views are valid during Add only.
struct JoinMember {
  uint64_t document = 0;
  uint64_t size = 0;  // of its features
  // In a join of two collections: is it of the second, the stored one?
  bool stored = false;
  std::span<const Sketch> sketches;    // one for each sketcher of the method
  std::string_view features;           // what is verified (view 0), aligned
  uint64_t within = 0;                 // its value of --within; 0 without it
  std::span<const uint64_t> prepared;  // what Prepare left
};

// One join of one run. Not thread-safe but for Prepare; uses `threads` inside.
class CollectionJoin {
 public:
  virtual ~CollectionJoin() = default;
  // Does it read JoinMember::sketches?
  virtual bool reads_sketches() const { return true; }
  // What of the work on a member does not depend on the others: what it leaves
  // in `prepared` comes back with Add. From any thread, in any order.
  virtual void Prepare(const JoinMember& member,
                       std::vector<uint64_t>* prepared) {
    (void)member, (void)prepared;
  }
  // Documents in input order. kMemory when a join that holds the collection has
  // no room: the caller then goes by keys, if any, which find the same pairs.
  virtual Status Add(const JoinMember& member) = 0;
  // After the last Add: true when all members have to be added once more.
  virtual Result<bool> EndPass() { return false; }
  // Emits every pair that can pass the method's filter and verifier, at least
  // once, and possibly others. Once, after the last pass. The pairs that pass
  // do not depend on threads or memory.
  virtual Status Join(const PairSink& sink) = 0;
};

struct CollectionJoinContext {
  MemoryBudget* budget = nullptr;
  uint64_t memory_bytes = 0;  // how much of it the join may take
  int threads = 1;
  bool two_collections = false;  // only pairs of one member stored and one not
  // Where a join that goes to the disk keeps its files, which nobody else needs
  // once it is done.
  std::string directory;
  uint64_t parameters_hash = 0;
  // Calls its argument with the size of every member, in order: for joins that
  // choose their form beforehand.
  std::function<Status(const std::function<void(uint64_t size)>&)> sizes;
  const std::atomic<bool>* stop = nullptr;  // ends Join with kInterrupted
  // Set: elements that more than hot_limit documents have make no pairs in
  // Join, which gives their postings to `hot` instead, each once. Pairs that
  // meet at one of them are the caller's to find (hot_index.h, hot_join.h).
  // Joins that have no such form emit every pair.
  HotSink hot;
  uint64_t hot_limit = 0;
  // Told how many postings are joined, of how many, by one thread at a time;
  // may be null. Joins without postings tell nothing.
  std::function<void(uint64_t joined, uint64_t postings)> told;
};
using CollectionJoinFactory =
    std::function<Result<std::unique_ptr<CollectionJoin>>(
        const CollectionJoinContext&)>;

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COLLECTION_JOIN_H_
