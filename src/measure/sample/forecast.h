// What a pool sampler will ask for, from the frequencies of a lexicon
// (docs/methods/engine-sampling.md).
#ifndef TWINSET_SRC_MEASURE_SAMPLE_FORECAST_H_
#define TWINSET_SRC_MEASURE_SAMPLE_FORECAST_H_

#include <cstdint>
#include <vector>

#include "twinset/measure/sample.h"

namespace twinset {

struct PoolCosts {
  std::vector<uint64_t> frequencies;  // of the pool's terms in the lexicon
  uint64_t lexicon_documents = 0, engine_documents = 0;
  uint32_t limit = 100;
  uint64_t size = 100;
  bool rejection = true, probe_degrees = false;
  double least_degree = 1;
};

// Terms are taken to be independent, and as frequent in the engine as in the
// lexicon; a query is then asked at least once with 1 - exp(-expected times).
// Engine name left empty. Time: linear in the terms.
SampleForecast ForecastPool(const PoolCosts& costs);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SAMPLE_FORECAST_H_
