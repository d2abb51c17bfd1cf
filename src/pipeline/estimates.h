// What the sketches of the methods say of a pair of texts.
#ifndef TWINSET_SRC_PIPELINE_ESTIMATES_H_
#define TWINSET_SRC_PIPELINE_ESTIMATES_H_

#include <string_view>
#include <vector>

#include "pipeline/plan.h"
#include "pipeline/registry.h"
#include "twinset/inspect.h"

namespace twinset {

// The sketches of a text as the plan's method makes them.
Result<std::vector<Sketch>> SketchesOf(const Plan& plan,
                                       const MethodParts& parts,
                                       std::string_view text);

// The estimate of every method whose sketches estimate a similarity and that
// needs no corpus to learn from, in the order of the registry, with the
// parameters of `method`. Those that refuse the parameters are left out.
Result<std::vector<SketchEstimate>> EstimatesOf(std::string_view x,
                                                std::string_view y,
                                                const FeatureOptions& features,
                                                const MethodOptions& method);

}  // namespace twinset

#endif  // TWINSET_SRC_PIPELINE_ESTIMATES_H_
