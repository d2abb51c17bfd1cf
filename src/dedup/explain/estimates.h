// What the sketches of the methods say of a pair of texts.
#ifndef TWINSET_SRC_DEDUP_EXPLAIN_ESTIMATES_H_
#define TWINSET_SRC_DEDUP_EXPLAIN_ESTIMATES_H_

#include <vector>

#include "twinset/error.h"
#include "twinset/explain.h"
#include "twinset/inspect.h"
#include "twinset/options.h"

namespace twinset {

// The estimate of every method whose sketches estimate a similarity and that
// needs no corpus to learn from, in the order of the registry, with the
// parameters of `method`. Those that refuse the parameters are left out.
Result<std::vector<SketchEstimate>> EstimatesOf(const DocumentText& x,
                                                const DocumentText& y,
                                                const FeatureOptions& features,
                                                const MethodOptions& method);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EXPLAIN_ESTIMATES_H_
