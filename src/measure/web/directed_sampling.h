// Near-uniform samples by walks whose stationary law is estimated or known
// (Rusmevichientong, Pennock, Lawrence and Giles, AAAI Fall Symposium 2001;
// docs/methods/walks.md).
#ifndef TWINSET_SRC_MEASURE_WEB_DIRECTED_SAMPLING_H_
#define TWINSET_SRC_MEASURE_WEB_DIRECTED_SAMPLING_H_

#include "web/walk_trace.h"

namespace twinset {

// DIRECTED-SAMPLE: a walk along links that returns to a start page with
// probability 1 - damping and at dead ends. Its law is estimated from the walk
// itself, by the mean over all steps of the probability to go to the page next;
// a visit weighs 1 / that. Pages far from the starts are visited seldom or
// never. kUsage: no start, damping outside [0, 1).
Result<WalkTrace> WalkDirected(LinkSource* web, double damping,
                               const WalkBudget& budget);

// UNDIRECTED-SAMPLE: a walk along links and, by the index, against them; its
// law is proportional to the degree, so that a visit weighs 1 / degree. Exact
// when the index knows all links; else a link that the walk itself has seen is
// added to the page it leads to. kUsage: no start, a start that cannot be left.
Result<WalkTrace> WalkUndirected(LinkSource* web, const WalkBudget& budget);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_DIRECTED_SAMPLING_H_
