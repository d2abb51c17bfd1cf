#include "web/page_ranks.h"

#include <optional>
#include <string>
#include <utility>

#include "web/edge_list.h"
#include "web/opic.h"
#include "web/pagerank.h"

namespace twinset {

namespace {

// Proportions of the jumps: 1 for each page that a file names.
Result<std::vector<double>> ReadTrusted(const LoadedGraph& graph,
                                        const std::vector<std::string>& files,
                                        TrustedFacts* facts) {
  std::vector<double> jumps(graph.named.graph.nodes(), 0);
  const NodeIndex index(graph);
  TWINSET_TRY(ForEachPageLine(files, [&](const PageLine& line) -> Status {
    ++facts->lines;
    const auto node = line.problem.empty() ? index.Find(line.name)
                                           : std::optional<uint32_t>();
    if (node) {
      facts->pages += jumps[*node] == 0;
      jumps[*node] = 1;
      return {};
    }
    ++(line.problem.empty() ? facts->unknown : facts->bad);
    if (facts->problems.size() < kMostProblems)
      facts->problems.push_back(
          line.where + ": " +
          (line.problem.empty() ? "the graph has no such page" : line.problem));
    return {};
  }));
  if (facts->pages == 0)
    return Fail(ErrorCode::kUsage, "the graph has none of the trusted pages",
                files.front(),
                "lines are addresses or ids as the graph has them");
  return jumps;
}

Status RankByJumps(const Graph& graph, const RankParameters& parameters,
                   std::vector<double> jumps, RankedPages* pages) {
  PageRankOptions options;
  options.damping = parameters.damping;
  options.tolerance = parameters.tolerance;
  options.jumps = std::move(jumps);
  TWINSET_ASSIGN(PageRanks ranks, ComputePageRank(graph, options));
  pages->rounds = ranks.rounds;
  pages->converged = ranks.converged;
  pages->values = std::move(ranks.ranks);
  return {};
}

}  // namespace

Status CheckRanks(const RankParameters& parameters) {
  const bool by_trust = parameters.method == RankMethod::kTrustRank;
  if (by_trust && parameters.trusted.empty())
    return Fail(ErrorCode::kUsage, "trustrank needs trusted pages", {},
                "add --trusted FILE, an address a line");
  if (!by_trust && !parameters.trusted.empty())
    return Fail(ErrorCode::kUsage, "trusted pages are of trustrank only", {},
                "give --rank trustrank");
  return {};
}

Result<RankedPages> RankPages(const LoadedGraph& graph,
                              const RankParameters& parameters) {
  TWINSET_TRY(CheckRanks(parameters));
  RankedPages pages;
  switch (parameters.method) {
    case RankMethod::kPageRank:
      TWINSET_TRY(RankByJumps(graph.named.graph, parameters, {}, &pages));
      break;
    case RankMethod::kInversePageRank:
      TWINSET_TRY(
          RankByJumps(graph.named.graph.Reversed(), parameters, {}, &pages));
      break;
    case RankMethod::kTrustRank: {
      TWINSET_ASSIGN(std::vector<double> jumps,
                     ReadTrusted(graph, parameters.trusted, &pages.trusted));
      TWINSET_TRY(
          RankByJumps(graph.named.graph, parameters, std::move(jumps), &pages));
      break;
    }
    case RankMethod::kOpic: {
      OpicOptions options;
      options.sweeps = parameters.sweeps;
      options.to_root = 1 - parameters.damping;
      pages.rounds = parameters.sweeps;
      TWINSET_ASSIGN(pages.values, ComputeOpic(graph.named.graph, options));
      break;
    }
  }
  return pages;
}

}  // namespace twinset
