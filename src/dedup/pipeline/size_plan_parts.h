// The arithmetic of a plan (twinset/size_plan.h).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_SIZE_PLAN_PARTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_SIZE_PLAN_PARTS_H_

#include <map>
#include <string>
#include <vector>

#include "twinset/json.h"

namespace twinset {

// A run of so many documents took `ratio` times what a sample foretold.
struct SizePoint {
  double documents = 0, ratio = 1;
  double seconds = 0;  // that it took, for people
};
// By method, ascending.
using SizeCalibration = std::map<std::string, std::vector<SizePoint>>;

// The ratio at a size: a power of the documents between two points and, up to
// the tenth root, beyond the last.
double RatioAt(const std::vector<SizePoint>& points, double documents);

// How the time of a run is shared; together 1.
struct StageShares {
  double read = 0;   // what shards do
  double order = 0;  // what a merge and each of its parts do
  double pairs = 0;  // what the parts of a merge divide
  double rest = 0;   // what one machine does
};
// By the stages of a forecast. Parts divide the join of methods by keys, and
// verify what several of them find in each; of others they divide what is
// verified, and do the join whole.
StageShares SharesOf(const Json& stage_seconds, bool by_keys);

// Adds `shards`, `spark`, `use` and `reason` to a plan that has documents,
// bytes, seconds, work_bytes and result_bytes. `on_spark`: the method goes by
// keys of each document.
void Decide(const StageShares& shares, bool on_spark, double most_hours,
            double disk, Json* plan);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_SIZE_PLAN_PARTS_H_
