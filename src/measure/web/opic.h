// OPIC: the importance of pages on-line, without a matrix (Abiteboul, Preda and
// Cobena, WWW 2003; docs/methods/pagerank.md).
#ifndef TWINSET_SRC_MEASURE_WEB_OPIC_H_
#define TWINSET_SRC_MEASURE_WEB_OPIC_H_

#include <cstdint>
#include <vector>

#include "twinset/error.h"
#include "web/graph.h"

namespace twinset {

struct OpicOptions {
  // Pages visited: in the order of the nodes, over and over, or at random.
  enum class Policy { kCycle, kRandom } policy = Policy::kCycle;
  uint32_t sweeps = 50;  // visits per page, on average
  // Share of its cash that each page gives to the virtual page that links to
  // all; 0: as much as to each of its links (the paper's).
  double to_root = 0.15;
  uint64_t seed = 1;
};

// Importance of each node, sum 1: (history + cash) / all cash that was ever
// given. Pages without links give all to the virtual page, which is visited
// once a sweep. With to_root = 1 - damping the values tend to the PageRank,
// with an error of about 1 / sweeps. kUsage for a share outside [0, 1] and for
// 0 sweeps. Time: O(arcs) a sweep; memory: 16 bytes per node.
Result<std::vector<double>> ComputeOpic(const Graph& graph,
                                        const OpicOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_OPIC_H_
