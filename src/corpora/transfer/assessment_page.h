// The part of a study's report on pairs that people judge.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_ASSESSMENT_PAGE_H_
#define TWINSET_SRC_CORPORA_TRANSFER_ASSESSMENT_PAGE_H_

#include <vector>

#include "report/kept_page.h"
#include "twinset/corpora/study_assessment.h"

namespace twinset {

void AddAssessment(const std::vector<StudyOf<StudyAssessment>>& steps,
                   KeptPage* page);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_ASSESSMENT_PAGE_H_
