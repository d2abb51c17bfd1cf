// Graphs as commands are given them: edge lists or pages.
#ifndef TWINSET_SRC_MEASURE_WEB_GRAPH_INPUT_H_
#define TWINSET_SRC_MEASURE_WEB_GRAPH_INPUT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "twinset/measure/graph.h"
#include "web/graph.h"

namespace twinset {

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

// A line of a list of pages: an address, an id, or a JSON row with a "url".
struct PageLine {
  std::string name;     // empty when there is a problem
  std::string where;    // "FILE:LINE"
  std::string problem;  // why the line names no page
};
// Every line of the files but comments, which begin with #, and empty ones.
// kIo, and the errors of `on_line`.
Status ForEachPageLine(const std::vector<std::string>& files,
                       const std::function<Status(const PageLine&)>& on_line);

// Finds nodes by their names. Memory: 16 bytes per node.
class NodeIndex {
 public:
  // The graph must outlive the index. Time: a normal form a node.
  explicit NodeIndex(const LoadedGraph& graph);
  // By address, then by address in normal form (of several nodes the first),
  // then by id.
  std::optional<uint32_t> Find(const std::string& name) const;

 private:
  const LoadedGraph& graph_;
  std::vector<std::pair<uint64_t, uint32_t>> nodes_;  // by hash of the address
};

// Nodes by address or id, in the order given. kUsage for what is no node.
Result<std::vector<uint32_t>> FindNodes(const LoadedGraph& graph,
                                        const std::vector<std::string>& names);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_GRAPH_INPUT_H_
