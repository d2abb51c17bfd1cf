// A run, topic by topic, against judgements (docs/methods/run-evaluation.md).
#ifndef TWINSET_SRC_CORPORA_RETRIEVAL_RUN_EVALUATION_H_
#define TWINSET_SRC_CORPORA_RETRIEVAL_RUN_EVALUATION_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "retrieval/duplicate_list.h"
#include "retrieval/qrels_file.h"
#include "retrieval/ranking.h"
#include "retrieval/retrieval_measures.h"

namespace twinset {

// Judgements, by topic.
class JudgedTopics {
 public:
  JudgedTopics(const Qrels* qrels, int relevance_level);
  const Qrels& qrels() const { return *qrels_; }
  // In the order of the file.
  const std::vector<uint32_t>& topics() const { return order_; }
  const TopicGrades* Find(uint32_t topic) const;

 private:
  const Qrels* qrels_;
  std::vector<uint32_t> order_;
  std::unordered_map<uint32_t, TopicGrades> grades_;
};

struct EvaluationInput {
  const JudgedTopics* judged = nullptr;
  const DuplicateGraph* duplicates = nullptr;  // may be null
  const RunEvaluation* options = nullptr;
  std::vector<MeasureSpec> measures;
};

// The values of one topic.
struct TopicValues {
  uint32_t topic = 0;
  std::vector<double> values;  // by measure
};
struct RankingValues {
  std::vector<TopicValues> topics;  // in the order of the judgements
  uint64_t unjudged_topics = 0, missing_topics = 0, collapsed = 0;
};
// kCorrupt when no topic of the run is judged: it shows one of each.
Status CheckTopics(const Ranking& ranking, const JudgedTopics& judged,
                   const StudyNames& names);
// Topics that both have; with all_topics also those that the run lacks.
RankingValues EvaluateRanking(const EvaluationInput& input,
                              const Ranking& ranking);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_RETRIEVAL_RUN_EVALUATION_H_
