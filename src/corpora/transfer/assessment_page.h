// The part of a study's report on pairs that people judge.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_ASSESSMENT_PAGE_H_
#define TWINSET_SRC_CORPORA_TRANSFER_ASSESSMENT_PAGE_H_

#include "report/kept_page.h"
#include "twinset/json.h"

namespace twinset {

// `steps`: what StudyAssessment found, by content.
void AddAssessment(const Json& steps, KeptPage* page);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_ASSESSMENT_PAGE_H_
