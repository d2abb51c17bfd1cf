// Rows of features of judged documents, as learning to rank has them
// (docs/formats/qrels.md).
#ifndef TWINSET_SRC_CORPORA_RETRIEVAL_FEATURE_ROWS_H_
#define TWINSET_SRC_CORPORA_RETRIEVAL_FEATURE_ROWS_H_

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "retrieval/id_table.h"
#include "retrieval/qrels_file.h"
#include "retrieval/study_lines.h"

namespace twinset {

inline constexpr uint32_t kMostFeatures = 10000;

struct FeatureRows {
  std::vector<RelevanceJudgement> labels;  // a row each
  uint32_t columns = 0;                    // numbered from 1
  // 0 where the row does not have the column.
  float Value(size_t row, uint32_t column) const {
    const std::vector<float>& own = values[row];
    return column <= own.size() ? own[column - 1] : 0;
  }
  std::vector<std::vector<float>> values;
  std::unordered_set<uint64_t> seen;  // JudgementKey
};

// "LABEL qid:TOPIC COLUMN:VALUE ... # docid = ID". Lines without one of these,
// and repeated documents of a topic, are left out and counted. Memory: 4 bytes
// per value and the ids.
Status ReadFeatures(const StudyText& text, const LineReadOptions& lines,
                    StudyNames* names, LineCounts* counts, FeatureRows* rows);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_RETRIEVAL_FEATURE_ROWS_H_
