// From pairs of values back to pairs of rows.
// See docs/methods/hamming-join.md, Rows.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_HAMMING_JOIN_ROWS_H_
#define TWINSET_SRC_STAGES_CANDIDATE_HAMMING_JOIN_ROWS_H_

#include <cstdint>
#include <functional>

#include "base/memory_budget.h"
#include "candidate/hamming_join_values.h"
#include "twinset/error.h"

namespace twinset {

using RowPairSink = std::function<Status(uint64_t a, uint64_t b, int distance)>;

// Every pair of rows whose values are a pair of `found` (FindNearValues of the
// same columns), sorted by a, then b; a < b in a join of `x` with itself.
// `found` is emptied. Memory grows with the pairs of values and the rows that
// have one, not with the pairs of rows. kMemory names what is needed.
template <typename V>
Status ExpandRows(const ValueColumn<V>& x, const ValueColumn<V>* y, int threads,
                  MemoryBudget* budget, NearList<V>* found,
                  const RowPairSink& sink);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_HAMMING_JOIN_ROWS_H_
