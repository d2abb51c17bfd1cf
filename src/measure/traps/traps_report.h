// What is written of traps: rows, summary, report (docs/methods/traps.md).
#ifndef TWINSET_SRC_MEASURE_TRAPS_TRAPS_REPORT_H_
#define TWINSET_SRC_MEASURE_TRAPS_TRAPS_REPORT_H_

#include "report/kept_page.h"
#include "store/result_folder.h"
#include "twinset/error.h"
#include "twinset/measure/traps.h"

namespace twinset {

// Makes the page of all that the result says.
KeptPage TrapsPage(const TrapsOptions& options, const TrapsResult& result);
// Into options.out, which is `folder`.
Status WriteTraps(const TrapsOptions& options, const TrapsResult& result,
                  ResultFolder* folder);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_TRAPS_TRAPS_REPORT_H_
