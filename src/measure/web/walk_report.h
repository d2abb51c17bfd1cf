// A walk in words: summary.json, page.json, report.html (docs/formats/walk.md).
#ifndef TWINSET_SRC_MEASURE_WEB_WALK_REPORT_H_
#define TWINSET_SRC_MEASURE_WEB_WALK_REPORT_H_

#include <string>

#include "report/kept_page.h"
#include "twinset/json.h"
#include "twinset/measure/walk.h"
#include "web/walk_analysis.h"

namespace twinset {

// A walk that has ended: what was asked, what happened, what it is worth.
struct FinishedWalk {
  const WalkOptions* options = nullptr;
  std::string web;  // what was walked on, for people
  GraphFacts facts;
  Json live;  // of live webs; else null
  WalkTrace trace;
  uint64_t rows = 0;
  WalkAnalysis analysis;
};

Json WalkJson(const FinishedWalk& walk);
KeptPage WalkPage(const FinishedWalk& walk);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_WALK_REPORT_H_
