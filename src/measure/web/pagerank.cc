#include "web/pagerank.h"

#include <utility>

namespace twinset {

namespace {

// The jumps as probabilities.
Result<std::vector<double>> Jumps(uint32_t nodes,
                                  const std::vector<double>& given) {
  if (given.empty()) {
    return std::vector<double>(nodes, nodes == 0 ? 0 : 1.0 / nodes);
  }
  double sum = 0;
  bool negative = false;
  for (const double share : given) {
    negative |= !(share >= 0);
    sum += share;
  }
  if (given.size() != nodes || negative || !(sum > 0)) {
    return Fail(ErrorCode::kUsage,
                "the jumps are not one proportion a node, 0 or above");
  }
  std::vector<double> jumps = given;
  for (double& share : jumps) share /= sum;
  return jumps;
}

}  // namespace

Result<PageRanks> ComputePageRank(const Graph& graph,
                                  const PageRankOptions& options) {
  if (!(options.damping >= 0 && options.damping < 1)) {
    return Fail(ErrorCode::kUsage, "the damping is not at least 0 and below 1");
  }
  if (!(options.tolerance > 0))
    return Fail(ErrorCode::kUsage, "the tolerance is not above 0");
  const uint32_t nodes = graph.nodes();
  TWINSET_ASSIGN(const std::vector<double> jumps, Jumps(nodes, options.jumps));
  PageRanks result;
  result.ranks = jumps;
  std::vector<double> shares(nodes), next(nodes);
  while (result.rounds < options.max_rounds && !result.converged) {
    double dangling = 0;
    for (uint32_t u = 0; u < nodes; ++u) {
      const size_t links = graph.Out(u).size();
      if (links == 0) dangling += result.ranks[u];
      shares[u] = links == 0 ? 0 : result.ranks[u] / static_cast<double>(links);
    }
    const double jumping = 1 - options.damping + options.damping * dangling;
    double sum = 0;
    for (uint32_t v = 0; v < nodes; ++v) {
      double in = 0;
      for (const uint32_t u : graph.In(v)) in += shares[u];
      next[v] = options.damping * in + jumping * jumps[v];
      sum += next[v];
    }
    result.change = 0;
    for (uint32_t v = 0; v < nodes; ++v) {
      next[v] /= sum;
      const double change = next[v] - result.ranks[v];
      result.change += change < 0 ? -change : change;
    }
    std::swap(result.ranks, next);
    ++result.rounds;
    result.converged = result.change < options.tolerance;
  }
  if (nodes == 0) result.converged = true;
  return result;
}

}  // namespace twinset
