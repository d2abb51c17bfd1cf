// An estimate as a page (docs/formats/report.md).
#ifndef TWINSET_SRC_MEASURE_SURVEY_ESTIMATE_PAGE_H_
#define TWINSET_SRC_MEASURE_SURVEY_ESTIMATE_PAGE_H_

#include "report/kept_page.h"
#include "twinset/measure/estimate.h"

namespace twinset {

KeptPage EstimatePage(const EstimateOptions& options,
                      const EstimateResult& result);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SURVEY_ESTIMATE_PAGE_H_
