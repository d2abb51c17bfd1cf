// What decides the sketches of a method, as written sketches say it.
#ifndef TWINSET_SRC_DEDUP_COLLECTION_SKETCH_PARAMETERS_H_
#define TWINSET_SRC_DEDUP_COLLECTION_SKETCH_PARAMETERS_H_

#include <vector>

#include "explain/text_sketcher.h"
#include "twinset/error.h"
#include "twinset/options.h"
#include "twinset/sketches.h"

namespace twinset {

// Those of each sketcher. Reads the files that a parameter names, whose
// contents take part.
Result<std::vector<SketchParameters>> ParametersOfSketches(
    const TextSketcher& sketcher, const FeatureOptions& features);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_COLLECTION_SKETCH_PARAMETERS_H_
