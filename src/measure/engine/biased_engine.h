// Any engine with worse answers.
#ifndef TWINSET_SRC_MEASURE_ENGINE_BIASED_ENGINE_H_
#define TWINSET_SRC_MEASURE_ENGINE_BIASED_ENGINE_H_

#include <memory>

#include "engine/engine.h"
#include "twinset/measure/engine.h"

namespace twinset {

// `inner` with the biases, which are in range (CheckAnswerBiases); `inner`
// itself when there are none. The same question gets the same answer, a
// time-out too.
std::unique_ptr<Engine> MakeBiased(std::unique_ptr<Engine> inner,
                                   const AnswerBiases& biases);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_BIASED_ENGINE_H_
