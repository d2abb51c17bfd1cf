#include "sample/forecast.h"

#include <algorithm>

#include "base/math/pinned_math.h"

namespace twinset {

SampleForecast ForecastPool(const PoolCosts& costs) {
  SampleForecast forecast;
  forecast.pool = costs.frequencies.size();
  const auto pool = static_cast<double>(forecast.pool);
  const auto known = static_cast<double>(costs.lexicon_documents);
  const auto pages = static_cast<double>(costs.engine_documents);
  if (pool == 0 || known == 0 || pages == 0) return forecast;
  const auto results = [&](uint64_t frequency) {
    return std::min(1.0, static_cast<double>(frequency) / known) * pages;
  };
  double pairs = 0;  // joined
  for (const uint64_t frequency : costs.frequencies) {
    const double found = results(frequency);
    if (found <= static_cast<double>(costs.limit)) pairs += found;
  }
  if (pairs == 0) return forecast;
  const double degree = std::max(1.0, pairs / pages);
  const auto size = static_cast<double>(costs.size);
  const double trials =
      costs.rejection
          ? size * std::max(1.0, degree / std::max(1.0, costs.least_degree))
          : size;
  // Queries drawn until a pair is found: a query is kept with results / limit.
  const double draws = trials * pool * static_cast<double>(costs.limit) / pairs;
  // The share of the matching queries of a page that is asked for its degree.
  const double asked_share =
      costs.probe_degrees ? std::min(1.0, 1 / degree) : 1;
  for (const uint64_t frequency : costs.frequencies) {
    const double times =
        draws / pool + trials * asked_share * results(frequency) / pages;
    forecast.queries += 1 - PinnedExp(-times);
  }
  forecast.fetches = pages * (1 - PinnedExp(-trials / pages)) + size;
  return forecast;
}

}  // namespace twinset
