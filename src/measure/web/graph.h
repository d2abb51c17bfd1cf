// A directed graph in memory, both directions.
#ifndef TWINSET_SRC_MEASURE_WEB_GRAPH_H_
#define TWINSET_SRC_MEASURE_WEB_GRAPH_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// Compressed rows of 32-bit nodes: 8 bytes per arc and 16 per node. Immutable.
class Graph {
 public:
  Graph() = default;
  // Repeated arcs and self-loops are dropped (and counted). Targets ascend.
  // kUsage for a node that is not below `nodes`.
  static Result<Graph> FromArcs(
      uint32_t nodes, std::vector<std::pair<uint32_t, uint32_t>> arcs);

  // Every arc the other way round.
  Graph Reversed() const;

  uint32_t nodes() const {
    return out_offsets_.empty()
               ? 0
               : static_cast<uint32_t>(out_offsets_.size() - 1);
  }
  uint64_t arcs() const { return out_.size(); }
  uint64_t repeated() const { return repeated_; }
  uint64_t self_loops() const { return self_loops_; }
  std::span<const uint32_t> Out(uint32_t node) const {
    return {out_.data() + out_offsets_[node],
            out_offsets_[node + 1] - out_offsets_[node]};
  }
  std::span<const uint32_t> In(uint32_t node) const {
    return {in_.data() + in_offsets_[node],
            in_offsets_[node + 1] - in_offsets_[node]};
  }

 private:
  std::vector<uint64_t> out_offsets_, in_offsets_;
  std::vector<uint32_t> out_, in_;
  uint64_t repeated_ = 0, self_loops_ = 0;
};

// A graph with what its nodes are called; urls may be empty (nodes are then
// called by their number).
struct NamedGraph {
  Graph graph;
  std::vector<std::string> urls;
  std::string Url(uint32_t node) const {
    return node < urls.size() ? urls[node] : std::to_string(node);
  }
};

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_GRAPH_H_
