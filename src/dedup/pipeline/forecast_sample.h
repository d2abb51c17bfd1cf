// A sample of the inputs of a run, and what its stages took.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_FORECAST_SAMPLE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_FORECAST_SAMPLE_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/forecast_run.h"
#include "pipeline/pairs/stage_costs.h"
#include "pipeline/results/sketch_forecast.h"

namespace twinset {

struct SampledRun {
  bool is_whole = false;     // it has all that the run would read
  uint64_t asked_bytes = 0;  // of records
  bool was_slow = false;     // a larger one took too long
  size_t pieces = 0;         // files of which it has the beginning
  InputBytes bytes;
  std::array<uint64_t, 2> consumed{};   // by side
  std::array<uint64_t, 2> documents{};  // by side
  uint64_t records = 0, quarantined = 0, skipped = 0, empty = 0, copies = 0;
  uint64_t features = 0;
  uint64_t candidates = 0;          // of the candidate stage
  uint64_t compared = 0;            // with those of later stages
  uint64_t pairs = 0, dropped = 0;  // of the results
  uint64_t largest_cluster = 0;     // its documents
  std::map<std::string, uint64_t> quarantine_reasons, skip_reasons;
  double seconds = 0;
  std::map<std::string, double> stage_seconds;
  uint64_t read_peak_bytes = 0;  // reserved until the read stage was done
  uint64_t work_bytes = 0, result_bytes = 0;
  uint64_t joined_postings = 0;
  uint64_t late_bytes = 0;  // of work_bytes, written when postings are gone
  std::vector<std::string> warnings;
  // A stage that would have cost too much; null: none.
  const Stage* stopped_before = nullptr;
  std::optional<StageCost> stopping_cost;
  bool complete = false;  // the method finds every pair
  int bands = 0;
  std::optional<double> expected_recall;
  CandidateWork work;  // of the method

  // The inputs with a known number of documents (InputsForecast), by side:
  // inputs or listed pages, the documents that were read of them, and their
  // bytes, in archives as far as they were read.
  struct Known {
    uint64_t pages = 0, documents = 0, bytes = 0;
  };
  std::array<Known, 2> files{}, archives{};

  uint64_t all_documents() const { return documents[0] + documents[1]; }
};

// Is called with the sample's run before it goes.
using SampledSink = std::function<void(const Run&, const SampledRun&)>;

// Lets about `bytes` of records go through the stages of the job; a quarter,
// and again a quarter, where memory is short or the stages behind reading take
// more than `most_seconds`. Stops before a stage that would take many seconds.
// `pages`: of InputsForecast, or nothing. `large_cluster`: in place of that of
// the plan.
Result<SampledRun> RunSampled(const ForecastJob& job, uint64_t bytes,
                              const SampledSink& sink, double most_seconds = 60,
                              const std::vector<uint32_t>& pages = {},
                              std::optional<uint64_t> large_cluster = {});

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_FORECAST_SAMPLE_H_
