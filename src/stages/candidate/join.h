// Postings to candidate pairs: all pairs of a collection, or one document
// against it, by the same code (docs/spec/1.md, Bands, Hot buckets).
// See docs/methods/join.md.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_JOIN_H_
#define TWINSET_SRC_STAGES_CANDIDATE_JOIN_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/values.h"
#include "twinset/error.h"

namespace twinset {

// What the caller knows about documents that postings do not say.
struct JoinRules {
  // Cheap and exact: may the two documents be a pair at all (scope, size)?
  // Empty: always.
  std::function<bool(const Posting&, const Posting&)> may_pair;
  // Exact and dear: are the two documents similar enough? Only asked in hot
  // buckets.
  std::function<Result<bool>(uint64_t, uint64_t)> similar;
  // Set: takes the members of hot buckets, in their order, in place of all that
  // is done with them; who compares features elsewhere joins them there.
  std::function<Status(const Posting&)> hot;
  uint64_t bucket_limit = 4096;  // 0: no limit
  size_t max_leaders = 64;
};

struct HotBuckets {
  uint64_t count = 0;           // buckets beyond the limit, with pairs
  uint64_t members = 0;         // in them
  uint64_t pairs_possible = 0;  // saturating
  uint64_t pairs_compared = 0;
};

using PairSink = std::function<Status(const CandidatePair&)>;

// Candidates of `query` among `bucket`, the postings that share its key: one
// document against a stored collection. The query itself is skipped.
Status ProbeBucket(const Posting& query, std::span<const Posting> bucket,
                   const JoinRules& rules, const PairSink& sink);

// All pairs: takes postings in their order and emits the pairs of each bucket,
// each by ProbeBucket of a member against the members before it. A bucket
// beyond the limit is not expanded: its members, in priority order, are
// compared with at most max_leaders leaders; the first is one, and a member
// similar to no leader becomes one while there is room. Memory: one bucket up
// to the limit, so with bucket_limit 0 the largest bucket. Pairs of different
// buckets may repeat. Not thread-safe.
class BucketJoin {
 public:
  BucketJoin(JoinRules rules, PairSink sink)
      : rules_(std::move(rules)), sink_(std::move(sink)) {}
  // Postings must come in ascending order.
  Status Add(const Posting& posting);
  Status Finish();
  const HotBuckets& hot_buckets() const { return hot_; }
  uint64_t buckets() const { return buckets_; }
  // Those of the current bucket, once it is hot.
  std::span<const Posting> leaders() const { return leaders_; }

 private:
  Status Close();
  Status AddToHot(const Posting& posting);

  JoinRules rules_;
  PairSink sink_;
  std::vector<Posting> bucket_;   // of the current key, while it is not hot
  std::vector<Posting> leaders_;  // of the current key, once it is hot
  uint64_t key_ = 0;
  uint64_t hot_members_ = 0;
  bool is_hot_ = false, has_compared_ = false;
  uint64_t buckets_ = 0;  // with two members or more
  HotBuckets hot_;
};

// A stored collection of postings in memory, sorted; buckets by key in O(log
// n). What a live index offers from its runs.
class StoredPostings {
 public:
  explicit StoredPostings(std::vector<Posting> postings);
  std::span<const Posting> Bucket(uint64_t key) const;

 private:
  std::vector<Posting> postings_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_JOIN_H_
