// The parts of a directed graph around its largest strongly connected component
// (Broder et al., WWW 2000; docs/methods/link-graphs.md).
#ifndef TWINSET_SRC_MEASURE_WEB_BOW_TIE_H_
#define TWINSET_SRC_MEASURE_WEB_BOW_TIE_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "web/graph.h"

namespace twinset {

enum class BowTiePart : uint8_t {
  kCore,     // the largest strongly connected component, SCC
  kIn,       // leads to the core, not reached from it
  kOut,      // reached from the core, does not lead back
  kTendril,  // none of these, but reached from IN or leading to OUT
  kTube,     // both: a way from IN to OUT around the core
  kFringe,   // else connected with the core, directions disregarded
  kIsland,   // not connected with it
};
inline constexpr size_t kBowTieParts = 7;
std::string_view BowTiePartName(BowTiePart part);  // "scc", "in", ...

struct BowTie {
  std::vector<BowTiePart> parts;  // of each node
  std::array<uint64_t, kBowTieParts> sizes{};
  uint64_t strong_components = 0, weak_components = 0;
  uint64_t largest_weak = 0;  // nodes of the largest weak component
};

// Number of the strongly connected component of each node, in the order in
// which Tarjan's algorithm (1972) closes them; without recursion. Time: O(nodes
// + arcs); memory: 20 bytes per node.
std::vector<uint32_t> StrongComponents(const Graph& graph, uint32_t* count);

// If several components are the largest, the one with the smallest node is the
// core.
BowTie FindBowTie(const Graph& graph);

// Nodes that can be reached from `starts`, these included, along links
// (`forward`), against them (`backward`), or both ways: 1 for each, else 0.
std::vector<uint8_t> Reached(const Graph& graph,
                             const std::vector<uint32_t>& starts, bool forward,
                             bool backward);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_BOW_TIE_H_
