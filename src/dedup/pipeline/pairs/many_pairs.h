// Verifying where candidates are very many pairs of the same documents
// (docs/methods/verification.md, Many pairs of few documents).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_PAIRS_MANY_PAIRS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_PAIRS_MANY_PAIRS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/memory_budget.h"
#include "candidate/join.h"
#include "store/blob_file.h"
#include "verify/core_sets.h"
#include "verify/verifier.h"

namespace twinset {

// Compares pairs of a batch as the verifier does, with the same verdicts. Once
// a batch has had many pairs for each of its documents, what these have in
// common becomes bits; they stay so for the batches that follow, in at most
// memory_bytes of the budget. Prepare is not thread-safe, Compare is.
class ManyPairs {
 public:
  // All must outlive it.
  ManyPairs(const Verifier& verifier, uint64_t memory_bytes,
            MemoryBudget* budget, int threads)
      : verifier_(verifier),
        memory_bytes_(memory_bytes),
        budget_(budget),
        threads_(threads) {}

  // Before the pairs of a batch are compared. False: by the verifier itself.
  bool Prepare(std::span<const CandidatePair> pairs, const BlobBatch& batch);
  // The i-th of them. `fully`: as CompareFully.
  Verifier::Verdict Compare(size_t i, bool fully) const;

 private:
  struct CoredSet {
    uint64_t document = 0, size = 0;  // in elements
    std::vector<uint64_t> encoded;    // empty: not yet
  };
  using Numbers = std::pair<uint32_t, uint32_t>;  // of two sets

  void FindSets(std::span<const CandidatePair> pairs);
  bool ChooseCore(const BlobBatch& batch);
  bool Encode(const BlobBatch& batch, double* in_core);
  void Forget();

  const Verifier& verifier_;
  const uint64_t memory_bytes_;
  MemoryBudget* const budget_;
  const int threads_;
  Reservation memory_;
  size_t batch_sets_ = 0;  // of the last batch
  uint64_t pairs_ = 0;     // since it was cleared
  SetCore core_;
  std::unordered_map<uint64_t, uint32_t> numbers_;  // by document
  std::vector<CoredSet> sets_;
  size_t encoded_ = 0;  // of sets_, from the front
  uint64_t encoded_bytes_ = 0;
  std::vector<Numbers> pairs_of_batch_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_PAIRS_MANY_PAIRS_H_
