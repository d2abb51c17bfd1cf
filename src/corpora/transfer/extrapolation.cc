#include "transfer/extrapolation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/hash.h"
#include "base/math/pinned_math.h"
#include "estimate/special_functions.h"

namespace twinset {
namespace {

// A curve of two parameters at one place: its value and its slopes by both.
struct CurvePoint {
  double value = 0, by_first = 0, by_second = 0;
};

// The prediction at `to` with its interval, from the residuals at 1..n.
template <typename Curve>
Extrapolated Predict(std::span<const double> counts, double to,
                     const Curve& curve) {
  double squares = 0, m11 = 0, m12 = 0, m22 = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    const CurvePoint at = curve(static_cast<double>(i + 1));
    squares += (counts[i] - at.value) * (counts[i] - at.value);
    m11 += at.by_first * at.by_first;
    m12 += at.by_first * at.by_second;
    m22 += at.by_second * at.by_second;
  }
  const size_t freedom = counts.size() - 2;
  const CurvePoint at = curve(to);
  const double determinant = m11 * m22 - m12 * m12;
  double spread = 1;
  if (determinant > 1e-12 * m11 * m22)
    spread += (at.by_first * at.by_first * m22 -
               2 * at.by_first * at.by_second * m12 +
               at.by_second * at.by_second * m11) /
              determinant;
  const double variance =
      squares / static_cast<double>(freedom) * std::max(spread, 1.0);
  const double half = StudentQuantile95(freedom) * std::sqrt(variance);
  return {at.value, {at.value - half, at.value + half}};
}

// The best c of the hyperbola with this h, and its squares.
struct Hyperbola {
  double c = 0, squares = 0;
};
Hyperbola BestFor(std::span<const double> counts, double h) {
  double xy = 0, xx = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    const auto s = static_cast<double>(i + 1);
    const double x = s / (h + s);
    xy += x * counts[i];
    xx += x * x;
  }
  Hyperbola best;
  best.c = xx > 0 ? xy / xx : 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    const auto s = static_cast<double>(i + 1);
    const double residual = counts[i] - best.c * s / (h + s);
    best.squares += residual * residual;
  }
  return best;
}

void AddFit(const std::optional<Extrapolated>& fit, double truth,
            FitErrors* errors) {
  if (!fit || truth <= 0) return;
  const double error = (fit->value - truth) / truth;
  ++errors->draws;
  errors->mean_error += error;
  errors->mean_size += std::abs(error);
  errors->covered += fit->interval.Contains(truth);
}

void Average(FitErrors* errors) {
  if (errors->draws == 0) return;
  errors->mean_error /= errors->draws;
  errors->mean_size /= errors->draws;
}

}  // namespace

std::optional<Extrapolated> ExtrapolateLine(std::span<const double> counts,
                                            double segments) {
  if (counts.size() < 3) return {};
  const auto n = static_cast<double>(counts.size());
  const double middle = (n + 1) / 2;
  double mean = 0, above = 0, below = 0;
  for (const double count : counts) mean += count / n;
  for (size_t i = 0; i < counts.size(); ++i) {
    const double s = static_cast<double>(i + 1) - middle;
    above += s * (counts[i] - mean);
    below += s * s;
  }
  const double slope = above / below;
  return Predict(counts, segments, [&](double s) {
    return CurvePoint{mean + slope * (s - middle), 1, s - middle};
  });
}

std::optional<Extrapolated> ExtrapolateSaturating(
    std::span<const double> counts, double segments) {
  if (counts.size() < 3) return {};
  // h on a grid of logarithms, then between the neighbours of the best. The
  // last h is so large that the curve is the line through the origin.
  constexpr int kSteps = 200;
  constexpr double kLeast = 1e-3, kMost = 1e7;
  const double ratio = PinnedPow(kMost / kLeast, 1.0 / kSteps);
  double best_h = kLeast, h = kLeast;
  double best = BestFor(counts, h).squares;
  for (int i = 0; i < kSteps; ++i) {
    h *= ratio;
    const double squares = BestFor(counts, h).squares;
    if (squares < best) {
      best = squares;
      best_h = h;
    }
  }
  double low = best_h / ratio, high = best_h * ratio;
  for (int i = 0; i < 100; ++i) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    if (BestFor(counts, left).squares <= BestFor(counts, right).squares)
      high = right;
    else
      low = left;
  }
  h = (low + high) / 2;
  const double c = BestFor(counts, h).c;
  // The second parameter is ln h: its slope stays in scale with the first.
  return Predict(counts, segments, [&](double s) {
    return CurvePoint{c * s / (h + s), s / (h + s),
                      -c * s * h / ((h + s) * (h + s))};
  });
}

std::vector<double> Accumulate(std::span<const uint64_t> masks,
                               std::span<const uint32_t> order) {
  std::vector<double> counts(order.size());
  for (const uint64_t mask : masks)
    for (size_t i = 0; i < order.size(); ++i)
      if (mask >> order[i] & 1) {
        ++counts[i];
        break;
      }
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
  return counts;
}

JudgedFits JudgeFits(std::span<const uint64_t> masks, uint32_t segments,
                     uint32_t fit, uint32_t draws, uint64_t seed) {
  JudgedFits judged;
  std::vector<uint32_t> order(segments);
  std::iota(order.begin(), order.end(), 0u);
  const std::vector<double> all = Accumulate(masks, order);
  judged.truth = static_cast<uint64_t>(all.empty() ? 0 : all.back());
  if (fit < 3 || fit >= segments) return judged;
  const auto truth = static_cast<double>(judged.truth);
  const auto first = std::span<const double>(all).first(fit);
  judged.line = ExtrapolateLine(first, segments);
  judged.saturating = ExtrapolateSaturating(first, segments);
  SplitMix64 random(seed);
  for (uint32_t draw = 0; draw < draws; ++draw) {
    for (uint32_t i = 0; i < fit; ++i)
      std::swap(order[i], order[i + random.Below(segments - i)]);
    const std::vector<double> counts =
        Accumulate(masks, std::span<const uint32_t>(order).first(fit));
    AddFit(ExtrapolateLine(counts, segments), truth, &judged.random_line);
    AddFit(ExtrapolateSaturating(counts, segments), truth,
           &judged.random_saturating);
  }
  Average(&judged.random_line);
  Average(&judged.random_saturating);
  return judged;
}

}  // namespace twinset
