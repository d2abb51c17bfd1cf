#include "web/graph.h"

#include <algorithm>
#include <utility>

namespace twinset {

namespace {

// Fills offsets and targets from arcs sorted by their first node.
void FillRows(uint32_t nodes,
              const std::vector<std::pair<uint32_t, uint32_t>>& arcs,
              std::vector<uint64_t>* offsets, std::vector<uint32_t>* targets) {
  offsets->assign(static_cast<size_t>(nodes) + 1, 0);
  targets->resize(arcs.size());
  for (const auto& [from, to] : arcs) ++(*offsets)[from + 1];
  for (size_t i = 1; i < offsets->size(); ++i)
    (*offsets)[i] += (*offsets)[i - 1];
  for (size_t i = 0; i < arcs.size(); ++i) (*targets)[i] = arcs[i].second;
}

}  // namespace

Result<Graph> Graph::FromArcs(uint32_t nodes,
                              std::vector<std::pair<uint32_t, uint32_t>> arcs) {
  Graph graph;
  for (const auto& [from, to] : arcs) {
    if (from < nodes && to < nodes) continue;
    return Fail(ErrorCode::kUsage,
                "arc " + std::to_string(from) + " " + std::to_string(to) +
                    " is of a node that is not below " + std::to_string(nodes));
  }
  const size_t given = arcs.size();
  std::erase_if(arcs, [](const auto& arc) { return arc.first == arc.second; });
  graph.self_loops_ = given - arcs.size();
  std::sort(arcs.begin(), arcs.end());
  const size_t before = arcs.size();
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  graph.repeated_ = before - arcs.size();
  FillRows(nodes, arcs, &graph.out_offsets_, &graph.out_);
  for (auto& arc : arcs) std::swap(arc.first, arc.second);
  std::sort(arcs.begin(), arcs.end());
  FillRows(nodes, arcs, &graph.in_offsets_, &graph.in_);
  return graph;
}

Graph Graph::Reversed() const {
  Graph reversed = *this;
  std::swap(reversed.out_offsets_, reversed.in_offsets_);
  std::swap(reversed.out_, reversed.in_);
  return reversed;
}

}  // namespace twinset
