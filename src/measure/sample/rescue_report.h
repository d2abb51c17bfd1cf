// Which pages were found again, in words and a table.
#ifndef TWINSET_SRC_MEASURE_SAMPLE_RESCUE_REPORT_H_
#define TWINSET_SRC_MEASURE_SAMPLE_RESCUE_REPORT_H_

#include <vector>

#include "report/kept_page.h"
#include "twinset/measure/rescue.h"

namespace twinset {

KeptPage RescueReport(const RescueSummary& summary,
                      const std::vector<RescuedPage>& pages);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SAMPLE_RESCUE_REPORT_H_
