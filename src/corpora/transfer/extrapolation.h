// From some segments to all: what was found in a few is read off at more
// (docs/methods/transfer-study.md, "Extrapolation").
#ifndef TWINSET_SRC_CORPORA_TRANSFER_EXTRAPOLATION_H_
#define TWINSET_SRC_CORPORA_TRANSFER_EXTRAPOLATION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "estimate/intervals.h"

namespace twinset {

struct Extrapolated {
  double value = 0;
  Interval interval;  // 95 %, of one further observation
};

// Counts y[i] accumulated over i + 1 segments, read at `segments`. Least
// squares with the prediction interval of Student's law for the residuals.
// Nothing below three counts: two determine a curve and leave no residual.
//
// The line a + b s, as Grassegger reads it. Never below any concave curve at
// segments beyond the last.
std::optional<Extrapolated> ExtrapolateLine(std::span<const double> counts,
                                            double segments);
// The hyperbola c s / (h + s): from 0, concave, saturating at c; h is the
// number of segments that give half of it, and where no h fits better than a
// straight line the line through the origin.
std::optional<Extrapolated> ExtrapolateSaturating(
    std::span<const double> counts, double segments);

// How many documents were found in at least one of the first segments of
// `order`, after each; `masks`: by document, a bit a segment (at most 64).
std::vector<double> Accumulate(std::span<const uint64_t> masks,
                               std::span<const uint32_t> order);

// Fits made on `fit` segments, judged by what all of them hold.
struct FitErrors {
  uint32_t draws = 0;     // fits that could be made
  double mean_error = 0;  // mean of (read - true) / true
  double mean_size = 0;   // mean of its size
  uint32_t covered = 0;   // intervals that hold the truth
};
struct JudgedFits {
  uint64_t truth = 0;                            // found in all segments
  std::optional<Extrapolated> line, saturating;  // in the order of the crawl
  FitErrors random_line, random_saturating;      // over random choices
};
// `segments` in 1..64. Draws are of SplitMix64 from the seed. Nothing is judged
// when `fit` is below 3 or not below `segments`.
JudgedFits JudgeFits(std::span<const uint64_t> masks, uint32_t segments,
                     uint32_t fit, uint32_t draws, uint64_t seed);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_EXTRAPOLATION_H_
