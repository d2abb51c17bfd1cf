// Near-uniform pages of an engine through a pool of queries (Bar-Yossef and
// Gurevich, WWW 2006; Broder et al., CIKM 2006;
// docs/methods/engine-sampling.md).
#ifndef TWINSET_SRC_MEASURE_SAMPLE_POOL_SAMPLER_H_
#define TWINSET_SRC_MEASURE_SAMPLE_POOL_SAMPLER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sample/bharat_broder.h"
#include "sample/pool_graph.h"

namespace twinset {

struct PoolSamplerOptions {
  uint64_t size = 100;  // draws wanted
  uint64_t seed = 1;
  // Rejection: a page is accepted with min(1, least_degree / degree). Pages of
  // lower degree are drawn too seldom; 1: none are.
  double least_degree = 1;
  // Walks: moves before the first draw, and between two draws.
  uint32_t burn_in = 500, thin = 100;
  // Maximum-degree walk: its bound; 0: twice the highest degree of the burn-in.
  double most_degree = 0;
  // SampleByRejection, SampleByImportance: degrees by PoolGraph::ProbeDegree,
  // which asks for less and keeps the law of the draws (least_degree 1).
  bool probe_degrees = false;
  uint64_t most_barren = 5000;  // trials in a row without a page: given up
};

// Each calls on_draw `size` times. Rows have the fields of RowOfPage, "degree"
// and "query" (the one that led to the page, where there is one).
//
// Query with probability proportional to its number of results (by rejection),
// page uniform among them, page accepted with 1 / degree: uniform, independent.
Status SampleByRejection(const PoolSamplerOptions& options, PoolGraph* graph,
                         const OnDraw& on_draw, PoolReach* reach);
// The same without the last step: weight 1 / degree.
Status SampleByImportance(const PoolSamplerOptions& options, PoolGraph* graph,
                          const OnDraw& on_draw, PoolReach* reach);
// Walk over pages that share a valid query; a move from x to y is accepted with
// min(1, degree(x) / degree(y)) (Metropolis-Hastings): uniform in the limit.
Status SampleByMetropolisWalk(const PoolSamplerOptions& options,
                              PoolGraph* graph, const OnDraw& on_draw,
                              PoolReach* reach);
// The same walk with self-loops that give every page the same degree (the
// bound); they are drawn at once, as geometric waiting times.
Status SampleByMaximumDegreeWalk(const PoolSamplerOptions& options,
                                 PoolGraph* graph, const OnDraw& on_draw,
                                 PoolReach* reach);

// One uniform query of the pool, for the size of the corpus:
// E[pool * sum_inverse_degree] = number of reachable pages.
struct QueryTotal {
  std::string query;
  uint64_t results = 0;  // joined pages
  double sum_inverse_degree = 0;
  // The same over those of its pages that the second pool reaches too.
  double sum_inverse_degree_both = 0;
};
// Asks `size` uniform queries with replacement; on_draw gets one page of each
// query that has some, with weight pages / degree (the weight of a uniform
// query). `other`: the second pool, or null.
Status SampleQueries(const PoolSamplerOptions& options, PoolGraph* graph,
                     PoolGraph* other,
                     const std::function<Status(QueryTotal)>& on_query,
                     const OnDraw& on_draw, PoolReach* reach);

// Fills `probed` and `unreachable` of reach, from 200 pages at most.
Status ProbeReach(PoolGraph* graph, PoolReach* reach,
                  bool probe_degrees = false);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SAMPLE_POOL_SAMPLER_H_
