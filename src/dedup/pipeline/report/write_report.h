// report.html of a run, at its end or later.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_REPORT_WRITE_REPORT_H_
#define TWINSET_SRC_DEDUP_PIPELINE_REPORT_WRITE_REPORT_H_

#include <string>

#include "pipeline/report/run_story.h"
#include "twinset/error.h"
#include "twinset/results.h"

namespace twinset {

// The page of the results in `folder`, which the caller has locked.
Status WriteRunReport(const std::string& folder, const RunStory& story);

// What the run whose results stand in `folder` has found, in two sentences.
Result<ResultPage> FindingPage(const std::string& folder, const Json& summary);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_REPORT_WRITE_REPORT_H_
