// What the pairs of a complete run would have cost by sketches.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RESULTS_SKETCH_FORECAST_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RESULTS_SKETCH_FORECAST_H_

#include <optional>
#include <string>

#include "pipeline/run/run.h"

namespace twinset {

struct SketchForecast {
  std::string method;
  double seconds = 0;  // of the whole run
  double recall_at_threshold = 0;
};

// A run, or the whole of which a run was a sample.
struct RunTimes {
  double seconds = 0, candidate_seconds = 0;
  double growth = 1;  // documents for each of those of the run
};

// How long such a run would have taken by the standard method of sketches: some
// of its documents are sketched, and what that takes stands for the time in
// which candidates were found; verifying is taken to cost the same. A rough
// number of this machine at this moment. Nothing for thresholds below 0.7, for
// a run that compares no sets of shingles, whose method is not complete, or
// which did not look for candidates itself. Cost: milliseconds.
std::optional<SketchForecast> ForecastSketches(const Run& run,
                                               const RunTimes& times);
// The forecast for the run itself, which took `seconds`.
std::optional<SketchForecast> ForecastSketches(const Run& run, double seconds);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RESULTS_SKETCH_FORECAST_H_
