// Result files with a row for each pair of documents.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PAIR_FILE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PAIR_FILE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "core/values.h"
#include "pipeline/run/judged_counts.h"
#include "pipeline/run/run.h"
#include "report/row_writer.h"
#include "store/blob_file.h"

namespace twinset {

// The documents that were kept although their end is missing (--truncated
// keep). A source ends where it is cut off, so there is at most one in each: 8
// bytes per source at most, reserved from the budget. Immutable.
class TruncatedDocuments {
 public:
  static Result<TruncatedDocuments> Load(Run* run);
  bool Has(uint64_t document) const;
  // What the header of a file of pairs needs, "" without --truncated keep.
  std::string PairColumns() const;
  void AddTo(RowText* row, uint64_t a, uint64_t b) const;

 private:
  bool is_on_ = false;
  Reservation memory_;
  std::vector<uint64_t> documents_;  // ascending
};

// `contained`: the share of the features of the pair's a that its b has too.
using ListedPairSink =
    std::function<Status(const VerifiedPair& pair, double contained)>;

// Writes `name` into the result folder: {a, b, similarity} for each pair that
// `each` gives, in its order, and with `says_contained` also that, unless
// nothing was verified. "estimated" joins them where nothing was
// verified, "a_truncated" and "b_truncated" with --truncated keep, and what
// PairLook finds, counted in `counts` (may be null).
Status WritePairFile(Run* run, const BlobReader& ids, const std::string& name,
                     JudgedCounts* counts, bool says_contained,
                     const std::function<Status(const ListedPairSink&)>& each);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PAIR_FILE_H_
