// The parameters that were chosen, their law and what was measured, in words
// and tables.
#ifndef TWINSET_SRC_DEDUP_EVALUATE_TUNE_PAGE_H_
#define TWINSET_SRC_DEDUP_EVALUATE_TUNE_PAGE_H_

#include "report/kept_page.h"
#include "twinset/tune.h"

namespace twinset {

KeptPage TunePage(const TuneResult& result);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EVALUATE_TUNE_PAGE_H_
