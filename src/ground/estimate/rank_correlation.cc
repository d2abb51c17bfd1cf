#include "estimate/rank_correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "estimate/special_functions.h"

namespace twinset {

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

struct PairCounts {
  int64_t balance = 0, pairs = 0, tied_x = 0, tied_y = 0;
};

PairCounts CountPairs(std::span<const double> x, std::span<const double> y) {
  PairCounts counts;
  for (size_t i = 0; i < x.size(); ++i) {
    for (size_t k = i + 1; k < x.size(); ++k) {
      const int a = Order(x[i], x[k]), b = Order(y[i], y[k]);
      ++counts.pairs;
      counts.balance += a * b;
      counts.tied_x += a == 0;
      counts.tied_y += b == 0;
    }
  }
  return counts;
}

// Over the groups of equal values, of t each.
struct TieSums {
  double pairs = 0;    // t (t - 1)
  double triples = 0;  // t (t - 1) (t - 2)
  double spread = 0;   // t (t - 1) (2 t + 5)
};

TieSums SumTies(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  TieSums sums;
  for (auto at = sorted.begin(); at != sorted.end();) {
    const auto end = std::upper_bound(at, sorted.end(), *at);
    const auto t = static_cast<double>(end - at);
    sums.pairs += t * (t - 1);
    sums.triples += t * (t - 1) * (t - 2);
    sums.spread += t * (t - 1) * (2 * t + 5);
    at = end;
  }
  return sums;
}

}  // namespace

std::optional<double> KendallTauB(std::span<const double> x,
                                  std::span<const double> y) {
  const PairCounts counts = CountPairs(x, y);
  const auto left = static_cast<double>(counts.pairs - counts.tied_x),
             right = static_cast<double>(counts.pairs - counts.tied_y);
  if (left == 0 || right == 0) return {};
  return static_cast<double>(counts.balance) /
         (std::sqrt(left) * std::sqrt(right));
}

std::optional<double> KendallTwoSided(std::span<const double> x,
                                      std::span<const double> y) {
  const PairCounts counts = CountPairs(x, y);
  if (counts.pairs == counts.tied_x || counts.pairs == counts.tied_y) return {};
  const TieSums a = SumTies(x), b = SumTies(y);
  const auto n = static_cast<double>(x.size());
  double variance = (n * (n - 1) * (2 * n + 5) - a.spread - b.spread) / 18 +
                    a.pairs * b.pairs / (2 * n * (n - 1));
  if (n > 2) variance += a.triples * b.triples / (9 * n * (n - 1) * (n - 2));
  return NormalTwoSided(static_cast<double>(counts.balance) /
                        std::sqrt(variance));
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

}  // namespace twinset
