// Structure and ranks of graphs (include/twinset/measure/walk.h).
#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/json_text.h"
#include "documents/result_places.h"
#include "estimate/chain.h"
#include "estimate/power_law.h"
#include "twinset/json.h"
#include "web/bow_tie.h"
#include "web/graph_input.h"
#include "web/page_ranks.h"

namespace twinset {

namespace {

DegreeLaw FitDegrees(const Graph& graph, bool in) {
  DegreeLaw law;
  std::vector<uint64_t> degrees;
  for (uint32_t node = 0; node < graph.nodes(); ++node) {
    const uint64_t degree = in ? graph.In(node).size() : graph.Out(node).size();
    law.most = std::max(law.most, degree);
    if (degree == 0) {
      ++law.zero;
    } else {
      degrees.push_back(degree);
    }
  }
  if (graph.nodes() > 0)
    law.mean = static_cast<double>(graph.arcs()) / graph.nodes();
  // Fitted to all pages of the graph, which are no sample: without an interval.
  const auto fit = FitPowerLaw(degrees, {.seed = 1, .replicas = 0, .block = 1});
  if (!fit) return law;
  law.fitted = true;
  law.exponent = fit->law.alpha;
  law.least = fit->law.x_min;
  law.tail = fit->law.tail;
  law.ks = fit->law.distance;
  return law;
}

Json LawJson(const DegreeLaw& law) {
  Json json = {{"mean", law.mean}, {"most", law.most}, {"zero", law.zero}};
  if (law.fitted) {
    json["power_law"] = {{"exponent", law.exponent},
                         {"least", law.least},
                         {"tail", law.tail},
                         {"ks", law.ks}};
  } else {
    json["power_law"] = nullptr;
  }
  return json;
}

constexpr uint32_t kMostGapNodes = 10000;
constexpr uint64_t kMostGapSteps = 4000;

// Uniform steps over the neighbours in both directions, within the largest weak
// component.
TransitionMatrix WalkBothWays(const Graph& graph) {
  std::vector<uint32_t> place(graph.nodes(), UINT32_MAX), largest;
  for (uint32_t root = 0; root < graph.nodes(); ++root) {
    if (place[root] != UINT32_MAX) continue;
    const auto reached = Reached(graph, {root}, true, true);
    std::vector<uint32_t> nodes;
    for (uint32_t i = 0; i < graph.nodes(); ++i) {
      if (reached[i] == 0) continue;
      place[i] = static_cast<uint32_t>(nodes.size());
      nodes.push_back(i);
    }
    if (nodes.size() > largest.size()) largest = std::move(nodes);
    if (largest.size() * 2 > graph.nodes()) break;
  }
  TransitionMatrix matrix;
  for (const uint32_t node : largest) {
    std::vector<uint32_t> next(graph.Out(node).begin(), graph.Out(node).end());
    next.insert(next.end(), graph.In(node).begin(), graph.In(node).end());
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    auto& row = matrix.rows.emplace_back();
    for (const uint32_t to : next)
      row.emplace_back(place[to], 1 / static_cast<double>(next.size()));
  }
  return matrix;
}

void FindGap(const Graph& graph, GraphStructure* structure) {
  if (graph.nodes() > kMostGapNodes || structure->largest_weak < 2) return;
  const auto gap = FindSpectralGap(WalkBothWays(graph), kMostGapSteps);
  if (!gap) return;
  structure->spectral_gap = gap->gap;
  structure->gap_converged = gap->converged;
}

Status CheckFile(const RankOptions& options) {
  if (options.out.empty())
    return Fail(ErrorCode::kUsage, "no file for the ranks is given", {},
                "add --out FILE");
  FileRequest request;
  request.path = options.out;
  request.flag = "--out";
  request.overwrite = options.overwrite;
  std::vector<std::string> inputs = options.graph.input.inputs;
  inputs.push_back(options.graph.nodes);
  inputs.insert(inputs.end(), options.trusted.begin(), options.trusted.end());
  return CheckResultFile(std::move(request), inputs);
}

Status WriteRanks(const LoadedGraph& graph, const std::vector<double>& ranks,
                  const std::string& name, const std::string& path) {
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path));
  for (uint32_t node = 0; node < ranks.size(); ++node) {
    JsonRow row;
    if (graph.ids.empty()) {
      row.Text("id", graph.NameOf(node));
    } else {
      row.Text("id", std::to_string(graph.ids[node]));
    }
    row.Text("url", graph.NameOf(node)).Number(name, ranks[node]);
    TWINSET_TRY(file.Write(row.Take() + "\n"));
  }
  return file.Commit();
}

}  // namespace

Result<GraphStructure> v1::MeasureGraph(const GraphOptions& options) {
  TWINSET_ASSIGN(const LoadedGraph loaded, LoadGraph(options));
  const Graph& graph = loaded.named.graph;
  const BowTie tie = FindBowTie(graph);
  GraphStructure structure;
  structure.facts = loaded.facts;
  Json parts = Json::object();
  for (size_t part = 0; part < kBowTieParts; ++part) {
    const std::string name(BowTiePartName(static_cast<BowTiePart>(part)));
    structure.parts.emplace_back(name, tie.sizes[part]);
    parts[name] = tie.sizes[part];
  }
  structure.strong_components = tie.strong_components;
  structure.weak_components = tie.weak_components;
  structure.largest_weak = tie.largest_weak;
  structure.in = FitDegrees(graph, true);
  structure.out = FitDegrees(graph, false);
  FindGap(graph, &structure);
  const Json gap = structure.spectral_gap < 0
                       ? Json()
                       : Json({{"gap", structure.spectral_gap},
                               {"converged", structure.gap_converged}});
  structure.json = Json({{"graph", FactsJson(loaded.facts)},
                         {"parts", parts},
                         {"strong_components", tie.strong_components},
                         {"weak_components", tie.weak_components},
                         {"largest_weak", tie.largest_weak},
                         {"in_degree", LawJson(structure.in)},
                         {"out_degree", LawJson(structure.out)},
                         {"spectral", gap}});
  return structure;
}

Result<RankSummary> v1::RankGraph(const RankOptions& options) {
  TWINSET_TRY(CheckFile(options));
  TWINSET_TRY(CheckRanks(options));
  TWINSET_ASSIGN(const LoadedGraph loaded, LoadGraph(options.graph));
  TWINSET_ASSIGN(RankedPages pages, RankPages(loaded, options));
  TWINSET_TRY(WriteRanks(loaded, pages.values,
                         std::string(ChoiceName(options.method)), options.out));
  RankSummary summary;
  summary.facts = loaded.facts;
  summary.method = options.method;
  summary.rounds = pages.rounds;
  summary.converged = pages.converged;
  summary.trusted = std::move(pages.trusted);
  Json json = {{"graph", FactsJson(loaded.facts)},
               {"rank", options.method},
               {"damping", options.damping},
               {"rounds", summary.rounds},
               {"converged", summary.converged}};
  if (options.method == RankMethod::kTrustRank)
    json["trusted"] = TrustedJson(summary.trusted);
  json["out"] = options.out;
  summary.json = std::move(json);
  return summary;
}

}  // namespace twinset
