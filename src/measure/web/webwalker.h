// WebWalker: a random walk on an undirected regular graph that is laid over the
// web while it is walked (Bar-Yossef et al., VLDB 2000;
// docs/methods/walks.md).
#ifndef TWINSET_SRC_MEASURE_WEB_WEBWALKER_H_
#define TWINSET_SRC_MEASURE_WEB_WEBWALKER_H_

#include "twinset/measure/choices.h"
#include "web/walk_trace.h"

namespace twinset {

struct WebWalkerOptions {
  uint32_t in_links = 0;       // r: random in-links of each page, by the index
  uint64_t degree = 10000000;  // d: of every page, self-loops included
  LoopRule loops = LoopRule::kGeometric;
  LateLinkRule late = LateLinkRule::kDrop;
};

// The neighbours of a page are fixed when the walk first comes to it: the pages
// visited before that chose it, its links, and r of the pages that link to it.
// The walk is then uniform over the pages it can reach, in the long run.
// kUsage: no start, d below 1, a page with more neighbours than d (the message
// names the page), a start that cannot be left. Memory: 16 bytes an edge and 80
// per page.
Result<WalkTrace> WalkWebWalker(LinkSource* web,
                                const WebWalkerOptions& options,
                                const WalkBudget& budget);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_WEBWALKER_H_
