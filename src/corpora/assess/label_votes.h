// What several assessors say of a pair, taken together
// (docs/methods/assessment.md).
#ifndef TWINSET_SRC_CORPORA_ASSESS_LABEL_VOTES_H_
#define TWINSET_SRC_CORPORA_ASSESS_LABEL_VOTES_H_

#include <optional>
#include <span>
#include <vector>

#include "assess/assessment.h"
#include "evaluate/labels_file.h"
#include "twinset/corpora/assess.h"

namespace twinset {

// Answers of every assessor to every pair. Index 0 is pair 1.
using LabelTable = std::vector<std::vector<const PairLabel*>>;

// By pair, then assessor; null where the assessor has no label. The files must
// outlive the table. kUsage for labels of another sample, of pairs that it does
// not have, and for two files of one assessor.
Result<LabelTable> TableOf(const Assessment& sample,
                           std::span<const LabelsFile> files);

// The majority of yes and no; unsure when they tie or nobody says either; none
// when nobody answered.
std::optional<LabelAnswer> VoteOf(std::span<const PairLabel* const> labels,
                                  LabelQuestion question);

// All of a question that sample.json and the labels say.
QuestionScore ScoreQuestion(const Assessment& sample, const LabelTable& table,
                            std::span<const LabelsFile> files,
                            LabelQuestion question);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_ASSESS_LABEL_VOTES_H_
