#include "web/graph.h"

#include <gtest/gtest.h>

#include <set>

#include "base/hash.h"

namespace twinset {
namespace {

TEST(Graph, KeepsDistinctArcsInBothDirections) {
  SplitMix64 random(3);
  for (int round = 0; round < 50; ++round) {
    const auto nodes = static_cast<uint32_t>(1 + random.Below(12));
    std::vector<std::pair<uint32_t, uint32_t>> arcs;
    std::set<std::pair<uint32_t, uint32_t>> distinct;
    uint64_t loops = 0;
    for (uint64_t n = random.Below(60); n > 0; --n) {
      arcs.emplace_back(random.Below(nodes), random.Below(nodes));
      if (arcs.back().first == arcs.back().second) {
        ++loops;
      } else {
        distinct.insert(arcs.back());
      }
    }
    const auto graph = Graph::FromArcs(nodes, arcs);
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->nodes(), nodes);
    EXPECT_EQ(graph->arcs(), distinct.size());
    EXPECT_EQ(graph->self_loops(), loops);
    EXPECT_EQ(graph->repeated(), arcs.size() - loops - distinct.size());
    std::set<std::pair<uint32_t, uint32_t>> out, in;
    for (uint32_t v = 0; v < nodes; ++v) {
      for (const uint32_t to : graph->Out(v)) out.emplace(v, to);
      for (const uint32_t from : graph->In(v)) in.emplace(from, v);
    }
    EXPECT_EQ(out, distinct);
    EXPECT_EQ(in, distinct);
  }
}

TEST(Graph, RefusesNodesBeyondItsSize) {
  const auto graph = Graph::FromArcs(2, {{0, 2}});
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace twinset
