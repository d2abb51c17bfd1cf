// How alike two rankings of the same things are, from the scores that rank them
// (docs/methods/run-evaluation.md).
#ifndef TWINSET_SRC_GROUND_ESTIMATE_RANK_CORRELATION_H_
#define TWINSET_SRC_GROUND_ESTIMATE_RANK_CORRELATION_H_

#include <cstdint>
#include <optional>
#include <span>

namespace twinset {

// Kendall's tau_b (Biometrika 1945, with ties): (C - D) / sqrt((P - X)(P - Y))
// over P pairs of which C are in the same order, D in the other, X tied in x
// and Y tied in y. Nothing when one side is all ties. O(n^2).
std::optional<double> KendallTauB(std::span<const double> x,
                                  std::span<const double> y);

// The chance that rankings which have nothing to do with each other are so far
// from balance, either way: the normal law with the exact variance of C - D
// under all orders of y, ties kept (Kendall, Rank Correlation Methods, 1970).
// Nothing when one side is all ties. O(n^2).
std::optional<double> KendallTwoSided(std::span<const double> x,
                                      std::span<const double> y);

// tau_ap of Yilmaz, Aslam and Robertson (SIGIR 2008): 2 / (n - 1) * sum over
// the ranks i >= 2 of `estimate` of C(i) / (i - 1) - 1, where C(i) of those
// ranked above place i are ranked above it by `truth` too. Discordance at the
// top costs more; not symmetric. Ties in `estimate` are ranked by place in the
// list; a tie in `truth` counts one half. Nothing below two things. O(n^2).
std::optional<double> TauAp(std::span<const double> truth,
                            std::span<const double> estimate);

// Rank-biased overlap, extrapolated (Webber, Moffat and Zobel, TOIS 2010, eq.
// 32), of two full rankings of the same n things by descending score, ties by
// place in the list. Weight of depth d: (1 - p) p^(d - 1); 0 < p < 1. Nothing
// for no things. O(n log n).
std::optional<double> RankBiasedOverlap(std::span<const double> x,
                                        std::span<const double> y, double p);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_RANK_CORRELATION_H_
