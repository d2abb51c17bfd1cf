#include "estimate/ratios.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/math/pinned_math.h"
#include "estimate/skewed_total.h"
#include "estimate/special_functions.h"

namespace twinset {
namespace {

struct Sums {
  double x = 0, y = 0;
};

// The end of the interval where `again` was drawn kDrawnAgain times more. On
// the logarithm, `quantile` standard errors away.
double EndOf(std::span<const RatioPair> pairs, Sums sums,
             const RatioPair& again, double quantile) {
  sums.x += kDrawnAgain * again.x;
  sums.y += kDrawnAgain * again.y;
  const double ratio = sums.x / sums.y;
  const auto square = [&](const RatioPair& pair) {
    const double off = pair.x - ratio * pair.y;
    return off * off;
  };
  double squares = kDrawnAgain * square(again);
  for (const RatioPair& pair : pairs) squares += square(pair);
  const double n = static_cast<double>(pairs.size());
  const double variance = squares / (n - 1) * n / (sums.x * sums.x);
  return ratio * PinnedExp(quantile * std::sqrt(variance));
}

}  // namespace

RatioEstimate RatioOfSums(std::span<const RatioPair> pairs) {
  RatioEstimate result;
  result.used = pairs.size();
  if (pairs.empty()) return result;
  Sums sums;
  for (const RatioPair& pair : pairs) {
    sums.x += pair.x;
    sums.y += pair.y;
  }
  const double n = static_cast<double>(pairs.size());
  const double ratio = sums.x / sums.y;
  std::vector<double> residuals;
  for (const RatioPair& pair : pairs)
    residuals.push_back(pair.x - ratio * pair.y);
  const double mean_y = sums.y / n;
  result.estimate = NormalEstimate(
      ratio, FindMoments(residuals).variance / n / (mean_y * mean_y));
  result.has_interval = pairs.size() >= kLeastPairs && sums.x > 0;
  if (!result.has_interval) return result;
  const auto [least, most] =
      std::minmax_element(residuals.begin(), residuals.end());
  const auto pair_at = [&](auto place) {
    return pairs[static_cast<size_t>(place - residuals.begin())];
  };
  const double quantile = StudentQuantile95(pairs.size() - 1);
  result.estimate.interval = {EndOf(pairs, sums, pair_at(least), -quantile),
                              EndOf(pairs, sums, pair_at(most), quantile)};
  return result;
}

Result<Ratios> FindRatios(std::span<const RatioPair> pairs) {
  if (pairs.size() < 2)
    return Fail(ErrorCode::kUsage, "a ratio with its error needs two pairs");
  Ratios result;
  result.pairs = pairs.size();
  std::vector<RatioPair> ratios, inverses;  // whose sums have the same ratio
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
    ratios.push_back({pair.x / pair.y, 1});
    if (pair.x > 0) inverses.push_back({1, pair.y / pair.x});
  }
  if (!(sum_y > 0))
    return Fail(ErrorCode::kUsage, "all denominators are 0: there is no ratio");
  result.of_sums = RatioOfSums(pairs);
  result.mean = RatioOfSums(ratios);
  result.harmonic = RatioOfSums(inverses);
  return result;
}

}  // namespace twinset
