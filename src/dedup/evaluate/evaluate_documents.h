// What the pairs of a method mean for single documents: which of them lose a
// duplicate, and how many candidates each has.
#ifndef TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_DOCUMENTS_H_
#define TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_DOCUMENTS_H_

#include <cstdint>
#include <string>

#include "evaluate/evaluate_count.h"
#include "pipeline/run/run.h"
#include "store/paged_array.h"
#include "twinset/evaluate.h"

namespace twinset {

// Documents that count: all, or with two collections those of the first.
uint64_t CountedDocuments(const Run& base);

// The best true pair of each document, at one threshold.
class BestTruth {
 public:
  static Result<BestTruth> Load(Run* base, const TruthSource& truth,
                                double threshold);
  // What the pairs of `file` reach.
  Result<DocumentFigures> Reach(const std::string& file);

 private:
  struct Best {
    double value = 0;
    uint64_t is_set = 0;
  };
  BestTruth(Run* base, const TruthSource& truth, double threshold,
            PagedArray<Best> best)
      : base_(base),
        truth_(truth),
        threshold_(threshold),
        best_(std::move(best)) {}

  Run* base_;
  TruthSource truth_;
  double threshold_;
  PagedArray<Best> best_;
  uint64_t with_true_ = 0;
};

// The spread of the pairs of `file`, each counted at both of its documents. The
// caller fills in the `ids` of hubs: `hubs` gets their numbers.
Result<CandidateSpread> SpreadOf(Run* base, const std::string& file,
                                 std::vector<uint64_t>* hubs);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_DOCUMENTS_H_
