#include "web/graph_input.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "base/machine.h"
#include "net/url.h"
#include "web/edge_list.h"
#include "web/page_graph.h"

namespace twinset::inline v1 {

namespace {

Result<bool> AreEdges(const GraphOptions& options) {
  const auto& inputs = options.input.inputs;
  if (inputs.empty())
    return Fail(ErrorCode::kUsage, "no graph is given", {},
                "give edge lists or pages");
  if (options.format == GraphFormat::kEdges) return true;
  if (options.format == GraphFormat::kPages) return false;
  const auto edges = std::count_if(
      inputs.begin(), inputs.end(),
      [](const std::string& path) { return LooksLikeEdgeList(path); });
  if (edges == 0) return false;
  if (static_cast<size_t>(edges) == inputs.size()) return true;
  return Fail(ErrorCode::kUsage, "some inputs are edge lists and some are not",
              {}, "walk on them one by one, or say --graph-format");
}

void TakeFacts(EdgeListFacts facts, GraphFacts* to) {
  to->lines = facts.lines;
  to->comments = facts.comments;
  to->headers = facts.headers;
  to->garbage = facts.garbage;
  to->dangling = facts.dangling;
  to->dangling_ids = facts.dangling_ids;
  to->repeated_ids = facts.repeated_ids;
  to->problems = std::move(facts.problems);
}

}  // namespace

Result<LoadedGraph> LoadGraph(const GraphOptions& options) {
  const uint64_t memory = MemoryOr(options.memory_bytes);
  LoadedGraph loaded;
  TWINSET_ASSIGN(const bool edges, AreEdges(options));
  loaded.facts.kind = edges ? GraphKind::kEdges : GraphKind::kPages;
  if (edges) {
    TWINSET_ASSIGN(EdgeListGraph list,
                   ReadEdgeList({options.input.inputs, options.nodes,
                                 options.keep_dangling, memory}));
    loaded.named = std::move(list.named);
    loaded.ids = std::move(list.ids);
    TakeFacts(std::move(list.facts), &loaded.facts);
  } else {
    if (!options.nodes.empty())
      return Fail(ErrorCode::kUsage, "--nodes is of edge lists, not of pages");
    TWINSET_ASSIGN(loaded.named, ReadPageGraph(options, memory, &loaded.facts));
  }
  const Graph& graph = loaded.named.graph;
  loaded.facts.nodes = graph.nodes();
  loaded.facts.arcs = graph.arcs();
  loaded.facts.self_loops = graph.self_loops();
  loaded.facts.repeated_arcs = graph.repeated();
  return loaded;
}

Result<std::vector<uint32_t>> FindNodes(const LoadedGraph& graph,
                                        const std::vector<std::string>& names) {
  std::vector<uint32_t> nodes;
  const auto& urls = graph.named.urls;
  for (const std::string& name : names) {
    auto url = std::find(urls.begin(), urls.end(), name);
    if (url == urls.end())
      url = std::find(urls.begin(), urls.end(), NormaliseUrl(name));
    if (url != urls.end()) {
      nodes.push_back(static_cast<uint32_t>(url - urls.begin()));
      continue;
    }
    uint64_t id = 0;
    const char* const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data(), end, id);
    const auto at = std::lower_bound(graph.ids.begin(), graph.ids.end(), id);
    if (error != std::errc() || stop != end || at == graph.ids.end() ||
        *at != id) {
      return Fail(ErrorCode::kUsage, "the graph has no page '" + name + "'");
    }
    nodes.push_back(static_cast<uint32_t>(at - graph.ids.begin()));
  }
  return nodes;
}

Json FactsJson(const GraphFacts& facts) {
  Json json = {{"kind", facts.kind},
               {"nodes", facts.nodes},
               {"arcs", facts.arcs},
               {"self_loops", facts.self_loops},
               {"repeated_arcs", facts.repeated_arcs},
               {"dangling", facts.dangling}};
  if (facts.kind == GraphKind::kEdges) {
    json["lines"] = facts.lines;
    json["comments"] = facts.comments;
    json["headers"] = facts.headers;
    json["garbage"] = facts.garbage;
    json["dangling_ids"] = facts.dangling_ids;
    json["repeated_ids"] = facts.repeated_ids;
  } else {
    json["documents"] = facts.documents;
    json["rejected"] = facts.rejected;
    json["repeated_urls"] = facts.repeated_urls;
    json["without_url"] = facts.without_url;
    json["links"] = facts.links;
    json["nofollow"] = facts.nofollow;
    json["hidden"] = facts.hidden;
    json["unresolved"] = facts.unresolved;
  }
  json["problems"] = facts.problems;
  return json;
}

}  // namespace twinset::inline v1
