// WebWalker: a random walk on an undirected regular graph that is laid over the
// web while it is walked (Bar-Yossef et al., VLDB 2000;
// docs/methods/webwalker.md).
#ifndef TWINSET_SRC_WEB_WEBWALKER_H_
#define TWINSET_SRC_WEB_WEBWALKER_H_

#include "web/walk_trace.h"

namespace twinset {

struct WebWalkerOptions {
  uint32_t in_links = 0;       // r: random in-links of each page, by the index
  uint64_t degree = 10000000;  // d: of every page, self-loops included
  enum class Loops {
    kDrawn,      // one by one: the reference; d / d' draws a move
    kGeometric,  // their number drawn at once: the same law
    kExpected,   // one visit of weight d / d': less variance
  } loops = Loops::kGeometric;
  // What becomes of a link from a new page to one visited before, whose
  // neighbours are fixed.
  enum class Late {
    kDrop,         // it is no edge
    kReplaceLoop,  // it takes the place of a self-loop of that page
  } late = Late::kDrop;
};

// The neighbours of a page are fixed when the walk first comes to it: the pages
// visited before that chose it, its links, and r of the pages that link to it.
// The walk is then uniform over the pages it can reach, in the long run.
// kUsage: no start, d below 1, a page with more neighbours than d (the message
// names the page), a start that cannot be left. Memory: 16 bytes an edge and 80
// a page.
Result<WalkTrace> WalkWebWalker(LinkSource* web,
                                const WebWalkerOptions& options,
                                const WalkBudget& budget);

}  // namespace twinset

#endif  // TWINSET_SRC_WEB_WEBWALKER_H_
