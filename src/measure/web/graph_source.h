// A graph as a web to walk on, with an index of its links as incomplete as
// wanted (docs/methods/link-graphs.md).
#ifndef TWINSET_SRC_MEASURE_WEB_GRAPH_SOURCE_H_
#define TWINSET_SRC_MEASURE_WEB_GRAPH_SOURCE_H_

#include <string>
#include <vector>

#include "web/graph.h"
#include "web/link_source.h"

namespace twinset {

// What an engine that answers `link:` knows. By a hash of the seed and the
// page or link: the same whatever is asked, in any order.
struct BackLinkIndex {
  double pages = 1;  // share of the pages that it has indexed
  double links = 1;  // share of the links on indexed pages that it knows
  uint64_t seed = 1;
};

// Does not own the graph.
class GraphSource : public LinkSource {
 public:
  GraphSource(const NamedGraph* graph, const BackLinkIndex& index)
      : graph_(graph), index_(index) {}

  Result<std::vector<NodeId>> OutLinks(NodeId node) override;
  Result<std::vector<NodeId>> BackLinks(NodeId node) override;
  std::string Url(NodeId node) const override;
  uint64_t nodes() const override { return graph_->graph.nodes(); }
  bool complete() const override { return true; }

  // Returns true iff the index has this page, so that it can name its links.
  bool Indexed(NodeId node) const;
  bool KnowsLink(NodeId from, NodeId to) const;
  bool index_complete() const { return index_.pages >= 1 && index_.links >= 1; }

 private:
  const NamedGraph* graph_;
  BackLinkIndex index_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_GRAPH_SOURCE_H_
