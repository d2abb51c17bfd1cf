// All pairs of documents that share elements which very many documents have
// (docs/methods/complete.md, Hot elements).
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_HOT_JOIN_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_HOT_JOIN_H_

#include <atomic>
#include <cstdint>

#include "candidate/complete/overlap_bounds.h"
#include "candidate/complete/prefix_postings.h"
#include "candidate/join.h"
#include "store/run_file.h"
#include "twinset/error.h"

namespace twinset {

// Emits every pair that meets at one of the sorted `postings`, at least once,
// in memory_bytes (at least one posting's). `stop` ends it with kInterrupted.
// Cost: quadratic in the postings of an element whose sizes are near each
// other; an element that memory does not hold is read once for each block of
// it.
Status JoinHot(const OverlapBounds& bounds, RunReader<PrefixPosting>* postings,
               uint64_t memory_bytes, const std::atomic<bool>* stop,
               const PairSink& sink);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_HOT_JOIN_H_
