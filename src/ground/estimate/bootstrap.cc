#include "estimate/bootstrap.h"

#include <algorithm>
#include <cmath>

#include "base/math/pinned_math.h"
#include "estimate/special_functions.h"

namespace twinset {

Estimated NormalEstimate(double value, double variance, double z) {
  const double error = std::sqrt(std::max(variance, 0.0));
  return {value, error, {value - z * error, value + z * error}};
}

Estimated LogEstimate(double value, double log_variance, double z) {
  const double error = std::sqrt(std::max(log_variance, 0.0));
  const double factor = PinnedExp(z * error);
  return {value, value * error, {value / factor, value * factor}};
}

Moments FindMoments(std::span<const double> values) {
  Moments moments;
  if (values.empty()) return moments;
  const double n = static_cast<double>(values.size());
  for (const double value : values) moments.mean += value / n;
  if (values.size() < 2) return moments;
  for (const double value : values)
    moments.variance +=
        (value - moments.mean) * (value - moments.mean) / (n - 1);
  return moments;
}

double SortedQuantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double part = place - static_cast<double>(below);
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

Interval PercentileInterval(std::vector<double> replicas) {
  if (replicas.empty()) return {};
  std::sort(replicas.begin(), replicas.end());
  return {SortedQuantile(replicas, 0.025), SortedQuantile(replicas, 0.975)};
}

std::vector<double> BootstrapReplicas(
    size_t n, const BootstrapOptions& options,
    const std::function<double(std::span<const uint32_t>)>& statistic) {
  std::vector<double> replicas;
  if (n == 0 || n > UINT32_MAX) return replicas;
  constexpr uint64_t kMostDraws = 100000000;
  const uint64_t count = std::min<uint64_t>(
      options.replicas, std::max<uint64_t>(100, kMostDraws / n));
  const uint64_t block = std::clamp<uint64_t>(options.block, 1, n);
  SplitMix64 random(options.seed);
  std::vector<uint32_t> picks(n);
  for (uint64_t r = 0; r < count; ++r) {
    for (size_t i = 0; i < n;) {
      // Blocks wrap around, so that every row is equally likely.
      uint64_t row = random.Below(n);
      for (uint64_t k = 0; k < block && i < n; ++k, ++i) {
        picks[i] = static_cast<uint32_t>(row);
        if (++row == n) row = 0;
      }
    }
    const double value = statistic(picks);
    if (std::isfinite(value)) replicas.push_back(value);
  }
  return replicas;
}

Interval BootstrapInterval(
    size_t n, const BootstrapOptions& options,
    const std::function<double(std::span<const uint32_t>)>& statistic) {
  return PercentileInterval(BootstrapReplicas(n, options, statistic));
}

double UniformDraw(SplitMix64* random) {
  return static_cast<double>(random->Next() >> 11) * 0x1p-53;
}

BinomialDraw::BinomialDraw(uint64_t trials, double p)
    : trials_(trials), mode_(0), odds_(0), mass_(1) {
  if (p <= 0 || trials == 0) return;
  if (p >= 1) {
    mode_ = trials;
    return;
  }
  const double n = static_cast<double>(trials);
  mode_ = std::min(trials, static_cast<uint64_t>((n + 1) * p));
  odds_ = p / (1 - p);
  const double m = static_cast<double>(mode_);
  mass_ = PinnedExp(LogGamma(n + 1) - LogGamma(m + 1) - LogGamma(n - m + 1) +
                    m * PinnedLog(p) + (n - m) * PinnedLog(1 - p));
}

uint64_t BinomialDraw::operator()(SplitMix64* random) const {
  double left = UniformDraw(random) - mass_;
  if (left < 0 || odds_ == 0) return mode_;
  uint64_t low = mode_, high = mode_;
  double low_mass = mass_, high_mass = mass_;
  while (low > 0 || high < trials_) {
    if (high < trials_) {
      high_mass *= odds_ * static_cast<double>(trials_ - high) /
                   static_cast<double>(high + 1);
      ++high;
      left -= high_mass;
      if (left < 0) return high;
    }
    if (low > 0) {
      low_mass *= static_cast<double>(low) /
                  (odds_ * static_cast<double>(trials_ - low + 1));
      --low;
      left -= low_mass;
      if (left < 0) return low;
    }
  }
  return mode_;  // what rounding left over
}

}  // namespace twinset
