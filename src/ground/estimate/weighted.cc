#include "estimate/weighted.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>

#include "base/math/pinned_math.h"
#include "estimate/chain.h"
#include "estimate/skewed_total.h"
#include "estimate/special_functions.h"

namespace twinset {
namespace {

Status Check(std::span<const WeightedValue> draws) {
  if (draws.empty()) return Fail(ErrorCode::kUsage, "the sample is empty");
  for (size_t i = 0; i < draws.size(); ++i) {
    if (!(draws[i].weight > 0) || !std::isfinite(draws[i].weight))
      return Fail(ErrorCode::kUsage,
                  "draw " + std::to_string(i) + " has a weight not above 0");
    if (!std::isfinite(draws[i].value))
      return Fail(ErrorCode::kUsage,
                  "draw " + std::to_string(i) + " has a value not finite");
  }
  return {};
}

double TotalWeight(std::span<const WeightedValue> draws) {
  double sum = 0;
  for (const WeightedValue& draw : draws) sum += draw.weight;
  return sum;
}

// By the sums of the influence of each part, as if it were one draw. Few parts
// make an uncertain variance: it is raised so that the normal interval is as
// long as Student's.
double VarianceBetweenParts(const std::vector<double>& influence, double total,
                            const std::vector<uint64_t>& chains) {
  const std::vector<size_t> parts = PartsOfChains(influence.size(), chains);
  std::vector<double> sums;
  for (size_t i = 0; i < influence.size(); ++i) {
    if (parts[i] >= sums.size()) sums.resize(parts[i] + 1);
    sums[parts[i]] += influence[i];
  }
  if (sums.size() < 2) return 0;
  double squares = 0;
  for (const double sum : sums) squares += sum * sum;
  const double p = static_cast<double>(sums.size());
  const double longer = StudentQuantile95(sums.size() - 1) / kZ95;
  return squares / (total * total) * p / (p - 1) * longer * longer;
}

// For a mean with the given influence of each draw (which sum to 0): returns
// its variance, and what the draws are worth.
double VarianceOf(const std::vector<double>& influence, double total,
                  const WeightedOptions& options, WeightedEstimate* result) {
  double squares = 0;
  for (const double value : influence) squares += value * value;
  const double n = static_cast<double>(influence.size());
  if (options.chain) result->time = FindEffectiveSize(influence).time;
  result->effective_size = result->weight_size / result->time;
  if (influence.size() < 2) return 0;
  const double variance =
      squares / (total * total) * n / (n - 1) * result->time;
  if (!options.chain || !options.between_parts) return variance;
  const double between = VarianceBetweenParts(influence, total, options.chains);
  if (between <= variance) return variance;
  result->effective_size *= variance / between;
  return between;
}

// Blocks of chains: long enough to hold what hangs together.
BootstrapOptions Drawing(const WeightedOptions& options, double time) {
  BootstrapOptions drawing = options.bootstrap;
  if (options.chain)
    drawing.block = static_cast<uint64_t>(std::min(4 * time + 1, 1e9));
  return drawing;
}

std::vector<double> InfluenceOfMean(std::span<const WeightedValue> draws,
                                    double mean) {
  std::vector<double> influence;
  influence.reserve(draws.size());
  for (const WeightedValue& draw : draws)
    influence.push_back(draw.weight * (draw.value - mean));
  return influence;
}

// The end of the normal interval of a mean, `z` standard errors away, where
// `again` was drawn kDrawnAgain times more.
double EndOf(std::span<const WeightedValue> draws, const WeightedValue& again,
             double z) {
  double weight = kDrawnAgain * again.weight, sum = weight * again.value;
  for (const WeightedValue& draw : draws) {
    weight += draw.weight;
    sum += draw.weight * draw.value;
  }
  const double mean = sum / weight;
  const auto square = [&](const WeightedValue& draw) {
    const double off = draw.weight * (draw.value - mean);
    return off * off;
  };
  double squares = kDrawnAgain * square(again);
  for (const WeightedValue& draw : draws) squares += square(draw);
  const double n = static_cast<double>(draws.size());
  return mean + z * std::sqrt(squares * n / (n - 1)) / weight;
}

// The interval of independent draws, each end as if the draw that pulls most
// towards it had been drawn more often. For one draw it stays as it was.
Interval ReachingInterval(std::span<const WeightedValue> draws,
                          const std::vector<double>& influence,
                          const Interval& normal) {
  if (draws.size() < 2) return normal;
  const auto [least, most] =
      std::minmax_element(influence.begin(), influence.end());
  const auto draw_at = [&](auto place) {
    return draws[static_cast<size_t>(place - influence.begin())];
  };
  return {EndOf(draws, draw_at(least), -kZ95),
          EndOf(draws, draw_at(most), kZ95)};
}

double MeanOf(std::span<const WeightedValue> draws,
              std::span<const uint32_t> picks) {
  double sum = 0, total = 0;
  for (const uint32_t pick : picks) {
    sum += draws[pick].weight * draws[pick].value;
    total += draws[pick].weight;
  }
  return sum / total;
}

// Values in order with the weight at or below each as a share.
struct Distribution {
  std::vector<double> values, shares;
  // The smallest value with at least this share.
  double At(double share) const {
    const auto found = std::lower_bound(shares.begin(), shares.end(),
                                        std::min(share, shares.back()));
    return values[static_cast<size_t>(found - shares.begin())];
  }
};

Distribution Sort(std::span<const WeightedValue> draws) {
  std::vector<WeightedValue> sorted(draws.begin(), draws.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const WeightedValue& a, const WeightedValue& b) {
                     return a.value < b.value;
                   });
  Distribution distribution;
  const double total = TotalWeight(sorted);
  double sum = 0;
  for (const WeightedValue& draw : sorted) {
    sum += draw.weight;
    distribution.values.push_back(draw.value);
    distribution.shares.push_back(sum / total);
  }
  distribution.shares.back() = 1;
  return distribution;
}

}  // namespace

std::vector<size_t> PartsOfChains(size_t draws,
                                  const std::vector<uint64_t>& chains) {
  std::map<uint64_t, size_t> lengths;
  for (size_t i = 0; i < draws; ++i) ++lengths[chains.empty() ? 0 : chains[i]];
  if (lengths.empty()) return {};
  const size_t pieces = (kLeastParts + lengths.size() - 1) / lengths.size();
  struct Place {
    size_t first_part, length, passed = 0;
  };
  std::map<uint64_t, Place> places;
  for (const auto& [chain, length] : lengths)
    places.emplace(chain, Place{places.size() * pieces, length});
  std::vector<size_t> parts;
  parts.reserve(draws);
  for (size_t i = 0; i < draws; ++i) {
    Place& place = places.at(chains.empty() ? 0 : chains[i]);
    parts.push_back(place.first_part + place.passed++ * pieces / place.length);
  }
  return parts;
}

double KishSize(std::span<const WeightedValue> draws) {
  double squares = 0;
  for (const WeightedValue& draw : draws) squares += draw.weight * draw.weight;
  const double total = TotalWeight(draws);
  return squares > 0 ? total / squares * total : 0;
}

Result<WeightedEstimate> HajekMean(std::span<const WeightedValue> draws,
                                   const WeightedOptions& options) {
  TWINSET_TRY(Check(draws));
  WeightedEstimate result;
  result.draws = draws.size();
  result.weight_size = KishSize(draws);
  const double total = TotalWeight(draws);
  double mean = 0;
  for (const WeightedValue& draw : draws)
    mean += draw.weight / total * draw.value;
  const std::vector<double> influence = InfluenceOfMean(draws, mean);
  result.estimate =
      NormalEstimate(mean, VarianceOf(influence, total, options, &result));
  if (!options.chain) {
    result.estimate.interval =
        ReachingInterval(draws, influence, result.estimate.interval);
  }
  result.bootstrap = BootstrapInterval(
      draws.size(), Drawing(options, result.time),
      [&](std::span<const uint32_t> picks) { return MeanOf(draws, picks); });
  return result;
}

Result<WeightedEstimate> HajekShare(std::span<const WeightedValue> draws,
                                    const WeightedOptions& options) {
  for (const WeightedValue& draw : draws) {
    if (draw.value != 0 && draw.value != 1)
      return Fail(ErrorCode::kUsage, "a share is of values 0 and 1, not " +
                                         std::to_string(draw.value));
  }
  TWINSET_ASSIGN(WeightedEstimate result, HajekMean(draws, options));
  // Wilson's interval of as many independent draws as give this variance,
  // which has a factor draws / (draws - 1) that Wilson's has not.
  const double p = result.estimate.value;
  const double error = result.estimate.standard_error;
  const double all = static_cast<double>(draws.size());
  double n = result.effective_size;
  if (error > 0 && p > 0 && p < 1)
    n = std::min(all, p * (1 - p) / error / error * (all / (all - 1)));
  const double z2 = kZ95 * kZ95, scale = 1 + z2 / n;
  const double middle = p + z2 / (2 * n);
  const double half = kZ95 * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  result.estimate.interval = {std::clamp((middle - half) / scale, 0.0, p),
                              std::clamp((middle + half) / scale, p, 1.0)};
  return result;
}

Result<WeightedEstimate> HajekQuantile(std::span<const WeightedValue> draws,
                                       double share,
                                       const WeightedOptions& options) {
  TWINSET_TRY(Check(draws));
  if (!(share > 0 && share < 1))
    return Fail(ErrorCode::kUsage, "a quantile is of a share within 0 and 1");
  WeightedEstimate result;
  result.draws = draws.size();
  result.weight_size = KishSize(draws);
  const Distribution distribution = Sort(draws);
  const double value = distribution.At(share);
  // The interval of the share at or below the value, mapped back.
  std::vector<WeightedValue> below(draws.begin(), draws.end());
  double at = 0;
  const double total = TotalWeight(draws);
  for (WeightedValue& draw : below) {
    draw.value = draw.value <= value ? 1 : 0;
    at += draw.weight / total * draw.value;
  }
  const double error = std::sqrt(
      VarianceOf(InfluenceOfMean(below, at), total, options, &result));
  result.estimate.value = value;
  result.estimate.interval = {
      distribution.At(std::max(share - kZ95 * error, 0.0)),
      distribution.At(std::min(share + kZ95 * error, 1.0))};
  result.estimate.standard_error =
      (result.estimate.interval.high - result.estimate.interval.low) /
      (2 * kZ95);
  // Sorted once: a replica only counts how often each draw is taken.
  std::vector<uint32_t> order(draws.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return draws[a].value < draws[b].value;
  });
  std::vector<double> taken(draws.size());
  result.bootstrap =
      BootstrapInterval(draws.size(), Drawing(options, result.time),
                        [&](std::span<const uint32_t> picks) {
                          std::fill(taken.begin(), taken.end(), 0);
                          double all = 0;
                          for (const uint32_t pick : picks) {
                            taken[pick] += draws[pick].weight;
                            all += draws[pick].weight;
                          }
                          double sum = 0;
                          for (const uint32_t row : order) {
                            sum += taken[row];
                            if (sum >= share * all) return draws[row].value;
                          }
                          return draws[order.back()].value;
                        });
  return result;
}

Result<WeightedEstimate> HansenHurwitzTotal(
    std::span<const WeightedValue> draws, const WeightedOptions& options) {
  TWINSET_TRY(Check(draws));
  WeightedEstimate result;
  result.draws = draws.size();
  result.weight_size = KishSize(draws);
  const double n = static_cast<double>(draws.size());
  double total = 0;
  for (const WeightedValue& draw : draws) total += draw.weight * draw.value / n;
  std::vector<double> influence;
  for (const WeightedValue& draw : draws)
    influence.push_back(draw.weight * draw.value - total);
  result.estimate =
      NormalEstimate(total, VarianceOf(influence, n, options, &result));
  if (!options.chain) {
    std::vector<WeightedValue> terms;
    for (const WeightedValue& draw : draws)
      terms.push_back({draw.weight * draw.value, 1});
    result.estimate.interval =
        ReachingInterval(terms, influence, result.estimate.interval);
  }
  result.bootstrap =
      BootstrapInterval(draws.size(), Drawing(options, result.time),
                        [&](std::span<const uint32_t> picks) {
                          double sum = 0;
                          for (const uint32_t pick : picks)
                            sum += draws[pick].weight * draws[pick].value;
                          return sum / static_cast<double>(picks.size());
                        });
  return result;
}

Result<WeightedEstimate> HorvitzThompsonTotal(
    std::span<const WeightedValue> draws, std::span<const uint64_t> page,
    const WeightedOptions& options) {
  TWINSET_TRY(Check(draws));
  if (page.size() != draws.size())
    return Fail(ErrorCode::kUsage, "draws and pages are not equally many");
  const double n = static_cast<double>(draws.size());
  std::vector<double> expanded;  // y / probability to be in the sample
  for (const WeightedValue& draw : draws) {
    if (draw.weight < 1)
      return Fail(ErrorCode::kUsage,
                  "a weight below 1 is not 1 / a probability", "",
                  "use the self-normalised estimator (hajek)");
    const double inside =
        draw.weight == 1 ? 1
                         : 1 - PinnedExp(n * PinnedLog(1 - 1 / draw.weight));
    // For tiny probabilities 1 - (1 - p)^n loses all its digits; it is n p.
    expanded.push_back(draw.value / (inside > 1e-9 ? inside : n / draw.weight));
  }
  std::vector<uint32_t> order(draws.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return page[a] < page[b]; });
  std::vector<bool> taken(draws.size());
  const auto total_of = [&](std::span<const uint32_t> picks) {
    std::fill(taken.begin(), taken.end(), false);
    for (const uint32_t pick : picks) taken[pick] = true;
    double sum = 0;
    bool counted = false;  // a draw of this page
    for (size_t i = 0; i < order.size(); ++i) {
      if (i > 0 && page[order[i]] != page[order[i - 1]]) counted = false;
      if (!taken[order[i]] || counted) continue;
      counted = true;
      sum += expanded[order[i]];
    }
    return sum;
  };
  // The bootstrap of distinct pages would lose pages; the variance is that of
  // the draws with replacement, to which this estimator comes close.
  TWINSET_ASSIGN(WeightedEstimate result, HansenHurwitzTotal(draws, options));
  std::vector<uint32_t> all(draws.size());
  std::iota(all.begin(), all.end(), 0);
  const double value = total_of(all), shift = value - result.estimate.value;
  result.estimate.value = value;
  for (Interval* interval : {&result.estimate.interval, &result.bootstrap}) {
    interval->low += shift;
    interval->high += shift;
  }
  return result;
}

}  // namespace twinset
