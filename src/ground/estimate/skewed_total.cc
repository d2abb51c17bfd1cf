#include "estimate/skewed_total.h"

#include <algorithm>
#include <limits>

#include "estimate/special_functions.h"

namespace twinset {

MeanOfDraws FindMeanOfDraws(std::span<const double> values, uint64_t draws,
                            double again) {
  if (values.empty()) return {};
  const double n = static_cast<double>(draws);
  const double largest = *std::max_element(values.begin(), values.end());
  double sum = again * largest;
  for (const double value : values) sum += value;
  if (!(sum > 0)) return {};
  const double mean = sum / n;
  double squares = again * (largest - mean) * (largest - mean);
  for (const double value : values) squares += (value - mean) * (value - mean);
  squares += (n - static_cast<double>(values.size())) * mean * mean;
  return {mean, squares / (n - 1) / n / mean / mean};
}

Estimated SkewedTotal(double scale, std::span<const double> values,
                      uint64_t draws, double other) {
  const auto terms = static_cast<uint64_t>(std::count_if(
      values.begin(), values.end(), [](double value) { return value > 0; }));
  return SkewedTotalOfTerms(scale, values, draws, other, terms);
}

Estimated SkewedTotalOfTerms(double scale, std::span<const double> values,
                             uint64_t draws, double other, uint64_t terms) {
  const MeanOfDraws mean = FindMeanOfDraws(values, draws, 0);
  if (!(mean.value > 0))
    return {0, 0, {0, std::numeric_limits<double>::infinity()}};
  const MeanOfDraws more = FindMeanOfDraws(values, draws, kDrawnAgain);
  const double quantile = StudentQuantile95(terms < 2 ? 1 : terms - 1);
  const auto estimate = [&](const MeanOfDraws& of, double z) {
    return LogEstimate(scale * of.value, of.log_variance + other, z);
  };
  Estimated result = estimate(mean, kZ95);
  result.interval = {estimate(mean, quantile).interval.low,
                     estimate(more, quantile).interval.high};
  return result;
}

}  // namespace twinset
