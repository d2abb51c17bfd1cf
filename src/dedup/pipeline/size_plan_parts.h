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

// Adds `shards`, `use` and `reason` to a plan that has seconds, work_bytes and
// result_bytes. `read_share`: of the time, until all is read.
void Decide(double read_share, double most_hours, double disk, Json* plan);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_SIZE_PLAN_PARTS_H_
