// Statistics of a population from a sample whose pages were not equally likely
// (docs/methods/intervals.md).
#ifndef TWINSET_SRC_GROUND_ESTIMATE_WEIGHTED_H_
#define TWINSET_SRC_GROUND_ESTIMATE_WEIGHTED_H_

#include <cstdint>
#include <span>
#include <vector>

#include "estimate/bootstrap.h"
#include "twinset/error.h"

namespace twinset {

// One draw. A page drawn twice stands twice.
struct WeightedValue {
  double value = 0;
  double weight = 1;  // 1 / probability of the draw, or proportional to it
};

struct WeightedOptions {
  // Draws depend on the ones before (walks). The standard error is the larger
  // of two: that by the autocorrelation time of weight (value - mean), and that
  // between the parts of the chains, which knows what the autocorrelations of a
  // short chain do not. The bootstrap draws blocks.
  bool chain = false;
  BootstrapOptions bootstrap;
  // The chain of each draw; empty: all are of one.
  std::vector<uint64_t> chains = {};
  bool between_parts = true;  // false: by the autocorrelation alone
};

// Chains are compared in at least so many parts: fewer chains are cut in
// consecutive ones.
inline constexpr size_t kLeastParts = 4;
// The part of each of `draws`, in order of the chains.
std::vector<size_t> PartsOfChains(size_t draws,
                                  const std::vector<uint64_t>& chains);

struct WeightedEstimate {
  // The interval is Wilson's with the effective size for shares, normal for
  // means, and Woodruff's (1952) for quantiles.
  Estimated estimate;
  Interval bootstrap;
  uint64_t draws = 0;
  double weight_size = 0;  // (sum w)^2 / sum w^2 (Kish 1965)
  double time = 1;         // autocorrelation time; 1 when not a chain
  // What the draws are worth: weight_size / time.
  double effective_size = 0;
};

// (sum w)^2 / sum w^2; 0 for no weight.
double KishSize(std::span<const WeightedValue> draws);

// sum w y / sum w (Hajek 1971): weights need be known only up to a factor. Its
// bias is of order 1 / draws. kUsage for no draw, a weight that is not above 0
// and finite, or a value that is not finite.
Result<WeightedEstimate> HajekMean(std::span<const WeightedValue> draws,
                                   const WeightedOptions& options = {});
// The same of values 0 and 1 (others: kUsage), with an interval that holds for
// rare ones.
Result<WeightedEstimate> HajekShare(std::span<const WeightedValue> draws,
                                    const WeightedOptions& options = {});
// The smallest value with at least `share` of the weight at or below it. share
// within (0, 1).
Result<WeightedEstimate> HajekQuantile(std::span<const WeightedValue> draws,
                                       double share,
                                       const WeightedOptions& options = {});

// sum w y / n, for draws with replacement of known probability 1 / w (Hansen
// and Hurwitz 1943): the total over the population, unbiased. Divided by its
// size, the mean.
Result<WeightedEstimate> HansenHurwitzTotal(
    std::span<const WeightedValue> draws, const WeightedOptions& options = {});

// sum over different pages of y / (1 - (1 - 1/w)^n) (Horvitz and Thompson
// 1952): as above, each page once. page: one number a draw, equal for draws of
// one page. weights at least 1.
Result<WeightedEstimate> HorvitzThompsonTotal(
    std::span<const WeightedValue> draws, std::span<const uint64_t> page,
    const WeightedOptions& options = {});

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_WEIGHTED_H_
