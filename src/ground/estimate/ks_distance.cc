#include "estimate/ks_distance.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace twinset {
namespace {

Status CheckNumbers(const std::vector<double>& values) {
  if (values.empty()) return Fail(ErrorCode::kUsage, "the sample is empty");
  for (const double value : values) {
    if (value != value)
      return Fail(ErrorCode::kUsage,
                  "the sample has values that are no number");
  }
  return {};
}

}  // namespace

Result<double> KsWeighted(std::span<const double> values,
                          std::span<const double> weights,
                          std::span<const double> reference) {
  if (values.empty() || reference.empty())
    return Fail(ErrorCode::kUsage, "the sample is empty");
  if (values.size() != weights.size())
    return Fail(ErrorCode::kUsage, "values and weights are not equally many");
  std::vector<std::pair<double, double>> sample;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!(weights[i] > 0) || !std::isfinite(weights[i]))
      return Fail(ErrorCode::kUsage, "a weight is not above 0");
    sample.emplace_back(values[i], weights[i]);
  }
  std::vector<double> sorted(reference.begin(), reference.end());
  TWINSET_TRY(CheckNumbers({values.begin(), values.end()}));
  TWINSET_TRY(CheckNumbers(sorted));
  std::sort(sample.begin(), sample.end());
  std::sort(sorted.begin(), sorted.end());
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0),
               count = static_cast<double>(sorted.size());
  double mass = 0, largest = 0;
  size_t i = 0, j = 0;
  // The distribution functions are compared after each distinct value.
  while (i < sample.size() || j < sorted.size()) {
    const double next =
        j == sorted.size() || (i < sample.size() && sample[i].first < sorted[j])
            ? sample[i].first
            : sorted[j];
    for (; i < sample.size() && sample[i].first == next; ++i)
      mass += sample[i].second;
    while (j < sorted.size() && sorted[j] == next) ++j;
    largest = std::max(
        largest, std::fabs(mass / total - static_cast<double>(j) / count));
  }
  return std::min(largest, 1.0);
}

}  // namespace twinset
