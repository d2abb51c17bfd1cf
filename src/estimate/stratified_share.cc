#include "estimate/stratified_share.h"

#include <algorithm>
#include <cmath>

namespace twinset::inline v1 {

StratifiedShare StratifiedWilson(std::span<const Stratum> strata, double z) {
  double all = 0, covered = 0, sum = 0, variance = 0, errors = 0;
  for (const Stratum& stratum : strata) {
    all += stratum.weight;
    if (stratum.trials == 0) continue;
    const auto n = static_cast<double>(stratum.trials);
    const auto successes = static_cast<double>(stratum.successes);
    covered += stratum.weight;
    sum += stratum.weight * successes / n;
    // Moved towards 1/2 as Wilson's middle is, so that it is never 0.
    const double moved = (successes + z * z / 2) / (n + z * z);
    const double each = moved * (1 - moved) / (n + z * z);
    variance += stratum.weight * stratum.weight * each;
    errors += stratum.weight * std::sqrt(each);
  }
  StratifiedShare result{0, {0, 1}, 0};
  if (covered == 0 || errors == 0) return result;
  result.share = sum / covered;
  result.covered = covered / all;
  // Of one stratum both are the same but for rounding.
  const bool is_one =
      std::count_if(strata.begin(), strata.end(), [](const Stratum& stratum) {
        return stratum.trials > 0 && stratum.weight > 0;
      }) == 1;
  const double quantile = is_one ? z : z * std::sqrt(variance) / errors;
  double low = 0, high = (all - covered) / all;
  for (const Stratum& stratum : strata) {
    if (stratum.trials == 0) continue;
    const Interval own =
        WilsonInterval(stratum.successes, stratum.trials, quantile);
    low += stratum.weight / all * own.low;
    high += stratum.weight / all * own.high;
  }
  result.interval = {std::clamp(low, 0.0, 1.0), std::clamp(high, 0.0, 1.0)};
  return result;
}

}  // namespace twinset::inline v1
