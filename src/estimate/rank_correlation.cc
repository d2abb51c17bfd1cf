#include "estimate/rank_correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace twinset::inline v1 {

namespace {

int Order(double a, double b) { return (a > b) - (a < b); }

// Places by descending score.
std::vector<size_t> Ranked(std::span<const double> scores) {
  std::vector<size_t> places(scores.size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(),
                   [&](size_t a, size_t b) { return scores[a] > scores[b]; });
  return places;
}

}  // namespace

std::optional<double> KendallTauB(std::span<const double> x,
                                  std::span<const double> y) {
  int64_t balance = 0, pairs = 0, tied_x = 0, tied_y = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    for (size_t k = i + 1; k < x.size(); ++k) {
      const int a = Order(x[i], x[k]), b = Order(y[i], y[k]);
      ++pairs;
      balance += a * b;
      tied_x += a == 0;
      tied_y += b == 0;
    }
  }
  const auto left = static_cast<double>(pairs - tied_x),
             right = static_cast<double>(pairs - tied_y);
  if (left == 0 || right == 0) return {};
  return static_cast<double>(balance) / (std::sqrt(left) * std::sqrt(right));
}

std::optional<double> TauAp(std::span<const double> truth,
                            std::span<const double> estimate) {
  const size_t n = truth.size();
  if (n < 2) return {};
  const std::vector<size_t> ranked = Ranked(estimate);
  double sum = 0;
  for (size_t i = 1; i < n; ++i) {
    double right = 0;
    for (size_t k = 0; k < i; ++k) {
      const int order = Order(truth[ranked[k]], truth[ranked[i]]);
      right += order > 0 ? 1 : order == 0 ? 0.5 : 0;
    }
    sum += right / static_cast<double>(i);
  }
  return 2 * sum / static_cast<double>(n - 1) - 1;
}

std::optional<double> RankBiasedOverlap(std::span<const double> x,
                                        std::span<const double> y, double p) {
  const size_t n = x.size();
  if (n == 0) return {};
  const std::vector<size_t> a = Ranked(x), b = Ranked(y);
  std::vector<bool> in_a(n), in_b(n);
  double weight = 1, sum = 0, overlap = 0;
  for (size_t d = 0; d < n; ++d) {
    in_a[a[d]] = true;
    in_b[b[d]] = true;
    overlap += in_b[a[d]];
    if (a[d] != b[d]) overlap += in_a[b[d]];
    weight *= p;
    sum += overlap / static_cast<double>(d + 1) * weight;
  }
  // All n agree, and so does what is extrapolated.
  return (1 - p) / p * sum + weight * (overlap / static_cast<double>(n));
}

}  // namespace twinset::inline v1
