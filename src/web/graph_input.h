// Graphs as commands are given them: edge lists or pages.
#ifndef TWINSET_SRC_WEB_GRAPH_INPUT_H_
#define TWINSET_SRC_WEB_GRAPH_INPUT_H_

#include <string>
#include <vector>

#include "twinset/json.h"
#include "twinset/walk.h"
#include "web/graph.h"

namespace twinset::inline v1 {

struct LoadedGraph {
  NamedGraph named;
  std::vector<uint64_t> ids;  // of edge lists; empty: nodes are called by url
  GraphFacts facts;

  // The address; of edge lists without addresses, the id.
  std::string NameOf(uint32_t node) const {
    return named.urls.empty() && node < ids.size() ? std::to_string(ids[node])
                                                   : named.Url(node);
  }
};

Result<LoadedGraph> LoadGraph(const GraphOptions& options);

// Nodes by address or id, in the order given. kUsage for what is no node.
Result<std::vector<uint32_t>> FindNodes(const LoadedGraph& graph,
                                        const std::vector<std::string>& names);

Json FactsJson(const GraphFacts& facts);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_WEB_GRAPH_INPUT_H_
