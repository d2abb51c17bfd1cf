// Judges the pairs of a run with --kinds, in batches that fit the budget.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PAIR_JUDGING_H_
#define TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PAIR_JUDGING_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "pipeline/pairs/judgement.h"
#include "pipeline/run/run.h"
#include "store/blob_file.h"

namespace twinset {

// Each document of a batch is loaded and cut into tokens once, so pairs that
// come sorted cost least.
class PairJudging {
 public:
  static Result<std::unique_ptr<PairJudging>> Open(Run* run);

  // The next pair, in any order of pairs; a and b as Judge::Of takes them.
  // `done` is called for one pair after the other; now or in a later call.
  Status Add(uint64_t a, uint64_t b,
             std::function<Status(const Judgement&)> done);
  // Calls what is left. kMemory for a pair that does not fit into the budget.
  Status Flush();

 private:
  struct Pair {
    uint64_t a = 0, b = 0;
    std::function<Status(const Judgement&)> done;
  };
  PairJudging(Run* run, Judge judge, std::unique_ptr<BlobReader> texts);
  Result<bool> Request(const Pair& pair);
  // The documents of pairs_, ascending.
  std::vector<uint64_t> Documents() const;
  Result<JudgedDocument> Prepare(uint64_t document) const;
  // For what the documents are made into, beyond memory_.
  Result<Reservation> RoomFor(const std::vector<uint64_t>& documents) const;

  Run* run_;
  const Judge judge_;
  std::unique_ptr<BlobReader> texts_;
  BlobBatch batch_;
  Reservation memory_;  // of what a batch is made into, and of pairs_
  std::vector<Pair> pairs_;
  uint64_t judged_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PAIR_JUDGING_H_
