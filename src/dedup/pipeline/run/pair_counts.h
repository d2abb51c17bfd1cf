// What the stages count that order documents and find pairs (counts.h).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_PAIR_COUNTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_PAIR_COUNTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "candidate/join.h"

namespace twinset {

// Counts of a match that asks a saved run.
struct AskCounts {
  uint64_t taken = 0;    // documents of the saved run that may be in a pair
  uint64_t flagged = 0;  // those without a key

  static void Fields(auto& counts, auto& field) {
    field("taken", counts.taken);
    field("flagged", counts.flagged);
  }
};

struct OrderCounts {
  std::vector<uint64_t> keep_missing;  // by rule of --keep
  uint64_t repeated_ids = 0;
  uint64_t classes = 0, copies = 0;   // classes of more than one document
  std::optional<uint64_t> corrected;  // with --verify text

  static void Fields(auto& counts, auto& field) {
    field("keep_missing", counts.keep_missing);
    field("repeated_ids", counts.repeated_ids);
    field("classes", counts.classes);
    field("copies", counts.copies);
    field("corrected", counts.corrected);
  }
};

struct CandidateCounts {
  struct Hot : HotBuckets {
    static void Fields(auto& hot, auto& field) {
      field("count", hot.count);
      field("members", hot.members);
      field("pairs_possible", hot.pairs_possible);
      field("pairs_compared", hot.pairs_compared);
    }
  };
  uint64_t flagged = 0;  // documents without a key
  std::optional<uint64_t> postings, buckets, emitted;  // of a join by keys
  Hot hot_buckets;
  // Postings of elements whose pairs later stages find (Plan::hot_limit), if
  // any are left.
  std::optional<uint64_t> hot_postings;
  uint64_t proposed = 0, pairs = 0;  // before and after the method's filter

  static void Fields(auto& counts, auto& field) {
    field("flagged", counts.flagged);
    field("postings", counts.postings);
    field("buckets", counts.buckets);
    field("emitted", counts.emitted);
    field("hot_buckets", counts.hot_buckets);
    field("hot_postings", counts.hot_postings);
    field("proposed", counts.proposed);
    field("pairs", counts.pairs);
  }
};

struct VerifyCounts {
  std::optional<uint64_t> corrected;  // with --verify text
  uint64_t compared = 0, accepted = 0;

  static void Fields(auto& counts, auto& field) {
    field("corrected", counts.corrected);
    field("compared", counts.compared);
    field("accepted", counts.accepted);
  }
};

// Counts of clusters so large that only their pairs with the representative are
// listed.
struct ListCounts {
  uint64_t listed = 0;  // pairs of classes
  uint64_t large_clusters = 0, large_documents = 0;

  static void Fields(auto& counts, auto& field) {
    field("listed", counts.listed);
    field("large_clusters", counts.large_clusters);
    field("large_documents", counts.large_documents);
  }
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_PAIR_COUNTS_H_
