#include "estimate/relative_size.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace twinset {
namespace {

// Fractions by engine x and y; below 0 where not known.
class FractionTable {
 public:
  explicit FractionTable(size_t engines)
      : engines_(engines), cells_(engines * engines, -1) {}
  double& At(size_t x, size_t y) { return cells_[x * engines_ + y]; }
  double At(size_t x, size_t y) const { return cells_[x * engines_ + y]; }
  size_t engines() const { return engines_; }
  bool Both(size_t x, size_t y) const { return At(x, y) >= 0 && At(y, x) >= 0; }

 private:
  size_t engines_;
  std::vector<double> cells_;
};

// The sizes, the first 1; empty when the equations do not determine them.
std::vector<double> LeastSquares(const FractionTable& f) {
  const size_t unknown = f.engines() - 1;
  std::vector<double> matrix(unknown * unknown), right(unknown);
  for (size_t x = 0; x < f.engines(); ++x) {
    for (size_t y = x + 1; y < f.engines(); ++y) {
      if (!f.Both(x, y)) continue;
      const double p = f.At(x, y), q = f.At(y, x);  // p x - q y = 0
      matrix[(y - 1) * unknown + y - 1] += q * q;
      if (x == 0) {
        right[y - 1] += p * q;
        continue;
      }
      matrix[(x - 1) * unknown + x - 1] += p * p;
      matrix[(x - 1) * unknown + y - 1] -= p * q;
      matrix[(y - 1) * unknown + x - 1] -= p * q;
    }
  }
  std::vector<double> sizes = SolveLinear(std::move(matrix), std::move(right));
  if (sizes.size() != unknown) return {};
  sizes.insert(sizes.begin(), 1.0);
  return sizes;
}

double Residual(const FractionTable& f, const std::vector<double>& sizes) {
  double sum = 0;
  for (size_t x = 0; x < f.engines(); ++x) {
    for (size_t y = x + 1; y < f.engines(); ++y) {
      if (!f.Both(x, y)) continue;
      const double off = f.At(x, y) * sizes[x] - f.At(y, x) * sizes[y];
      sum += off * off;
    }
  }
  return sum;
}

// The first engine that no chain of pairs with overlap ties to engine 0;
// engines() when all are tied.
size_t FirstUntied(const FractionTable& f) {
  std::vector<bool> tied(f.engines());
  std::vector<size_t> open = {0};
  tied[0] = true;
  while (!open.empty()) {
    const size_t x = open.back();
    open.pop_back();
    for (size_t y = 0; y < f.engines(); ++y) {
      if (tied[y] || !f.Both(x, y)) continue;
      if (f.At(x, y) == 0 || f.At(y, x) == 0) continue;
      tied[y] = true;
      open.push_back(y);
    }
  }
  return static_cast<size_t>(std::find(tied.begin(), tied.end(), false) -
                             tied.begin());
}

Result<FractionTable> Fill(size_t engines,
                           std::span<const EngineOverlap> overlaps) {
  if (engines < 2)
    return Fail(ErrorCode::kUsage, "two engines are needed to compare");
  FractionTable f(engines);
  for (const EngineOverlap& overlap : overlaps) {
    const std::string pair = "engines " + std::to_string(overlap.x) + " and " +
                             std::to_string(overlap.y);
    if (overlap.x >= engines || overlap.y >= engines || overlap.x == overlap.y)
      return Fail(ErrorCode::kUsage, "an overlap is of no two " + pair);
    if (!(overlap.fraction >= 0 && overlap.fraction <= 1))
      return Fail(ErrorCode::kUsage,
                  "the overlap of " + pair + " is not within 0 and 1");
    double& cell = f.At(overlap.x, overlap.y);
    if (cell >= 0)
      return Fail(ErrorCode::kUsage,
                  "the overlap of " + pair + " stands twice");
    cell = overlap.fraction;
  }
  return f;
}

// The chance that a page of x is in y; where nobody looked, that of pages of
// the other engines.
double FractionOrMean(const FractionTable& f, size_t x, size_t y) {
  if (f.At(x, y) >= 0) return f.At(x, y);
  double sum = 0, count = 0;
  for (size_t z = 0; z < f.engines(); ++z) {
    if (f.At(z, y) < 0) continue;
    sum += f.At(z, y);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

// E[1 / (1 + number of others that have the page)] for a page of x, the others
// independent.
double MeanInverseIndependent(const FractionTable& f, size_t x) {
  std::vector<double> law = {1};  // of the number of others
  for (size_t y = 0; y < f.engines(); ++y) {
    if (y == x) continue;
    const double p = FractionOrMean(f, x, y);
    law.push_back(0);
    for (size_t k = law.size() - 1; k > 0; --k)
      law[k] = law[k] * (1 - p) + law[k - 1] * p;
    law[0] *= 1 - p;
  }
  double sum = 0;
  for (size_t k = 0; k < law.size(); ++k)
    sum += law[k] / static_cast<double>(k + 1);
  return sum;
}

void FindOverlapsAndUnion(const FractionTable& f, RelativeSizes* result) {
  const size_t n = f.engines();
  const std::vector<double>& s = result->sizes;
  result->overlaps.assign(n * n, 0);
  double sum = 0, pairs = 0, least = 0;
  for (size_t x = 0; x < n; ++x) {
    sum += s[x];
    least = std::max(least, s[x]);
    result->all += s[x] * MeanInverseIndependent(f, x);
    for (size_t y = x + 1; y < n; ++y) {
      const double p = f.At(x, y) * s[x], q = f.At(y, x) * s[y];
      const double most = std::min(s[x], s[y]);
      const double both =
          std::min(f.Both(x, y) ? (p + q) / 2 : std::max({p, q, 0.0}), most);
      result->overlaps[x * n + y] = result->overlaps[y * n + x] = both;
      // Where nobody looked, the overlap may be as large as can be.
      const bool known = f.At(x, y) >= 0 || f.At(y, x) >= 0;
      pairs += known ? both : most;
      least = std::max(least, s[x] + s[y] - (known ? both : most));
    }
  }
  // Hunter's bound: the heaviest tree (Prim) of overlaps is taken off.
  std::vector<double> best(n, -1);
  std::vector<bool> inside(n);
  double tree = 0;
  best[0] = 0;
  for (size_t step = 0; step < n; ++step) {
    size_t next = n;
    for (size_t x = 0; x < n; ++x)
      if (!inside[x] && (next == n || best[x] > best[next])) next = x;
    inside[next] = true;
    tree += std::max(best[next], 0.0);
    for (size_t y = 0; y < n; ++y)
      best[y] = std::max(best[y], result->overlaps[next * n + y]);
  }
  result->all_bounds.high = sum - tree;
  result->all_bounds.low =
      std::min(std::max(least, sum - pairs), result->all_bounds.high);
  result->all =
      std::clamp(result->all, result->all_bounds.low, result->all_bounds.high);
}

// The intervals of `result`, whose overlaps are drawn again.
void DrawAgain(size_t engines, std::span<const EngineOverlap> overlaps,
               const BootstrapOptions& options, RelativeSizes* result) {
  if (options.replicas == 0) return;
  std::vector<BinomialDraw> draws;
  for (const EngineOverlap& overlap : overlaps) {
    if (overlap.looked == 0) return;
    draws.emplace_back(overlap.looked, overlap.fraction);
  }
  SplitMix64 random(options.seed);
  std::vector<std::vector<double>> replicas(engines), least_shares(engines),
      most_shares(engines);
  std::vector<double> least, most;
  for (uint32_t r = 0; r < options.replicas; ++r) {
    FractionTable f(engines);
    for (size_t i = 0; i < overlaps.size(); ++i)
      f.At(overlaps[i].x, overlaps[i].y) =
          static_cast<double>(draws[i](&random)) /
          static_cast<double>(overlaps[i].looked);
    if (FirstUntied(f) != engines) continue;
    RelativeSizes again;
    again.sizes = LeastSquares(f);
    if (again.sizes.empty()) continue;
    FindOverlapsAndUnion(f, &again);
    least.push_back(again.all_bounds.low);
    most.push_back(again.all_bounds.high);
    for (size_t x = 0; x < engines; ++x) {
      const double size = again.sizes[x];
      replicas[x].push_back(size);
      least_shares[x].push_back(std::min(1.0, size / again.all_bounds.high));
      most_shares[x].push_back(std::min(1.0, size / again.all_bounds.low));
    }
  }
  const auto between = [](const std::vector<double>& low,
                          const std::vector<double>& high) {
    return Interval{PercentileInterval(low).low, PercentileInterval(high).high};
  };
  for (size_t x = 0; x < engines; ++x) {
    result->intervals.push_back(PercentileInterval(replicas[x]));
    result->share_intervals.push_back(between(least_shares[x], most_shares[x]));
  }
  result->all_interval = between(least, most);
}

Status CheckFound(const Found& found) {
  if (found.looked > 0 && found.found <= found.looked) return {};
  return Fail(ErrorCode::kUsage,
              std::to_string(found.found) + " of " +
                  std::to_string(found.looked) + " pages found is no fraction",
              "", "give K/N with N above 0 and K at most N");
}

}  // namespace

Result<Estimated> RelativeSizeOfTwo(const Found& a_in_b, const Found& b_in_a) {
  TWINSET_TRY(CheckFound(a_in_b));
  TWINSET_TRY(CheckFound(b_in_a));
  if (a_in_b.found == 0 && b_in_a.found == 0) {
    return Fail(ErrorCode::kUsage,
                "no page of either engine was found in the other: the ratio "
                "of their sizes is undefined",
                "", "look for more pages");
  }
  if (a_in_b.found == 0 || b_in_a.found == 0) {
    return Fail(ErrorCode::kUsage,
                "an overlap was seen from one side only: the ratio of the "
                "sizes has no estimate",
                "", "look for more pages of the larger engine");
  }
  const auto fraction = [](const Found& found) {
    return static_cast<double>(found.found) / static_cast<double>(found.looked);
  };
  const auto variance = [&](const Found& found) {
    return (1 - fraction(found)) / static_cast<double>(found.found);
  };
  return LogEstimate(fraction(b_in_a) / fraction(a_in_b),
                     variance(a_in_b) + variance(b_in_a));
}

Result<RelativeSizes> RelativeSizesOfMany(
    size_t engines, std::span<const EngineOverlap> overlaps,
    const BootstrapOptions& options) {
  TWINSET_ASSIGN(const FractionTable f, Fill(engines, overlaps));
  if (const size_t untied = FirstUntied(f); untied < engines) {
    return Fail(ErrorCode::kUsage,
                "no overlap seen from both sides ties engine " +
                    std::to_string(untied) + " to the first",
                "", "look for more of its pages in the others");
  }
  RelativeSizes result;
  result.sizes = LeastSquares(f);
  if (result.sizes.empty())
    return Fail(ErrorCode::kUsage, "the overlaps do not determine the sizes");
  result.residual = Residual(f, result.sizes);
  for (size_t x = 0; x < engines; ++x)
    for (size_t y = x + 1; y < engines; ++y) result.equations += f.Both(x, y);
  FindOverlapsAndUnion(f, &result);
  DrawAgain(engines, overlaps, options, &result);
  return result;
}

std::vector<double> SolveLinear(std::vector<double> matrix,
                                std::vector<double> right) {
  const size_t n = right.size();
  const auto at = [&](size_t row, size_t column) -> double& {
    return matrix[row * n + column];
  };
  double largest = 0;
  for (const double value : matrix)
    largest = std::max(largest, std::fabs(value));
  for (size_t k = 0; k < n; ++k) {
    size_t pivot = k;
    for (size_t row = k + 1; row < n; ++row)
      if (std::fabs(at(row, k)) > std::fabs(at(pivot, k))) pivot = row;
    if (!(std::fabs(at(pivot, k)) > largest * 1e-14)) return {};
    if (pivot != k) {
      for (size_t column = 0; column < n; ++column)
        std::swap(at(k, column), at(pivot, column));
      std::swap(right[k], right[pivot]);
    }
    for (size_t row = k + 1; row < n; ++row) {
      const double factor = at(row, k) / at(k, k);
      for (size_t column = k; column < n; ++column)
        at(row, column) -= factor * at(k, column);
      right[row] -= factor * right[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t column = k + 1; column < n; ++column)
      right[k] -= at(k, column) * right[column];
    right[k] /= at(k, k);
  }
  return right;
}

}  // namespace twinset
