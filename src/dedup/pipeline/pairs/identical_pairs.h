// Where scopes forbid classes (--across, --window, match): the pairs of
// documents with equal features, which no sketch has to find
// (docs/methods/clusters.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_PAIRS_IDENTICAL_PAIRS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_PAIRS_IDENTICAL_PAIRS_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "candidate/join.h"
#include "pipeline/run/run.h"

namespace twinset {

// What --within, --across and --window compare.
struct ScopeValues {
  Hash128Value within, across;
  int64_t seconds = kNoDate;
};
bool ScopesAllow(const Plan& plan, const ScopeValues& x, const ScopeValues& y);

// Writes identical.run: pairs of documents with one fingerprint that the scopes
// allow; none where the plan has classes or the method is complete. A group of
// at most --bucket-limit documents gives all its pairs. A larger one gives each
// document its nearest partners before and behind it in time, then rank, at
// most two pairs per document, so that every document with a partner has a
// pair; it is counted in `hot`. Memory: a sort and one group up to the limit.
Status FindIdenticalPairs(Run* run, HotBuckets* hot);

// Reads identical.run beside a sorted list of pairs.
class IdenticalPairs {
 public:
  using Sink = std::function<Status(const CandidatePair&)>;
  static Result<IdenticalPairs> Open(const Run& run);
  // Is `pair` one of them? Ascending calls. Those before it go to `passed`.
  Result<bool> Contains(const CandidatePair& pair, const Sink& passed);
  // All that are left go to `passed`.
  Status Finish(const Sink& passed);

 private:
  explicit IdenticalPairs(RunReader<CandidatePair> pairs)
      : pairs_(std::move(pairs)) {}
  Status Advance();
  RunReader<CandidatePair> pairs_;
  std::optional<CandidatePair> next_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_PAIRS_IDENTICAL_PAIRS_H_
