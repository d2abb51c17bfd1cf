// What can be said of a walk afterwards: how much it is worth, where it went,
// and, on graphs that are known whole, how far it is from uniform
// (docs/methods/link-graphs.md).
#ifndef TWINSET_SRC_MEASURE_WEB_WALK_ANALYSIS_H_
#define TWINSET_SRC_MEASURE_WEB_WALK_ANALYSIS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "web/bow_tie.h"
#include "web/graph_source.h"
#include "web/walk_discovery.h"
#include "web/walk_trace.h"

namespace twinset {

// Diagnostics of one function of the pages along the walk.
struct ChainCheck {
  std::string of;             // "log degree", "distance"
  double mean = 0;            // weighted
  double standard_error = 0;  // with the dependence along the walk
  double effective_size = 0;  // independent uniform draws it is worth
  double correlation_time = 1;
  double geweke_z = 0, geweke_p = 1, split_r_hat = 1;
  bool known = false;  // false: too few visits or all values equal
};

// A class of pages: its share of those that can be reached, of the visits, and
// of the weighted visits. Equal in the long run for an unbiased sample.
struct BiasRow {
  std::string name;
  uint64_t pages = 0;
  double share = 0, visited = 0, weighted = 0;
};
struct BiasTable {
  std::string by;  // "in-degree", "distance", "index"
  std::vector<BiasRow> rows;
};

struct PartRow {
  std::string part;
  uint64_t pages = 0, reachable = 0, visited = 0;
  double weighted = 0;  // share of the weighted visits
};

// Only of graphs known whole.
struct GraphComparison {
  uint64_t reachable = 0;
  bool reach_is_bound = false;     // at most so many
  double total_variation = 0;      // of the weighted visits from uniform
  double total_variation_all = 0;  // from uniform over all pages of the graph
  // What as many independent uniform draws would give on average.
  double total_variation_floor = 0;
  double ks_in_degree = 0, ks_in_degree_raw = 0;  // weighted, unweighted
  std::vector<PartRow> parts;
  std::vector<BiasTable> bias;
};

struct HostRow {
  std::string host;
  uint64_t pages = 0, visits = 0;
  double weighted = 0;
};

struct WalkAnalysis {
  uint64_t visits = 0;    // behind the burn-in
  uint64_t distinct = 0;  // pages of all visits
  double kish_size = 0;   // (sum w)^2 / sum w^2 of the visits
  std::vector<ChainCheck> checks;
  double cost_per_effective = 0;  // pages asked for each; 0: not known
  std::vector<HostRow> hosts;     // most weight first, at most kMostHosts
  uint64_t all_hosts = 0;
  Discovery discovery;
  double r_hat = 1;  // the highest of the checks
  // Why draws bear no intervals (WhyNoInterval); empty: they do.
  std::string no_interval;
  bool compared = false;
  GraphComparison comparison;
};
inline constexpr size_t kMostHosts = 20;

// Which ways a sampler can go: what it can reach follows from it.
enum class WalkWays { kLinks, kLinksAndIndex };

// `starts`: where the walk may begin or return to. `graph`: null for webs that
// are not known whole; then `source` is null too.
WalkAnalysis AnalyseWalk(const LinkSource& web, const WalkTrace& trace,
                         double burn_in, WalkWays ways,
                         const std::vector<NodeId>& starts,
                         const NamedGraph* graph, const GraphSource* source);

// Mean total variation from uniform of `draws` independent uniform draws over
// `cells`, by the Poisson law.
double TotalVariationFloor(double draws, double cells);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_WALK_ANALYSIS_H_
