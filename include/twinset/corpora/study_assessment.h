// What people say of the pairs of a study (docs/methods/transfer-study.md).
#ifndef TWINSET_CORPORA_STUDY_ASSESSMENT_H_
#define TWINSET_CORPORA_STUDY_ASSESSMENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/corpora/qrels.h"
#include "twinset/corpora/study_counts.h"

namespace twinset {
inline namespace v1 {

struct StudyAssessment {
  struct Mix {
    std::string mix;
    uint64_t pairs = 0;  // to judge
    // Nothing without labels.
    std::optional<uint64_t> labelled, unsure;
    // They count the decided pairs: near-duplicates by each, and how often they
    // agree with the people.
    std::optional<StudyShare> by_people, by_similarity, by_grade;
    std::optional<StudyShare> similarity_agrees, grade_agrees;

    static void Fields(auto& row, auto& field) {
      field("mix", row.mix);
      field("pairs", row.pairs);
      field("labelled", row.labelled);
      field("unsure", row.unsure);
      field("by_people", row.by_people);
      field("by_similarity", row.by_similarity);
      field("by_grade", row.by_grade);
      field("similarity_agrees", row.similarity_agrees);
      field("grade_agrees", row.grade_agrees);
    }
  };
  // What comes over along the labelled pairs.
  struct Transfer {
    TransferUnder under = TransferUnder::kSimilarity;
    std::optional<double> least;
    uint64_t pairs = 0, judgements_with_target = 0;
    GradeCounts transferred;

    static void Fields(auto& row, auto& field) {
      field("under", row.under);
      field.OrNull("least", row.least);
      field("pairs", row.pairs);
      field("judgements_with_target", row.judgements_with_target);
      field("transferred", row.transferred);
    }
  };
  std::vector<Mix> mixes;
  std::optional<uint64_t> labelled_pairs;  // nothing without labels
  std::optional<std::vector<Transfer>> transfer;

  static void Fields(auto& found, auto& field) {
    field("mixes", found.mixes);
    field("labelled_pairs", found.labelled_pairs);
    field("transfer", found.transfer);
  }
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_STUDY_ASSESSMENT_H_
