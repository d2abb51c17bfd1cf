// What happens to each document, in input order: the one place that applies
// --action.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RESULTS_DECISIONS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RESULTS_DECISIONS_H_

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/results/cluster_rows.h"
#include "pipeline/results/renamed_ids.h"
#include "pipeline/run/run.h"
#include "report/annotation.h"
#include "twinset/error.h"

namespace twinset {

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

// The same with what is said of each document that it decides about: of one in
// no cluster, that it is one by itself. Not thread-safe.
class AnnotatedDecisions {
 public:
  static Result<AnnotatedDecisions> Open(const Run& run);
  Status Seek(uint64_t document);
  Result<Decision> Next();
  // About the document of the last decision, which is `decision`.
  Result<Annotation> Annotate(const Decision& decision) const;
  // Its id.
  std::string_view id() const { return id_; }

 private:
  AnnotatedDecisions(Decisions decisions, BlobReader ids, BlobReader random,
                     bool is_verified)
      : decisions_(std::move(decisions)),
        ids_(std::move(ids)),
        random_(std::move(random)),
        is_verified_(is_verified) {}
  Decisions decisions_;
  BlobReader ids_, random_;  // in order, and of representatives
  std::string_view id_;
  bool is_verified_;
};

// Writes keep.txt, drop.txt and empty.txt, of a match for its first collection;
// counts all documents. `renamed` sees them too. Does not tell how far it is.
Status WriteLists(const Run& run, std::vector<uint64_t>* kept_by_source,
                  std::vector<uint64_t>* dropped_by_source,
                  DroppedText* dropped_text, RenamedIds* renamed);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RESULTS_DECISIONS_H_
