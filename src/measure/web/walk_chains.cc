#include "web/walk_chains.h"

#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "web/directed_sampling.h"
#include "web/pagerank_walk.h"
#include "web/webwalker.h"

namespace twinset {

namespace {

Result<WalkTrace> RunSampler(LinkSource* web, const WalkOptions& options,
                             const WalkBudget& budget) {
  switch (options.sampler) {
    case WalkSampler::kWebWalker:
      return WalkWebWalker(
          web,
          {options.in_links, options.degree, options.loops, options.late_links},
          budget);
    case WalkSampler::kPageRankWalk:
      return WalkPageRank(web, {options.damping, options.jump, options.weights},
                          budget);
    case WalkSampler::kDirected:
      return WalkDirected(web, options.damping, budget);
    case WalkSampler::kUndirected:
      break;
  }
  return WalkUndirected(web, budget);
}

}  // namespace

Result<WalkTrace> RunChains(LinkSource* web, const WalkOptions& options,
                            const WalkBudget& budget, uint32_t chains,
                            const std::function<void(uint32_t)>& before) {
  WalkTrace all;
  for (uint32_t chain = 0; chain < chains; ++chain) {
    WalkBudget own = budget;
    if (chain > 0) own.seed = Mix64(budget.seed + chain);
    if (options.sampler != WalkSampler::kDirected && options.best_starts == 0)
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
  if (options.sampler == WalkSampler::kDirected) return WeightTrust::kNear;
  if (options.sampler == WalkSampler::kPageRankWalk)
    return WeightTrust::kVisited;
  const bool known =
      options.sampler == WalkSampler::kWebWalker ||
      (options.sampler == WalkSampler::kUndirected && index_complete);
  return known ? WeightTrust::kKnown : WeightTrust::kEstimated;
}

}  // namespace twinset
