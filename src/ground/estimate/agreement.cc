#include "estimate/agreement.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace twinset {

JudgeAgreement AgreementOf(std::span<const uint64_t> table, size_t categories) {
  JudgeAgreement agreement;
  agreement.items = std::accumulate(table.begin(), table.end(), uint64_t{0});
  if (agreement.items == 0) return agreement;
  const auto n = static_cast<double>(agreement.items);
  const auto share = [&](size_t i, size_t j) {
    return static_cast<double>(table[i * categories + j]) / n;
  };
  std::vector<double> rows(categories), columns(categories);
  for (size_t i = 0; i < categories; ++i) {
    for (size_t j = 0; j < categories; ++j) {
      rows[i] += share(i, j);
      columns[j] += share(i, j);
    }
    agreement.observed += share(i, i);
  }
  for (size_t i = 0; i < categories; ++i)
    agreement.expected += rows[i] * columns[i];
  const double left = 1 - agreement.expected;
  if (left < 1e-12) return agreement;
  const double kappa = (agreement.observed - agreement.expected) / left;
  double sum = 0;
  for (size_t i = 0; i < categories; ++i) {
    for (size_t j = 0; j < categories; ++j) {
      // What one more such pair of answers changes.
      const double moved = (rows[j] + columns[i]) * (1 - kappa);
      const double change = i == j ? 1 - moved : moved;
      sum += share(i, j) * change * change;
    }
  }
  const double mean = kappa - agreement.expected * (1 - kappa);
  const double variance = std::max(0.0, sum - mean * mean) / (n * left * left);
  Estimated estimate = NormalEstimate(kappa, variance);
  estimate.interval.low = std::max(-1.0, estimate.interval.low);
  estimate.interval.high = std::min(1.0, estimate.interval.high);
  agreement.kappa = estimate;
  return agreement;
}

}  // namespace twinset
