// What a run would read, do and cost, without doing it.
#ifndef TWINSET_FORECAST_H_
#define TWINSET_FORECAST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "twinset/cut.h"
#include "twinset/dedup.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/match.h"

namespace twinset {
inline namespace v1 {

struct RunForecast {
  // False if nothing of the inputs could be read beforehand (pipes); then the
  // forecast expects nothing.
  bool has_sample = false;
  uint64_t documents = 0;                      // about
  double least_seconds = 0, most_seconds = 0;  // between these, most likely
  uint64_t memory_bytes = 0;                   // resident at most, about
  uint64_t work_bytes = 0;            // of work files, which the run removes
  uint64_t result_bytes = 0;          // of the result files
  std::vector<std::string> costs;     // what is worth a warning, a line each
  std::vector<std::string> warnings;  // one line each
  Json json;                          // all of it (docs/methods/forecast.md)
};

// Checks the options as the run would, looks at the inputs, and lets a few
// megabytes of them go through the stages of the run, in memory. `out` need not
// be given; nothing is written into it. Errors: those that the run would have
// before it reads, and those that its sample has. Takes a few seconds and
// within options.resources.memory_bytes + 64 MB. The same options, and
// resources, as the run.
Result<RunForecast> ForecastDedup(const DedupOptions& options);
Result<RunForecast> ForecastMatch(const MatchOptions& options);
Result<RunForecast> ForecastCut(const CutOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_FORECAST_H_
