// The steps of a method's own sketches, value by value.
#ifndef TWINSET_SRC_DEDUP_EXPLAIN_SKETCH_STEPS_H_
#define TWINSET_SRC_DEDUP_EXPLAIN_SKETCH_STEPS_H_

#include "documents/pass_progress.h"
#include "methods/steps.h"
#include "twinset/error.h"

namespace twinset {

// Sketches as in a run of the method, learnt from the corpus of `input` where
// the method learns.
Status AddSketchSteps(const Method& method, const StepInput& input,
                      const PassWatch& watch, StepText* text);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EXPLAIN_SKETCH_STEPS_H_
