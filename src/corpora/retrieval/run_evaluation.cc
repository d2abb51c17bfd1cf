#include "retrieval/run_evaluation.h"

#include <algorithm>
#include <utility>

#include "retrieval/collapse.h"

namespace twinset {

namespace {

// The grades of a ranked list as the options want it.
std::vector<int32_t> GradesOf(const EvaluationInput& input,
                              const TopicRanking& topic, uint64_t* collapsed) {
  std::vector<RankedDocument> ranked = topic.documents;
  std::vector<uint32_t> above(ranked.size(), kNoDocument);
  const RunEvaluation& options = *input.options;
  if (input.duplicates != nullptr) {
    above = FindDuplicatesAbove(*input.duplicates, options.least_similarity,
                                ranked);
    *collapsed += static_cast<uint64_t>(
        above.size() - static_cast<size_t>(std::count(
                           above.begin(), above.end(), kNoDocument)));
    CollapseRanking(options.action, &ranked, &above);
  }
  std::vector<int32_t> grades;
  for (size_t i = 0; i < ranked.size(); ++i) {
    const RelevanceJudgement* judgement =
        input.judged->qrels().Find(topic.topic, ranked[i].document);
    if (judgement == nullptr) {
      if (!options.condensed) grades.push_back(kUnjudgedGrade);
      continue;
    }
    const bool is_marked =
        options.action == CollapseAction::kMark && above[i] != kNoDocument;
    grades.push_back(is_marked ? std::min(judgement->grade, 0)
                               : judgement->grade);
  }
  return grades;
}

}  // namespace

JudgedTopics::JudgedTopics(const Qrels* qrels, int relevance_level)
    : qrels_(qrels) {
  std::unordered_map<uint32_t, std::vector<int32_t>> grades;
  for (const RelevanceJudgement& judgement : qrels->judgements) {
    std::vector<int32_t>& of_topic = grades[judgement.topic];
    if (of_topic.empty()) order_.push_back(judgement.topic);
    of_topic.push_back(judgement.grade);
  }
  for (auto& [topic, list] : grades)
    grades_.emplace(topic, GradesOfTopic(std::move(list), relevance_level));
}

const TopicGrades* JudgedTopics::Find(uint32_t topic) const {
  const auto found = grades_.find(topic);
  return found == grades_.end() ? nullptr : &found->second;
}

Status CheckTopics(const Ranking& ranking, const JudgedTopics& judged,
                   const StudyNames& names) {
  for (const TopicRanking& topic : ranking.topics)
    if (judged.Find(topic.topic) != nullptr) return {};
  return Fail(ErrorCode::kCorrupt,
              "run " + ranking.facts.name +
                  " has no topic that is judged: it has '" +
                  names.topics[ranking.topics.front().topic] +
                  "', the judgements have '" +
                  names.topics[judged.topics().front()] + "'",
              {}, "give the judgements of its topics");
}

RankingValues EvaluateRanking(const EvaluationInput& input,
                              const Ranking& ranking) {
  RankingValues result;
  std::unordered_map<uint32_t, const TopicRanking*> rankings;
  for (const TopicRanking& topic : ranking.topics) {
    rankings.emplace(topic.topic, &topic);
    result.unjudged_topics += input.judged->Find(topic.topic) == nullptr;
  }
  const TopicRanking nothing;
  for (const uint32_t topic : input.judged->topics()) {
    const auto found = rankings.find(topic);
    if (found == rankings.end()) {
      ++result.missing_topics;
      if (!input.options->all_topics) continue;
    }
    const std::vector<int32_t> grades =
        GradesOf(input, found == rankings.end() ? nothing : *found->second,
                 &result.collapsed);
    TopicValues values{topic, {}};
    for (const MeasureSpec& measure : input.measures)
      values.values.push_back(MeasureRanking(
          measure, grades, *input.judged->Find(topic),
          input.options->relevance_level, input.options->persistence));
    result.topics.push_back(std::move(values));
  }
  return result;
}

}  // namespace twinset
