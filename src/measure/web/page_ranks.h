// The rank of each page under any of the methods (twinset/measure/graph.h).
#ifndef TWINSET_SRC_MEASURE_WEB_PAGE_RANKS_H_
#define TWINSET_SRC_MEASURE_WEB_PAGE_RANKS_H_

#include <cstdint>
#include <vector>

#include "twinset/measure/graph.h"
#include "web/graph_input.h"

namespace twinset {

struct RankedPages {
  std::vector<double> values;  // of each node, sum 1
  uint32_t rounds = 0;
  bool converged = true;
  TrustedFacts trusted;
};

// What can be said without the graph: trusted pages go with trustrank only, and
// trustrank with them.
Status CheckRanks(const RankParameters& parameters);

// TrustRank (Gyöngyi, Garcia-Molina and Pedersen, VLDB 2004, section 5) is the
// PageRank whose jumps lead to the trusted pages, all alike
// (docs/methods/pagerank.md). kUsage as RankGraph says, kIo. Memory: 24 bytes
// per node and those of the method; for inverse PageRank a second graph.
Result<RankedPages> RankPages(const LoadedGraph& graph,
                              const RankParameters& parameters);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_PAGE_RANKS_H_
