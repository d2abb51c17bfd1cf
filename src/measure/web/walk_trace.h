// What a walk over a web leaves behind, whichever way it chose
// (docs/methods/link-graphs.md): samplers fill it, WalkSamples draws from it.
#ifndef TWINSET_SRC_MEASURE_WEB_WALK_TRACE_H_
#define TWINSET_SRC_MEASURE_WEB_WALK_TRACE_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/hash.h"
#include "web/link_source.h"

namespace twinset {

// How far a walk goes. The first limit that is reached ends it.
struct WalkBudget {
  uint64_t moves = 100000;     // from page to page
  uint64_t steps = 0;          // with self-loops; 0: no limit
  std::vector<NodeId> starts;  // one at least; several: one of them at random
  uint64_t seed = 1;
  const std::atomic<bool>* stop = nullptr;
};

struct Visit {
  NodeId page = 0;
  // Steps that the walk stayed here, 1 at least; a sample by time counts them.
  double hold = 1;
  // Proportional to 1 / (probability of the page a step): what makes draws by
  // time uniform.
  double weight = 1;
  uint32_t degree = 0;  // ways out, as the walk sees the page
};

// What a visit counts in a sample by time.
inline double WeightOf(const Visit& visit) { return visit.hold * visit.weight; }

struct WalkTrace {
  // In order, one a move, the start first; of several chains one after another.
  std::vector<Visit> visits;
  std::vector<size_t> chains;       // first visits of the others; empty: one
  std::string weights = "uniform";  // as SampleHeader::weights
  double steps = 0;          // with self-loops (their expectation if not drawn)
  uint64_t pages_asked = 0;  // pages whose links were read: the cost
  uint64_t index_asked = 0;  // questions to the index of back-links
  uint64_t failures = 0;     // pages that could not be read, taken as empty
  uint64_t jumps = 0;        // moves that followed no link
  uint64_t dropped_edges = 0;  // between visited pages, found too late
  std::string stopped;         // why it ended before its budget; empty: did not
  std::vector<std::string> warnings;
};

// OutLinks and BackLinks with failures counted. A page that fails has no links;
// false when the web is at its budget (kInterrupted) and the walk must end.
class CountingSource {
 public:
  CountingSource(LinkSource* web, WalkTrace* trace)
      : web_(web), trace_(trace) {}
  bool OutLinks(NodeId node, std::vector<NodeId>* links);
  bool BackLinks(NodeId node, std::vector<NodeId>* links);
  LinkSource* web() const { return web_; }

 private:
  bool Take(Result<std::vector<NodeId>> answer, std::vector<NodeId>* links);
  LinkSource* web_;
  WalkTrace* trace_;
};

// A generator of its own for a page, so that what is drawn for it does not
// depend on when the walk comes by.
SplitMix64 RandomOf(uint64_t seed, NodeId page);
// Uniform in (0, 1], 53 bits.
double UnitAbove0(SplitMix64* random);
// `count` of `items` without repetition, at random; all of them when there are
// no more. In ascending order.
std::vector<NodeId> Choose(std::vector<NodeId> items, uint64_t count,
                           SplitMix64* random);

// The visits of a chain: all from `first`, those behind the burn-in from
// `begin`, up to `end`.
struct VisitRange {
  size_t first = 0, begin = 0, end = 0;
};
std::vector<VisitRange> ChainsOf(const WalkTrace& trace, double burn_in);
// One more chain of the same kind. Counts are added up: what several chains
// asked for counts for each.
void AddChain(WalkTrace chain, WalkTrace* trace);

// Number of visits that are left out at the front.
size_t BurnIn(const WalkTrace& trace, double share);

// One draw of a walk.
struct WalkDraw {
  NodeId page = 0;
  double weight = 1;
  uint64_t visit = 0;  // index into the visits
};
// `size` draws of the visits behind the first `burn_in` of them, in proportion
// to hold * weight, so that they all weigh 1: systematically, at equal
// distances of the cumulated weight, a visit several times where it weighs
// much. Fewer when there were fewer steps. size 0: every visit behind the
// burn-in, weighted by hold * weight.
std::vector<WalkDraw> DrawFromWalk(const WalkTrace& trace, double burn_in,
                                   uint64_t size);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_WALK_TRACE_H_
