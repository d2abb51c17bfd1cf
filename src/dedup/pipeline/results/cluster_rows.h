// What the cluster stage leaves for the report: one row for each document in a
// cluster of two or more.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RESULTS_CLUSTER_ROWS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RESULTS_CLUSTER_ROWS_H_

#include <array>
#include <cstdint>

#include "base/sort_records.h"

namespace twinset {

struct ClusterRow {
  uint64_t document = 0;
  uint64_t representative =
      0;  // document number; of the row itself for the representative
  uint64_t size = 0;
  double score = 1;  // to the representative
  double min_score =
      1;  // components: the lowest of any member to the representative
  double contained = 1;  // the share of the features that it has too
  std::array<uint64_t, 1> SortWords() const { return {document}; }
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RESULTS_CLUSTER_ROWS_H_
