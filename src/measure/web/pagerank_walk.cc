#include "web/pagerank_walk.h"

#include <unordered_map>
#include <utility>

#include "net/url.h"
#include "web/pagerank.h"

namespace twinset {

namespace {

// Visited pages by number, in order of their first visit, and by host.
struct VisitedPages {
  std::unordered_map<NodeId, uint32_t> numbers;
  std::vector<NodeId> pages;
  std::vector<std::vector<NodeId>> links;
  std::vector<uint64_t> visits;
  std::unordered_map<std::string, uint32_t> host_numbers;
  std::vector<uint32_t> host_of;
  std::vector<std::vector<uint32_t>> hosts;

  uint32_t Add(NodeId page, std::vector<NodeId> out, const std::string& host) {
    const auto number = static_cast<uint32_t>(pages.size());
    numbers.emplace(page, number);
    pages.push_back(page);
    links.push_back(std::move(out));
    visits.push_back(0);
    const auto [at, is_new] =
        host_numbers.try_emplace(host, static_cast<uint32_t>(hosts.size()));
    if (is_new) hosts.emplace_back();
    host_of.push_back(at->second);
    hosts[at->second].push_back(number);
    return number;
  }

  NodeId Jump(JumpRule how, SplitMix64* random) const {
    if (how == JumpRule::kPage) return pages[random->Below(pages.size())];
    const auto& host = hosts[random->Below(hosts.size())];
    return pages[host[random->Below(host.size())]];
  }
};

// The PageRank of the visited pages among each other, with the jumps that the
// walk makes.
Result<std::vector<double>> EstimatePageRank(
    const VisitedPages& visited, const PageRankWalkOptions& options) {
  std::vector<std::pair<uint32_t, uint32_t>> arcs;
  for (uint32_t u = 0; u < visited.pages.size(); ++u) {
    for (const NodeId link : visited.links[u]) {
      const auto v = visited.numbers.find(link);
      if (v != visited.numbers.end()) arcs.emplace_back(u, v->second);
    }
  }
  TWINSET_ASSIGN(const Graph graph,
                 Graph::FromArcs(static_cast<uint32_t>(visited.pages.size()),
                                 std::move(arcs)));
  PageRankOptions rank;
  rank.damping = options.damping;
  rank.tolerance = 1e-10;
  if (options.jump == JumpRule::kHost) {
    for (const uint32_t host : visited.host_of)
      rank.jumps.push_back(1 / static_cast<double>(visited.hosts[host].size()));
  }
  TWINSET_ASSIGN(PageRanks ranks, ComputePageRank(graph, rank));
  return std::move(ranks.ranks);
}

Status SetWeights(const VisitedPages& visited,
                  const PageRankWalkOptions& options, WalkTrace* trace) {
  const auto pages = static_cast<double>(visited.pages.size());
  std::vector<double> ranks;
  switch (options.weights) {
    case VisitWeights::kNone:
      trace->weights = "none";
      return {};
    case VisitWeights::kVisits:
      for (const uint64_t visits : visited.visits)
        ranks.push_back(static_cast<double>(visits));
      break;
    case VisitWeights::kPageRank: {
      TWINSET_ASSIGN(ranks, EstimatePageRank(visited, options));
      for (double& rank : ranks) rank *= pages;
      break;
    }
  }
  for (Visit& visit : trace->visits)
    visit.weight = 1 / ranks[visited.numbers.at(visit.page)];
  trace->weights = "estimated";
  return {};
}

}  // namespace

Result<WalkTrace> WalkPageRank(LinkSource* web,
                               const PageRankWalkOptions& options,
                               const WalkBudget& budget) {
  if (budget.starts.empty())
    return Fail(ErrorCode::kUsage, "the walk has no start", {}, "add --start");
  if (!(options.damping >= 0 && options.damping < 1))
    return Fail(ErrorCode::kUsage, "the damping is not at least 0 and below 1");
  WalkTrace trace;
  CountingSource source(web, &trace);
  SplitMix64 random(budget.seed);
  VisitedPages visited;
  NodeId at = budget.starts[random.Below(budget.starts.size())];
  while (trace.visits.size() < budget.moves &&
         (budget.steps == 0 || trace.visits.size() < budget.steps)) {
    if (budget.stop != nullptr && *budget.stop)
      return Fail(ErrorCode::kInterrupted, "interrupted");
    const auto found = visited.numbers.find(at);
    uint32_t number = 0;
    if (found != visited.numbers.end()) {
      number = found->second;
    } else {
      std::vector<NodeId> links;
      if (!source.OutLinks(at, &links)) break;
      number = visited.Add(at, std::move(links), UrlOrigin(web->Url(at)));
    }
    ++visited.visits[number];
    const auto& links = visited.links[number];
    trace.visits.push_back({at, 1, 1, static_cast<uint32_t>(links.size())});
    if (links.empty() || UnitAbove0(&random) > options.damping) {
      at = visited.Jump(options.jump, &random);
      ++trace.jumps;
    } else {
      at = links[random.Below(links.size())];
    }
  }
  trace.steps = static_cast<double>(trace.visits.size());
  TWINSET_TRY(SetWeights(visited, options, &trace));
  return trace;
}

}  // namespace twinset
