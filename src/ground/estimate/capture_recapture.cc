#include "estimate/capture_recapture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/math/pinned_math.h"
#include "estimate/special_functions.h"

namespace twinset {
namespace {

Status Check(const Captures& captures) {
  if (captures.m <= std::min(captures.n1, captures.n2)) return {};
  return Fail(ErrorCode::kUsage,
              std::to_string(captures.m) + " were caught twice, but only " +
                  std::to_string(std::min(captures.n1, captures.n2)) +
                  " in the smaller capture",
              "", "m is at most the smaller of n1 and n2");
}

// Returns true iff so few (or so many) as m of the n2 are among n1 of `size`
// with a chance above `least`: the terms are added from m outwards until they
// are.
bool IsLikely(const Captures& captures, double size, bool few, double least) {
  const double n1 = static_cast<double>(captures.n1);
  const double n2 = static_cast<double>(captures.n2);
  const double rest = size - n1 - n2;  // may be below 0
  const auto choose = [](double n, double k) {
    return LogGamma(n + 1) - LogGamma(k + 1) - LogGamma(n - k + 1);
  };
  double k = static_cast<double>(captures.m);
  if (rest + k < 0) return false;
  double term =
      PinnedExp(choose(n1, k) + choose(size - n1, n2 - k) - choose(size, n2));
  double sum = 0;
  while (sum <= least && term > sum * 1e-17) {
    sum += term;
    if (few) {
      term *= k * (rest + k) / ((n1 - k + 1) * (n2 - k + 1));
      --k;
    } else {
      term *= (n1 - k) * (n2 - k) / ((k + 1) * (rest + k + 1));
      ++k;
    }
  }
  return sum > least;
}

Interval SizesThatFit(const Captures& captures, double size, double z) {
  const double least = NormalTwoSided(z) / 2;
  const double seen = static_cast<double>(captures.n1 - captures.m) +
                      static_cast<double>(captures.n2);
  // Few meetings are the likelier the larger the population is.
  double low = seen, high = std::max(seen, std::ceil(size));
  if (IsLikely(captures, low, true, least)) {
    high = low;
  }
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (IsLikely(captures, middle, true, least) ? high : low) = middle;
  }
  Interval interval = {high, std::numeric_limits<double>::infinity()};
  if (captures.m == 0) return interval;
  low = std::max(seen, std::floor(size));
  double step = 1;
  while (IsLikely(captures, low + step, false, least)) {
    low += step;
    step *= 2;
  }
  high = low + step;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (IsLikely(captures, middle, false, least) ? low : high) = middle;
  }
  interval.high = low;
  return interval;
}

// Log-normal in the number of those that were not seen.
Interval AroundUnseen(double seen, double size, double variance, double z) {
  const double unseen = size - seen;
  const double spread = unseen > 0 ? variance / unseen / unseen : 0;
  const double factor = PinnedExp(z * std::sqrt(PinnedLog(1 + spread)));
  return {std::floor(seen + unseen / factor),
          std::ceil(seen + unseen * factor)};
}

SizeEstimate Finish(double size, double variance, const Interval& interval,
                    double seen) {
  return {size, variance, std::sqrt(variance), interval,
          static_cast<uint64_t>(seen)};
}

}  // namespace

Result<double> LincolnPetersen(const Captures& captures) {
  TWINSET_TRY(Check(captures));
  if (captures.m == 0) {
    return Fail(ErrorCode::kUsage,
                "nothing was caught twice: n1 n2 / m is undefined", "",
                "Chapman's estimate is finite, and says little");
  }
  return static_cast<double>(captures.n1) * static_cast<double>(captures.n2) /
         static_cast<double>(captures.m);
}

Result<SizeEstimate> Chapman(const Captures& captures, double z) {
  TWINSET_TRY(Check(captures));
  const double a = static_cast<double>(captures.n1) + 1;
  const double b = static_cast<double>(captures.n2) + 1;
  const double m = static_cast<double>(captures.m) + 1;
  const double only_a = static_cast<double>(captures.n1 - captures.m);
  const double only_b = static_cast<double>(captures.n2 - captures.m);
  const double size = a * b / m - 1;
  return Finish(size, a / m * (b / m) * only_a * (only_b / (m + 1)),
                SizesThatFit(captures, size, z),
                only_a + static_cast<double>(captures.n2));
}

SizeEstimate CaughtTogether(const SizeEstimate& estimate, double individuals,
                            double groups) {
  if (!(groups < individuals)) return estimate;
  const double least = static_cast<double>(estimate.seen);
  SizeEstimate result = estimate;
  result.variance *= individuals / groups;
  result.standard_error = std::sqrt(result.variance);
  if (!std::isfinite(estimate.interval.high)) {
    result.interval.low = least;
    return result;
  }
  const double z =
      StudentQuantile95(static_cast<uint64_t>(std::max(1.0, groups - 1)));
  result.interval = AroundUnseen(least, estimate.size, result.variance, z);
  return result;
}

Result<SizeEstimate> StratifiedChapman(std::span<const Captures> strata,
                                       double z) {
  if (strata.size() == 1) return Chapman(strata.front(), z);
  double size = 0, variance = 0, seen = 0;
  bool met = strata.empty();
  for (const Captures& captures : strata) {
    TWINSET_ASSIGN(const SizeEstimate one, Chapman(captures, z));
    size += one.size;
    variance += one.variance;
    seen += static_cast<double>(captures.n1 - captures.m) +
            static_cast<double>(captures.n2);
    met = met || captures.m > 0;
  }
  Interval interval = {seen, std::numeric_limits<double>::infinity()};
  if (met) interval = AroundUnseen(seen, size, variance, z);
  return Finish(size, variance, interval, seen);
}

std::vector<Captures> JoinSmallStrata(std::span<const Captures> strata,
                                      uint64_t least) {
  std::vector<Captures> joined;
  Captures open;
  const auto add = [](const Captures& from, Captures* to) {
    to->n1 += from.n1;
    to->n2 += from.n2;
    to->m += from.m;
  };
  for (size_t i = strata.size(); i-- > 0;) {
    add(strata[i], &open);
    if (open.m < least) continue;
    joined.push_back(open);
    open = {};
  }
  if (joined.empty()) return {open};
  add(open, &joined.back());
  return joined;
}

}  // namespace twinset
