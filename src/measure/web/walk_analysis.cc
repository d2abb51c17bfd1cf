#include "web/walk_analysis.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/math/pinned_math.h"
#include "estimate/chain.h"
#include "estimate/ks_distance.h"
#include "estimate/special_functions.h"
#include "net/url.h"

namespace twinset {

namespace {

// Behind the burn-in of each chain.
struct KeptVisits {
  std::vector<Visit> visits;
  std::vector<size_t> lengths;  // of the chains
};

KeptVisits Kept(const WalkTrace& trace, double burn_in) {
  KeptVisits kept;
  for (const VisitRange& chain : ChainsOf(trace, burn_in)) {
    kept.visits.insert(kept.visits.end(), trace.visits.begin() + chain.begin,
                       trace.visits.begin() + chain.end);
    kept.lengths.push_back(chain.end - chain.begin);
  }
  return kept;
}

// The chains one by one, cut to the shortest.
std::vector<std::vector<double>> Apart(const std::vector<double>& series,
                                       const std::vector<size_t>& lengths) {
  const size_t shortest = *std::min_element(lengths.begin(), lengths.end());
  std::vector<std::vector<double>> chains;
  size_t at = 0;
  for (const size_t length : lengths) {
    chains.emplace_back(series.begin() + at, series.begin() + at + shortest);
    at += length;
  }
  return chains;
}

// The linearised values of a weighted mean: their mean is 0, and its standard
// error is that of the weighted mean of `values`.
ChainCheck CheckChain(std::string of, const KeptVisits& kept,
                      const std::function<double(const Visit&)>& value) {
  ChainCheck check{.of = std::move(of)};
  const std::vector<Visit>& visits = kept.visits;
  double weight = 0, sum = 0;
  for (const Visit& visit : visits) {
    weight += WeightOf(visit);
    sum += WeightOf(visit) * value(visit);
  }
  if (visits.size() < 40 || !(weight > 0)) return check;
  check.mean = sum / weight;
  const double mean_weight = weight / static_cast<double>(visits.size());
  double variance = 0;
  std::vector<double> series;
  series.reserve(visits.size());
  for (const Visit& visit : visits) {
    const double off = value(visit) - check.mean;
    variance += WeightOf(visit) * off * off;
    series.push_back(WeightOf(visit) * off / mean_weight);
  }
  variance /= weight;
  const EffectiveSize size = FindEffectiveSize(series);
  if (size.constant || !(size.standard_error > 0)) return check;
  check.standard_error = size.standard_error;
  check.correlation_time = size.time;
  check.effective_size =
      std::min(variance / (size.standard_error * size.standard_error),
               static_cast<double>(visits.size()));
  if (const auto geweke = GewekeTest(series)) {
    check.geweke_z = geweke->z;
    check.geweke_p = geweke->p;
  }
  const auto chains = Apart(series, kept.lengths);
  if (const auto r_hat = SplitRHat(chains)) check.split_r_hat = *r_hat;
  check.known = true;
  return check;
}

std::vector<HostRow> CountHosts(const LinkSource& web,
                                std::span<const Visit> visits,
                                uint64_t* all_hosts) {
  std::map<std::string, HostRow> hosts;
  std::unordered_map<NodeId, HostRow*> of_page;
  double weight = 0;
  for (const Visit& visit : visits) {
    HostRow*& host = of_page[visit.page];
    if (host == nullptr) {
      const std::string name = UrlOrigin(web.Url(visit.page));
      host = &hosts[name];
      host->host = name;
      ++host->pages;
    }
    ++host->visits;
    host->weighted += WeightOf(visit);
    weight += WeightOf(visit);
  }
  std::vector<HostRow> rows;
  for (auto& [name, host] : hosts) {
    host.weighted /= weight;
    rows.push_back(host);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.weighted > b.weighted;
  });
  *all_hosts = rows.size();
  if (rows.size() > kMostHosts) rows.resize(kMostHosts);
  return rows;
}

// Pages that the walk could come to, and links on the way there.
std::vector<int32_t> ReachOf(const NamedGraph& graph, const GraphSource& source,
                             WalkWays ways,
                             const std::vector<uint32_t>& starts) {
  std::vector<int32_t> distance(graph.graph.nodes(), -1);
  std::vector<uint32_t> now;
  for (const uint32_t start : starts) {
    if (std::exchange(distance[start], 0) != 0) now.push_back(start);
  }
  for (int32_t next = 1; !now.empty(); ++next) {
    std::vector<uint32_t> later;
    const auto add = [&](uint32_t node) {
      if (distance[node] != -1) return;
      distance[node] = next;
      later.push_back(node);
    };
    for (const uint32_t node : now) {
      for (const uint32_t to : graph.graph.Out(node)) add(to);
      if (ways != WalkWays::kLinksAndIndex) continue;
      for (const uint32_t from : graph.graph.In(node))
        if (source.KnowsLink(from, node)) add(from);
    }
    now = std::move(later);
  }
  return distance;
}

struct Occupancy {
  std::vector<double> weighted, visited;  // shares of each node
};

Occupancy Occupied(std::span<const Visit> visits, uint32_t nodes) {
  Occupancy shares{std::vector<double>(nodes, 0),
                   std::vector<double>(nodes, 0)};
  double weight = 0;
  for (const Visit& visit : visits) {
    shares.weighted[visit.page] += WeightOf(visit);
    shares.visited[visit.page] += 1 / static_cast<double>(visits.size());
    weight += WeightOf(visit);
  }
  for (double& share : shares.weighted) share /= weight;
  return shares;
}

// Half the sum of |share - 1 / pages| over the pages that count.
double DistanceFromUniform(const std::vector<double>& shares,
                           const std::vector<int32_t>& reach, uint64_t pages,
                           bool all) {
  const double each = 1 / static_cast<double>(pages);
  double sum = 0;
  for (size_t i = 0; i < shares.size(); ++i) {
    if (all || reach[i] >= 0) sum += std::abs(shares[i] - each);
  }
  return sum / 2;
}

BiasTable Bias(std::string by, const std::vector<std::string>& names,
               const std::vector<int32_t>& reach, const Occupancy& occupancy,
               const std::function<size_t(uint32_t)>& class_of) {
  BiasTable table{std::move(by), {}};
  for (const std::string& name : names) table.rows.push_back({.name = name});
  uint64_t all = 0;
  for (uint32_t i = 0; i < reach.size(); ++i) {
    if (reach[i] < 0) continue;
    ++all;
    BiasRow& row = table.rows[std::min(class_of(i), names.size() - 1)];
    ++row.pages;
    row.visited += occupancy.visited[i];
    row.weighted += occupancy.weighted[i];
  }
  for (BiasRow& row : table.rows)
    row.share = static_cast<double>(row.pages) / static_cast<double>(all);
  std::erase_if(table.rows, [](const BiasRow& row) { return row.pages == 0; });
  return table;
}

// 0, 1, 2-3, 4-7, ...
size_t Doubling(uint64_t value) {
  size_t bin = 0;
  for (; value > 0; value >>= 1) ++bin;
  return bin;
}

std::vector<std::string> DoublingNames(size_t bins) {
  std::vector<std::string> names = {"0", "1"};
  for (size_t i = 2; i < bins; ++i) {
    names.push_back(std::to_string(uint64_t{1} << (i - 1)) + "-" +
                    std::to_string((uint64_t{1} << i) - 1));
  }
  return names;
}

std::vector<BiasTable> BiasTables(const NamedGraph& graph,
                                  const GraphSource& source,
                                  const std::vector<int32_t>& reach,
                                  const Occupancy& occupancy) {
  std::vector<BiasTable> tables;
  tables.push_back(
      Bias("in-degree", DoublingNames(20), reach, occupancy,
           [&](uint32_t i) { return Doubling(graph.graph.In(i).size()); }));
  tables.push_back(Bias(
      "distance", DoublingNames(16), reach, occupancy,
      [&](uint32_t i) { return Doubling(static_cast<uint64_t>(reach[i])); }));
  if (!source.index_complete()) {
    tables.push_back(Bias("index", {"not indexed", "indexed"}, reach, occupancy,
                          [&](uint32_t i) { return source.Indexed(i); }));
  }
  return tables;
}

std::vector<PartRow> CountParts(const NamedGraph& graph,
                                const std::vector<int32_t>& reach,
                                const Occupancy& occupancy) {
  const BowTie tie = FindBowTie(graph.graph);
  std::vector<PartRow> rows;
  for (size_t part = 0; part < kBowTieParts; ++part) {
    rows.push_back(
        {.part = std::string(BowTiePartName(static_cast<BowTiePart>(part)))});
  }
  for (uint32_t i = 0; i < reach.size(); ++i) {
    PartRow& row = rows[static_cast<size_t>(tie.parts[i])];
    ++row.pages;
    row.reachable += reach[i] >= 0;
    row.visited += occupancy.visited[i] > 0;
    row.weighted += occupancy.weighted[i];
  }
  return rows;
}

double KsOfInDegree(const NamedGraph& graph, std::span<const Visit> visits,
                    const std::vector<int32_t>& reach, bool weighted) {
  std::vector<double> values, weights, reference;
  const auto degree = [&](NodeId i) {
    return static_cast<double>(graph.graph.In(static_cast<uint32_t>(i)).size());
  };
  for (const Visit& visit : visits) {
    values.push_back(degree(visit.page));
    weights.push_back(weighted ? WeightOf(visit) : 1);
  }
  for (uint32_t i = 0; i < reach.size(); ++i)
    if (reach[i] >= 0) reference.push_back(degree(i));
  const auto distance = KsWeighted(values, weights, reference);
  return distance ? *distance : 1;
}

GraphComparison Compare(const WalkTrace& trace, std::span<const Visit> visits,
                        WalkWays ways, const NamedGraph& graph,
                        const GraphSource& source,
                        const std::vector<int32_t>& reach) {
  GraphComparison result;
  const auto occupancy = Occupied(visits, graph.graph.nodes());
  for (const int32_t distance : reach) result.reachable += distance >= 0;
  result.reach_is_bound = ways == WalkWays::kLinksAndIndex;
  result.total_variation =
      DistanceFromUniform(occupancy.weighted, reach, result.reachable, false);
  result.total_variation_all =
      DistanceFromUniform(occupancy.weighted, reach, graph.graph.nodes(), true);
  result.total_variation_floor =
      TotalVariationFloor(static_cast<double>(visits.size()),
                          static_cast<double>(result.reachable));
  result.ks_in_degree = KsOfInDegree(graph, visits, reach, true);
  result.ks_in_degree_raw = KsOfInDegree(graph, visits, reach, false);
  result.parts = CountParts(graph, reach, occupancy);
  result.bias = BiasTables(graph, source, reach, occupancy);
  (void)trace;
  return result;
}

}  // namespace

double TotalVariationFloor(double draws, double cells) {
  if (!(draws > 0) || !(cells > 0)) return 1;
  // X Poisson of mean m: E|X - m| = 2 m^(f+1) e^-m / f! with f = floor(m).
  const double mean = draws / cells;
  const double floor = static_cast<double>(static_cast<uint64_t>(mean));
  return PinnedExp(floor * PinnedLog(mean) - mean - LogGamma(floor + 1));
}

WalkAnalysis AnalyseWalk(const LinkSource& web, const WalkTrace& trace,
                         double burn_in, WalkWays ways,
                         const std::vector<NodeId>& starts,
                         const NamedGraph* graph, const GraphSource* source) {
  WalkAnalysis analysis;
  const KeptVisits kept = Kept(trace, burn_in);
  const std::span<const Visit> visits = kept.visits;
  if (visits.empty()) return analysis;
  analysis.discovery = FindDiscovery(trace, burn_in);
  analysis.visits = visits.size();
  std::set<NodeId> distinct;
  for (const Visit& visit : trace.visits) distinct.insert(visit.page);
  analysis.distinct = distinct.size();
  double sum = 0, squares = 0;
  for (const Visit& visit : visits) {
    sum += WeightOf(visit);
    squares += WeightOf(visit) * WeightOf(visit);
  }
  analysis.kish_size = sum * sum / squares;
  analysis.hosts = CountHosts(web, visits, &analysis.all_hosts);
  analysis.checks.push_back(
      CheckChain("log degree", kept, [](const Visit& visit) {
        return PinnedLog(1 + static_cast<double>(visit.degree));
      }));
  if (graph != nullptr) {
    const std::vector<uint32_t> from(starts.begin(), starts.end());
    const auto reach = ReachOf(*graph, *source, ways, from);
    analysis.checks.push_back(
        CheckChain("distance", kept, [&](const Visit& visit) {
          return static_cast<double>(reach[visit.page]);
        }));
    analysis.checks.push_back(
        CheckChain("log in-degree", kept, [&](const Visit& visit) {
          const auto node = static_cast<uint32_t>(visit.page);
          return PinnedLog(1 +
                           static_cast<double>(graph->graph.In(node).size()));
        }));
    analysis.compared = true;
    analysis.comparison = Compare(trace, visits, ways, *graph, *source, reach);
  }
  double least = 0;
  for (const ChainCheck& check : analysis.checks) {
    if (!check.known) continue;
    if (least == 0 || check.effective_size < least)
      least = check.effective_size;
    analysis.r_hat = std::max(analysis.r_hat, check.split_r_hat);
  }
  if (least > 0)
    analysis.cost_per_effective =
        static_cast<double>(trace.pages_asked) / least;
  return analysis;
}

}  // namespace twinset
