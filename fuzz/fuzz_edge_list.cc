// Any bytes as edges and nodes: ends, counts every line, and gives a graph
// whose arcs are between its nodes.
#include "scratch_file.h"
#include "target.h"
#include "web/edge_list.h"

TWINSET_FUZZ_TARGET(edge_list) {
  twinset::FuzzInput input(data, size);
  const uint64_t mode = input.Number(1);
  std::string nodes;
  if (mode % 2 == 1) {
    const uint64_t length = input.Number(1) * 4;
    nodes = std::string(input.Take(length));
  }
  const bool keep = mode % 4 >= 2;
  const auto list =
      twinset::ReadEdgeListFromMemory(std::string(input.Rest()), nodes, keep);
  if (!list) {
    twinset::Require(!list.error().message.empty());
    return 0;
  }
  const auto& graph = list->named.graph;
  twinset::Require(list->ids.size() == graph.nodes());
  for (size_t i = 1; i < list->ids.size(); ++i)
    twinset::Require(list->ids[i - 1] < list->ids[i]);
  uint64_t arcs = 0;
  for (uint32_t u = 0; u < graph.nodes(); ++u) {
    for (const uint32_t v : graph.Out(u)) twinset::Require(v < graph.nodes());
    arcs += graph.Out(u).size();
  }
  const auto& facts = list->facts;
  twinset::Require(arcs == graph.arcs());
  twinset::Require(arcs + graph.repeated() + graph.self_loops() +
                       (keep ? 0 : facts.dangling) ==
                   facts.arcs);
  twinset::Require(facts.problems.size() <= twinset::kMostProblems);
  return 0;
}
