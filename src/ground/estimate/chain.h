// How much a walk tells, and whether it has forgotten its start
// (docs/methods/chain-diagnostics.md). The same doubles on every machine.
#ifndef TWINSET_SRC_GROUND_ESTIMATE_CHAIN_H_
#define TWINSET_SRC_GROUND_ESTIMATE_CHAIN_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// The values of a function along a chain are worth `size` independent draws for
// its mean: n / time.
struct EffectiveSize {
  double mean = 0;
  double variance = 0;  // of one value
  double time = 1;      // integrated autocorrelation time, at least 1
  double size = 0;
  // Standard error of the mean: sqrt(variance * time / n).
  double standard_error = 0;
  bool constant = false;  // all values are one: nothing can be said
};

// Geyer's initial monotone positive sequence (1992). Series longer than 2^14
// are cut into as many batches first, whose means have the same long-run
// variance. Never says more than n. Assumes a reversible chain near its
// stationary law. At most 2^27 multiplications.
EffectiveSize FindEffectiveSize(std::span<const double> values);

// Geweke (1992): do the first 10 % and the last 50 % have one mean? z is about
// standard normal when the chain has converged; p two-sided. kUsage for fewer
// than 20 values.
struct Geweke {
  double z = 0, p = 1;
};
Result<Geweke> GewekeTest(std::span<const double> values);

// Split R-hat (Gelman et al. 2013): each chain is cut in two halves; 1 when all
// halves agree, above 1.01 to 1.1 when they do not. kUsage when a chain has
// fewer than 4 values or lengths differ.
Result<double> SplitRHat(std::span<const std::vector<double>> chains);

// A chain on few states: row i lists (j, probability), summing to 1.
struct TransitionMatrix {
  std::vector<std::vector<std::pair<uint32_t, double>>> rows;
};

struct SpectralGap {
  double second = 0;  // |lambda_2|, the second largest modulus
  double gap = 0;     // 1 - second; 0: never mixes (periodic or not connected)
  std::vector<double> stationary;
  uint64_t steps = 0;      // multiplications by the matrix
  bool converged = false;  // both within the tolerance
};

// By power iteration: the stationary law of the lazy chain, then the growth of
// what is orthogonal to it. O(steps * transitions). The walk with self-loops in
// a share of 1 - f of its steps has gap f times that of its moves, when those
// have no negative eigenvalue near -1. kUsage for a row that is no distribution
// or names a state out of range.
Result<SpectralGap> FindSpectralGap(const TransitionMatrix& matrix,
                                    uint64_t most_steps = 20000,
                                    double tolerance = 1e-9);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_CHAIN_H_
