// Pairs of documents, as many at a time as what is stored of them fits into
// memory.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PAIR_BATCH_H_
#define TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PAIR_BATCH_H_

#include <functional>
#include <span>
#include <vector>

#include "pipeline/run/run.h"

namespace twinset {

// Usual for max_pairs below.
inline constexpr size_t kMostBatchPairs = 1 << 17;

// Takes pairs from `next` until it returns false, loads the blobs of both
// documents of at most `max_pairs` pairs within `bytes` of the budget, and
// calls `body` with them; pairs keep their order. Pair has members a and b.
template <typename Pair>
Status ForEachPairBatch(Run* run, const BlobReader& reader, uint64_t bytes,
                        size_t max_pairs,
                        const std::function<Result<bool>(Pair*)>& next,
                        const std::function<Status(std::span<const Pair>,
                                                   const BlobBatch&)>& body) {
  BlobBatch batch(&reader, bytes, &run->budget);
  std::vector<Pair> pairs;
  Pair pair;
  TWINSET_ASSIGN(bool more, next(&pair));
  while (more) {
    TWINSET_TRY(run->CheckStop());
    pairs.clear();
    while (more && pairs.size() < max_pairs) {
      TWINSET_ASSIGN(bool fits, batch.Request(pair.a));
      if (fits) {
        TWINSET_ASSIGN(fits, batch.Request(pair.b));
      }
      if (!fits && !pairs.empty()) break;
      if (!fits) {  // beside those of the pairs before
        batch.Clear();
        continue;
      }
      pairs.push_back(pair);
      TWINSET_ASSIGN(more, next(&pair));
    }
    TWINSET_TRY(batch.Load(run->plan.machine.threads));
    TWINSET_TRY(body(pairs, batch));
  }
  return {};
}

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PAIR_BATCH_H_
