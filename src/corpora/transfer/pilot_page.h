// The report of a study, from its numbers.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_PILOT_PAGE_H_
#define TWINSET_SRC_CORPORA_TRANSFER_PILOT_PAGE_H_

#include <vector>

#include "report/kept_page.h"
#include "twinset/corpora/study.h"

namespace twinset {

// Parts that the study does not have are left out. `examples`: pairs that the
// page shows (transfer/pair_examples.h).
KeptPage PilotPage(const StudyResult& study,
                   const std::vector<html::TextPair>& examples);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_PILOT_PAGE_H_
