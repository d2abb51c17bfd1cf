#include "estimate/stratified_share.h"

#include <algorithm>
#include <cmath>

namespace twinset {

StratifiedShare StratifiedWilson(std::span<const Stratum> strata, double z) {
  double all = 0, covered = 0;
  size_t sampled = 0;
  for (const Stratum& stratum : strata) {
    all += stratum.weight;
    if (stratum.trials == 0 || stratum.weight == 0) continue;
    covered += stratum.weight;
    ++sampled;
  }
  StratifiedShare result{0, {0, 1}, 0};
  if (covered == 0) return result;
  result.covered = covered / all;
  // Shares of `all`; the strata without trials have 0 of it.
  double middle = 0, below = 0, above = 0;
  Interval ends;
  for (const Stratum& stratum : strata) {
    if (stratum.trials == 0 || stratum.weight == 0) continue;
    const double weight = stratum.weight / all;
    const double share = static_cast<double>(stratum.successes) /
                         static_cast<double>(stratum.trials);
    const Interval own = WilsonInterval(stratum.successes, stratum.trials, z);
    middle += weight * share;
    below += weight * weight * (share - own.low) * (share - own.low);
    above += weight * weight * (own.high - share) * (own.high - share);
    ends = {weight * own.low, weight * own.high};
  }
  result.share = middle / result.covered;
  // For one stratum it is its own interval, except for rounding.
  if (sampled > 1)
    ends = {middle - std::sqrt(below), middle + std::sqrt(above)};
  const double rest = (all - covered) / all;
  result.interval = {std::clamp(ends.low, 0.0, 1.0),
                     std::clamp(ends.high + rest, 0.0, 1.0)};
  return result;
}

}  // namespace twinset
