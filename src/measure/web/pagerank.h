// PageRank (Brin and Page 1998) of a graph (docs/methods/pagerank.md).
#ifndef TWINSET_SRC_MEASURE_WEB_PAGERANK_H_
#define TWINSET_SRC_MEASURE_WEB_PAGERANK_H_

#include <cstdint>
#include <vector>

#include "twinset/error.h"
#include "web/graph.h"

namespace twinset {

struct PageRankOptions {
  double damping = 0.85;     // share of the steps that follow a link
  double tolerance = 1e-12;  // stop when the ranks change by less in sum
  uint32_t max_rounds = 1000;
  // Where the other steps lead, proportions a node; empty: anywhere alike.
  std::vector<double> jumps = {};
};

struct PageRanks {
  std::vector<double> ranks;  // of each node, sum 1
  uint32_t rounds = 0;
  double change = 0;  // of the last round, in sum
  bool converged = false;
};

// Power iteration. The rank of pages without links goes where jumps go. Sums
// are in the order of the nodes: the same bytes on any machine. kUsage for a
// damping outside [0, 1), a tolerance that is not above 0, jumps of another
// number than nodes, negative or without a sum above 0. Time: O(arcs) a round;
// memory: 24 bytes per node.
Result<PageRanks> ComputePageRank(const Graph& graph,
                                  const PageRankOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_PAGERANK_H_
