// How good one ranked list is, from the grades of its documents
// (docs/methods/run-evaluation.md). The values are those of trec_eval 9, where
// it has the measure.
#ifndef TWINSET_SRC_CORPORA_RETRIEVAL_RETRIEVAL_MEASURES_H_
#define TWINSET_SRC_CORPORA_RETRIEVAL_RETRIEVAL_MEASURES_H_

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "twinset/corpora/runs.h"

namespace twinset {

// The grade of a document without a judgement.
inline constexpr int32_t kUnjudgedGrade = std::numeric_limits<int32_t>::min();

// The judgements of one topic.
struct TopicGrades {
  std::vector<int32_t> all;   // of the collection, descending
  uint64_t relevant = 0;      // of relevance_level or more
  uint64_t not_relevant = 0;  // below, and at least 0
};
TopicGrades GradesOfTopic(std::vector<int32_t> grades, int relevance_level);

// `ranked`: the grade of each document, best rank first.
double MeasureRanking(const MeasureSpec& measure,
                      std::span<const int32_t> ranked, const TopicGrades& topic,
                      int relevance_level, double persistence);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_RETRIEVAL_RETRIEVAL_MEASURES_H_
