#include "web/walk_chains.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "web/directed_sampling.h"
#include "web/pagerank_walk.h"
#include "web/webwalker.h"

namespace twinset {

namespace {

// The place of `name` among `names`; kUsage when it is not there.
Result<size_t> Choice(const std::string& name,
                      std::initializer_list<std::string_view> names,
                      const std::string& what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<size_t>(found - names.begin());
  return Fail(ErrorCode::kUsage, "no " + what + " is called '" + name + "'");
}

Result<WalkTrace> RunSampler(LinkSource* web, const WalkOptions& options,
                             const WalkBudget& budget) {
  TWINSET_ASSIGN(const size_t sampler, Choice(options.sampler,
                                              {"webwalker", "pagerank-walk",
                                               "directed", "undirected"},
                                              "sampler"));
  TWINSET_ASSIGN(const size_t loops,
                 Choice(options.loops, {"drawn", "geometric", "expected"},
                        "way of loops"));
  TWINSET_ASSIGN(
      const size_t late,
      Choice(options.late_links, {"drop", "replace-loop"}, "rule of links"));
  TWINSET_ASSIGN(const size_t jump,
                 Choice(options.jump, {"host", "page"}, "jump"));
  TWINSET_ASSIGN(
      const size_t weights,
      Choice(options.weights, {"pagerank", "visits", "none"}, "weight"));
  switch (sampler) {
    case 0:
      return WalkWebWalker(web,
                           {options.in_links, options.degree,
                            static_cast<WebWalkerOptions::Loops>(loops),
                            static_cast<WebWalkerOptions::Late>(late)},
                           budget);
    case 1:
      return WalkPageRank(
          web,
          {options.damping, static_cast<PageRankWalkOptions::Jump>(jump),
           static_cast<PageRankWalkOptions::Weights>(weights)},
          budget);
    case 2:
      return WalkDirected(web, options.damping, budget);
    default:
      return WalkUndirected(web, budget);
  }
}

}  // namespace

Result<WalkTrace> RunChains(LinkSource* web, const WalkOptions& options,
                            const WalkBudget& budget, uint32_t chains,
                            const std::function<void(uint32_t)>& before) {
  WalkTrace all;
  for (uint32_t chain = 0; chain < chains; ++chain) {
    WalkBudget own = budget;
    if (chain > 0) own.seed = Mix64(budget.seed + chain);
    if (options.sampler != "directed" && options.best_starts == 0)
      own.starts = {budget.starts[chain % budget.starts.size()]};
    if (before) before(chain);
    TWINSET_ASSIGN(WalkTrace trace, RunSampler(web, options, own));
    if (chain == 0) {
      all = std::move(trace);
    } else if (!trace.visits.empty()) {
      AddChain(std::move(trace), &all);
    }
  }
  if (chains == 1) return all;
  // A chain asks for what it visits; what another asked for costs nothing.
  std::unordered_set<NodeId> visited;
  for (const Visit& visit : all.visits) visited.insert(visit.page);
  all.pages_asked = visited.size();
  if (all.index_asked > 0) all.index_asked = visited.size();
  return all;
}

WeightTrust TrustOf(const WalkOptions& options, bool index_complete) {
  if (options.sampler == "directed") return WeightTrust::kNear;
  const bool known = options.sampler == "webwalker" ||
                     (options.sampler == "undirected" && index_complete);
  return known ? WeightTrust::kKnown : WeightTrust::kEstimated;
}

}  // namespace twinset
