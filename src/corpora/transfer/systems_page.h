// The parts of a study's report on judgements that are carried over and on
// systems compared under them.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_SYSTEMS_PAGE_H_
#define TWINSET_SRC_CORPORA_TRANSFER_SYSTEMS_PAGE_H_

#include <vector>

#include "report/kept_page.h"
#include "twinset/corpora/study_transfer.h"

namespace twinset {

// The judgements of A by grade, and those that come over.
void AddGrades(const std::vector<StudyOf<StudyTransfer>>& steps,
               KeptPage* page);
void AddTransfer(const std::vector<StudyOf<StudyTransfer>>& steps,
                 KeptPage* page);
// AddCarryOver also adds a heading and a drawing of the systems.
void AddComparison(const StudyCarryOver& step, KeptPage* page);
void AddCarryOver(const StudyCarryOver& step, KeptPage* page);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_SYSTEMS_PAGE_H_
