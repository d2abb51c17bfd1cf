#include "web/graph_input.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "base/ascii.h"
#include "base/file.h"
#include "base/keyed_hash.h"
#include "base/machine.h"
#include "documents/side_check.h"
#include "documents/text_lines.h"
#include "net/url.h"
#include "web/edge_list.h"
#include "web/page_graph.h"

namespace twinset {

namespace {

Result<bool> AreEdges(const GraphOptions& options) {
  const auto& inputs = options.input.inputs;
  if (inputs.empty())
    return Fail(ErrorCode::kUsage, "no graph is given", {},
                "give edge lists or pages");
  for (const std::string& path : inputs) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) continue;
    if (const auto size = FileSize(path); size && *size == 0)
      TWINSET_TRY(CheckSide({"graph", path, "arc"}));
  }
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

}  // namespace

Result<LoadedGraph> LoadGraph(const GraphOptions& options) {
  const uint64_t memory = MemoryOr(options.memory_bytes);
  LoadedGraph loaded;
  TWINSET_ASSIGN(const bool edges, AreEdges(options));
  loaded.facts.kind = edges ? GraphKind::kEdges : GraphKind::kPages;
  if (edges) {
    TWINSET_ASSIGN(
        EdgeListGraph list,
        ReadEdgeList({options.input.inputs, options.nodes,
                      options.keep_dangling, memory, options.on_progress}));
    loaded.named = std::move(list.named);
    loaded.ids = std::move(list.ids);
    loaded.facts = std::move(list.facts);
  } else {
    // What cannot be read at all is told first.
    TWINSET_ASSIGN(loaded.named, ReadPageGraph(options, memory, &loaded.facts));
    if (!options.nodes.empty())
      return Fail(ErrorCode::kUsage, "--nodes is of edge lists, not of pages");
  }
  const Graph& graph = loaded.named.graph;
  loaded.facts.nodes = graph.nodes();
  loaded.facts.arcs = graph.arcs();
  loaded.facts.self_loops = graph.self_loops();
  loaded.facts.repeated_arcs = graph.repeated();
  return loaded;
}

Status ForEachPageLine(const std::vector<std::string>& files,
                       const std::function<Status(const PageLine&)>& on_line) {
  for (const std::string& path : files) {
    Status status;
    TWINSET_TRY(ForEachTextLine(path, [&](const TextLine& line) {
      PageLine page;
      page.where = path + ":" + std::to_string(line.number);
      page.problem = line.problem;
      page.name = Trim(line.text);
      if (page.problem.empty()) {
        if (page.name.empty() || page.name.front() == '#') return true;
        if (page.name.front() == '{') {
          const Json row = Json::Parse(page.name);
          page.name = row.is_object() ? row.value("url", "") : "";
          if (page.name.empty()) page.problem = "a row without a url";
        }
      }
      status = on_line(page);
      return status.has_value();
    }));
    TWINSET_TRY(status);
  }
  return {};
}

NodeIndex::NodeIndex(const LoadedGraph& graph) : graph_(graph) {
  const auto& urls = graph.named.urls;
  nodes_.reserve(urls.size());
  for (uint32_t node = 0; node < urls.size(); ++node)
    nodes_.emplace_back(
        EqualityHash::OfProcess().Short(NormaliseUrl(urls[node])), node);
  std::sort(nodes_.begin(), nodes_.end());
}

std::optional<uint32_t> NodeIndex::Find(const std::string& name) const {
  const std::string normal = NormaliseUrl(name);
  const uint64_t hash = EqualityHash::OfProcess().Short(normal);
  std::optional<uint32_t> found;
  for (auto at = std::lower_bound(nodes_.begin(), nodes_.end(),
                                  std::pair(hash, uint32_t{0}));
       at != nodes_.end() && at->first == hash; ++at) {
    const std::string& url = graph_.named.urls[at->second];
    if (url == name) return at->second;
    if (!found && NormaliseUrl(url) == normal) found = at->second;
  }
  if (found) return found;
  uint64_t id = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, id);
  const auto at = std::lower_bound(graph_.ids.begin(), graph_.ids.end(), id);
  if (error != std::errc() || stop != end || at == graph_.ids.end() ||
      *at != id)
    return {};
  return static_cast<uint32_t>(at - graph_.ids.begin());
}

Result<std::vector<uint32_t>> FindNodes(const LoadedGraph& graph,
                                        const std::vector<std::string>& names) {
  std::vector<uint32_t> nodes;
  if (names.empty()) return nodes;
  const NodeIndex index(graph);
  for (const std::string& name : names) {
    const auto node = index.Find(name);
    if (!node)
      return Fail(ErrorCode::kUsage, "the graph has no page '" + name + "'");
    nodes.push_back(*node);
  }
  return nodes;
}

}  // namespace twinset
