// A walk that jumps back among the pages it has visited, as PageRank's surfer
// does, and weights that undo its preference (Henzinger, Heydon, Mitzenmacher
// and Najork, Computer Networks 1999 and WWW9 2000;
// docs/methods/walks.md).
#ifndef TWINSET_SRC_MEASURE_WEB_PAGERANK_WALK_H_
#define TWINSET_SRC_MEASURE_WEB_PAGERANK_WALK_H_

#include "twinset/measure/choices.h"
#include "web/walk_trace.h"

namespace twinset {

struct PageRankWalkOptions {
  double damping = 0.85;            // share of the moves that follow a link
  JumpRule jump = JumpRule::kHost;  // where the others lead to
  VisitWeights weights = VisitWeights::kPageRank;
};

// kUsage: no start, damping outside [0, 1). Memory: 8 bytes per link of a
// visited page and 100 per page.
Result<WalkTrace> WalkPageRank(LinkSource* web,
                               const PageRankWalkOptions& options,
                               const WalkBudget& budget);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_PAGERANK_WALK_H_
