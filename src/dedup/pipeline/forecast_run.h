// What a run would cost, from a sample of its inputs that goes through its
// stages (docs/methods/forecast.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_FORECAST_RUN_H_
#define TWINSET_SRC_DEDUP_PIPELINE_FORECAST_RUN_H_

#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "pipeline/run_control.h"
#include "twinset/dedup.h"

namespace twinset {

struct ForecastJob {
  std::string command;
  std::string out;  // --out, or empty
  // Plans of the run, and of a run into another folder over its own inputs
  // alone: without a saved run, and without --write, --attributes and --save.
  std::function<Result<Plan>()> plan;
  std::function<Result<Plan>(const std::string& out)> plan_of_sample;
  std::function<JobFiles(const Plan&)> files;
  std::span<const Stage> stages;
  std::span<const Stage> sample_stages;  // up to the result files
  std::vector<std::string> arguments;    // the inputs as they were given
  ForecastSize corpus = {};
};

Result<RunForecast> ForecastRun(const ForecastJob& job);

// The forecast of dedup (dedup.cc).
ForecastJob DedupForecastJob(const DedupOptions& options);

// A plan asks for a folder, which a forecast need not have.
template <typename Options>
Options WithAnyOut(Options options) {
  if (options.out.empty()) options.out = "twinset-out";
  options.resume = false;
  return options;
}

// For job.plan_of_sample.
template <typename Options>
Options ForSample(Options options, const std::string& out) {
  options.out = out;
  options.resources.tmp.clear();
  options.write.clear();
  options.attributes.clear();
  options.report = options.resume = false;
  if constexpr (std::is_base_of_v<CorpusOptions, Options>)
    options.near = NearRule::kDrop;
  if constexpr (std::is_base_of_v<SavedRunOptions, Options>) {
    options.save.clear();
    options.add.clear();
    options.reconsider = false;
  }
  return options;
}

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_FORECAST_RUN_H_
