#include <algorithm>
#include <cmath>
#include <string>

#include "estimate/capture_recapture.h"
#include "estimate/special_functions.h"

namespace twinset {
namespace {

// The x at which UpperGamma(a, x) = q; it rises with x.
double UpperGammaQuantile(double a, double q) {
  double low = 0, high = a + 10 * std::sqrt(a) + 20;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (UpperGamma(a, middle) > q ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

Interval PoissonInterval(uint64_t count) {
  const double n = static_cast<double>(count);
  Interval interval;
  if (count > 0) interval.low = UpperGammaQuantile(n, 0.975);
  interval.high = UpperGammaQuantile(n + 1, 0.025);
  return interval;
}

Result<SchnabelEstimate> Schnabel(std::span<const Occasion> occasions) {
  if (occasions.size() < 2)
    return Fail(ErrorCode::kUsage, "two captures are needed to meet");
  SchnabelEstimate result;
  double products = 0;
  for (size_t i = 0; i < occasions.size(); ++i) {
    const Occasion& occasion = occasions[i];
    if (occasion.recaptured > std::min(occasion.caught, result.marked)) {
      return Fail(ErrorCode::kUsage,
                  "capture " + std::to_string(i + 1) + " has " +
                      std::to_string(occasion.recaptured) +
                      " caught again, but only " +
                      std::to_string(std::min(occasion.caught, result.marked)) +
                      " can be");
    }
    products += static_cast<double>(occasion.caught) *
                static_cast<double>(result.marked);
    result.recaptured += occasion.recaptured;
    result.marked += occasion.caught - occasion.recaptured;
  }
  if (result.recaptured == 0) {
    return Fail(ErrorCode::kUsage,
                "nothing was caught twice: Schnabel's estimate is undefined",
                "", "capture more");
  }
  const double met = static_cast<double>(result.recaptured);
  result.size = products / met;
  result.chapman = products / (met + 1);
  result.standard_error = result.size / std::sqrt(met);
  const Interval limits = PoissonInterval(result.recaptured);
  const double seen = static_cast<double>(result.marked);
  result.interval = {std::max(seen, products / limits.high),
                     std::max(seen, products / limits.low)};
  return result;
}

}  // namespace twinset
