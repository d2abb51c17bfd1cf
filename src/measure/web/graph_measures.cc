// Structure and ranks of graphs (include/twinset/measure/graph.h).
#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/json_text.h"
#include "base/stop.h"
#include "core/field_list.h"
#include "documents/result_places.h"
#include "estimate/chain.h"
#include "estimate/power_law.h"
#include "report/kept_page.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"
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
  std::vector<std::string> inputs = options.graph.input.inputs;
  inputs.push_back(options.graph.nodes);
  inputs.insert(inputs.end(), options.trusted.begin(), options.trusted.end());
  return CheckResultFile(
      {.path = options.out, .flag = "--out", .overwrite = options.overwrite},
      inputs);
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

// What of the graph was not used, and why.
html::KeyValues LeftOut(const GraphFacts& facts) {
  html::KeyValues values;
  for (const auto& [name, count] :
       {std::pair{"links of pages to themselves left out", facts.self_loops},
        std::pair{"repeated links left out", facts.repeated_arcs},
        std::pair{"documents without an address left out", facts.without_url},
        std::pair{"documents with an address that came before",
                  facts.repeated_urls},
        std::pair{"links that lead to no page of the web", facts.unresolved},
        std::pair{"records that are no documents", facts.rejected}})
    if (count > 0) values.rows.emplace_back(name, html::Cell::Count(count));
  return values;
}

html::Table LawTable(const GraphStructure& structure) {
  using html::Cell;
  html::Table table;
  table.caption = "Links of a page";
  table.columns = {{""},
                   {"mean", true},
                   {"most", true},
                   {"none", true},
                   {"exponent", true},
                   {"from", true},
                   {"pages", true},
                   {"KS", true}};
  for (const auto& [name, law] : {std::pair{"to it", &structure.in},
                                  std::pair{"from it", &structure.out}}) {
    table.rows.push_back({Cell::Text(name), Cell::Fixed(law->mean, 2),
                          Cell::Count(law->most), Cell::Count(law->zero)});
    if (!law->fitted) continue;
    for (const Cell& cell :
         {Cell::Fixed(law->exponent, 2), Cell::Count(law->least),
          Cell::Count(law->tail), Cell::Fixed(law->ks, 3)})
      table.rows.back().push_back(cell);
  }
  return table;
}

KeptPage PageOf(const GraphStructure& structure) {
  const GraphFacts& facts = structure.facts;
  const uint64_t core = structure.parts.front().second;  // scc
  KeptPage page("walk", "The structure of a web");
  page.Add(html::Lead{
      core < 2 ? "No two pages reach each other by links."
               : ShareInWords(core, facts.nodes) +
                     " of the pages reach each other by links.",
      CountText(facts.nodes, "page") + ", " + CountText(facts.arcs, "link") +
          "; " + CountText(structure.strong_components, "strong component") +
          ", " + CountText(structure.weak_components, "weak component") +
          ", of which the largest has " +
          CountText(structure.largest_weak, "page") + "."});
  page.Add(html::Shares{"Bow tie", structure.parts});
  page.Add(LawTable(structure));
  html::KeyValues rest = LeftOut(facts);
  if (structure.spectral_gap >= 0)
    rest.rows.emplace_back(structure.gap_converged
                               ? "spectral gap of the walk both ways"
                               : "spectral gap of the walk both ways, roughly",
                           html::Cell::Rounded(structure.spectral_gap));
  page.Add(std::move(rest));
  return page;
}

KeptPage PageOf(const RankSummary& summary, const RankOptions& options) {
  const std::string method(ChoiceName(summary.method));
  KeptPage page("walk", "Ranks of a web");
  page.Add(html::Lead{
      "The " + method + " of " + CountText(summary.facts.nodes, "page") +
          (summary.converged ? " has settled after "
                             : " has not settled after ") +
          CountText(summary.rounds, "round") + ".",
      "The pages have " + CountText(summary.facts.arcs, "link") +
          ". Next: twinset dedup INPUT... --fields " + NameText(options.out) +
          " --keep max:" + method + " --out DIR"});
  page.Add(LeftOut(summary.facts));
  return page;
}

}  // namespace

Result<GraphStructure> v1::MeasureGraph(const GraphOptions& options) try {
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
  structure.json = Json({{"graph", FieldsToJson(loaded.facts)},
                         {"parts", parts},
                         {"strong_components", tie.strong_components},
                         {"weak_components", tie.weak_components},
                         {"largest_weak", tie.largest_weak},
                         {"in_degree", LawJson(structure.in)},
                         {"out_degree", LawJson(structure.out)},
                         {"spectral", gap}});
  structure.page = ResultPage(PageOf(structure));
  return structure;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<RankSummary> v1::RankGraph(const RankOptions& options) try {
  TWINSET_TRY(CheckFile(options));
  TWINSET_TRY(CheckRanks(options));
  GraphOptions from = options.graph;
  from.on_progress = options.on_progress;
  TWINSET_ASSIGN(const LoadedGraph loaded, LoadGraph(from));
  TWINSET_ASSIGN(RankedPages pages, RankPages(loaded, options));
  TWINSET_TRY(WriteRanks(loaded, pages.values,
                         std::string(ChoiceName(options.method)), options.out));
  RankSummary summary;
  summary.facts = loaded.facts;
  summary.method = options.method;
  summary.rounds = pages.rounds;
  summary.converged = pages.converged;
  summary.trusted = std::move(pages.trusted);
  Json json = {{"graph", FieldsToJson(loaded.facts)},
               {"rank", options.method},
               {"damping", options.damping},
               {"rounds", summary.rounds},
               {"converged", summary.converged}};
  if (options.method == RankMethod::kTrustRank)
    json["trusted"] = FieldsToJson(summary.trusted);
  json["out"] = options.out;
  summary.json = std::move(json);
  if (!summary.converged)
    summary.warnings.push_back("the ranks have not settled; raise --tolerance");
  summary.page = ResultPage(PageOf(summary, options));
  return summary;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
