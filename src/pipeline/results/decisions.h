// What happens to each document, in input order: the one place that applies
// --action.
#ifndef TWINSET_SRC_PIPELINE_RESULTS_DECISIONS_H_
#define TWINSET_SRC_PIPELINE_RESULTS_DECISIONS_H_

#include <cstdint>
#include <vector>

#include "pipeline/results/cluster_rows.h"
#include "pipeline/run/run.h"
#include "twinset/error.h"

namespace twinset::inline v1 {

struct Decision {
  bool dropped = false;
  bool clustered = false;  // `row` is valid
  ClusterRow row;
};

// Streams decisions in input order. Not thread-safe.
class Decisions {
 public:
  static Result<Decisions> Open(const Run& run);
  // Goes to the decision about `document`.
  Status Seek(uint64_t document);
  // The decision about the next document.
  Result<Decision> Next();

 private:
  Decisions(RunReader<ClusterRow> rows, Action action)
      : rows_(std::move(rows)), action_(action) {}
  RunReader<ClusterRow> rows_;
  Action action_;
  uint64_t document_ = 0;
  bool more_ = false;
  ClusterRow row_;
};

// Writes keep.txt, drop.txt and empty.txt, of a match for its first collection;
// counts all documents.
Status WriteLists(const Run& run, std::vector<uint64_t>* kept_by_source,
                  std::vector<uint64_t>* dropped_by_source);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_PIPELINE_RESULTS_DECISIONS_H_
