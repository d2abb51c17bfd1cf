// report.html: the summary of a run for people (docs/formats/report.md).
#ifndef TWINSET_SRC_PIPELINE_RESULTS_REPORT_STAGE_H_
#define TWINSET_SRC_PIPELINE_RESULTS_REPORT_STAGE_H_

#include <string>

#include "pipeline/run/run.h"

namespace twinset::inline v1 {

// The page. `summary` is summary.json; its member `run` goes into the marked
// part of the page. `counts` is null for runs without pairs and clusters.
// `method` is described if it has a name.
std::string MakeReport(const Json& summary, const ReportCounts* counts,
                       const MethodInfo& method = {});

// Writes OUT/report.html, if it is asked for.
Status WriteReport(const Run& run, const std::string& summary_json);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_PIPELINE_RESULTS_REPORT_STAGE_H_
