// What a run makes of --features-field (docs/methods/shingles.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_GIVEN_FEATURES_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_GIVEN_FEATURES_H_

#include "pipeline/run/plan.h"

namespace twinset {

// Where a field of features is named: each line of a text is a feature, the
// features are compared as they are, and a method that weighs features weighs
// them as the field says unless another weight was asked for. kUsage for what
// says how a text is cut up, and for measures and outputs that need one.
// Without such a field nothing changes.
Status UseGivenFeatures(const MethodInfo& method, PlanOptions* options);

// kUsage where weights of a field are asked for and no field is named, or
// features are to be left out.
Status CheckWeightedViews(const PlanOptions& options,
                          const std::vector<FeatureView>& views);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_GIVEN_FEATURES_H_
