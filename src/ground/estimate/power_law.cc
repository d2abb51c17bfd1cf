#include "estimate/power_law.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/math/pinned_math.h"
#include "estimate/special_functions.h"

namespace twinset {
namespace {

constexpr double kLeastAlpha = 1.01, kMostAlpha = 20;
constexpr size_t kMostStarts = 64, kLeastTail = 10;

// Distinct values in ascending order, how often each stands, and its logarithm.
struct Histogram {
  std::vector<uint64_t> values, counts;
  std::vector<double> logs;
};

Histogram Count(std::vector<uint64_t> values) {
  std::sort(values.begin(), values.end());
  Histogram histogram;
  for (const uint64_t value : values) {
    if (!histogram.values.empty() && histogram.values.back() == value) {
      ++histogram.counts.back();
      continue;
    }
    histogram.values.push_back(value);
    histogram.counts.push_back(1);
    histogram.logs.push_back(PinnedLog(static_cast<double>(value)));
  }
  return histogram;
}

// The law of values[first..], alpha by golden section: the likelihood has one
// top.
PowerLaw FitFrom(const Histogram& histogram, size_t first) {
  PowerLaw law;
  law.x_min = histogram.values[first];
  double logs = 0;
  for (size_t i = first; i < histogram.values.size(); ++i) {
    law.tail += histogram.counts[i];
    logs += static_cast<double>(histogram.counts[i]) * histogram.logs[i];
  }
  const double n = static_cast<double>(law.tail);
  const double start = static_cast<double>(law.x_min);
  const auto likelihood = [&](double alpha) {
    return -n * PinnedLog(HurwitzZeta(alpha, start)) - alpha * logs;
  };
  constexpr double kGolden = 0.6180339887498949;
  double low = kLeastAlpha, high = kMostAlpha;
  double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
  double at_a = likelihood(a), at_b = likelihood(b);
  while (high - low > 1e-7) {
    if (at_a < at_b) {
      low = a;
      a = b;
      at_a = at_b;
      b = low + kGolden * (high - low);
      at_b = likelihood(b);
    } else {
      high = b;
      b = a;
      at_b = at_a;
      a = high - kGolden * (high - low);
      at_a = likelihood(a);
    }
  }
  law.alpha = (low + high) / 2;
  law.log_likelihood = likelihood(law.alpha);
  const double whole = HurwitzZeta(law.alpha, start);
  uint64_t seen = 0;
  for (size_t i = first; i < histogram.values.size(); ++i) {
    // Just before and at each value, of the data and of the law.
    const double x = static_cast<double>(histogram.values[i]);
    const double before = 1 - HurwitzZeta(law.alpha, x) / whole;
    const double after = 1 - HurwitzZeta(law.alpha, x + 1) / whole;
    law.distance = std::max(law.distance,
                            std::fabs(static_cast<double>(seen) / n - before));
    seen += histogram.counts[i];
    law.distance = std::max(law.distance,
                            std::fabs(static_cast<double>(seen) / n - after));
  }
  return law;
}

// The places in the histogram where the law may start: all when few, else
// evenly by count.
std::vector<size_t> Starts(const Histogram& histogram) {
  std::vector<size_t> starts;
  uint64_t above = 0;
  for (size_t i = histogram.values.size(); i-- > 0;) {
    above += histogram.counts[i];
    // One value alone gives no exponent.
    if (above >= kLeastTail && i + 1 < histogram.values.size())
      starts.push_back(i);
  }
  std::reverse(starts.begin(), starts.end());
  if (starts.size() <= kMostStarts) return starts;
  std::vector<size_t> some;
  for (size_t k = 0; k < kMostStarts; ++k)
    some.push_back(starts[k * (starts.size() - 1) / (kMostStarts - 1)]);
  return some;
}

// tail 0 when there is no place to start.
PowerLaw FitBest(const Histogram& histogram) {
  PowerLaw best;
  for (const size_t start : Starts(histogram)) {
    const PowerLaw law = FitFrom(histogram, start);
    if (best.tail == 0 || law.distance < best.distance) best = law;
  }
  return best;
}

}  // namespace

Result<PowerLawFit> FitPowerLaw(std::span<const uint64_t> values,
                                const BootstrapOptions& options) {
  PowerLawFit fit;
  std::vector<uint64_t> positive;
  for (const uint64_t value : values) {
    if (value > 0) positive.push_back(value);
  }
  fit.ignored = values.size() - positive.size();
  if (positive.size() < kLeastTail)
    return Fail(ErrorCode::kUsage, "a power law needs 10 values above 0");
  fit.law = FitBest(Count(positive));
  if (fit.law.tail == 0)
    return Fail(ErrorCode::kUsage, "a power law needs different values");
  std::vector<double> alphas, starts;
  SplitMix64 random(options.seed);
  std::vector<uint64_t> again(positive.size());
  for (uint32_t r = 0; r < options.replicas; ++r) {
    for (uint64_t& value : again)
      value = positive[random.Below(positive.size())];
    const PowerLaw law = FitBest(Count(again));
    if (law.tail == 0) continue;
    alphas.push_back(law.alpha);
    starts.push_back(static_cast<double>(law.x_min));
  }
  fit.alpha = PercentileInterval(alphas);
  fit.x_min = PercentileInterval(starts);
  return fit;
}

Result<SkewedMean> FindSkewedMean(std::span<const uint64_t> values,
                                  const BootstrapOptions& options) {
  if (values.size() < 2)
    return Fail(ErrorCode::kUsage, "a mean with its error needs two values");
  std::vector<double> sorted;
  for (const uint64_t value : values)
    sorted.push_back(static_cast<double>(value));
  std::sort(sorted.begin(), sorted.end());
  const Moments moments = FindMoments(sorted);
  const double n = static_cast<double>(sorted.size());
  SkewedMean result;
  result.n = sorted.size();
  result.estimate = NormalEstimate(moments.mean, moments.variance / n);
  result.median = SortedQuantile(sorted, 0.5);
  result.largest = static_cast<uint64_t>(sorted.back());
  if (moments.mean > 0) {
    result.variation = std::sqrt(moments.variance) / moments.mean;
    result.largest_share = sorted.back() / (moments.mean * n);
    double top = 0;
    const size_t count = std::max<size_t>(1, sorted.size() / 100);
    for (size_t i = sorted.size() - count; i < sorted.size(); ++i)
      top += sorted[i];
    result.top_share = std::min(top / (moments.mean * n), 1.0);
  }
  result.bootstrap = BootstrapInterval(
      sorted.size(), options, [&](std::span<const uint32_t> picks) {
        double sum = 0;
        for (const uint32_t pick : picks) sum += sorted[pick];
        return sum / static_cast<double>(picks.size());
      });
  return result;
}

}  // namespace twinset
