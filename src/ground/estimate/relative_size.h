// How large engines are compared with one another, from how much of each is in
// the others (Bharat and Broder 1998; docs/methods/relative-size.md).
#ifndef TWINSET_SRC_GROUND_ESTIMATE_RELATIVE_SIZE_H_
#define TWINSET_SRC_GROUND_ESTIMATE_RELATIVE_SIZE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "estimate/bootstrap.h"
#include "twinset/error.h"

namespace twinset {

// `found` of `looked` sampled pages of one engine are in another.
struct Found {
  uint64_t found = 0, looked = 0;
};

// |A| / |B| = Pr[a page of B is in A] / Pr[a page of A is in B]. The logarithm
// has variance (1 - p1) / (n1 p1) + (1 - p2) / (n2 p2). kUsage for no overlap,
// an overlap seen from one side only, found > looked, or nothing looked for.
Result<Estimated> RelativeSizeOfTwo(const Found& a_in_b, const Found& b_in_a);

// The fraction of engine x's pages that are in engine y.
struct EngineOverlap {
  size_t x = 0, y = 0;
  double fraction = 0;
  uint64_t looked = 0;  // pages of x looked for; 0: not known
};

struct RelativeSizes {
  std::vector<double> sizes;  // of each engine, the first 1
  double residual = 0;        // sum of squares left
  size_t equations = 0;       // pairs seen from both sides
  // Those of the sizes and of the shares of all engines together, and that of
  // all; empty and {0, 0} when a `looked` is not known or nothing is drawn. The
  // latter two go from the lower bound to the upper one.
  std::vector<Interval> intervals, share_intervals;
  Interval all_interval;
  // Pages of both: (f_xy x + f_yx y) / 2, row by row; 0 on the diagonal and
  // where nothing is known.
  std::vector<double> overlaps;
  // The size of all engines together, in the same unit. Pairwise overlaps only
  // bound it: below by Bonferroni, above by Hunter (1976). `all` is the size if
  // a page of x is in the others independently of one another.
  double all = 0;
  Interval all_bounds;
};

// Least squares over f_xy x - f_yx y = 0 for each pair known from both sides,
// the first engine 1. The normal equations have an M-matrix: no size is below
// 0. Intervals by parametric bootstrap (each fraction drawn again from its
// binomial law). kUsage for a fraction outside [0, 1], a repeated or
// unknown pair, or an engine that no chain of overlaps ties to the first
// (named by its number).
Result<RelativeSizes> RelativeSizesOfMany(
    size_t engines, std::span<const EngineOverlap> overlaps,
    const BootstrapOptions& options = {});

// A page drawn from an engine, and the engines that have it, bit by bit. Its
// own is added.
struct SharedPage {
  double weight = 1;
  uint64_t engines = 0;
};

struct JointCoverage {
  std::vector<double> sizes;  // relative, the first 1
  double residual = 0;
  double all = 0;  // |union| = sum over x of |x| E[1 / engines with the page]
  Interval all_interval;
  std::vector<double> shares;  // of the union: |x| / |union|
  std::vector<double> alone;   // of each engine: pages that no other has
  std::vector<Interval> size_intervals, share_intervals;
};

// From a sample of each engine, at most 64 of them. Unbiased for uniform (or
// rightly weighted) samples. Intervals by bootstrap of the rows.
Result<JointCoverage> FindJointCoverage(
    std::span<const std::vector<SharedPage>> samples,
    const BootstrapOptions& options = {});
// With the sizes given.
Result<JointCoverage> FindJointCoverage(
    std::span<const std::vector<SharedPage>> samples,
    std::span<const double> sizes);

// Solves the square system (row by row) by elimination with pivots; empty when
// singular.
std::vector<double> SolveLinear(std::vector<double> matrix,
                                std::vector<double> right);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_RELATIVE_SIZE_H_
