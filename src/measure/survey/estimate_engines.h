// Sizes of engines from a file of overlaps, for all that need them.
#ifndef TWINSET_SRC_MEASURE_SURVEY_ESTIMATE_ENGINES_H_
#define TWINSET_SRC_MEASURE_SURVEY_ESTIMATE_ENGINES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "estimate/relative_size.h"
#include "twinset/error.h"
#include "twinset/measure/estimate.h"

namespace twinset {

struct EngineSizes {
  std::vector<std::string> names;  // in order of the file
  RelativeSizes relative;
  uint64_t looked = 0;   // pages looked for, in all
  EstimateResult notes;  // warnings, and whether there are copies
};

// Reads options.inputs[0] (docs/methods/relative-size.md).
Result<EngineSizes> SizesFromOverlaps(const EstimateOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SURVEY_ESTIMATE_ENGINES_H_
