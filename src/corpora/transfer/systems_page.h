// The parts of a study's report on judgements that are carried over and on
// systems compared under them.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_SYSTEMS_PAGE_H_
#define TWINSET_SRC_CORPORA_TRANSFER_SYSTEMS_PAGE_H_

#include "report/kept_page.h"
#include "twinset/json.h"

namespace twinset {

// `steps`: what StudyTransfer found, by content. The judgements of A by grade,
// and those that come over.
void AddGrades(const Json& steps, KeptPage* page);
void AddTransfer(const Json& steps, KeptPage* page);
// `step`: what StudyCarryOver found. AddCarryOver also adds a heading and a
// drawing of the systems.
void AddComparison(const Json& step, KeptPage* page);
void AddCarryOver(const Json& step, KeptPage* page);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_SYSTEMS_PAGE_H_
