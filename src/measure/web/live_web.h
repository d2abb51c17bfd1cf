// A live web opened as the options of a walk say.
#ifndef TWINSET_SRC_MEASURE_WEB_LIVE_WEB_H_
#define TWINSET_SRC_MEASURE_WEB_LIVE_WEB_H_

#include <memory>
#include <vector>

#include "twinset/json.h"
#include "twinset/measure/walk.h"
#include "web/live_source.h"

namespace twinset {

struct LiveWeb {
  std::unique_ptr<Engine> back_links;  // outlives the source; may be null
  std::unique_ptr<LiveSource> source;
  std::vector<NodeId> starts;
};

// The input is the first start. kUsage for starts outside the scope, kIo when
// there is no program that speaks HTTP.
Result<LiveWeb> OpenLiveWeb(const WalkOptions& options);

Json LiveJson(const LiveCounts& counts);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_LIVE_WEB_H_
