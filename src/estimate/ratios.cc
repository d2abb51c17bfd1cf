#include "estimate/ratios.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace twinset {
namespace {

RatioEstimate OfSums(std::span<const RatioPair> pairs,
                     const BootstrapOptions& options) {
  double x = 0, y = 0;
  for (const RatioPair& pair : pairs) {
    x += pair.x;
    y += pair.y;
  }
  const double n = static_cast<double>(pairs.size()), ratio = x / y;
  std::vector<double> residuals;
  for (const RatioPair& pair : pairs)
    residuals.push_back(pair.x - ratio * pair.y);
  RatioEstimate result;
  result.used = pairs.size();
  result.estimate = NormalEstimate(
      ratio, FindMoments(residuals).variance / n / (y / n * (y / n)));
  result.bootstrap = BootstrapInterval(
      pairs.size(), options, [&](std::span<const uint32_t> picks) {
        double sum_x = 0, sum_y = 0;
        for (const uint32_t pick : picks) {
          sum_x += pairs[pick].x;
          sum_y += pairs[pick].y;
        }
        return sum_y > 0 ? sum_x / sum_y
                         : std::numeric_limits<double>::quiet_NaN();
      });
  return result;
}

double MeanOf(const std::vector<double>& values,
              std::span<const uint32_t> picks) {
  double sum = 0;
  for (const uint32_t pick : picks) sum += values[pick];
  return sum / static_cast<double>(picks.size());
}

// The mean of the values, or 1 / mean with `inverse`.
RatioEstimate OfMean(const std::vector<double>& values, bool inverse,
                     const BootstrapOptions& options) {
  RatioEstimate result;
  result.used = values.size();
  if (values.empty()) return result;
  const Moments moments = FindMoments(values);
  const double variance = moments.variance / static_cast<double>(values.size());
  const double square = moments.mean * moments.mean;
  result.estimate =
      inverse ? NormalEstimate(1 / moments.mean, variance / (square * square))
              : NormalEstimate(moments.mean, variance);
  result.bootstrap = BootstrapInterval(
      values.size(), options, [&](std::span<const uint32_t> picks) {
        const double mean = MeanOf(values, picks);
        return inverse ? 1 / mean : mean;
      });
  return result;
}

}  // namespace

Result<Ratios> FindRatios(std::span<const RatioPair> pairs,
                          const BootstrapOptions& options) {
  if (pairs.size() < 2)
    return Fail(ErrorCode::kUsage, "a ratio with its error needs two pairs");
  Ratios result;
  result.pairs = pairs.size();
  std::vector<double> ratios, inverses;
  double sum_y = 0;
  for (const RatioPair& pair : pairs) {
    if (!(pair.x >= 0 && pair.y >= 0) || !std::isfinite(pair.x + pair.y))
      return Fail(ErrorCode::kUsage, "a number is below 0 or not finite");
    sum_y += pair.y;
    if (pair.x == 0 && pair.y == 0) {
      ++result.zero_both;
    } else if (pair.y == 0) {
      ++result.zero_y;
    } else if (pair.x == 0) {
      ++result.zero_x;
    }
    if (pair.y == 0) continue;
    ratios.push_back(pair.x / pair.y);
    if (pair.x > 0) inverses.push_back(pair.y / pair.x);
  }
  if (!(sum_y > 0))
    return Fail(ErrorCode::kUsage, "all denominators are 0: there is no ratio");
  result.of_sums = OfSums(pairs, options);
  result.mean = OfMean(ratios, false, options);
  result.harmonic = OfMean(inverses, true, options);
  return result;
}

}  // namespace twinset
